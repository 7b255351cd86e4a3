/* schema_check - the checks of CreateTable, with DynamoDB's messages */
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#define INVALID "One or more parameter values were invalid: "

bool
schema_name_characters(struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		char ch = name.at[i];

		if (!ascii_word(ch) && ch != '-' && ch != '.') {
			return false;
		}
	}
	return true;
}

/* Checks the name of a table or index. @what: the parameter; @where: its place in the request */
static int
schema_check_name(struct call *c, struct slice name, const char *what, const char *where)
{
	if (name.len < LIMIT_TABLE_NAME_MIN || name.len > LIMIT_TABLE_NAME_MAX) {
		return call_fail(
			c, ERR_VALIDATION,
			"%s must be at least %d characters long and at most %d characters long",
			what, LIMIT_TABLE_NAME_MIN, LIMIT_TABLE_NAME_MAX);
	}
	if (!schema_name_characters(name)) {
		return call_fail(c, ERR_VALIDATION,
				 "1 validation error detected: Value '%.*s' at '%s' failed to "
				 "satisfy constraint: Member must satisfy regular expression "
				 "pattern: [a-zA-Z0-9_.-]+",
				 SLICE_ARG(name), where);
	}
	return 0;
}

static int
check_attr_name(struct call *c, struct slice name, const char *where)
{
	if (name.len == 0 || name.len > LIMIT_KEY_NAME_BYTES) {
		return call_fail(
			c, ERR_VALIDATION,
			"1 validation error detected: Value '%.*s' at '%s' failed to satisfy "
			"constraint: Member must have length %s than or equal to %d",
			SLICE_ARG(name), where, name.len == 0 ? "greater" : "less",
			name.len == 0 ? 1 : LIMIT_KEY_NAME_BYTES);
	}
	return 0;
}

static int
check_key_attr(struct call *c, const struct key_attr *k)
{
	int r = check_attr_name(c, k->name, "keySchema.member.attributeName");

	if (r < 0) {
		return r;
	}
	if (!value_is_ordered(k->type)) {
		return call_fail(c, ERR_VALIDATION,
				 "1 validation error detected: Value '%s' at "
				 "'attributeDefinitions.member.attributeType' failed to satisfy "
				 "constraint: Member must satisfy enum value set: [B, N, S]",
				 value_type_name(k->type));
	}
	return 0;
}

/* Keys of a table and of an LSI have one attribute in each part. */
static int
check_single(struct call *c, const struct key_schema *k)
{
	bool hash = key_part_n(k->pk) > 1;

	if (hash || key_part_n(k->sk) > 1) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "The KeySchema exceeds the maximum allowed number of %s "
					 "key attributes",
				 hash ? "HASH" : "RANGE");
	}
	return 0;
}

/* A key has each attribute only once. */
static int
schema_check_distinct(struct call *c, const struct key_schema *k)
{
	key_each (a, k) {
		if (key_schema_attr(k, a->name) != a) { /* the first one with this name */
			return call_fail(c, ERR_VALIDATION,
					 key_schema_n(k) == 2
						 ? "Both the Hash Key and the Range Key element in "
						   "the KeySchema have the same name"
						 : "The KeySchema contains multiple key attributes "
						   "with the same name");
		}
	}
	return 0;
}

static int
schema_check_key(struct call *c, const struct key_schema *k)
{
	int r = check_key_attr(c, &k->pk[0]);

	for (size_t i = 1; i < KEY_ATTRS_MAX && r == 0; i++) {
		if (key_slot(k, i)->name.len > 0) {
			r = check_key_attr(c, key_slot(k, i));
		}
	}
	return r < 0 ? r : schema_check_distinct(c, k);
}

