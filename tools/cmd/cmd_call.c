/* cmd_call - call: any operation of the API, with JSON as request and answer */
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/op/op.h"
#include "store/open.h"
#include "store/wire/codec/codec.h"

#include "tools/aws/as_rows.h"
#include "tools/aws/call_pages.h"
#include "tools/aws/call_request.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/explain/explain_requests.h"
#include "tools/out/as_text.h"
#include "tools/out/jmespath.h"
#include "tools/out/out_yaml.h"
#include "tools/out/sink.h"
#include "tools/session/await.h"
#include "tools/session/ctl.h"
#include "tools/sql/create_words.h"
#include "tools/write/item_options.h"

/* Hidden options: aws_request.h translates command lines of "aws" to them. */
struct call_opts {
	bool aws;
	bool all_pages;
	struct call_paging paging;
	const char *query;
	const char *until;
	bool if_not_exists;
	struct explain_opts explain;
};

#define AT(member) offsetof(struct call_opts, member)

static const struct opt call_opts[] = {
	{"aws", 0, OPT_FLAG, NULL, AT(aws), NULL},
	{"all-pages", 0, OPT_FLAG, NULL, AT(all_pages), NULL},
	{"max-items", 0, OPT_COUNT, "N", AT(paging.max_items), NULL},
	{"page-size", 0, OPT_COUNT, "N", AT(paging.page_size), NULL},
	{"starting-token", 0, OPT_TEXT, "TOKEN", AT(paging.token), NULL},
	{"query", 0, OPT_TEXT, "JMESPATH", AT(query), NULL},
	{"until", 0, OPT_TEXT, "there|gone", AT(until), NULL},
	{"if-not-exists", 0, OPT_FLAG, NULL, AT(if_not_exists), NULL}, /* as for create-table */
	EXPLAIN_ROWS(AT(explain)),
	OPTS_END(struct call_opts),
};

static bool
is_api(enum op_type type)
{
	return type != OP_COUNT && op_group(type) != OP_ITEMFS;
}

static int
list_operations(struct ctl *ctl)
{
	for (int i = 0; i < OP_COUNT; i++) {
		if (is_api((enum op_type)i)) {
			buf_fmt(&ctl->out.sink.buf, "%s\n", op_name((enum op_type)i));
		}
	}
	return 0;
}

static size_t
count_found(const struct item_response *responses, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		count += responses[i].found;
	}
	return count;
}

static size_t
count_got(const struct batch_get_item_out *out)
{
	size_t count = 0;

	for (size_t i = 0; i < out->n_tables; i++) {
		count += out->tables[i].n_items;
	}
	return count;
}

static size_t
count_results(const struct batch_execute_statement_out *out)
{
	size_t count = 0;

	for (size_t i = 0; i < out->n_results; i++) {
		count += out->results[i].item != NULL;
	}
	return count;
}

/* Number of items in an answer */
static size_t
cmd_call_count_items(const struct op_out *out)
{
	switch ((int)out->type) {
	case OP_GET_ITEM:
		return out->get_item.found;
	case OP_PUT_ITEM:
		return out->put_item.written.attributes.n > 0;
	case OP_UPDATE_ITEM:
		return out->update_item.written.attributes.n > 0;
	case OP_DELETE_ITEM:
		return out->delete_item.written.attributes.n > 0;
	case OP_QUERY:
		return out->query.page.count;
	case OP_SCAN:
		return out->scan.page.count;
	case OP_BATCH_GET_ITEM:
		return count_got(&out->batch_get_item);
	case OP_TRANSACT_GET_ITEMS:
		return count_found(out->transact_get_items.responses,
				   out->transact_get_items.n_responses);
	case OP_EXECUTE_STATEMENT:
		return out->execute_statement.n_items;
	case OP_BATCH_EXECUTE_STATEMENT:
		return count_results(&out->batch_execute_statement);
	case OP_EXECUTE_TRANSACTION:
		return count_found(out->execute_transaction.responses,
				   out->execute_transaction.n_responses);
	default:
		return 0;
	}
}

/* Return true if the answer is printed in rows, like items.  "aws --output text" has a form of its own. */
static bool
in_rows(const struct ctl *ctl, const struct call_opts *o)
{
	return ctl->format == OUT_TABLE ||
	       (out_format_is_columns(ctl->format) && (ctl->format != OUT_TEXT || !o->aws));
}

