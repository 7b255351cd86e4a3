/* cmd_item - put, get, delete */
#include <stdio.h>

#include "store/model/limits.h"

#include "tools/bulk.h"
#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/keyval.h"
#include "tools/lines.h"

struct item_opts {
	const char *condition;
	const char *returned;
	const char *project;
	const char *names;
	const char *values;
	bool consistent;
};

#define OPT_IF \
	{ \
		"if", 0, OPT_TEXT, "EXPR", offsetof(struct item_opts, condition), \
			"only if this holds for the item that is there" \
	}
#define OPT_RETURN \
	{ \
		"return", 0, OPT_TEXT, "old", offsetof(struct item_opts, returned), \
			"print the item that was there before" \
	}
#define OPT_PLACEHOLDERS \
	{"names", \
	 0, \
	 OPT_TEXT, \
	 "JSON", \
	 offsetof(struct item_opts, names), \
	 "ExpressionAttributeNames: {\"#n\":\"name\"}"}, \
	{ \
		"values", 0, OPT_TEXT, "JSON", offsetof(struct item_opts, values), \
			"ExpressionAttributeValues: {\":v\":value}" \
	}
#define OPT_END \
	{ \
		NULL, 0, OPT_FLAG, NULL, 0, NULL \
	}

/* The one expression of the command and what --names, --values, --return say. */
struct extras {
	struct exprs *exprs;
	struct slice text;
	enum return_values returned;
};

static int
read_extras(struct ctl *ctl, struct call *c, const struct item_opts *o, const char *field,
	    const char *user, struct extras *out)
{
	*out = (struct extras){.exprs = arena_new(&c->arena, struct exprs, 1)};
	if (o->returned != NULL && strcmp(o->returned, "old") != 0) {
		return call_fail(c, ERR_VALIDATION, "--return is old, not \"%s\"", o->returned);
	}
	out->returned = o->returned == NULL ? RETURN_NONE : RETURN_ALL_OLD;
	ctl->exprs = out->exprs;
	int r = exprs_placeholders(c, out->exprs, o->names, o->values);
	return r < 0 ? r : exprs_add(c, out->exprs, field, slice_from(user), &out->text);
}

static struct write_in
write_of(struct slice table, const struct extras *x, const struct item *it)
{
	return (struct write_in){
		.table = table,
		.item = *it,
		.condition = x->text,
		.ph = x->exprs->request.ph,
		.return_values = x->returned,
		.return_on_failure = x->returned,
	};
}

static void
print_old(struct ctl *ctl, const struct extras *x, const struct written *written)
{
	if (written->had_old && x->returned != RETURN_NONE) {
		(void)out_item(&ctl->out, &written->attributes);
	}
}

/* ------------------------------------------------------------ put */

static const struct opt put_opts[] = {OPT_IF, OPT_RETURN, OPT_PLACEHOLDERS, OPT_END};

static int
put_one(struct ctl *ctl, struct call *c, struct slice table, const struct extras *x,
	const struct item *it)
{
	struct put_item_in in = {.write = write_of(table, x, it)};
	struct put_item_out answer = {0};

	int r = engine_put_item(ctl->engine, c, &in, &answer);
	if (r == 0) {
		print_old(ctl, x, &answer.written);
	}
	return r;
}

/* Items from standard input, each in a call of its own so that memory does not grow. */
static int
put_stream(struct ctl *ctl, struct call *c, struct slice table, const struct extras *x)
{
	struct lines lines;
	uint64_t n = 0;
	int r = 0;

	lines_init(&lines, stdin);
	while (r == 0) {
		struct call own;
		struct item it;

		call_open(&own, c->now_ms, CTL_BUDGET);
		r = lines_next(&own, &lines, &it);
		if (r == 0) {
			r = put_one(ctl, &own, table, x, &it);
			n += r == 0;
		}
		if (r < 0) {
			r = ctl_adopt(c, &own);
		}
		call_close(&own);
	}
	lines_release(&lines);
	ctl_note(ctl, "%lu item%s put", (unsigned long)n, n == 1 ? "" : "s");
	return r < 0 ? r : 0;
}

static int
run_put(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct item_opts *o = opts;
	struct slice table = slice_from(words->at[0]);
	struct extras x;

	int r = read_extras(ctl, c, o, "ConditionExpression", o->condition, &x);
	for (size_t i = 1; r == 0 && i < words->n; i++) {
		struct item it;

		if (strcmp(words->at[i], "-") == 0) {
			r = put_stream(ctl, c, table, &x);
			continue;
		}
		r = ctl_item(c, slice_from(words->at[i]), &it);
		if (r == 0) {
			r = put_one(ctl, c, table, &x, &it);
		}
	}
	return r;
}

const struct command cmd_put = {
	.name = "put",
	.usage = "TABLE ITEM... [--if EXPR] [--return old]",
	.summary = "write items; - reads them from standard input",
	.details =
		"An ITEM is a JSON object: plain, with typed values such as {\"B\":\"aGk=\"} "
		"where JSON\nhas no form, or DynamoDB JSON. Each put is durable when it returns.",
	.opts = put_opts,
	.opts_bytes = sizeof(struct item_opts),
	.min_words = 2,
	.max_words = SIZE_MAX,
	.run = run_put,
};

/* ------------------------------------------------------------ get */

static const struct opt get_opts[] = {
	{"project", 0, OPT_TEXT, "LIST", offsetof(struct item_opts, project),
	 "only these attributes: a, b.c, d[0]"},
	{"consistent", 0, OPT_FLAG, NULL, offsetof(struct item_opts, consistent),
	 "ConsistentRead (a local store always is)"},
	OPT_PLACEHOLDERS,
	OPT_END,
};