/* An attribute in two keys has the same type in both. */
static int
check_same_types(struct call *c, const struct key_schema *a, const struct key_schema *b)
{
	key_each (x, a) {
		const struct key_attr *y = key_schema_attr(b, x->name);

		if (y != NULL && x->type != y->type) {
			return call_fail(c, ERR_VALIDATION,
					 INVALID
					 "Attribute %.*s is defined with two types: %s and %s",
					 SLICE_ARG(x->name), value_type_name(x->type),
					 value_type_name(y->type));
		}
	}
	return 0;
}

/* If there are more definitions than all keys can use, later ones are not compared: the caller refuses the number. */
int
schema_check_definitions(struct call *c, const struct key_attr *at, size_t n)
{
	enum { USABLE = KEY_ATTRS_MAX * (1 + LIMIT_LSI + LIMIT_GSI) };

	for (size_t i = 0; i < n && i <= USABLE; i++) {
		for (size_t k = 0; k < i; k++) {
			if (slice_eq(at[k].name, at[i].name)) {
				return call_fail(c, ERR_VALIDATION,
						 INVALID "Duplicate attribute name in "
							 "AttributeDefinitions: %.*s",
						 SLICE_ARG(at[i].name));
			}
		}
	}
	return 0;
}

int
schema_fail_no_range(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 INVALID "Table KeySchema does not have a range key, which is required "
				 "when specifying a LocalSecondaryIndex");
}

static int
check_local(struct call *c, const struct schema *s, const struct index *ix)
{
	int r = check_single(c, &ix->key);

	if (r < 0) {
		return r;
	}
	if (!key_schema_has_sort(&s->key)) {
		return schema_fail_no_range(c);
	}
	if (!key_schema_has_sort(&ix->key)) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID
				 "Index KeySchema does not have a range key for index: %.*s",
				 SLICE_ARG(ix->name));
	}
	if (!slice_eq(ix->key.pk->name, s->key.pk->name)) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "Index KeySchema does not have the same leading hash key "
					 "as table KeySchema for index: %.*s. index hash key: "
					 "%.*s, table hash key: %.*s",
				 SLICE_ARG(ix->name), SLICE_ARG(ix->key.pk->name),
				 SLICE_ARG(s->key.pk->name));
	}
	return 0;
}

static int
check_projection(struct call *c, const struct index *ix)
{
	if (ix->projection != PROJECTION_INCLUDE && ix->n_include > 0) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "ProjectionType is %s, but NonKeyAttributes is specified",
				 ix->projection == PROJECTION_ALL ? "ALL" : "KEYS_ONLY");
	}
	if (ix->projection == PROJECTION_INCLUDE && ix->n_include == 0) {
		return call_fail(
			c, ERR_VALIDATION,
			INVALID "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
	}
	for (size_t i = 0; i < ix->n_include; i++) {
		int r = check_attr_name(c, ix->include[i], "projection.nonKeyAttributes.member");

		if (r < 0) {
			return r;
		}
		for (size_t k = 0; k < i && ix->n_include <= LIMIT_INCLUDE; k++) {
			if (slice_eq(ix->include[k], ix->include[i])) {
				return call_fail(c, ERR_VALIDATION,
						 INVALID "Duplicate attribute name in "
							 "NonKeyAttributes: %.*s",
						 SLICE_ARG(ix->include[i]));
			}
		}
	}
	return 0;
}

int
schema_check_index_key(struct call *c, const struct schema *s, size_t at)
{
	const struct index *ix = &s->index[at];
	int r = schema_check_name(c, ix->name, "IndexName", "indexName");

	if (r == 0) {
		r = schema_check_key(c, &ix->key);
	}
	return r == 0 && !ix->global ? check_local(c, s, ix) : r;
}

int
schema_check_index(struct call *c, const struct schema *s, size_t at)
{
	const struct index *ix = &s->index[at];
	int r = schema_check_index_key(c, s, at);

	if (r == 0) {
		r = check_projection(c, ix);
	}
	if (r == 0) {
		r = check_same_types(c, &s->key, &ix->key);
	}
	for (size_t i = 0; i < at && r == 0; i++) {
		if (slice_eq(s->index[i].name, ix->name)) {
			return call_fail(c, ERR_VALIDATION, INVALID "Duplicate index name: %.*s",
					 SLICE_ARG(ix->name));
		}
		r = check_same_types(c, &s->index[i].key, &ix->key);
	}
	return r;
}

