/*
 * describe - asks for a table's description and formats it as a JSON document
 */
#include "store/wire/codec/describe.h"

#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/wire/codec/codec.h"

/* Return whether a member is a creation time of 0: some servers do not report when a table was created. */
static bool
is_no_time(const struct json *member)
{
	return slice_is(member->name, "CreationDateTime") && slice_is(member->text, "0.000");
}

static void
put_children(struct json_writer *w, const struct json *json)
{
	json_each (child, json) {
		if (is_no_time(child)) {
			continue;
		}
		if (json->type == JSON_OBJECT) {
			json_name_slice(w, child->name);
		}
		describe_json(w, child);
	}
}

void
describe_json(struct json_writer *w, const struct json *json)
{
	static const char *const words[] = {
		[JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};

	if (json->type == JSON_STRING) {
		json_string(w, json->text);
	} else if (json->type == JSON_NUMBER) {
		json_raw(w, json->text);
	} else if (json->type < JSON_NUMBER) {
		json_raw(w, slice_from(words[json->type]));
	} else {
		json_open(w, json->type == JSON_ARRAY ? '[' : '{');
		put_children(w, json);
		json_close(w);
	}
}

/* Write the members of an answer, or those of its member @member unless that is NULL. */
static int
put_answer(struct call *c, struct json_writer *w, const struct op_out *answer, const char *member)
{
	const struct op_in in = {.type = answer->type};
	const struct json *json = NULL;
	struct buf b;

	buf_init(&b, &c->arena);
	codec_encode_out(&b, CODEC_FOREIGN, SLICE(""), &in, answer);
	int r = json_parse(c, buf_view(&b), JSON_LAST_WINS, &json);

	if (r == 0) {
		put_children(w, member == NULL ? json : json_get(json, member));
	}
	return r;
}

/* Add the time to live to the open object of @w and end the document; @r: the result of writing the object so far */
static int
describe_finish(struct call *c, struct json_writer *w, struct slice ttl, int r, struct buf *b,
		struct slice *out)
{
	const struct op_out expiry = {.type = OP_DESCRIBE_TIME_TO_LIVE,
				      .describe_time_to_live.attribute = ttl};

	if (r == 0 && ttl.len > 0) {
		r = put_answer(c, w, &expiry, NULL);
	}
	json_close(w);
	buf_char(b, '\n');
	*out = buf_view(b);
	return r;
}

int
describe_table(struct call *c, const struct table_info *t, struct slice ttl, int indent,
	       struct slice *out)
{
	const struct op_out table = {.type = OP_DESCRIBE_TABLE, .describe_table.table = *t};
	struct json_writer w;
	struct buf b;

	buf_init(&b, &c->arena);
	json_writer_init(&w, &b, indent);
	json_open(&w, '{');
	return describe_finish(c, &w, ttl, put_answer(c, &w, &table, "Table"), &b, out);
}

static int
describe_told(struct call *c, struct slice answer, struct slice ttl, int indent, struct slice *out)
{
	const struct json *json = NULL;
	struct json_writer w;
	struct buf b;

	if (json_parse(c, answer, JSON_LAST_WINS, &json) < 0) {
		return call_prefix(c, "the server's answer: ");
	}
	const struct json *table = json_get(json, "Table");

	if (table == NULL || table->type != JSON_OBJECT) {
		return call_fail(c, ERR_CORRUPT,
				 "the server's answer has no description of a table");
	}
	buf_init(&b, &c->arena);
	json_writer_init(&w, &b, indent);
	json_open(&w, '{');
	put_children(&w, table);
	return describe_finish(c, &w, ttl, 0, &b, out);
}

int
describe_ask(struct engine *e, struct call *c, struct slice table, struct description *out)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};
	struct buf request;

	*out = (struct description){0};
	buf_init(&request, &c->arena);
	buf_str(&request, "{\"TableName\":");
	json_put_string(&request, table);
	buf_char(&request, '}');
	int r = engine_pass(e, c, "DescribeTable", buf_view(&request), &out->told);

	out->passed = r != ENGINE_NO_PASS;
	if (!out->passed) {
		r = engine_describe_table(e, c, &in, &answer);
		out->table = answer.table;
	}
	return r;
}

int
describe_as_told(struct call *c, const struct description *d, struct slice ttl, int indent,
		 struct slice *out)
{
	return d->passed ? describe_told(c, d->told, ttl, indent, out)
			 : describe_table(c, &d->table, ttl, indent, out);
}
