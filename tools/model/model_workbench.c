/* model_workbench - see model_workbench.h */
#include "tools/model/model_workbench.h"

#include "store/base/text/json.h"
#include "store/model/value.h"

#include "tools/cli/opts.h"
#include "tools/model/model.h"

bool
model_workbench_is(const struct json *json)
{
	const struct json *tables = json_get(json, "DataModel");

	return tables != NULL && tables->type == JSON_ARRAY;
}

/* Get a member; *out is NULL if it is absent or null.  A member of another type is an error, so that it is not lost. */
static int
model_member(struct call *c, const struct json *json, const char *name, enum json_type type,
	     const struct json **out)
{
	static const char *const types[] = {
		[JSON_STRING] = "a text", [JSON_ARRAY] = "a list", [JSON_OBJECT] = "an object"};
	const struct json *found = json_get(json, name);

	*out = found == NULL || found->type == JSON_NULL ? NULL : found;
	return *out == NULL || (*out)->type == type
		       ? 0
		       : call_fail(c, ERR_USAGE, "%s is not %s", name, types[type]);
}

/* Read {"AttributeName": "PK", "AttributeType": "S"}. */
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

/* Read {"PartitionKey": {...}, "SortKey": {...}}. */
static int
key_schema(struct call *c, const struct json *json, struct key_schema *out)
{
	const struct json *sort = NULL;

	int r = key_attr(c, json_get(json, "PartitionKey"), out->pk);
	r = r < 0 ? r : model_member(c, json, "SortKey", JSON_OBJECT, &sort);
	if (r < 0 || sort == NULL || sort->n == 0) {
		return r;
	}
	return key_attr(c, sort, out->sk);
}

static int
model_projection(struct call *c, const struct json *json, struct index *out)
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
		if (name->type != JSON_STRING) {
			return call_fail(c, ERR_USAGE,
					 "the index %.*s has a member of NonKeyAttributes that is "
					 "not a name",
					 SLICE_ARG(out->name));
		}
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
	return r < 0 ? r : model_projection(c, json_get(json, "Projection"), out);
}

static int
indexes(struct call *c, const struct json *list, bool global, struct schema *s)
{
	json_each (json, list) {
		int r = read_index(c, json, global, &s->index[s->n_index++]);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

static int
model_read_units(struct call *c, const struct json *settings, const char *name, uint64_t *out)
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

/* Read the provisioned throughput of the table; each global index gets the same. */
static int
throughput(struct call *c, const struct json *json, struct schema *s)
{
	const struct json *mode = NULL;
	const struct json *settings = NULL;
	int r = model_member(c, json, "BillingMode", JSON_STRING, &mode);

	r = r < 0 ? r
		  : model_member(c, json, "ProvisionedCapacitySettings", JSON_OBJECT, &settings);
	if (r < 0 || mode == NULL || !slice_is(mode->text, "PROVISIONED")) {
		return r;
	}
	if (settings == NULL || settings->n == 0) {
		return 0; /* no units: on demand */
	}
	r = model_read_units(c, settings, "ReadCapacityUnits", &s->read_units);

	r = r < 0 ? r : model_read_units(c, settings, "WriteCapacityUnits", &s->write_units);
	s->provisioned = true;
	for (size_t i = 0; i < s->n_index; i++) {
		s->index[i].read_units = s->index[i].global ? s->read_units : 0;
		s->index[i].write_units = s->index[i].global ? s->write_units : 0;
	}
	return r;
}

static int
workbench_table(struct call *c, const struct json *json, struct model_table *out)
{
	struct schema *s = arena_new(&c->arena, struct schema, 1);
	const struct json *name = json_get(json, "TableName");
	const struct json *gsi = NULL;
	const struct json *lsi = NULL;
	int r = model_member(c, json, "GlobalSecondaryIndexes", JSON_ARRAY, &gsi);

	r = r < 0 ? r : model_member(c, json, "LocalSecondaryIndexes", JSON_ARRAY, &lsi);
	r = r < 0 ? r : model_member(c, json, "TableData", JSON_ARRAY, &out->data);
	if (r < 0) {
		return r;
	}

	if (name == NULL || name->type != JSON_STRING) {
		return call_fail(c, ERR_USAGE, "it has no TableName");
	}
	out->said = json;
	s->table = name->text;
	s->index = arena_new(&c->arena, struct index,
			     (gsi == NULL ? 0 : gsi->n) + (lsi == NULL ? 0 : lsi->n) + 1);
	out->create.schema = s;
	r = key_schema(c, json_get(json, "KeyAttributes"), &s->key);
	r = r != 0 ? r : indexes(c, lsi, false, s);
	r = r < 0 ? r : indexes(c, gsi, true, s);
	return r < 0 ? r : throughput(c, json, s);
}

/* Put the name or number of the table before the message of the error. */
static int
name_table(struct call *c, const struct json *json, size_t number)
{
	const struct json *name = json_get(json, "TableName");

	return name != NULL && name->type == JSON_STRING
		       ? call_prefix(c, "table %.*s: ", SLICE_ARG(name->text))
		       : call_prefix(c, "table %zu: ", number);
}

int
model_workbench_read(struct call *c, const struct json *json, struct model *out)
{
	const struct json *tables = json_get(json, "DataModel");
	int r = 0;

	assert(model_workbench_is(json));
	out->tables = arena_new(&c->arena, struct model_table, tables->n + 1);
	json_each (table, tables) {
		r = workbench_table(c, table, &out->tables[out->n++]);
		if (r < 0) {
			return name_table(c, table, out->n);
		}
	}
	if (out->n == 0) {
		return call_fail(c, ERR_USAGE, "the model has no tables");
	}
	return 0;
}
