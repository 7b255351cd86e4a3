#include "store/model/item_json.h"
#include "store/model/number.h"

#include "tests/engine/model.h"

struct slice
model_text(const struct json *j)
{
	return j == NULL || j->type != JSON_STRING ? slice_of(NULL, 0) : j->text;
}

bool
model_is(const struct json *j, const char *text)
{
	return slice_is(model_text(j), text);
}

static void
must(bool fine, const char *what)
{
	if (!fine) {
		(void)fprintf(stderr, "models: %s\n", what);
		abort();
	}
}

size_t
model_number(const struct json *j)
{
	return strtoull(j->text.at, NULL, 10);
}

/* ------------------------------------------------------------ values */

static struct value
list_of(struct call *c, const struct json *j, enum value_type type)
{
	struct value v = {.type = type};

	v.list.at = arena_new(&c->arena, struct value, j->n);
	json_each (child, j) {
		v.list.at[v.list.n++] = model_value(c, child);
	}
	return v;
}

static struct value
number_of(struct call *c, struct slice text)
{
	struct value v = {.type = VALUE_N};

	must(number_canonical(c, text, &v.text) == 0, "not a number");
	return v;
}

struct value
model_value(struct call *c, const struct json *plain)
{
	switch (plain->type) {
	case JSON_STRING:
		return value_string(plain->text);
	case JSON_NUMBER:
		return number_of(c, plain->text);
	case JSON_TRUE:
	case JSON_FALSE:
		return (struct value){.type = VALUE_BOOL, .truth = plain->type == JSON_TRUE};
	case JSON_ARRAY:
		return list_of(c, plain, VALUE_L);
	case JSON_OBJECT:
		if (plain->n == 1 && slice_is(plain->child->name, "$ss")) {
			return list_of(c, plain->child, VALUE_SS);
		}
		return (struct value){.type = VALUE_M, .map = model_item(c, plain)};
	case JSON_NULL:
		break;
	}
	return (struct value){.type = VALUE_NULL};
}

struct item
model_item(struct call *c, const struct json *plain)
{
	struct item it = {.at = arena_new(&c->arena, struct attr, plain->n)};

	json_each (child, plain) {
		it.at[it.n++] = (struct attr){child->name, model_value(c, child)};
	}
	return it;
}

struct item
model_typed(struct call *c, const struct json *typed)
{
	struct item it = {0};

	must(item_from_typed_json(c, typed, &it) == 0, "not a typed item");
	return it;
}

/* ------------------------------------------------------------ requests */

/* The state while a request is written. */
struct writer {
	const struct model *m;
	struct json_writer w;
	bool plain; /* plain items must be typed at this place */
};

static bool
holds_item(struct slice name)
{
	return slice_is(name, "Item") || slice_is(name, "Key") ||
	       slice_is(name, "ExclusiveStartKey") || slice_is(name, "ExpressionAttributeValues");
}

/* Return true for a member of a transaction, which names its table itself. */
static bool
names_table(struct slice name)
{
	return slice_is(name, "Put") || slice_is(name, "Delete") || slice_is(name, "Update") ||
	       slice_is(name, "ConditionCheck") || slice_is(name, "Get");
}

static void
put_table(struct writer *out)
{
	json_name(&out->w, "TableName");
	json_string(&out->w, model_text(json_get(out->m->table, "name")));
}

static void put(struct writer *out, const struct json *j);

static void
put_members(struct writer *out, const struct json *j)
{
	json_each (child, j) {
		json_name_slice(&out->w, child->name);
		if (out->plain && holds_item(child->name)) {
			struct item it = model_item(out->m->c, child);
			struct buf typed;

			buf_init(&typed, &out->m->c->arena);
			item_put_json(&typed, &it, ITEM_TYPED);
			json_raw(&out->w, buf_view(&typed));
		} else {
			put(out, child);
		}
	}
}

static void
put(struct writer *out, const struct json *j)
{
	switch (j->type) {
	case JSON_STRING:
		json_string(&out->w, j->text);
		return;
	case JSON_NUMBER:
		json_raw(&out->w, j->text);
		return;
	case JSON_TRUE:
	case JSON_FALSE:
		json_bool(&out->w, j->type == JSON_TRUE);
		return;
	case JSON_NULL:
		json_raw(&out->w, SLICE("null"));
		return;
	case JSON_ARRAY:
		json_open(&out->w, '[');
		json_each (child, j) {
			put(out, child);
		}
		break;
	case JSON_OBJECT:
		json_open(&out->w, '{');
		put_members(out, j);
		if (names_table(j->name) && json_get(j, "TableName") == NULL) {
			put_table(out);
		}
		break;
	}
	json_close(&out->w);
}

