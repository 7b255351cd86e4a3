/* cmd_item - put, get: writes items, reads one item */
#include "store/engine/engine.h"

#include "tools/advice/aws_hints.h"
#include "tools/advice/hints.h"
#include "tools/advice/nothing.h"
#include "tools/cmd/cmd.h"
#include "tools/explain/explain_requests.h"
#include "tools/out/out.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/system/lines.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/words.h"
#include "tools/write/item_options.h"
#include "tools/write/misnamed.h"

/* ------------------------------------------------------------ put */

static const struct opt put_opts[] = {
	ITEM_OPTIONS_IF,
	{"return", 0, OPT_TEXT, "old", ITEM_OPTIONS_AT(returned), "print the previous item"},
	{"if-not-exists", 0, OPT_FLAG, NULL, ITEM_OPTIONS_AT(not_exists), NULL},
	ITEM_OPTIONS_PLACEHOLDERS,
	OPTS_END(struct item_options_opts),
};

static int
put_one(struct ctl *ctl, struct call *c, struct slice table, const struct item_options *s,
	const struct item *it, bool alone)
{
	struct put_item_in in = {.write = item_options_write(table, s, it)};
	struct put_item_out answer = {0};

	int r = engine_put_item(ctl->engine, c, &in, &answer);
	if (r == 0) {
		item_options_print(ctl, &answer.written, alone);
	} else if (r == -ERR_CONDITION) {
		misnamed_say(ctl, c, table, s);
	} else {
		lacking_say(ctl, c, table, it);
	}
	return r;
}

/* Put items from standard input, each in a call of its own so that memory does not grow. */
static int
cmd_item_put_stream(struct ctl *ctl, struct call *c, struct slice table,
		    const struct item_options *s, size_t *n)
{
	struct progress progress;
	struct lines lines;
	int r = 0;

	stop_listen();
	lines_init(&lines, stdin);
	progress_begin(&progress, ctl->quiet, lines.total);
	while (r == 0) {
		struct item it;

		call_scope(own, c->now_ms);
		r = lines_next(&own, &lines, &it);
		if (r == 0) {
			r = put_one(ctl, &own, table, s, &it, false);
			*n += r == 0;
			r = r < 0 ? lines_place(&own, &lines) : r;
		}
		if (r < 0) {
			r = ctl_adopt(c, &own);
		}
		progress_show(&progress, *n, lines.bytes);
	}
	progress_end(&progress);
	return r < 0 ? r : 0;
}

/* Count the words "-", which mean standard input; fail if there are several. */
static int
count_streams(struct call *c, const struct words *words, size_t *n)
{
	*n = 0;
	for (size_t i = 1; i < words->n; i++) {
		*n += strcmp(words->at[i], "-") == 0;
	}
	return *n <= 1 ? 0
		       : call_fail(c, ERR_USAGE,
				   "- is given %zu times, but standard input can be read only once",
				   *n);
}

/* Copy the options; --if-not-exists becomes a condition that there is no item with the key. */
static int
put_options(struct ctl *ctl, struct call *c, struct slice table, const struct item_options_opts *o,
	    struct item_options_opts *out)
{
	const struct schema *schema = NULL;

	*out = *o;
	if (!o->not_exists) {
		return 0;
	}
	int r = ctl_schema(ctl, c, table, &schema);

	if (r < 0) {
		return r;
	}
	struct buf b = {.arena = &c->arena};
	if (o->condition != NULL) {
		buf_fmt(&b, "(%s) AND ", o->condition);
	}
	buf_fmt(&b, "attribute_not_exists(`%.*s`)", SLICE_ARG(schema->key.pk->name));
	out->condition = slice_cstr(&c->arena, buf_view(&b));
	return 0;
}

/* Replace the words of "put TABLE [PK [SK]] NAME=VALUE..." by the item as JSON. */
static int
cmd_item_put_members(struct ctl *ctl, struct call *c, const struct words **words)
{
	const struct words *given = *words;
	const char *last = given->at[given->n - 1];
	const struct schema *schema = NULL;
	struct buf item = {.arena = &c->arena};

	if (last[0] == '{' || strchr(last, '=') == NULL) {
		return 0;
	}
	int r = ctl_schema(ctl, c, slice_from(given->at[0]), &schema);

	if (r == 0 && hints_item(given, &schema->key, &item)) {
		struct words *own = arena_new(&c->arena, struct words, 1);

		words_add(c, own, given->at[0]);
		words_add(c, own, slice_cstr(&c->arena, buf_view(&item)));
		ctl_note(ctl, "read as: %s", own->at[1]);
		*words = own;
	}
	return r;
}

