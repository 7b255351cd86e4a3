/* schema - see schema.h; schema_check.c has the checks */
#include "store/model/schema.h"

#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/value.h"

int
fail_empty_key(struct call *c, const char *before, const struct index *ix,
	       const struct key_attr *attr)
{
	const char *type = attr->type == VALUE_B ? "binary" : "string";
	int r;

	if (ix == NULL) {
		r = call_fail(c, ERR_VALIDATION,
			      "%sOne or more parameter values are not valid. The AttributeValue "
			      "for a key attribute cannot contain an empty %s value. Key: %.*s",
			      before, type, SLICE_ARG(attr->name));
	} else {
		r = call_fail(c, ERR_VALIDATION,
			      "%sOne or more parameter values are not valid. A value specified "
			      "for a secondary index key is not supported. The AttributeValue "
			      "for a key attribute cannot contain an empty %s value. IndexName: "
			      "%.*s, IndexKey: %.*s",
			      before, type, SLICE_ARG(ix->name), SLICE_ARG(attr->name));
	}
	return call_whole(c, r);
}

int
fail_key_type(struct call *c, const struct index *ix, const struct key_attr *attr,
	      enum value_type actual)
{
	const char *expected = value_type_name(attr->type);

	if (ix == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Type mismatch for key "
				 "%.*s expected: %s actual: %s",
				 SLICE_ARG(attr->name), expected, value_type_name(actual));
	}
	return call_fail(c, ERR_VALIDATION,
			 "One or more parameter values were invalid: Type mismatch for Index Key "
			 "%.*s Expected: %s Actual: %s IndexName: %.*s",
			 SLICE_ARG(attr->name), expected, value_type_name(actual),
			 SLICE_ARG(ix->name));
}

int
schema_check_value(struct call *c, const struct index *ix, const struct key_attr *attr,
		   const struct value *v)
{
	if (v->type != attr->type) {
		return fail_key_type(c, ix, attr, v->type);
	}
	return v->text.len == 0 ? fail_empty_key(c, "", ix, attr) : 0;
}

int
fail_billing(struct call *c, bool provisioned)
{
	return call_fail(c, ERR_VALIDATION, "One or more parameter values were invalid: %s",
			 provisioned ? "ReadCapacityUnits and WriteCapacityUnits must both be "
				       "specified when BillingMode is PROVISIONED"
				     : "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
				       "specified when BillingMode is PAY_PER_REQUEST");
}

bool
key_schema_eq(const struct key_schema *a, const struct key_schema *b)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *x = key_slot(a, i);
		const struct key_attr *y = key_slot(b, i);

		if (!slice_eq(x->name, y->name) || (x->name.len > 0 && x->type != y->type)) {
			return false;
		}
	}
	return true;
}

const struct key_attr *
key_next(const struct key_schema *k, const struct key_attr *a)
{
	size_t i = 0;

	while (a != NULL && key_slot(k, i++) != a) {
		assert(i < KEY_ATTRS_MAX);
	}
	while (i < KEY_ATTRS_MAX && key_slot(k, i)->name.len == 0) {
		i++;
	}
	return i < KEY_ATTRS_MAX ? key_slot(k, i) : NULL;
}

const struct key_attr *
key_schema_attr(const struct key_schema *k, struct slice name)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *a = key_slot(k, i);

		if (a->name.len > 0 && slice_eq(a->name, name)) {
			return a;
		}
	}
	return NULL;
}

bool
key_schema_has(const struct key_schema *k, struct slice name)
{
	return key_schema_attr(k, name) != NULL;
}

const struct key_attr *
schema_key_attr(const struct schema *s, struct slice name)
{
	const struct key_attr *a = key_schema_attr(&s->key, name);

	for (size_t i = 0; i < s->n_index && a == NULL; i++) {
		a = key_schema_attr(&s->index[i].key, name);
	}
	return a;
}

static void
schema_add(struct item *out, struct slice name, const struct item *key, const struct item *it)
{
	const struct value *v = item_get(key, name);

	v = v != NULL ? v : item_get(it, name);
	if (v != NULL) {
		out->at[out->n++] = (struct attr){.name = name, .value = *v};
	}
}

struct item
item_with_key(struct arena *a, const struct key_schema *k, const struct item *it,
	      const struct item *key)
{
	struct item out = {.at = arena_new(a, struct attr, it->n + 2)};

	schema_add(&out, k->pk->name, key, it);
	if (key_schema_has_sort(k)) {
		schema_add(&out, k->sk->name, key, it);
	}
	for (size_t i = 0; i < it->n; i++) {
		if (!key_schema_has(k, it->at[i].name)) {
			out.at[out.n++] = it->at[i];
		}
	}
	return out;
}

