/*
 * cmd_transact - transact: TransactWriteItems and TransactGetItems from a file
 *
 *   text -> script.c -> a struct planned for each line -> operation -> items, or a reason for each line
 *
 * The faulty line is found by testing each line alone, without writing (attempt.h).
 */
#include "store/base/core/throttled.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/op/op.h"
#include "store/wire/codec/codec.h"

#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/patterns/script.h"
#include "tools/session/attempt.h"
#include "tools/session/ctl.h"
#include "tools/text/fmt.h"
#include "tools/text/text_lines.h"
#include "tools/text/words.h"

static const struct opt transact_opts[] = {
	{"token", 0, OPT_TEXT, "T", offsetof(struct transact_opts, token),
	 "ClientRequestToken: sending the same file again changes nothing"},
	{"return", 0, OPT_TEXT, "old", offsetof(struct transact_opts, returned),
	 "show the item that made a condition fail"},
	{"names", 0, OPT_JSON, "JSON", offsetof(struct transact_opts, names),
	 "ExpressionAttributeNames, for every line that uses them"},
	{"values", 0, OPT_JSON, "JSON", offsetof(struct transact_opts, values),
	 "ExpressionAttributeValues, for every line that uses them"},
	OPTS_END(struct transact_opts),
};

/* ------------------------------------------------------------ writing */

static struct transact_action
real_action(const struct plan *p, const struct planned *x)
{
	static const enum transact_kind kinds[] = {[SCRIPT_PUT] = TRANSACT_PUT,
						   [SCRIPT_UPDATE] = TRANSACT_UPDATE,
						   [SCRIPT_DELETE] = TRANSACT_DELETE,
						   [SCRIPT_CHECK] = TRANSACT_CHECK};

	return (struct transact_action){
		.kind = kinds[x->line->verb],
		.table = x->line->table,
		.item = x->item,
		.update = x->update,
		.condition = x->text,
		.ph = x->exprs.request.ph,
		.return_on_failure = p->o->returned != NULL ? RETURN_ALL_OLD : RETURN_NONE,
	};
}

/* Append "line 3: ", or "action 3: " for a request of the API. */
static void
transact_put_place(struct buf *b, const struct plan *p, size_t i)
{
	assert(i < p->n);
	if (p->lines == NULL) {
		buf_fmt(b, "action %zu: ", i + 1);
	} else {
		text_put_place(b, p->origin, p->lines[i].line->line);
	}
}

/*
 * Find the line whose expression caused the error of the call, by testing each line alone, without writing.  Add its
 * place to the error.
 */
static void
find_culprit(struct plan *p, struct call *c)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct transact_action action = real_action(p, &p->lines[i]);
		call_scope(own, c->now_ms);
		bool same = attempt(p->ctl->engine, &own, &action, 1) == -ERR_VALIDATION &&
			    strcmp(own.error.message, c->error.message) == 0;

		if (same) {
			p->ctl->exprs = &p->lines[i].exprs;
			(void)text_at(c, p->origin, p->lines[i].line->line);
			return;
		}
	}
}

/* Replace the error of a cancelled transaction by one with a line for each action. */
static int
cmd_transact_explain(const struct plan *p, struct call *c)
{
	struct error e = c->error;
	struct buf b = {.arena = &c->arena};

	attempt_put_codes(&b, &e);
	for (size_t i = 0; i < e.n_reasons && i < p->n; i++) {
		const struct cancel_reason *why = &e.reasons[i];

		buf_char(&b, '\n');
		transact_put_place(&b, p, i);
		buf_slice(&b, why->code);
		if (why->message.len > 0) {
			buf_fmt(&b, ": %.*s", SLICE_ARG(why->message));
		}
		throttled_put(&b, &why->throttled);
		if (why->item != NULL && (p->o->returned != NULL || p->lines == NULL)) {
			buf_char(&b, ' ');
			item_put_json(&b, why->item,
				      p->ctl->format == OUT_TYPED ? ITEM_TYPED : ITEM_PLAIN);
		}
	}
	c->error = (struct error){0};
	return call_fail(c, e.code, "%.*s", SLICE_ARG(buf_view(&b)));
}

static int
transact_write(struct plan *p, struct call *c, const struct op_in *in)
{
	struct op_out out = {.type = OP_TRANSACT_WRITE_ITEMS};
	int r = engine_execute(p->ctl->engine, c, in, &out);

	r = r == -ERR_CANCELED ? cmd_transact_explain(p, c) : r;
	if (r == -ERR_VALIDATION && p->n <= LIMIT_TRANSACTION && p->lines != NULL) {
		find_culprit(p, c);
	}
	if (r == 0) {
		ctl_note(p->ctl, "transaction of %zu action%s: %s", p->n, p->n == 1 ? "" : "s",
			 p->ctl->dry == NULL ? "done" : "would be done");
	}
	return r;
}