/* Print an answer of the API in the chosen format; with --query only a part of it. */
static int
print(struct ctl *ctl, struct call *c, const struct call_ask *a, struct slice answer,
      const struct call_opts *o)
{
	bool indented = ctl->out.format == OUT_JSON || ctl->out.format == OUT_TABLE;
	const struct json *json = NULL;
	struct json_writer w;
	struct buf text = {.arena = &c->arena};

	if (o->aws && o->query == NULL && slice_is(ascii_trim(answer), "{}")) {
		if (a->type == OP_GET_ITEM) {
			ctl_note(ctl, "not found");
		}
		return 0;
	}
	if (ctl->out.format == OUT_JSONL && o->query == NULL) {
		(void)sink_put(&ctl->out.sink, answer);
		(void)sink_put(&ctl->out.sink, SLICE("\n"));
		return 0;
	}
	int r = json_parse(c, answer, JSON_LAST_WINS, &json);

	r = r == 0 && o->query != NULL ? jmespath(c, o->query, json, &json) : r;
	if (r < 0) {
		return r;
	}
	if (in_rows(ctl, o)) {
		return as_rows(ctl, c, json, o->query == NULL ? a->json : SLICE(""));
	}
	if (ctl->out.format == OUT_TEXT) {
		as_text(&text, json);
	} else {
		json_writer_init(&w, &text, indented ? 2 : 0);
		json_value(&w, json);
	}
	if (ctl->out.format == OUT_YAML) {
		answer = buf_view(&text);
		buf_init(&text, &c->arena);
		out_yaml(&text, answer, false);
	} else if (ctl->out.format != OUT_TEXT) {
		buf_char(&text, '\n');
	}
	(void)sink_put(&ctl->out.sink, buf_view(&text));
	return 0;
}

/* If the answer is a page and there are more, note the command line that reads all of them, as "aws" does. */
static void
say_more(const struct ctl *ctl, struct call *c, const struct call_ask *a, const struct page *page)
{
	const struct read_in *read = op_read(&a->in);
	struct buf line = {.arena = &c->arena};

	if (page != NULL && page->last.n > 0 && !read->has_limit) {
		shell_text(&line, a->json);
		ctl_note(ctl,
			 "this is one page; the next one starts after LastEvaluatedKey; for all "
			 "pages: itemctl %s --cli-input-json %.*s",
			 a->type == OP_QUERY ? "query" : "scan", SLICE_ARG(buf_view(&line)));
	}
}

/*
 * Count the items of the answer, and note whether there are more pages.
 * @whole: all pages were printed; the result is 0 then
 */
static size_t
count_told(const struct ctl *ctl, struct call *c, struct call_ask *a, bool whole)
{
	bool reads = a->type == OP_QUERY || a->type == OP_SCAN;
	bool known = a->ours || (a->type != OP_COUNT && !whole &&
				 codec_decode_out(c, a->answer, &a->in, &a->out) == 0);

	if (reads && (a->ours || codec_decode_in(c, CODEC_FOREIGN, a->json, &a->in) == 0)) {
		say_more(ctl, c, a, whole ? NULL : op_page(&a->in, &a->out));
	}
	c->error = (struct error){0};
	return known && !whole ? cmd_call_count_items(&a->out) : 0;
}

/* Unless rows are still buffered, mark the output as complete, with @items items. */
static void
end_answer(struct ctl *ctl, bool rows, size_t items)
{
	if (!rows) {
		ctl->out.format = OUT_JSONL;
		ctl->out.n = items;
	}
}

/* Read all pages.  They are printed as they arrive, unless --query or the format needs all of them first. */
static int
print_pages(struct ctl *ctl, struct call *c, struct call_ask *a, const struct call_opts *o)
{
	enum out_format form = ctl->out.format;
	bool rows = in_rows(ctl, o);
	bool streams = o->query == NULL && form != OUT_YAML && form != OUT_TEXT && !rows;
	struct sink *sink = &ctl->out.sink;
	struct json_writer w;
	cleanup(buf_release) struct buf kept = {0};
	size_t items = 0;

	json_writer_init(&w, streams ? &sink->buf : &kept, streams && form != OUT_JSONL ? 2 : 0);
	int r = call_pages(ctl, c, a, &o->paging, &w, streams ? sink : NULL, &items);

	if (r == 0) {
		r = streams ? 0 : print(ctl, c, a, buf_view(&kept), o);
		buf_str(&sink->buf, streams ? "\n" : "");
	}
	if (r == 0) {
		(void)count_told(ctl, c, a, true);
	}
	end_answer(ctl, rows, items);
	return r;
}

static int
print_answer(struct ctl *ctl, struct call *c, struct call_ask *a, const struct call_opts *o)
{
	int r = call_ask(ctl, c, a);

	if (r < 0 || a->answer.len == 0) {
		return r;
	}
	r = print(ctl, c, a, a->answer, o);
	end_answer(ctl, in_rows(ctl, o), r < 0 ? 0 : count_told(ctl, c, a, false));
	if (r == 0 && a->ours && a->type == OP_GET_ITEM && a->out.get_item.found) {
		item_options_expired(ctl, c, a->in.get_item.table, &a->out.get_item.item);
	}
	/* Show the answer before waiting for the job that it describes. */
	(void)sink_flush(&ctl->out.sink);
	return r == 0 && a->ours ? await_job(ctl, c, &a->in, &a->out) : r;
}