struct item
item_key_first(struct arena *a, const struct key_schema *k, const struct item *it)
{
	bool first = it->n >= 1 && slice_eq(it->at[0].name, k->pk->name);

	if (first && key_schema_has_sort(k)) {
		first = it->n >= 2 && slice_eq(it->at[1].name, k->sk->name);
	}
	return first ? *it : item_with_key(a, k, it, &(struct item){0});
}

static size_t
add_attrs(const struct key_schema *k, const struct key_attr **list, size_t n)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		if (key_slot(k, i)->name.len > 0) {
			list[n++] = key_slot(k, i);
		}
	}
	return n;
}

size_t
schema_place(const struct schema *s, const struct index *ix,
	     const struct key_attr *out[KEY_VALUES_MAX])
{
	size_t n = ix == NULL ? 0 : add_attrs(&ix->key, out, 0);

	assert(key_schema_n(&s->key) <= KEY_VALUES_MAX - KEY_ATTRS_MAX);
	return add_attrs(&s->key, out, n);
}

static const char *const views[] = {
	[STREAM_NONE] = "",
	[STREAM_KEYS_ONLY] = "KEYS_ONLY",
	[STREAM_NEW_IMAGE] = "NEW_IMAGE",
	[STREAM_OLD_IMAGE] = "OLD_IMAGE",
	[STREAM_NEW_AND_OLD_IMAGES] = "NEW_AND_OLD_IMAGES",
};

const char *
stream_view_name(enum stream_view view)
{
	return views[view];
}

enum stream_view
stream_view_from_name(struct slice name)
{
	int view = STREAM_NEW_AND_OLD_IMAGES;

	while (view > STREAM_NONE && !slice_is(name, views[view])) {
		view--;
	}
	return (enum stream_view)view;
}

const struct index *
schema_index(const struct schema *s, struct slice name)
{
	for (size_t i = 0; i < s->n_index; i++) {
		if (slice_eq(s->index[i].name, name)) {
			return &s->index[i];
		}
	}
	return NULL;
}

size_t
schema_local_indexes(const struct schema *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_index; i++) {
		n += !s->index[i].global;
	}
	return n;
}

const struct index *
schema_view(const struct schema *s, struct slice name)
{
	const struct index *ix = schema_index(s, name);

	return ix != NULL && ix->state == INDEX_ACTIVE ? ix : NULL;
}

const struct index *
schema_index_by_id(const struct schema *s, uint16_t id)
{
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].id == id) {
			return &s->index[i];
		}
	}
	return NULL;
}

const struct index *
schema_busy(const struct schema *s)
{
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].state != INDEX_ACTIVE) {
			return &s->index[i];
		}
	}
	return NULL;
}

bool
schema_projects(const struct schema *s, const struct index *ix, struct slice name)
{
	if (ix->projection == PROJECTION_ALL || key_schema_has(&s->key, name) ||
	    key_schema_has(&ix->key, name)) {
		return true;
	}
	for (size_t i = 0; i < ix->n_include; i++) {
		if (slice_eq(ix->include[i], name)) {
			return true;
		}
	}
	return false;
}

static struct key_schema
copy_key(struct arena *a, const struct key_schema *k)
{
	struct key_schema copy = *k;

	for (size_t i = 0; i < KEY_PART_MAX; i++) {
		copy.pk[i].name = slice_copy(a, k->pk[i].name);
		copy.sk[i].name = slice_copy(a, k->sk[i].name);
	}
	return copy;
}

static struct warm
warm_default(const struct schema *s, const struct index *ix)
{
	if (!s->provisioned) {
		return (struct warm){LIMIT_WARM_READS, LIMIT_WARM_WRITES};
	}
	return ix == NULL ? (struct warm){s->read_units, s->write_units}
			  : (struct warm){ix->read_units, ix->write_units};
}

struct warm
schema_warm(const struct schema *s, const struct index *ix)
{
	struct warm w = ix == NULL ? s->warm : ix->warm;
	struct warm least = warm_default(s, ix);

	return (struct warm){w.reads > least.reads ? w.reads : least.reads,
			     w.writes > least.writes ? w.writes : least.writes};
}

/* The warm throughput to request for a table like @s: none if it is not above the default. */
static struct warm
warm_asked(const struct schema *s, const struct index *ix)
{
	struct warm w = ix == NULL ? s->warm : ix->warm;
	struct warm least = warm_default(s, ix);

	return w.reads > least.reads || w.writes > least.writes ? w : (struct warm){0};
}