static int
cmd_transact_run_writes(struct plan *p, struct call *c)
{
	struct transact_action *actions = arena_new(&c->arena, struct transact_action, p->n);
	struct op_in in = {.type = OP_TRANSACT_WRITE_ITEMS,
			   .transact_write_items = {.actions = actions,
						    .n_actions = p->n,
						    .token = slice_from(p->o->token)}};

	for (size_t i = 0; i < p->n; i++) {
		actions[i] = real_action(p, &p->lines[i]);
	}
	return transact_write(p, c, &in);
}

/* ------------------------------------------------------------ reading */

static void
note_missing(const struct plan *p, size_t i)
{
	cleanup(buf_release) struct buf place = {0};

	transact_put_place(&place, p, i);
	ctl_note(p->ctl, "%.*snot found", SLICE_ARG(buf_view(&place)));
}

static int
transact_read(const struct plan *p, struct call *c, const struct transact_get_items_in *in)
{
	struct transact_get_items_out answer = {0};
	int status = 0;

	if (p->o->token != NULL || p->ctl->dry != NULL) {
		return call_fail(c, ERR_USAGE, "--token and --dry-run are for writes");
	}
	int r = engine_transact_get_items(p->ctl->engine, c, in, &answer);
	if (r == -ERR_CANCELED) {
		return cmd_transact_explain(p, c);
	}
	if (r < 0) {
		return r;
	}
	assert(answer.n_responses == p->n);
	for (size_t i = 0; i < p->n; i++) {
		if (answer.responses[i].found) {
			(void)out_item(&p->ctl->out, &answer.responses[i].item);
		} else {
			(void)out_missing(&p->ctl->out);
			note_missing(p, i);
			status = 1;
		}
	}
	return status;
}

static int
cmd_transact_run_reads(struct plan *p, struct call *c)
{
	struct transact_get *gets = arena_new(&c->arena, struct transact_get, p->n);

	for (size_t i = 0; i < p->n; i++) {
		gets[i] = (struct transact_get){
			.table = p->lines[i].line->table,
			.key = p->lines[i].item,
			.projection = p->lines[i].text,
			.ph = p->lines[i].exprs.request.ph,
		};
	}
	return transact_read(p, c, &(struct transact_get_items_in){.gets = gets, .n_gets = p->n});
}

/* Return true if the word is an action such as "put music {...}", or JSON, and not the name of a file. */
static bool
script_is_text(const char *word)
{
	return (word[0] == '{' || word[0] == '[' || strchr(word, ' ') != NULL) &&
	       access(word, F_OK) != 0;
}

/*
 * Join separate words such as: put music {...} delete music Acme Blue.  Each action begins with its verb.
 *
 * Return: false if the first word is no verb
 */
static bool
script_of_words(const struct words *words, struct buf *out)
{
	bool raw = false; /* the rest of the line is an expression */
	size_t begin = 0;

	for (size_t i = 0; i < words->n; i++) {
		struct slice word = slice_from(words->at[i]);
		bool verb = (i == 0 || i - begin > 2) && i + 2 < words->n &&
			    words_in("put update delete check get", word);

		begin = verb ? i : begin;
		if (i == 0 && !verb) {
			return false;
		}
		buf_str(out, i == 0 ? "" : verb ? "\n" : " ");
		raw = !verb && raw;
		if (raw || words->at[i][0] == '{') {
			buf_slice(out, word);
		} else {
			shell_word(out, word);
		}
		raw = raw || (i - begin > 1 && slice_is(word, "if"));
	}
	return words->n > 0;
}

/* Get the text of the actions: words, a file, standard input or, in a pattern, the lines below the command. */
static int
script_text(struct plan *p, struct call *c, const struct words *words, struct slice *out)
{
	if (p->ctl->fill != NULL && words->n == 0) {
		p->origin = p->ctl->origin;
		*out = p->ctl->script;
		return 0;
	}
	if (words->n == 0 || (words->n == 1 && !script_is_text(words->at[0]))) {
		return ctl_read_text(c, words->n == 0 ? "-" : words->at[0], out);
	}
	struct buf b = {.arena = &c->arena};

	for (size_t i = script_of_words(words, &b) ? words->n : 0; i < words->n; i++) {
		if (!script_is_text(words->at[i])) {
			return call_fail(
				c, ERR_USAGE,
				"\"%s\" is not an action: give each action as one word, such as "
				"'delete TABLE PK'",
				words->at[i]);
		}
		buf_fmt(&b, "%s%s", words->at[i], i + 1 < words->n ? "\n" : "");
	}
	*out = buf_view(&b);
	return 0;
}

/* Refuse PartiQL statements in place of actions. */
static int
no_actions(struct call *c, const struct words *words, struct slice text)
{
	const char *file = words->n == 0 || script_is_text(words->at[0]) ? "-" : words->at[0];
	size_t at = 0;

	while (at < text.len && ascii_blank(text.at[at])) {
		at++;
	}
	const char *line = slice_cstr(&c->arena, slice_skip(text, at));

	if (synonyms_is_statement(line) && line[0] >= 'A' && line[0] <= 'Z') {
		return call_fail(c, ERR_USAGE,
				 "%s has PartiQL statements; to run one after the other: itemctl "
				 "sql @%s; to run all or none: itemctl execute-transaction",
				 file, fmt_word(&c->arena, file));
	}
	return 0;
}

