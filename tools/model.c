/* model - files into CreateTable operations; runs none of them */
#include "tools/model.h"

#include "store/wire/codec.h"
#include "store/wire/describe.h"

#include "tools/opts.h"

/* {"AttributeName": "PK", "AttributeType": "S"} */
static int
key_attr(struct call *c, const struct json *json, struct key_attr *out)
{
	const struct json *name = json_get(json, "AttributeName");
	const struct json *type = json_get(json, "AttributeType");

	if (name == NULL || type == NULL || name->type != JSON_STRING ||
	    type->type != JSON_STRING) {
		return call_fail(c, ERR_USAGE,
				 "a key of the model has no AttributeName or AttributeType");
	}
	out->name = name->text;
	out->type = value_type_from_name(type->text);
	if (!value_is_ordered(out->type)) {
		return call_fail(c, ERR_USAGE, "the key attribute %.*s is of type %.*s",
				 SLICE_ARG(name->text), SLICE_ARG(type->text));
	}
	return 0;
}

/* {"PartitionKey": {...}, "SortKey": {...}} */
static int
key_schema(struct call *c, const struct json *json, struct key_schema *out)
{
	const struct json *sort = json_get(json, "SortKey");

	int r = key_attr(c, json_get(json, "PartitionKey"), out->pk);
	if (r < 0 || sort == NULL || sort->type != JSON_OBJECT || sort->n == 0) {
		return r;
	}
	return key_attr(c, sort, out->sk);
}

static int
projection(struct call *c, const struct json *json, struct index *out)
{
	const struct json *type = json_get(json, "ProjectionType");
	const struct json *names = json_get(json, "NonKeyAttributes");

	if (type == NULL || slice_is(type->text, "ALL")) {
		return 0;
	}
	if (slice_is(type->text, "KEYS_ONLY")) {
		out->projection = PROJECTION_KEYS_ONLY;
		return 0;
	}
	if (!slice_is(type->text, "INCLUDE") || names == NULL || names->type != JSON_ARRAY) {
		return call_fail(c, ERR_USAGE, "the index %.*s has no valid projection",
				 SLICE_ARG(out->name));
	}
	out->projection = PROJECTION_INCLUDE;
	out->include = arena_new(&c->arena, struct slice, names->n + 1);
	json_each (name, names) {
		out->include[out->n_include++] = name->text;
	}
	return 0;
}

static int
read_index(struct call *c, const struct json *json, bool global, struct index *out)
{
	const struct json *name = json_get(json, "IndexName");

	if (name == NULL || name->type != JSON_STRING) {
		return call_fail(c, ERR_USAGE, "an index of the model has no IndexName");
	}
	out->name = name->text;
	out->global = global;
	int r = key_schema(c, json_get(json, "KeyAttributes"), &out->key);
	return r < 0 ? r : projection(c, json_get(json, "Projection"), out);
}

