/* model - files into CreateTable operations; runs none of them */
#include "tools/load/model.h"

#include "store/base/core/cleanup.h"
#include "store/base/text/json.h"
#include "store/model/value.h"
#include "store/wire/codec/codec.h"
#include "store/wire/codec/describe.h"

#include "tools/cli/instead.h"
#include "tools/cli/opts.h"
#include "tools/load/template.h"
#include "tools/out/show.h"
#include "tools/text/typed_line.h"
#include "tools/text/yaml_text.h"

/* The member of that type; NULL: it is not there, or null.  What has another type would be lost. */
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
					 "the index %.*s has a NonKeyAttributes that is no name",
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
	if (list == NULL) {
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

/* Each global index has as much of it as the table. */
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
		return 0; /* nothing says how much: on demand */
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

static size_t
model_members(const struct json *list)
{
	return list == NULL ? 0 : list->n;
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
	s->index = arena_new(&c->arena, struct index, model_members(gsi) + model_members(lsi) + 1);
	out->create.schema = s;
	r = key_schema(c, json_get(json, "KeyAttributes"), &s->key);
	r = r != 0 ? r : indexes(c, lsi, false, s);
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

/* "SSEDescription" as the request has it. */
static void
model_put_encryption(struct json_writer *w, const struct json *told)
{
	const struct json *status = json_get(told, "Status");
	const struct json *key = json_get(told, "KMSMasterKeyArn");
	bool on = status != NULL &&
		  (slice_is(status->text, "ENABLED") || slice_is(status->text, "UPDATING"));

	json_name(w, "SSESpecification");
	json_open(w, '{');
	json_name(w, "Enabled");
	json_bool(w, on);
	if (on && key != NULL && key->type == JSON_STRING) {
		json_name(w, "KMSMasterKeyId");
		json_string(w, key->text);
	}
	json_close(w);
}

/* A description tells of what is billed on demand that it has no units. */
static bool
is_no_throughput(const struct json *member)
{
	const struct json *units = json_get(member, "ReadCapacityUnits");

	return slice_is(member->name, "ProvisionedThroughput") && units != NULL &&
	       slice_is(units->text, "0");
}

static void model_put_member(struct json_writer *w, const struct json *member);

static void
model_put_members(struct json_writer *w, const struct json *json)
{
	json_open(w, '{');
	json_each (member, json) {
		model_put_member(w, member);
	}
	json_close(w);
}

static void
model_put_indexes(struct json_writer *w, const struct json *list)
{
	json_open(w, '[');
	json_each (index, list) {
		if (index->type == JSON_OBJECT) {
			model_put_members(w, index);
		} else {
			describe_json(w, index);
		}
	}
	json_close(w);
}

static void
model_put_member(struct json_writer *w, const struct json *member)
{
	const struct json *class = json_get(member, "TableClass");

	if (is_no_throughput(member)) {
		return;
	}
	if (slice_is(member->name, "TableClassSummary") && class != NULL) {
		json_name(w, "TableClass");
		describe_json(w, class);
	} else if (slice_is(member->name, "SSEDescription")) {
		model_put_encryption(w, member);
	} else if (slice_is(member->name, "GlobalSecondaryIndexes") && member->type == JSON_ARRAY) {
		json_name_slice(w, member->name);
		model_put_indexes(w, member);
	} else {
		json_name_slice(w, member->name);
		describe_json(w, member);
	}
}

/* The request that makes the table of a description. */
static struct slice
request_of(struct call *c, const struct json *described)
{
	struct json_writer w;
	struct buf b = {.arena = &c->arena};

	json_writer_init(&w, &b, 0);
	model_put_members(&w, described);
	return buf_view(&b);
}

/* What a file says of the time to live: as DescribeTimeToLive, or as its request and CloudFormation. */
static struct slice
model_time_to_live(const struct json *json)
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

/* Some of the tables, or of what they are called, may be in another file. */
static void
tell_notes(const struct template_tables *found)
{
	cleanup(buf_release) struct buf b = {0};

	for (size_t i = 0; i < found->elsewhere.n; i++) {
		buf_fmt(&b, "%.*s is not read: name that file, too\n",
			SLICE_ARG(found->elsewhere.at[i].what));
	}
	for (size_t i = 0; i < found->unknown.n; i++) {
		const struct template_note *note = &found->unknown.at[i];

		buf_fmt(&b, "%.*s has no value in this file: \"%.*s\" stands in its place\n",
			SLICE_ARG(note->what), SLICE_ARG(note->instead));
	}
	buf_str(&b, found->elsewhere.more || found->unknown.more
			    ? "and more of them are not told here\n"
			    : "");
	buf_str(&b, found->seeds ? "custom.dynamodb.seed is not read: its items are put by itemctl "
				   "import TABLE FILE, or serve --seed FILE=TABLE\n"
				 : "");
	show_lines(buf_view(&b));
}

static int
model_decode(struct call *c, struct slice text, struct model_table *out)
{
	int r = codec_decode_create_table(c, text, &out->create);

	return r < 0 ? r : json_parse(c, text, JSON_STRICT, &out->said);
}

static int
model_template(struct call *c, const struct json *json, struct model *out)
{
	struct template_tables found;
	int r = 0;

	template_read(c, json, &found);
	if (found.elsewhere.n + found.unknown.n > 0 || found.seeds) {
		tell_notes(&found);
	}
	if (found.n == 0) {
		return call_fail(c, ERR_USAGE, "the template has no DynamoDB tables");
	}
	out->tables = arena_new(&c->arena, struct model_table, found.n);
	for (; r == 0 && out->n < found.n; out->n++) {
		const struct template_table *from = &found.at[out->n];
		struct model_table *t = &out->tables[out->n];

		t->id = from->id;
		t->ttl = from->ttl;
		r = model_decode(c, from->create, t);
		if (r < 0) {
			return call_prefix(c, "table %.*s: ", SLICE_ARG(from->id));
		}
	}
	return r;
}

/* How Terraform's own language is read: the line that was typed, with a plan as JSON in place of FILE.tf. */
static int
model_hcl(struct call *c)
{
	const char *file = typed_line_file(".tf");
	struct buf b = {.arena = &c->arena};

	buf_str(&b, " && ");
	if (file == NULL || !typed_line_with(&b, slice_from(file), SLICE("plan.json"))) {
		buf_clear(&b);
	}
	return call_fail(c, ERR_USAGE, INSTEAD_HCL "%.*s", SLICE_ARG(buf_view(&b)));
}

/* JSON, or the YAML of a template. */
static int
model_parse(struct call *c, struct slice text, const struct json **out)
{
	size_t blanks = 0;

	while (blanks < text.len && strchr(" \t\r\n", text.at[blanks]) != NULL) {
		blanks++;
	}
	if (blanks == text.len || text.at[blanks] == '{' || text.at[blanks] == '[') {
		return json_parse(c, text, JSON_STRICT, out);
	}
	int r = yaml_text_read(c, text, out);

	if (r == -ERR_USAGE) {
		return r;
	}
	if (r < 0 || (*out)->type != JSON_OBJECT || !template_is_one(*out)) {
		const char *why = r < 0 ? c->error.message : "";

		c->error = (struct error){0};
		return memmem(text.at, text.len, "resource \"", 10) != NULL
			       ? model_hcl(c)
			       : call_fail(c, ERR_USAGE, "neither JSON nor a template in YAML%s%s",
					   r < 0 ? ": " : "", why);
	}
	return 0;
}

static bool
model_is_workbench(const struct json *json)
{
	const struct json *tables = json_get(json, "DataModel");

	return tables != NULL && tables->type == JSON_ARRAY;
}

int
model_defines(struct call *c, struct slice text, bool *out)
{
	const struct json *json = NULL;
	int r = model_parse(c, text, &json);
	const struct json *described = json_get(json, "Table");
	const struct json *table = described != NULL ? described : json;

	*out = r == 0 && (model_is_workbench(json) || template_is_one(json) ||
			  (json_get(table, "TableName") != NULL &&
			   (json_get(table, "KeySchema") != NULL ||
			    json_get(table, "AttributeDefinitions") != NULL)));
	return r;
}

int
model_read(struct call *c, struct slice text, struct model *out)
{
	const struct json *json = NULL;

	*out = (struct model){0};
	int r = model_parse(c, text, &json);
	if (r < 0) {
		return r;
	}
	const struct json *described = json_get(json, "Table");

	if (model_is_workbench(json)) {
		return workbench(c, json_get(json, "DataModel"), out);
	}
	if (template_is_one(json)) {
		return model_template(c, json, out);
	}
	if (described == NULL && json_get(json, "TableStatus") != NULL) {
		described = json;
	}
	if (described != NULL) {
		text = request_of(c, described);
	}
	out->tables = arena_new(&c->arena, struct model_table, 1);
	out->n = 1;
	out->tables[0].ttl = model_time_to_live(described != NULL ? described : json);
	return model_decode(c, text, &out->tables[0]);
}

/* ------------------------------------------------------------ one of them */

static void
model_rename(struct call *c, struct model_table *t, struct slice name)
{
	struct schema *renamed = arena_new(&c->arena, struct schema, 1);

	*renamed = *t->create.schema;
	renamed->table = name;
	t->create.schema = renamed;
}

static int
model_no_such(struct call *c, const struct model *model, struct slice name)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < model->n; i++) {
		buf_fmt(&b, "%s%.*s", i == 0 ? "" : ", ",
			SLICE_ARG(model->tables[i].create.schema->table));
	}
	return call_fail(c, ERR_USAGE,
			 "the file defines %.*s; NAME is one of them, TABLE=NAME renames it, not "
			 "\"%.*s\"",
			 SLICE_ARG(buf_view(&b)), SLICE_ARG(name));
}

int
model_pick(struct call *c, struct model *model, struct slice name)
{
	const char *equals = slice_chr(name, '=');
	size_t n = equals == NULL ? name.len : (size_t)(equals - name.at);
	struct slice old = slice_of(name.at, n);
	struct slice renamed = equals == NULL ? name : slice_of(equals + 1, name.len - n - 1);

	for (size_t i = 0; i < model->n; i++) {
		struct model_table *t = &model->tables[i];

		if (slice_eq(t->create.schema->table, old) || slice_eq(t->id, old)) {
			*model = (struct model){t, 1};
			if (equals != NULL) {
				model_rename(c, t, renamed);
			}
			return 0;
		}
	}
	if (model->n != 1 || equals != NULL) {
		return model_no_such(c, model, old);
	}
	model_rename(c, model->tables, renamed);
	return 0;
}
