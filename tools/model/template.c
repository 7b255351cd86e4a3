/* template - see template.h; reads CloudFormation and serverless.yml, and calls the reader of Terraform */
#include "tools/model/template.h"

#include "store/base/text/json.h"

#include "tools/model/template_value.h"

enum { TEMPLATE_FILLS = 10000 }; /* limit of replaced variables of serverless.yml */

struct template_table *
template_add(struct call *c, struct template_tables *out)
{
	out->at = arena_room(&c->arena, out->at, out->n, &out->room);
	out->at[out->n] = (struct template_table){0};
	return &out->at[out->n++];
}

/* Return the value of a member, which may be a reference to another place in the file. */
static const struct json *
template_get(const struct template_scope *s, const struct json *from, const char *name)
{
	return template_value_node(s, json_get(from, name));
}

/* Write the members of @from that are in @names, an array that ends with NULL. */
static void
template_members(const struct template_scope *s, struct json_writer *w, const struct json *from,
		 const char *const *names)
{
	for (; *names != NULL; names++) {
		const struct json *json = json_get(from, *names);

		if (!template_value_is_absent(json)) {
			json_name(w, *names);
			template_value_put(s, w, json);
		}
	}
}

/* Write the members of each index that CreateTable accepts. */
static void
template_indexes(const struct template_scope *s, struct json_writer *w, const struct json *table,
		 const char *kind, bool provisioned)
{
	static const char *const all[] = {"IndexName", "KeySchema", "Projection",
					  "ProvisionedThroughput", NULL};
	static const char *const on_demand[] = {"IndexName", "KeySchema", "Projection", NULL};
	const struct json *list = template_get(s, table, kind);

	if (list == NULL || list->type != JSON_ARRAY || list->n == 0) {
		return;
	}
	json_name(w, kind);
	json_open(w, '[');
	json_each (index, list) {
		json_open(w, '{');
		template_members(s, w, template_value_node(s, index),
				 provisioned ? all : on_demand);
		json_close(w);
	}
	json_close(w);
}

static void
template_stream(const struct template_scope *s, struct json_writer *w, const struct json *table)
{
	const struct json *view =
		json_get(template_get(s, table, "StreamSpecification"), "StreamViewType");

	if (view != NULL) {
		json_name(w, "StreamSpecification");
		json_open(w, '{');
		json_name(w, "StreamEnabled");
		json_bool(w, true);
		json_name(w, "StreamViewType");
		json_string(w, template_value_text(s, view));
		json_close(w);
	}
}

/* Write an AWS::DynamoDB::Table or GlobalTable. */
static void
template_table(const struct template_scope *s, struct json_writer *w, const struct json *table)
{
	static const char *const names[] = {"KeySchema", "AttributeDefinitions",
					    "DeletionProtectionEnabled", NULL};
	static const char *const units[] = {"ProvisionedThroughput", NULL};
	struct slice mode = template_value_text(s, json_get(table, "BillingMode"));
	bool provisioned = json_get(table, "ProvisionedThroughput") != NULL &&
			   !slice_is(mode, "PAY_PER_REQUEST");

	template_members(s, w, table, names);
	json_name(w, "BillingMode");
	json_string(w, provisioned ? SLICE("PROVISIONED") : SLICE("PAY_PER_REQUEST"));
	if (provisioned) {
		template_members(s, w, table, units);
	}
	template_indexes(s, w, table, "GlobalSecondaryIndexes", provisioned);
	template_indexes(s, w, table, "LocalSecondaryIndexes", false);
	template_stream(s, w, table);
}

void
template_attribute(struct json_writer *w, struct slice name, const char *member, struct slice value)
{
	json_open(w, '{');
	json_name(w, "AttributeName");
	json_string(w, name);
	json_name(w, member);
	json_string(w, value);
	json_close(w);
}