/* PK [SK] behind the table. */
static int
key_words(struct ctl *ctl, struct call *c, const struct words *words, struct item *out)
{
	const struct schema *schema = NULL;
	struct slice sk = words->n > 2 ? slice_from(words->at[2]) : slice_of(NULL, 0);

	int r = ctl_schema(ctl, c, slice_from(words->at[0]), &schema);
	if (r < 0) {
		return r;
	}
	return keyval_key(c, &schema->key, slice_from(words->at[1]), words->n > 2 ? &sk : NULL,
			  out);
}

static int
run_get(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct item_opts *o = opts;
	struct get_item_in in = {.table = slice_from(words->at[0]), .consistent = o->consistent};
	struct get_item_out answer = {0};
	struct extras x;

	int r = read_extras(ctl, c, o, "ProjectionExpression", o->project, &x);
	if (r == 0) {
		r = key_words(ctl, c, words, &in.key);
	}
	if (r < 0) {
		return r;
	}
	in.projection = x.text;
	in.ph = x.exprs->request.ph;
	r = engine_get_item(ctl->engine, c, &in, &answer);
	if (r < 0) {
		return r;
	}
	if (!answer.found) {
		ctl->out.format = OUT_JSONL; /* nothing at all, not an empty array */
		ctl_note(ctl, "not found");
		return 1;
	}
	(void)out_one(&ctl->out, &answer.item);
	return 0;
}

const struct command cmd_get = {
	.name = "get",
	.usage = "TABLE PK [SK] [--project LIST] [--consistent]",
	.summary = "print one item; exit status 1 when there is none",
	.details = "Keys are typed by the table: a number for an N key, base64 for a B key.",
	.opts = get_opts,
	.opts_bytes = sizeof(struct item_opts),
	.min_words = 2,
	.max_words = 3,
	.run = run_get,
};

/* ------------------------------------------------------------ delete */

static const struct opt delete_opts[] = {OPT_IF, OPT_RETURN, OPT_PLACEHOLDERS, OPT_END};

static int
delete_one(struct ctl *ctl, struct call *c, struct slice table, const struct extras *x,
	   const struct item *key)
{
	struct delete_item_in in = {.write = write_of(table, x, key)};
	struct delete_item_out answer = {0};

	int r = engine_delete_item(ctl->engine, c, &in, &answer);
	if (r == 0) {
		print_old(ctl, x, &answer.written);
	}
	return r;
}

/* One batch of keys from standard input; @more turns false at the end. */
static int
delete_batch(struct ctl *ctl, struct call *c, struct bulk *bulk, const struct extras *x,
	     struct lines *lines, uint64_t *n, bool *more)
{
	struct item keys[LIMIT_BATCH_WRITE];
	bool plain = x->text.len == 0 && x->returned == RETURN_NONE;
	size_t count = 0;
	int r = 0;

	while (count < LIMIT_BATCH_WRITE) {
		struct item it;

		r = lines_next(c, lines, &it);
		if (r == LINES_END) {
			*more = false;
			r = 0;
			break;
		}
		if (r == 0) {
			r = keyval_pick(c, bulk->key, &it, &keys[count]);
		}
		if (r < 0) {
			break;
		}
		count++;
	}
	/* What was read before a bad line is deleted all the same. */
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int failed = plain ? bulk_delete(bulk, &own, keys, count) : 0;

	for (size_t i = 0; i < count && !plain && failed == 0; i++) {
		failed = delete_one(ctl, &own, bulk->table, x, &keys[i]);
	}
	*n += failed == 0 ? count : 0;
	if (failed < 0) {
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return r;
}

static int
delete_stream(struct ctl *ctl, struct call *c, struct slice table, const struct extras *x)
{
	struct bulk bulk = {.engine = ctl->engine, .table = table};
	const struct schema *schema = NULL;
	struct lines lines;
	uint64_t n = 0;
	bool more = true;

	int r = ctl_schema(ctl, c, table, &schema);
	if (r < 0) {
		return r;
	}
	bulk.key = &schema->key;
	lines_init(&lines, stdin);
	while (r == 0 && more) {
		struct call own;

		call_open(&own, c->now_ms, CTL_BUDGET);
		r = delete_batch(ctl, &own, &bulk, x, &lines, &n, &more);
		if (r < 0) {
			r = ctl_adopt(c, &own);
		}
		call_close(&own);
	}
	lines_release(&lines);
	ctl_note(ctl, "%lu key%s deleted", (unsigned long)n, n == 1 ? "" : "s");
	return r;
}

static int
run_delete(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct item_opts *o = opts;
	struct slice table = slice_from(words->at[0]);
	struct item key;
	struct extras x;

	int r = read_extras(ctl, c, o, "ConditionExpression", o->condition, &x);
	if (r < 0) {
		return r;
	}
	if (words->n == 2 && strcmp(words->at[1], "-") == 0) {
		return delete_stream(ctl, c, table, &x);
	}
	r = key_words(ctl, c, words, &key);
	return r < 0 ? r : delete_one(ctl, c, table, &x, &key);
}

const struct command cmd_delete = {
	.name = "delete",
	.usage = "TABLE PK [SK] [--if EXPR] [--return old]\n"
		 "TABLE - [--if EXPR] [--return old]",
	.summary = "delete one item, or those whose keys come from standard input",
	.details =
		"With - keys are read as JSON Lines, as query --project PK,SK prints them; other\n"
		"attributes are ignored. Deleting what is not there is no error, so it is safe\n"
		"to repeat.",
	.opts = delete_opts,
	.opts_bytes = sizeof(struct item_opts),
	.min_words = 2,
	.max_words = 3,
	.run = run_delete,
};