static int
indexes(struct call *c, const struct json *list, bool global, struct schema *s)
{
	if (list == NULL || list->type != JSON_ARRAY) {
		return 0;
	}
	json_each (json, list) {
		int r = read_index(c, json, global, &s->index[s->n_index++]);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

static int
read_units(struct call *c, const struct json *settings, const char *name, uint64_t *out)
{
	const struct json *n = json_get(json_get(settings, "ProvisionedThroughput"), name);

	if (n == NULL || n->type != JSON_NUMBER ||
	    !opts_count(slice_cstr(&c->arena, n->text), out) || *out == 0) {
		return call_fail(c, ERR_USAGE,
				 "a PROVISIONED table of the model has no ProvisionedThroughput "
				 "with %s",
				 name);
	}
	return 0;
}

/* Each global index has as much of it as the table. */
static int
throughput(struct call *c, const struct json *json, struct schema *s)
{
	const struct json *mode = json_get(json, "BillingMode");
	const struct json *settings = json_get(json, "ProvisionedCapacitySettings");

	if (mode == NULL || !slice_is(mode->text, "PROVISIONED")) {
		return 0;
	}
	int r = read_units(c, settings, "ReadCapacityUnits", &s->read_units);

	r = r < 0 ? r : read_units(c, settings, "WriteCapacityUnits", &s->write_units);
	s->provisioned = true;
	for (size_t i = 0; i < s->n_index; i++) {
		s->index[i].read_units = s->index[i].global ? s->read_units : 0;
		s->index[i].write_units = s->index[i].global ? s->write_units : 0;
	}
	return r;
}

static size_t
members(const struct json *list)
{
	return list == NULL ? 0 : list->n;
}

static int
workbench_table(struct call *c, const struct json *json, struct model_table *out)
{
	struct schema *s = arena_new(&c->arena, struct schema, 1);
	const struct json *name = json_get(json, "TableName");
	const struct json *gsi = json_get(json, "GlobalSecondaryIndexes");
	const struct json *lsi = json_get(json, "LocalSecondaryIndexes");
	const struct json *data = json_get(json, "TableData");

	if (name == NULL || name->type != JSON_STRING) {
		return call_fail(c, ERR_USAGE, "it has no TableName");
	}
	s->table = name->text;
	s->index = arena_new(&c->arena, struct index, members(gsi) + members(lsi) + 1);
	out->create.schema = s;
	if (data != NULL && data->type == JSON_ARRAY) {
		out->data = data;
	}
	int r = key_schema(c, json_get(json, "KeyAttributes"), &s->key);
	if (r == 0) {
		r = indexes(c, lsi, false, s);
	}
	r = r < 0 ? r : indexes(c, gsi, true, s);
	return r < 0 ? r : throughput(c, json, s);
}

/* Which table of the model it is, in front of what is wrong with it. */
static int
name_table(struct call *c, const struct json *json, size_t number)
{
	const struct json *name = json_get(json, "TableName");

	return name != NULL && name->type == JSON_STRING
		       ? call_prefix(c, "table %.*s: ", SLICE_ARG(name->text))
		       : call_prefix(c, "table %zu: ", number);
}

static int
workbench(struct call *c, const struct json *tables, struct model *out)
{
	int r = 0;

	out->tables = arena_new(&c->arena, struct model_table, tables->n + 1);
	json_each (json, tables) {
		r = workbench_table(c, json, &out->tables[out->n++]);
		if (r < 0) {
			return name_table(c, json, out->n);
		}
	}
	if (out->n == 0) {
		return call_fail(c, ERR_USAGE, "the model has no tables");
	}
	return 0;
}

static struct slice
json_text(struct call *c, const struct json *json)
{
	struct json_writer w;
	struct buf b;

	buf_init(&b, &c->arena);
	json_writer_init(&w, &b, 0);
	describe_json(&w, json);
	return buf_view(&b);
}

/* What a file says of the time to live: as DescribeTimeToLive, or as its request and CloudFormation. */
static struct slice
time_to_live(const struct json *json)
{
	const struct json *description = json_get(json, "TimeToLiveDescription");
	const struct json *asked = json_get(json, "TimeToLiveSpecification");
	const struct json *enabled = json_get(asked, "Enabled");
	const struct json *name = json_get(description, "AttributeName");

	if (enabled != NULL && enabled->type == JSON_TRUE) {
		name = json_get(asked, "AttributeName");
	}
	return name != NULL && name->type == JSON_STRING ? name->text : slice_of(NULL, 0);
}

int
model_read(struct call *c, struct slice text, struct model *out)
{
	const struct json *json = NULL;

	*out = (struct model){0};
	int r = json_parse(c, text, JSON_STRICT, &json);
	if (r < 0) {
		return r;
	}
	const struct json *tables = json_get(json, "DataModel");
	const struct json *described = json_get(json, "Table");

	if (tables != NULL && tables->type == JSON_ARRAY) {
		return workbench(c, tables, out);
	}
	if (described == NULL && json_get(json, "TableStatus") != NULL) {
		described = json;
	}
	if (described != NULL) {
		text = json_text(c, described);
	}
	out->tables = arena_new(&c->arena, struct model_table, 1);
	out->n = 1;
	out->tables[0].ttl = time_to_live(described != NULL ? described : json);
	return codec_decode_create_table(c, text, &out->tables[0].create);
}