/* Write an AWS::Serverless::SimpleTable: it has only a partition key, by default "id". */
static void
template_simple(const struct template_scope *s, struct json_writer *w, const struct json *table)
{
	const struct json *key = json_get(table, "PrimaryKey");
	struct slice name = template_value_text(s, json_get(key, "Name"));
	struct slice type = template_value_text(s, json_get(key, "Type"));

	name = name.len == 0 ? SLICE("id") : name;
	json_name(w, "KeySchema");
	json_open(w, '[');
	template_attribute(w, name, "KeyType", SLICE("HASH"));
	json_close(w);
	json_name(w, "AttributeDefinitions");
	json_open(w, '[');
	template_attribute(w, name, "AttributeType",
			   slice_is(type, "Number")   ? SLICE("N")
			   : slice_is(type, "Binary") ? SLICE("B")
						      : SLICE("S"));
	json_close(w);
	json_name(w, "BillingMode");
	json_string(w, SLICE("PAY_PER_REQUEST"));
}

static struct slice
template_ttl(const struct template_scope *s, const struct json *table)
{
	const struct json *ttl = template_get(s, table, "TimeToLiveSpecification");
	const struct json *enabled = json_get(ttl, "Enabled");
	bool off = enabled == NULL || enabled->type == JSON_FALSE ||
		   slice_is(template_value_text(s, enabled), "false");

	return off ? SLICE("") : template_value_text(s, json_get(ttl, "AttributeName"));
}

/* Note a string in the place of resources: it is a reference to another file, such as ${file(tables.yml)}. */
static void
template_note_elsewhere(struct call *c, const struct json *json, struct template_tables *out)
{
	if (json != NULL && json->type == JSON_STRING) {
		template_value_note(c, &out->elsewhere, json->text, SLICE(""));
	}
}

static void
template_resource(const struct template_scope *s, const struct json *resource,
		  struct template_tables *out)
{
	const struct json *type = json_get(resource, "Type");
	const struct json *table = template_get(s, resource, "Properties");
	struct slice kind = type == NULL ? SLICE("") : type->text;
	bool simple = slice_is(kind, "AWS::Serverless::SimpleTable");

	if (!simple && !slice_is(kind, "AWS::DynamoDB::Table") &&
	    !slice_is(kind, "AWS::DynamoDB::GlobalTable")) {
		return;
	}
	struct template_table *t = template_add(s->c, out);
	struct slice name = template_value_text(s, json_get(table, "TableName"));
	struct json_writer w;

	template_note_elsewhere(s->c, table, out);
	t->id = resource->name;
	t->ttl = template_ttl(s, table);
	struct buf b = {.arena = &s->c->arena};
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_name(&w, "TableName");
	json_string(&w, name.len == 0 ? t->id : name);
	(simple ? template_simple : template_table)(s, &w, table);
	json_close(&w);
	t->create = buf_view(&b);
}

static bool
template_is_cloudformation(const struct json *json)
{
	const struct json *resources = json_get(json, "Resources");

	return resources != NULL && resources->type == JSON_OBJECT;
}

bool
template_is_one(const struct json *json)
{
	return template_is_cloudformation(json) || template_serverless_is_one(json) ||
	       template_is_terraform(json);
}

/* Read a CloudFormation template, or the "resources" of serverless.yml. */
static void
template_resources(const struct template_scope *s, const struct json *json,
		   struct template_tables *out)
{
	template_note_elsewhere(s->c, json, out);
	template_note_elsewhere(s->c, json_get(json, "Resources"), out);
	if (!template_is_cloudformation(json)) {
		return;
	}
	json_each (resource, json_get(json, "Resources")) {
		template_note_elsewhere(s->c, resource, out);
		template_resource(s, resource, out);
	}
}

void
template_read(struct call *c, const struct json *json, struct template_tables *out)
{
	unsigned fills = TEMPLATE_FILLS;
	struct template_scope s = {.c = c,
				   .parameters = json_get(json, "Parameters"),
				   .mappings = json_get(json, "Mappings"),
				   .fills = &fills,
				   .unknown = &out->unknown};

	*out = (struct template_tables){0};
	if (template_is_cloudformation(json)) {
		template_resources(&s, json, out);
	} else if (template_serverless_is_one(json)) {
		const struct json *resources = json_get(json, "resources");

		const struct json *local = json_get(json_get(json, "custom"), "dynamodb");

		s.service = json;
		out->seeds = json_get(local, "seed") != NULL;
		s.mappings = json_get(resources, "Mappings");
		template_resources(&s, resources, out);
		json_each (part, resources->type == JSON_ARRAY ? resources : NULL) {
			template_resources(&s, part, out);
		}
	} else {
		template_read_terraform(c, json, out);
	}
}