static int
run_put(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct slice table = slice_from(words->at[0]);
	struct item_options_opts o;
	struct item_options s;
	size_t streams;
	size_t put = 0;

	int r = cmd_item_put_members(ctl, c, &words);
	r = r < 0 ? r : count_streams(c, words, &streams);
	r = r < 0 ? r : put_options(ctl, c, table, opts, &o);
	r = r < 0 ? r : item_options_read(ctl, c, &o, false, &s);
	r = r < 0 ? r : misnamed_check(ctl, c, table, &s);
	if (r < 0) {
		return r;
	}
	for (size_t i = 1; r == 0 && i < words->n; i++) {
		struct item it;

		if (strcmp(words->at[i], "-") == 0) {
			r = cmd_item_put_stream(ctl, c, table, &s, &put);
			continue;
		}
		r = ctl_item(c, slice_from(words->at[i]), &it);
		r = r != 0 ? r : put_one(ctl, c, table, &s, &it, words->n == 2);
		put += r == 0;
		if (r < 0 && words->n > 2) {
			r = call_prefix(c, "item %zu: ", i);
		}
	}
	if (streams > 0 || (r < 0 && words->n > 2)) {
		ctl_note(ctl, "%zu item%s put", put, put == 1 ? "" : "s");
	}
	return r;
}

const struct command cmd_put = {
	.id = COMMAND_PUT,
	.name = "put",
	.instead = "give items as words; for lines of a file: itemctl import TABLE FILE",
	.usage = "TABLE ITEM... [--if EXPR] [--return old]",
	.summary = "write items; - reads them from standard input",
	.details =
		"An ITEM is a JSON object: plain, with typed values such as {\"B\":\"aGk=\"} for types that\n"
		"JSON lacks, or DynamoDB JSON. The words NAME=VALUE... are one item, too. Each put is\n"
		"durable when it returns.",
	.examples =
		"itemctl put music '{\"Artist\":\"Acme\",\"Song\":\"Blue\",\"Year\":1999}'\n"
		"itemctl put music '{\"Artist\":\"A\",\"Song\":\"B\"}' --if 'attribute_not_exists(A)'\n"
		"itemctl put music Artist=Acme Song=Blue Year=1999\n"
		"itemctl put music - <songs.jsonl\n",
	.opts = put_opts,
	.min_words = 2,
	.max_words = SIZE_MAX,
	.input = INPUT_DASH,
	.run = run_put,
};

/* ------------------------------------------------------------ get */

static const struct opt get_opts[] = {
	{"project", 0, OPT_PATHS, "LIST", ITEM_OPTIONS_AT(project),
	 "only these attributes: a, b.c, d[0]"},
	{"consistent", 0, OPT_FLAG, NULL, ITEM_OPTIONS_AT(consistent),
	 "ConsistentRead (a local store always is)"},
	EXPLAIN_ROWS(ITEM_OPTIONS_AT(explain)),
	ITEM_OPTIONS_PLACEHOLDERS,
	OPTS_END(struct item_options_opts),
};

static int
run_get(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct item_options_opts *o = opts;
	struct get_item_in in = {.table = slice_from(words->at[0]), .consistent = o->consistent};
	struct get_item_out answer = {0};
	struct item_options s;

	if (explain_wanted(ctl, &o->explain)) {
		return explain_command(ctl, c, &cmd_get, words, opts, &o->explain);
	}
	int r = item_options_read(ctl, c, o, false, &s);
	r = r != 0 ? r : item_options_key(ctl, c, in.table, words->at + 1, words->n - 1, &in.key);
	if (r < 0) {
		return r;
	}
	in.projection = s.projection;
	in.ph = s.exprs->request.ph;
	r = engine_get_item(ctl->engine, c, &in, &answer);
	if (r < 0) {
		return r;
	}
	if (!answer.found) {
		return item_options_absent(ctl, c, in.table, &in.key);
	}
	struct absent_names asked = absent_names_of(c, in.projection, &in.ph);

	if (asked.n > 0) {
		lead_names(&ctl->out, asked.at, asked.n);
	}
	(void)out_one(&ctl->out, &answer.item);
	absent_names_see(&asked, &answer.item);
	nothing_say_projected(ctl, c, in.table, &asked);
	item_options_expired(ctl, c, in.table, &answer.item);
	return 0;
}

const struct command cmd_get = {
	.id = COMMAND_GET,
	.name = "get",
	.usage = "TABLE PK [SK] [--project LIST] [--consistent]",
	.summary = "print one item; exit status 1 when there is none",
	.details = "Keys are typed by the table: a number for an N key, base64 for a B key.",
	.examples = "itemctl get music Acme Blue\n"
		    "itemctl get music Acme Blue --project Year,Plays\n"
		    "itemctl get music Acme Blue --format typed\n",
	.opts = get_opts,
	.min_words = 2,
	.max_words = 3,
	.run = run_get,
};
