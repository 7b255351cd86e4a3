/* template_terraform - see template.h: aws_dynamodb_table in Terraform JSON */
#include "store/base/text/json.h"

#include "tools/model/template.h"
#include "tools/model/template_value.h"

/* Return the first block: blocks are an object, or an array of objects. */
static const struct json *
terraform_first(const struct json *json)
{
	return json != NULL && json->type == JSON_ARRAY ? json->child : json;
}

static const struct json *
terraform_next(const struct json *list, const struct json *block)
{
	return list->type == JSON_ARRAY ? block->next : NULL;
}

static struct slice
terraform_text(const struct template_scope *s, const struct json *block, const char *name)
{
	return template_value_text(s, json_get(block, name));
}

static void
terraform_keys(const struct template_scope *s, struct json_writer *w, const struct json *block,
	       struct slice hash)
{
	struct slice range = terraform_text(s, block, "range_key");

	json_name(w, "KeySchema");
	json_open(w, '[');
	template_attribute(w, hash, "KeyType", SLICE("HASH"));
	if (range.len > 0) {
		template_attribute(w, range, "KeyType", SLICE("RANGE"));
	}
	json_close(w);
}

static void
terraform_units(struct json_writer *w, const struct json *block)
{
	static const char *const names[][2] = {{"read_capacity", "ReadCapacityUnits"},
					       {"write_capacity", "WriteCapacityUnits"}};

	json_name(w, "ProvisionedThroughput");
	json_open(w, '{');
	for (size_t i = 0; i < 2; i++) {
		const struct json *units = json_get(block, names[i][0]);
		bool number = units != NULL && units->type == JSON_NUMBER;

		json_name(w, names[i][1]);
		json_raw(w, number ? units->text : SLICE("1"));
	}
	json_close(w);
}

static void
terraform_projection(const struct template_scope *s, struct json_writer *w,
		     const struct json *index)
{
	const struct json *names = json_get(index, "non_key_attributes");

	json_name(w, "Projection");
	json_open(w, '{');
	json_name(w, "ProjectionType");
	json_string(w, terraform_text(s, index, "projection_type"));
	if (names != NULL && names->n > 0) {
		json_name(w, "NonKeyAttributes");
		template_value_put(s, w, names);
	}
	json_close(w);
}

