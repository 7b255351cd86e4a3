/* model - see model.h; makes CreateTable operations, and does not run them */
#include "tools/model/model.h"

#include "store/base/text/json.h"
#include "store/wire/codec/codec.h"

#include "tools/cli/instead.h"
#include "tools/model/model_workbench.h"
#include "tools/model/template.h"
#include "tools/out/show.h"
#include "tools/text/typed_line.h"
#include "tools/text/yaml_text.h"

/* Write an SSEDescription as the SSESpecification of a request. */
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

/* The description of an on-demand table or index has a ProvisionedThroughput of 0 units. */
static bool
is_no_throughput(const struct json *member)
{
	const struct json *units = json_get(member, "ReadCapacityUnits");

	return slice_is(member->name, "ProvisionedThroughput") && units != NULL &&
	       slice_is(units->text, "0");
}

static void model_put_member(struct json_writer *w, const struct json *member);

static void
model_put(struct json_writer *w, const struct json *json)
{
	if (json->type < JSON_ARRAY) {
		json_value(w, json);
		return;
	}
	json_open(w, json->type == JSON_OBJECT ? '{' : '[');
	json_each (child, json) {
		(json->type == JSON_OBJECT ? model_put_member : model_put)(w, child);
	}
	json_close(w);
}

static void
model_put_member(struct json_writer *w, const struct json *member)
{
	const struct json *table_class = json_get(member, "TableClass");

	if (is_no_throughput(member)) {
		return;
	}
	if (slice_is(member->name, "TableClassSummary") && table_class != NULL) {
		json_name(w, "TableClass");
		json_value(w, table_class);
	} else if (slice_is(member->name, "SSEDescription")) {
		model_put_encryption(w, member);
	} else {
		json_name_slice(w, member->name);
		model_put(w, member);
	}
}

/* Convert a DescribeTable response to a CreateTable request. */
static struct slice
request_of(struct call *c, const struct json *described)
{
	struct json_writer w;
	struct buf b = {.arena = &c->arena};

	json_writer_init(&w, &b, 0);
	model_put(&w, described);
	return buf_view(&b);
}

/* The TTL attribute in the form of DescribeTimeToLive, or of UpdateTimeToLive and CloudFormation; empty: none. */
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

/* Report tables and values that may be in another file. */
static void
tell_notes(const struct template_tables *found)
{
	cleanup(buf_release) struct buf b = {0};

	for (size_t i = 0; i < found->elsewhere.n; i++) {
		buf_fmt(&b, "%.*s is not read: give that file, too\n",
			SLICE_ARG(found->elsewhere.at[i].what));
	}
	for (size_t i = 0; i < found->unknown.n; i++) {
		const struct template_note *note = &found->unknown.at[i];

		buf_fmt(&b, "%.*s has no value in this file: \"%.*s\" is used instead\n",
			SLICE_ARG(note->what), SLICE_ARG(note->instead));
	}
	buf_str(&b, found->elsewhere.more || found->unknown.more
			    ? "more of them are not reported here\n"
			    : "");
	buf_str(&b, found->seeds ? "custom.dynamodb.seed is not read; to put its items: itemctl "
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

/* Refuse a file in HCL, and suggest the typed line with a plan as JSON instead of FILE.tf. */
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

/* Parse JSON, or a template in YAML. */
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

int
model_defines(struct call *c, struct slice text, bool *out)
{
	const struct json *json = NULL;
	int r = model_parse(c, text, &json);
	const struct json *described = json_get(json, "Table");
	const struct json *table = described != NULL ? described : json;

	*out = r == 0 && (model_workbench_is(json) || template_is_one(json) ||
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

	if (model_workbench_is(json)) {
		return model_workbench_read(c, json, out);
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

/* ------------------------------------------------------------ one table */

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

	assert(model->n > 0);
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