struct slice
model_request(const struct model *m, struct slice op, const struct json *index,
	      const struct json *params)
{
	struct writer out = {.m = m,
			     .plain = json_get(m->asked, "request") == NULL &&
				      json_get(m->asked, "steps") == NULL};
	struct buf b;

	buf_init(&b, &m->c->arena);
	json_writer_init(&out.w, &b, 0);
	json_open(&out.w, '{');
	put_members(&out, params);
	if (json_get(params, "TableName") == NULL && !slice_starts(op, SLICE("Transact"))) {
		put_table(&out);
	}
	if (json_get(params, "IndexName") == NULL && model_text(index).len > 0) {
		json_name(&out.w, "IndexName");
		json_string(&out.w, index->text);
	}
	json_close(&out.w);
	return buf_view(&b);
}

/* ------------------------------------------------------------ CreateTable */

struct keys {
	struct json_writer *w;
	const struct json *attrs[16]; /* {name, type} of every key attribute, each once */
	size_t n;
};

static void
put_key_part(struct keys *k, const struct json *attr, const char *type)
{
	if (attr == NULL || attr->type != JSON_OBJECT) {
		return;
	}
	bool known = false;

	json_open(k->w, '{');
	json_name(k->w, "AttributeName");
	json_string(k->w, model_text(json_get(attr, "name")));
	json_name(k->w, "KeyType");
	json_string(k->w, slice_from(type));
	json_close(k->w);
	for (size_t i = 0; i < k->n; i++) {
		known = known || slice_eq(model_text(json_get(k->attrs[i], "name")),
					  model_text(json_get(attr, "name")));
	}
	if (!known) {
		must(k->n < sizeof(k->attrs) / sizeof(*k->attrs), "too many key attributes");
		k->attrs[k->n++] = attr;
	}
}

static void
put_key(struct keys *k, const struct json *key)
{
	json_name(k->w, "KeySchema");
	json_open(k->w, '[');
	put_key_part(k, json_get(key, "partition"), "HASH");
	put_key_part(k, json_get(key, "sort"), "RANGE");
	json_close(k->w);
}

static void
put_index(struct keys *k, const struct json *gsi)
{
	json_open(k->w, '{');
	json_name(k->w, "IndexName");
	json_string(k->w, model_text(json_get(gsi, "name")));
	put_key(k, json_get(gsi, "key"));
	json_name(k->w, "Projection");
	json_open(k->w, '{');
	json_name(k->w, "ProjectionType");
	json_string(k->w, model_text(json_get(json_get(gsi, "projection"), "type")));
	json_close(k->w);
	json_close(k->w);
}

static void
put_indexes(struct keys *k, const struct json *gsis)
{
	if (gsis == NULL || gsis->n == 0) {
		return;
	}
	json_name(k->w, "GlobalSecondaryIndexes");
	json_open(k->w, '[');
	json_each (gsi, gsis) {
		put_index(k, gsi);
	}
	json_close(k->w);
}

static void
put_definitions(struct keys *k)
{
	json_name(k->w, "AttributeDefinitions");
	json_open(k->w, '[');
	for (size_t i = 0; i < k->n; i++) {
		json_open(k->w, '{');
		json_name(k->w, "AttributeName");
		json_string(k->w, model_text(json_get(k->attrs[i], "name")));
		json_name(k->w, "AttributeType");
		json_string(k->w, model_text(json_get(k->attrs[i], "type")));
		json_close(k->w);
	}
	json_close(k->w);
}

/* Begin a request for a table. */
static void
begin(struct call *c, const struct json *table, struct keys *k, struct buf *b)
{
	buf_init(b, &c->arena);
	json_writer_init(k->w, b, 0);
	json_open(k->w, '{');
	json_name(k->w, "TableName");
	json_string(k->w, model_text(json_get(table, "name")));
}

struct slice
model_create(struct call *c, const struct json *table)
{
	struct json_writer w;
	struct keys k = {.w = &w};
	struct buf b;

	begin(c, table, &k, &b);
	json_name(&w, "BillingMode");
	json_string(&w, SLICE("PAY_PER_REQUEST"));
	put_key(&k, json_get(table, "key"));
	put_indexes(&k, json_get(table, "gsis"));
	put_definitions(&k);
	json_close(&w);
	return buf_view(&b);
}

struct slice
model_add_index(struct call *c, const struct json *table, const struct json *gsi)
{
	struct json_writer w;
	struct keys k = {.w = &w};
	struct buf b;

	begin(c, table, &k, &b);
	json_name(&w, "GlobalSecondaryIndexUpdates");
	json_open(&w, '[');
	json_open(&w, '{');
	json_name(&w, "Create");
	put_index(&k, gsi);
	json_close(&w);
	json_close(&w);
	put_definitions(&k);
	json_close(&w);
	return buf_view(&b);
}