int
schema_check_units(struct call *c, uint64_t reads, uint64_t writes, struct slice index)
{
	bool is_read = reads > LIMIT_UNITS;

	if (!is_read && writes <= LIMIT_UNITS) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION, "Given value %llu for %s is out of bounds%s%.*s",
			 (unsigned long long)(is_read ? reads : writes),
			 is_read ? "ReadCapacityUnits" : "WriteCapacityUnits",
			 index.len > 0 ? " for index " : "", SLICE_ARG(index));
}

int
schema_check_warm(struct call *c, struct warm asked, struct warm least, struct slice index,
		  const char *what)
{
	bool reads = asked.reads != 0 && asked.reads < least.reads;

	if (!reads && (asked.writes == 0 || asked.writes >= least.writes)) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 INVALID "Requested %s for WarmThroughput for %s%.*s is lower than %s",
			 reads ? "ReadUnitsPerSecond" : "WriteUnitsPerSecond",
			 index.len > 0 ? "index " : "table", SLICE_ARG(index), what);
}

/* A new table or GSI may not request less than its default warm throughput. */
static int
check_new_warm(struct call *c, const struct schema *s, struct warm asked, struct warm least,
	       struct slice index)
{
	if (!s->provisioned) {
		return schema_check_warm(
			c, asked, (struct warm){LIMIT_WARM_READS, LIMIT_WARM_WRITES}, index,
			"initial throughput for OnDemand. See: "
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
			"on-demand-capacity-mode.html#on-demand-capacity-mode-initial");
	}
	return schema_check_warm(c, asked, least, index,
				 asked.reads != 0 && asked.reads < least.reads
					 ? "ReadCapacityUnits of ProvisionedThroughput"
					 : "WriteCapacityUnits of ProvisionedThroughput");
}

int
schema_check_new_warm(struct call *c, const struct schema *s)
{
	int r = check_new_warm(c, s, s->warm, (struct warm){s->read_units, s->write_units},
			       SLICE(""));

	for (size_t i = 0; i < s->n_index && r == 0; i++) {
		const struct index *ix = &s->index[i];

		r = check_new_warm(c, s, ix->warm, (struct warm){ix->read_units, ix->write_units},
				   ix->name);
	}
	return r;
}

int
schema_check_counts(struct call *c, const struct schema *s)
{
	size_t n_global = 0;
	size_t n_include = 0;

	for (size_t i = 0; i < s->n_index; i++) {
		n_global += s->index[i].global;
		n_include += s->index[i].n_include;
	}
	if (s->n_index - n_global > LIMIT_LSI) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID
				 "Number of LocalSecondaryIndexes exceeds per-table limit of %d",
				 LIMIT_LSI);
	}
	if (n_global > LIMIT_GSI) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID
				 "GlobalSecondaryIndex count exceeds the per-table limit of %d",
				 LIMIT_GSI);
	}
	if (n_include > LIMIT_INCLUDE) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "Number of NonKeyAttributes exceeds per-table limit of %d",
				 LIMIT_INCLUDE);
	}
	return 0;
}

int
schema_check(struct call *c, const struct schema *s)
{
	int r = schema_check_name(c, s->table, "TableName", "tableName");

	if (r == 0) {
		r = schema_check_key(c, &s->key);
	}
	if (r == 0) {
		r = check_single(c, &s->key);
	}
	if (r == 0) {
		r = schema_check_counts(c, s);
	}
	for (size_t i = 0; i < s->n_index && r == 0; i++) {
		r = schema_check_index(c, s, i);
	}
	return r;
}