static void
terraform_indexes(const struct template_scope *s, struct json_writer *w, const struct json *table,
		  bool global, bool provisioned)
{
	const struct json *list =
		json_get(table, global ? "global_secondary_index" : "local_secondary_index");
	const struct json *index = terraform_first(list);

	if (index == NULL || index->type != JSON_OBJECT) {
		return;
	}
	json_name(w, global ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes");
	json_open(w, '[');
	for (; index != NULL; index = terraform_next(list, index)) {
		json_open(w, '{');
		json_name(w, "IndexName");
		json_string(w, terraform_text(s, index, "name"));
		terraform_keys(s, w, index, terraform_text(s, global ? index : table, "hash_key"));
		terraform_projection(s, w, index);
		if (global && provisioned) {
			terraform_units(w, index);
		}
		json_close(w);
	}
	json_close(w);
}

static void
terraform_attributes(const struct template_scope *s, struct json_writer *w,
		     const struct json *table)
{
	const struct json *list = json_get(table, "attribute");

	json_name(w, "AttributeDefinitions");
	json_open(w, '[');
	for (const struct json *a = terraform_first(list); a != NULL; a = terraform_next(list, a)) {
		template_attribute(w, terraform_text(s, a, "name"), "AttributeType",
				   terraform_text(s, a, "type"));
	}
	json_close(w);
}

static void
terraform_stream(const struct template_scope *s, struct json_writer *w, const struct json *table)
{
	const struct json *enabled = json_get(table, "stream_enabled");

	if (enabled != NULL && enabled->type == JSON_TRUE) {
		json_name(w, "StreamSpecification");
		json_open(w, '{');
		json_name(w, "StreamEnabled");
		json_bool(w, true);
		json_name(w, "StreamViewType");
		json_string(w, terraform_text(s, table, "stream_view_type"));
		json_close(w);
	}
}

static struct slice
terraform_ttl(const struct template_scope *s, const struct json *table)
{
	const struct json *ttl = terraform_first(json_get(table, "ttl"));
	const struct json *enabled = json_get(ttl, "enabled");

	/* "enabled" defaults to true. */
	return enabled != NULL && enabled->type != JSON_TRUE
		       ? SLICE("")
		       : terraform_text(s, ttl, "attribute_name");
}

static void
terraform_table(const struct template_scope *s, struct slice id, const struct json *table,
		struct template_tables *out)
{
	struct template_table *t = template_add(s->c, out);
	bool provisioned = !slice_is(terraform_text(s, table, "billing_mode"), "PAY_PER_REQUEST") &&
			   json_get(table, "read_capacity") != NULL;
	struct slice name = terraform_text(s, table, "name");
	struct json_writer w;

	t->id = id;
	t->ttl = terraform_ttl(s, table);
	struct buf b = {.arena = &s->c->arena};
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_name(&w, "TableName");
	json_string(&w, name.len == 0 ? id : name);
	terraform_attributes(s, &w, table);
	terraform_keys(s, &w, table, terraform_text(s, table, "hash_key"));
	json_name(&w, "BillingMode");
	json_string(&w, provisioned ? SLICE("PROVISIONED") : SLICE("PAY_PER_REQUEST"));
	if (provisioned) {
		terraform_units(&w, table);
	}
	terraform_indexes(s, &w, table, true, provisioned);
	terraform_indexes(s, &w, table, false, provisioned);
	terraform_stream(s, &w, table);
	json_close(&w);
	t->create = buf_view(&b);
}

/* ------------------------------------------------------------ files */

/* Read resource.aws_dynamodb_table of a configuration. */
static void
terraform_configuration(const struct template_scope *s, const struct json *tables,
			struct template_tables *out)
{
	json_each (table, tables) {
		const struct json *block = terraform_first(table);

		if (block != NULL) {
			terraform_table(s, table->name, block, out);
		}
	}
}

/* Read the resources of a plan or state; in a state file each resource has instances. */
static void
terraform_resources(const struct template_scope *s, const struct json *list,
		    struct template_tables *out)
{
	if (list == NULL || list->type != JSON_ARRAY) {
		return;
	}
	json_each (resource, list) {
		const struct json *type = json_get(resource, "type");
		const struct json *values = json_get(resource, "values");
		const struct json *instances = json_get(resource, "instances");

		if (type == NULL || !slice_is(type->text, "aws_dynamodb_table")) {
			continue;
		}
		values = values == NULL ? json_get(terraform_first(instances), "attributes")
					: values;
		if (values != NULL) {
			terraform_table(s, terraform_text(s, resource, "name"), values, out);
		}
	}
}

static void
terraform_module(const struct template_scope *s, const struct json *module, int depth,
		 struct template_tables *out)
{
	const struct json *children = json_get(module, "child_modules");

	terraform_resources(s, json_get(module, "resources"), out);
	if (children != NULL && children->type == JSON_ARRAY && depth < JSON_DEPTH_MAX) {
		json_each (child, children) {
			terraform_module(s, child, depth + 1, out);
		}
	}
}

static const struct json *
terraform_root(const struct json *json)
{
	const struct json *planned = json_get(json, "planned_values");

	planned = planned == NULL ? json_get(json, "values") : planned;
	return json_get(planned, "root_module");
}

static const struct json *
terraform_configured(const struct json *json)
{
	const struct json *tables =
		json_get(terraform_first(json_get(json, "resource")), "aws_dynamodb_table");

	return terraform_first(tables);
}

bool
template_is_terraform(const struct json *json)
{
	return terraform_configured(json) != NULL || terraform_root(json) != NULL ||
	       (json_get(json, "terraform_version") != NULL && json_get(json, "resources") != NULL);
}

void
template_read_terraform(struct call *c, const struct json *json, struct template_tables *out)
{
	static const struct json none = {.type = JSON_OBJECT};
	const struct json *variables = terraform_first(json_get(json, "variable"));
	const struct template_scope s = {.c = c,
					 .variables = variables == NULL ? &none : variables};

	const struct json *configured = terraform_configured(json);
	const struct json *root = terraform_root(json);

	if (configured != NULL) {
		terraform_configuration(&s, configured, out);
	}
	if (root != NULL) {
		terraform_module(&s, root, 0, out);
	} else {
		terraform_resources(&s, json_get(json, "resources"), out);
	}
}
