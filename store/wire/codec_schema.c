/*
 * codec_schema - key schemas, indexes and projections: the parts of CreateTable's request and of
 * every TableDescription
 *
 * Only what struct schema cannot hold is refused here (no HASH first, a key
 * attribute without a definition, too many of them); the rest is schema_check()'s.
 */
#include "store/wire/codec_int.h"

static const char *const attribute_types[] = {"S", "N", "B", NULL};
static const enum value_type attribute_values[] = {VALUE_S, VALUE_N, VALUE_B};
static const char *const projection_types[] = {"ALL", "KEYS_ONLY", "INCLUDE", NULL};

/* ------------------------------------------------------------ reading */

int
codec_read_definitions(struct codec_reader *r, const struct json *obj, const struct key_attr **out,
		       size_t *n)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, "AttributeDefinitions", &list);

	if (status < 0) {
		return status;
	}
	if (list == NULL) {
		codec_null(r, "AttributeDefinitions");
		return 0;
	}
	struct key_attr *attrs = arena_new(&r->c->arena, struct key_attr, list->n);

	json_each (child, list) {
		struct key_attr *a = &attrs[*n];
		int type = 0;

		status = codec_element(r, child, "AttributeDefinition");
		if (status == 0) {
			status = codec_string(r, child, "AttributeName", &a->name);
		}
		if (status == 0) {
			status = codec_enum(r, child, "AttributeType", "[B, N, S]", attribute_types,
					    &type);
		}
		if (status < 0) {
			return status;
		}
		a->type = attribute_values[type];
		if (a->name.len == 0) {
			codec_null(r, "AttributeName");
		}
		if (codec_is_null(json_get(child, "AttributeType"))) {
			codec_null(r, "AttributeType");
		}
		++*n;
	}
	*out = attrs;
	return 0;
}

/* "[a, b]" of attribute names, as complaints print them. */
static void
put_names(struct buf *b, const struct key_attr *attrs, size_t n)
{
	buf_char(b, '[');
	for (size_t i = 0; i < n; i++) {
		buf_str(b, i == 0 ? "" : ", ");
		buf_slice(b, attrs[i].name);
	}
	buf_char(b, ']');
}