/* For "aws dynamodb wait": wait until the table exists, or is gone.  A local store does not need to wait. */
static int
cmd_call_wait_for(struct ctl *ctl, struct call *c, struct call_ask *a, bool gone)
{
	bool remote = store_is_remote(ctl->store);
	int r = codec_decode_in(c, CODEC_FOREIGN, a->json, &a->in);
	struct slice table = r < 0 ? SLICE("") : a->in.describe_table.table;

	if (r == 0 && (!gone || !remote)) {
		r = engine_execute(ctl->engine, c, &a->in, &a->out);
		if (gone) {
			bool there = r == 0;

			c->error = (struct error){0};
			r = !there ? 0
				   : call_fail(c, ERR_USAGE,
					       "table %.*s exists until it is deleted: itemctl "
					       "drop %.*s",
					       SLICE_ARG(table), SLICE_ARG(table));
		}
	}
	return r < 0 || !remote ? r : gone ? await_gone(ctl, c, table) : await_table(ctl, c, table);
}

/* CreateTable failed because the table exists.  @fine: succeed if it has the requested definition */
static int
existing(struct ctl *ctl, struct call *c, struct call_ask *a, bool fine)
{
	int r = -ERR_TABLE_IN_USE;

	call_scope(own, c->now_ms);
	if (codec_decode_in(&own, CODEC_FOREIGN, a->json, &a->in) == 0) {
		const struct schema *wanted = a->in.create_table.schema;

		if (!fine) {
			create_words_advise(ctl, c, wanted);
		} else {
			c->error = (struct error){0};
			r = create_words_there(ctl, c, wanted);
		}
		if (r == 0) {
			ctl_note(ctl, "table %.*s exists", SLICE_ARG(wanted->table));
		}
	}
	return r;
}

static int
run_call(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct call_opts *o = opts;
	struct call_ask ask = {.confirms = o->aws};

	if (words->n == 0) {
		return list_operations(ctl);
	}
	if (explain_wanted(ctl, &o->explain)) {
		int r = ctl_open_store(ctl, c, false);

		return r < 0 ? r : explain_command(ctl, c, &cmd_call, words, opts, &o->explain);
	}
	ask.word = words->at[0];
	ask.type = synonyms_operation(ask.word);
	ask.in.type = ask.out.type = ask.type;
	int r = call_request_read(ctl, c, words, o->aws, &ask.json);

	r = r < 0 ? r : ctl_open_store(ctl, c, ask.type == OP_CREATE_TABLE);
	if (r < 0 || o->until != NULL) {
		return r < 0 ? r : cmd_call_wait_for(ctl, c, &ask, strcmp(o->until, "gone") == 0);
	}
	r = o->all_pages ? print_pages(ctl, c, &ask, o) : print_answer(ctl, c, &ask, o);
	return r == -ERR_TABLE_IN_USE && ask.type == OP_CREATE_TABLE
		       ? existing(ctl, c, &ask, o->if_not_exists)
		       : r;
}

const struct command cmd_call = {
	.id = COMMAND_CALL,
	.name = "call",
	.usage = "[OPERATION [JSON | FILE | -]]",
	.summary = "call any API operation, with DynamoDB JSON as request and answer",
	.details =
		"For PartiQL, backups, tags, streams, and parameters that no other command has. OPERATION\n"
		"is PutItem, put-item or put_item; without it the operations are listed. The JSON may be\n"
		"in FILE, @FILE or file://FILE, or come from standard input (- or <FILE); without it the\n"
		"request is {}. The answer is one line, indented on a terminal and with --format json.\n"
		"If no other process has the store open, the command waits for a backup, restore,\n"
		"export, import or index that the answer says is in progress. For an endpoint, the\n"
		"request is signed and sent unchanged, and the answer is printed unchanged, with\n"
		"operations and members that itemctl does not know (except with --capacity, --rate and\n"
		"--dry-run).\n"
		"--format table, csv, tsv and md print the items of an answer with plain values.\n"
		"A command line of \"aws dynamodb\" works as it is: with --query, --max-items and\n"
		"--output text or table, too; an empty answer prints nothing.\n"
		"\n"
		"  call ExecuteStatement '{\"Statement\":\"SELECT * FROM music WHERE Artist = ?\",\n"
		"                          \"Parameters\":[{\"S\":\"Acme\"}]}'",
	.examples = "itemctl call\n"
		    "itemctl call list-tables\n"
		    "itemctl call describe-time-to-live '{\"TableName\":\"music\"}'\n"
		    "itemctl call Query query.json\n",
	.opts = call_opts,
	.max_words = 2,
	.no_store = true,
	.pages = true,
	.run = run_call,
};