/* ------------------------------------------------------------ a request of the API */

static bool
cmd_transact_request_reads(const struct json *json)
{
	const struct json *items = json_get(json, "TransactItems");

	return items != NULL && items->type == JSON_ARRAY && items->child != NULL &&
	       json_get(items->child, "Get") != NULL;
}

/* Run a request of the API: {"TransactItems":[...]}, or the list alone. */
static int
cmd_transact_run_request(struct plan *p, struct call *c, struct slice text)
{
	const struct json *json = NULL;
	struct op_in in = {0};
	struct buf b = {.arena = &c->arena};

	if (p->o->names != NULL || p->o->values != NULL || p->o->returned != NULL) {
		return call_fail(c, ERR_USAGE,
				 "--names, --values and --return are for lines; a request of the "
				 "API has its own");
	}
	if (ascii_trim(text).at[0] == '[') {
		buf_fmt(&b, "{\"TransactItems\":%.*s}", SLICE_ARG(text));
		text = buf_view(&b);
	}
	int r = json_parse(c, text, JSON_STRICT, &json);

	if (r < 0) {
		return r;
	}
	in.type =
		cmd_transact_request_reads(json) ? OP_TRANSACT_GET_ITEMS : OP_TRANSACT_WRITE_ITEMS;
	buf_init(&b, &c->arena);
	if (codec_unknown(in.type, json, &b)) {
		return call_fail(c, ERR_USAGE, "%s has no member %.*s", op_name(in.type),
				 SLICE_ARG(buf_view(&b)));
	}
	r = codec_decode_in(c, CODEC_FOREIGN, text, &in);
	if (r == 0 && in.type == OP_TRANSACT_GET_ITEMS) {
		p->n = in.transact_get_items.n_gets;
		return transact_read(p, c, &in.transact_get_items);
	}
	p->n = in.transact_write_items.n_actions;
	if (r == 0 && p->o->token != NULL && in.transact_write_items.token.len > 0) {
		r = call_fail(c, ERR_USAGE, "--token: the request has a ClientRequestToken");
	} else if (p->o->token != NULL) {
		in.transact_write_items.token = slice_from(p->o->token);
	}
	return r < 0 ? r : transact_write(p, c, &in);
}

static int
run_transact(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct text_origin own = {0};
	struct plan plan = {.ctl = ctl, .o = opts, .origin = &own};
	struct script script = {0};
	struct slice text = {0};

	if (plan.o->returned != NULL && strcmp(plan.o->returned, "old") != 0) {
		return call_fail(c, ERR_USAGE, "--return must be old, not \"%s\"",
				 plan.o->returned);
	}
	if (plan.o->token != NULL && *plan.o->token == '\0') {
		/* Otherwise a script with an unset variable would wrongly assume that it can repeat the request. */
		return call_fail(c, ERR_USAGE,
				 "1 validation error detected: Value '' at 'clientRequestToken' "
				 "failed to satisfy constraint: Member must have length greater "
				 "than or equal to 1");
	}
	int r = script_text(&plan, c, words, &text);
	if (r == 0 && ctl->fill == NULL && fill_is_json(text)) {
		return cmd_transact_run_request(&plan, c, text);
	}
	r = r < 0 ? r : no_actions(c, words, text);
	r = r != 0 ? r : script_parse(c, plan.origin, text, &script);
	r = r != 0 ? r : script_fill(c, ctl->fill, &script);
	r = r != 0 ? r : plan_make(&plan, c, &script);
	return r < 0          ? r
	       : script.reads ? cmd_transact_run_reads(&plan, c)
			      : cmd_transact_run_writes(&plan, c);
}

const struct command cmd_transact = {
	.id = COMMAND_TRANSACT,
	.name = "transact",
	.usage = "[FILE | ACTION...] [--token T] [--return old]",
	.summary = "run several actions, all or none, from a file or standard input",
	.details =
		"One action per line, or per word of the command line; a line that begins with # is a\n"
		"comment; an indented line continues the action above.\n"
		"  put    TABLE ITEM [if EXPR]\n"
		"  update TABLE PK [SK] EXPR [if EXPR]\n"
		"  delete TABLE PK [SK] [if EXPR]\n"
		"  check  TABLE PK [SK] if EXPR\n"
		"  get    TABLE PK [SK] [project LIST]     only get lines, or none\n"
		"Words are quoted as in a shell; an ITEM needs no quotes. For a cancelled transaction,\n"
		"each action's line, reason and message are printed; the exit status is 4. FILE may be\n"
		"the JSON of TransactWriteItems or TransactGetItems, or its TransactItems. With --dry-run\n"
		"it is sent with a condition that is always false: everything is checked, nothing\n"
		"changes.",
	.examples = "itemctl transact buy.txt --dry-run\n"
		    "itemctl transact buy.txt --token 2026-11-24-17\n",
	.opts = transact_opts,
	.max_words = SIZE_MAX,
	.input = INPUT_FILES,
	.run = run_transact,
};