/* Give each key attribute the type it is defined with. */
static int
define(struct codec_reader *r, struct key_attr *keys, size_t n_keys, const struct key_attr *defs,
       size_t n_defs)
{
	for (size_t k = 0; k < n_keys; k++) {
		size_t d = 0;

		while (d < n_defs && !slice_eq(defs[d].name, keys[k].name)) {
			d++;
		}
		if (d < n_defs) {
			keys[k].type = defs[d].type;
			continue;
		}
		struct buf b;

		buf_init(&b, &r->c->arena);
		buf_str(&b, "One or more parameter values were invalid: Some index key attributes "
			    "are not defined in AttributeDefinitions. Keys: ");
		put_names(&b, keys, n_keys);
		buf_str(&b, ", AttributeDefinitions: ");
		put_names(&b, defs, n_defs);
		return call_fail(r->c, ERR_VALIDATION, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	return 0;
}

/* The elements of a KeySchema; @is_range says which of them are RANGE. */
static int
key_elements(struct codec_reader *r, const struct json *list, struct key_attr *keys, int *is_range)
{
	static const char *const types[] = {"HASH", "RANGE", NULL};
	size_t i = 0;

	json_each (child, list) {
		int status = codec_element(r, child, "KeySchemaElement");

		if (status == 0) {
			status = codec_string(r, child, "AttributeName", &keys[i].name);
		}
		if (status == 0) {
			status = codec_enum(r, child, "KeyType", "[HASH, RANGE]", types,
					    &is_range[i]);
		}
		if (status < 0) {
			return status;
		}
		if (keys[i].name.len == 0) {
			codec_null(r, "AttributeName");
		}
		if (codec_is_null(json_get(child, "KeyType"))) {
			codec_null(r, "KeyType");
		}
		i++;
	}
	return 0;
}

static int
too_many(struct codec_reader *r, const char *type)
{
	return call_fail(r->c, ERR_VALIDATION,
			 "One or more parameter values were invalid: The KeySchema exceeds the "
			 "maximum allowed number of %s key attributes",
			 type);
}

/* What struct key_schema can hold: HASH before RANGE, not too many of them. */
static int
check_order(struct codec_reader *r, const int *is_range, size_t n, bool several)
{
	size_t n_range = 0;

	if (is_range[0]) {
		return call_fail(r->c, ERR_VALIDATION,
				 "Invalid KeySchema: The first KeySchemaElement is not a HASH key "
				 "type");
	}
	if (!several && n == 2 && !is_range[1]) {
		return call_fail(r->c, ERR_VALIDATION,
				 "Invalid KeySchema: The second KeySchemaElement is not a RANGE "
				 "key type");
	}
	for (size_t i = 0; i < n; i++) {
		n_range += is_range[i] != 0;
		if (!is_range[i] && n_range > 0) {
			return call_fail(r->c, ERR_VALIDATION,
					 "One or more parameter values were invalid: All HASH key "
					 "attributes must precede RANGE key attributes in the "
					 "KeySchema");
		}
	}
	if (n - n_range > KEY_PART_MAX) {
		return too_many(r, "HASH");
	}
	return n_range > KEY_PART_MAX ? too_many(r, "RANGE") : 0;
}

/* @several: as a GSI's, of up to four attributes each. */
static int
read_key(struct codec_reader *r, const struct json *obj, const struct key_attr *defs, size_t n_defs,
	 bool several, struct key_schema *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, "KeySchema", &list);

	if (status < 0) {
		return status;
	}
	if (list == NULL) {
		codec_null(r, "KeySchema");
		return 0;
	}
	if (list->n < 1 || (!several && list->n > 2)) {
		codec_fault(r, list->n < 1 ? "[]" : "[...]", "KeySchema",
			    list->n < 1 ? "Member must have length greater than or equal to 1"
					: "Member must have length less than or equal to 2");
		return 0;
	}
	struct key_attr *keys = arena_new(&r->c->arena, struct key_attr, list->n);
	int *is_range = arena_new(&r->c->arena, int, list->n);

	status = key_elements(r, list, keys, is_range);
	if (status < 0 || r->n_faults > 0) {
		return status;
	}
	status = check_order(r, is_range, list->n, several);
	if (status == 0) {
		status = define(r, keys, list->n, defs, n_defs);
	}
	for (size_t i = 0, n_pk = 0, n_sk = 0; i < list->n && status == 0; i++) {
		*(is_range[i] ? &out->sk[n_sk++] : &out->pk[n_pk++]) = keys[i];
	}
	return status;
}

static int
read_projection(struct codec_reader *r, const struct json *obj, struct index *ix)
{
	const struct json *json = NULL;
	const struct json *include = NULL;
	int type = 0;
	int status = codec_struct(r, obj, "Projection", "Projection", &json);

	if (status < 0) {
		return status;
	}
	if (json == NULL) {
		codec_null(r, "Projection");
		return 0;
	}
	status = codec_enum(r, json, "ProjectionType", "[ALL, INCLUDE, KEYS_ONLY]",
			    projection_types, &type);
	if (status == 0) {
		status = codec_list(r, json, "NonKeyAttributes", &include);
	}
	if (status < 0) {
		return status;
	}
	if (codec_is_null(json_get(json, "ProjectionType"))) {
		return call_fail(r->c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Unknown "
				 "ProjectionType: null");
	}
	ix->projection = (enum projection_type)type;
	if (include == NULL) {
		return 0;
	}
	if (ix->projection != PROJECTION_INCLUDE) {
		return call_fail(r->c, ERR_VALIDATION,
				 "One or more parameter values were invalid: ProjectionType is "
				 "%s, but NonKeyAttributes is specified",
				 projection_types[type]);
	}
	ix->include = arena_new(&r->c->arena, struct slice, include->n);
	json_each (child, include) {
		status = codec_text(r, child, &ix->include[ix->n_include++]);
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

int
codec_read_index(struct codec_reader *r, const struct json *json, const struct key_attr *defs,
		 size_t n_defs, struct index *ix)
{
	static const char *const refused[] = {"OnDemandThroughput", "WarmThroughput", NULL};
	int status =
		codec_element(r, json, ix->global ? "GlobalSecondaryIndex" : "LocalSecondaryIndex");

	if (status == 0) {
		status = codec_refuse(r, json, refused);
	}
	if (status == 0) {
		status = codec_string(r, json, "IndexName", &ix->name);
	}
	if (status == 0) {
		status = read_key(r, json, defs, n_defs, ix->global, &ix->key);
	}
	if (status == 0) {
		status = read_projection(r, json, ix);
	}
	if (status == 0 && codec_is_null(json_get(json, "IndexName"))) {
		codec_null(r, "IndexName");
	}
	return status;
}

int
codec_read_schema(struct codec_reader *r, const struct json *obj, const struct json *indexes,
		  struct schema *s, const struct key_attr *definitions, size_t n)
{
	static const char *const names[] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"};
	const struct json *lists[2] = {0};
	int status = codec_table_name(r, obj, &s->table);

	if (status == 0) {
		status = read_key(r, obj, definitions, n, false, &s->key);
	}
	for (int i = 0; i < 2 && status == 0; i++) {
		status = codec_list(r, indexes, names[i], &lists[i]);
		if (status == 0 && lists[i] != NULL && lists[i]->n == 0) {
			status = call_fail(r->c, ERR_VALIDATION,
					   "One or more parameter values were invalid: List of %s "
					   "is empty",
					   names[i]);
		}
	}
	if (status < 0) {
		return status;
	}
	s->index = arena_new(&r->c->arena, struct index,
			     (lists[0] == NULL ? 0 : lists[0]->n) +
				     (lists[1] == NULL ? 0 : lists[1]->n));
	for (int i = 0; i < 2; i++) {
		if (lists[i] == NULL) {
			continue;
		}
		json_each (child, lists[i]) {
			struct index *ix = &s->index[s->n_index++];

			ix->global = i == 1;
			status = codec_read_index(r, child, definitions, n, ix);
			if (status < 0) {
				return status;
			}
		}
	}
	return 0;
}

/* ------------------------------------------------------------ writing */

static void
write_attribute(struct codec_writer *w, const struct key_attr *a)
{
	json_open(&w->json, '{');
	codec_put_string(w, "AttributeName", a->name);
	codec_put_string(w, "AttributeType", slice_from(value_type_name(a->type)));
	json_close(&w->json);
}

/* Is @name in the key of the table or of one of the first @n indexes? */
static bool
is_written(const struct schema *s, size_t n, struct slice name)
{
	bool yes = key_schema_has(&s->key, name);

	for (size_t i = 0; i < n && !yes; i++) {
		yes = key_schema_has(&s->index[i].key, name);
	}
	return yes;
}

static void
write_attributes(struct codec_writer *w, const struct schema *s)
{
	for (size_t i = 0; i <= s->n_index; i++) {
		const struct key_schema *k = i == 0 ? &s->key : &s->index[i - 1].key;

		for (size_t slot = 0; slot < KEY_ATTRS_MAX; slot++) {
			const struct key_attr *a = key_slot(k, slot);

			if (a->name.len > 0 && (i == 0 || !is_written(s, i - 1, a->name))) {
				write_attribute(w, a);
			}
		}
	}
}

void
codec_write_attributes(struct codec_writer *w, const struct schema *s,
		       const struct key_attr *definitions, size_t n)
{
	codec_open(w, "AttributeDefinitions", '[');
	for (size_t i = 0; i < n; i++) {
		write_attribute(w, &definitions[i]);
	}
	if (n == 0) {
		write_attributes(w, s);
	}
	json_close(&w->json);
}

static void
write_key_element(struct codec_writer *w, const struct key_attr *a, const char *type)
{
	if (a->name.len > 0) {
		json_open(&w->json, '{');
		codec_put_string(w, "AttributeName", a->name);
		codec_put_string(w, "KeyType", slice_from(type));
		json_close(&w->json);
	}
}

void
codec_write_key(struct codec_writer *w, const struct key_schema *k)
{
	codec_open(w, "KeySchema", '[');
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		write_key_element(w, key_slot(k, i), i < KEY_PART_MAX ? "HASH" : "RANGE");
	}
	json_close(&w->json);
}

void
codec_write_projection(struct codec_writer *w, const struct index *ix)
{
	codec_open(w, "Projection", '{');
	codec_put_string(w, "ProjectionType", slice_from(projection_types[ix->projection]));
	if (ix->projection == PROJECTION_INCLUDE) {
		codec_open(w, "NonKeyAttributes", '[');
		for (size_t i = 0; i < ix->n_include; i++) {
			json_string(&w->json, ix->include[i]);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
}