struct schema *
schema_definition(struct arena *a, const struct schema *s, struct slice table)
{
	struct schema *out = arena_new(a, struct schema, 1);

	*out = *s;
	out->table = table;
	out->uuid = (struct slice){0};
	out->id = out->version = 0;
	out->created_ms = out->on_demand_ms = out->class_ms = out->recovery_ms = 0;
	out->recovery_days = 0;
	out->creating = false;
	out->next_index = 0;
	out->ttl = (struct slice){0};
	out->restored = (struct restored){0};
	out->warm = warm_asked(s, NULL);
	out->index = arena_new(a, struct index, s->n_index + 1);
	out->n_index = 0;
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].state != INDEX_DELETING) {
			struct index *ix = &out->index[out->n_index++];

			*ix = s->index[i];
			ix->state = INDEX_ACTIVE;
			ix->id = 0;
			ix->warm = warm_asked(s, ix);
		}
	}
	return out;
}

struct schema *
schema_copy(struct arena *a, const struct schema *s)
{
	struct schema *copy = arena_new(a, struct schema, 1);

	*copy = *s;
	copy->table = slice_copy(a, s->table);
	copy->uuid = slice_copy(a, s->uuid);
	copy->ttl = slice_copy(a, s->ttl);
	copy->encryption.key = slice_copy(a, s->encryption.key);
	copy->restored.backup = slice_copy(a, s->restored.backup);
	copy->restored.table = slice_copy(a, s->restored.table);
	copy->tags = arena_new(a, struct tag, s->n_tags);
	for (size_t i = 0; i < s->n_tags; i++) {
		copy->tags[i].key = slice_copy(a, s->tags[i].key);
		copy->tags[i].value = slice_copy(a, s->tags[i].value);
	}
	copy->key = copy_key(a, &s->key);
	copy->index = arena_new(a, struct index, s->n_index);
	for (size_t i = 0; i < s->n_index; i++) {
		const struct index *from = &s->index[i];
		struct index *to = &copy->index[i];

		*to = *from;
		to->name = slice_copy(a, from->name);
		to->key = copy_key(a, &from->key);
		to->include = arena_new(a, struct slice, from->n_include);
		for (size_t k = 0; k < from->n_include; k++) {
			to->include[k] = slice_copy(a, from->include[k]);
		}
	}
	return copy;
}

/* The value of the key attribute, or NULL if there is none of its type. */
static const struct value *
schema_key_value(const struct key_attr *k, const struct item *it)
{
	const struct value *v = item_get(it, k->name);

	return v != NULL && v->type == k->type ? v : NULL;
}

/* Appends the values of one part of a key; false: one is missing. */
static bool
add_values(const struct key_attr part[KEY_PART_MAX], const struct item *it, struct key_values *out)
{
	for (size_t i = 0; i < KEY_PART_MAX && part[i].name.len > 0; i++) {
		const struct value *v = schema_key_value(&part[i], it);

		if (v == NULL) {
			return false;
		}
		assert(out->n < KEY_VALUES_MAX);
		out->at[out->n++] = v;
	}
	return true;
}

int
key_from_item(const struct key_schema *k, const struct item *it, struct key_values *out)
{
	return !add_values(k->pk, it, out) || !add_values(k->sk, it, out);
}

struct key_values
key_values_of(const struct value *at, size_t n)
{
	struct key_values k = {.n = n};

	assert(n <= KEY_VALUES_MAX);

	for (size_t i = 0; i < n; i++) {
		k.at[i] = &at[i];
	}
	return k;
}

/* Whether these values are allowed in one part of a key. Numbers are always far below the limit. */
static bool
schema_fits(const struct value *const *v, size_t n, size_t limit)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i]->text.len == 0) {
			return false;
		}
		sum += v[i]->type == VALUE_N ? 0 : v[i]->text.len;
	}
	return sum <= limit;
}

int
index_key(const struct index *ix, const struct item *it, struct key_values *out)
{
	const struct value **v = &out->at[out->n];
	size_t n_pk = key_part_n(ix->key.pk);

	return key_from_item(&ix->key, it, out) != 0 || !schema_fits(v, n_pk, LIMIT_PK_BYTES) ||
	       !schema_fits(v + n_pk, key_part_n(ix->key.sk), LIMIT_SK_BYTES);
}

struct item
item_project(struct arena *a, const struct schema *s, const struct index *ix, const struct item *it)
{
	struct item out = {arena_new(a, struct attr, it->n), 0};

	for (size_t i = 0; i < it->n; i++) {
		if (schema_projects(s, ix, it->at[i].name)) {
			out.at[out.n++] = it->at[i];
		}
	}
	return out;
}

void
schema_settle(struct schema *s)
{
	if (!s->provisioned) {
		return;
	}
	s->on_demand = (struct on_demand){0};
	for (size_t i = 0; i < s->n_index; i++) {
		s->index[i].on_demand = (struct on_demand){0};
	}
}
