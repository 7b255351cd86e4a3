/*
 * describe - asks for a table's description and formats it as a JSON document
 */
#include "store/wire/codec/describe.h"

#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/wire/codec/codec.h"

/* Write the members of @json, except a creation time of 0: some servers do not report when a table was created. */
static void
describe_put_members(struct json_writer *w, const struct json *json)
{
	json_each (child, json) {
		if (!slice_is(child->name, "CreationDateTime") || !slice_is(child->text, "0.000")) {
			json_name_slice(w, child->name);
			json_value(w, child);
		}
	}
}

static struct slice
describe_encode(struct call *c, const struct op_out *answer)
{
	const struct op_in in = {.type = answer->type};
	struct buf b;

	buf_init(&b, &c->arena);
	codec_encode_out(&b, CODEC_FOREIGN, SLICE(""), &in, answer);
	return buf_view(&b);
}

/* Format the answer of DescribeTable, given as JSON. */
static int
describe_format(struct call *c, struct slice answer, struct slice ttl, int indent,
		struct slice *out)
{
	const struct op_out ttl_answer = {.type = OP_DESCRIBE_TIME_TO_LIVE,
					  .describe_time_to_live.attribute = ttl};
	const struct json *json = NULL;
	const struct json *expiry = NULL;
	struct json_writer w;
	struct buf b;
	int r = json_parse(c, answer, JSON_LAST_WINS, &json);

	if (r == 0 && ttl.len > 0) {
		r = json_parse(c, describe_encode(c, &ttl_answer), JSON_LAST_WINS, &expiry);
	}
	if (r < 0) {
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
	describe_put_members(&w, table);
	describe_put_members(&w, expiry);
	json_close(&w);
	buf_char(&b, '\n');
	*out = buf_view(&b);
	return 0;
}

int
describe_table(struct call *c, const struct table_info *t, struct slice ttl, int indent,
	       struct slice *out)
{
	const struct op_out answer = {.type = OP_DESCRIBE_TABLE, .describe_table.table = *t};

	return describe_format(c, describe_encode(c, &answer), ttl, indent, out);
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
	return d->passed ? describe_format(c, d->told, ttl, indent, out)
			 : describe_table(c, &d->table, ttl, indent, out);
}
