/*
 * cmd_transact - TransactWriteItems and TransactGetItems from a file
 *
 *   text -> script.c -> one struct planned a line -> operation -> items, or a line each why not
 *
 * A dry run sends the same actions and a condition that never holds: everything
 * is evaluated and nothing is written.
 */
#include <assert.h>
#include <sys/random.h>

#include "store/model/limits.h"
#include "store/op/validate.h"

#include "tools/command.h"
#include "tools/transact_plan.h"

static const struct opt transact_opts[] = {
	{"token", 0, OPT_TEXT, "T", offsetof(struct transact_opts, token),
	 "ClientRequestToken: the same file may be sent again"},
	{"dry-run", 0, OPT_FLAG, NULL, offsetof(struct transact_opts, dry_run),
	 "validate and evaluate, write nothing"},
	{"return", 0, OPT_TEXT, "old", offsetof(struct transact_opts, returned),
	 "show the item that was in the way"},
	{"names", 0, OPT_JSON, "JSON", offsetof(struct transact_opts, names),
	 "ExpressionAttributeNames, for every line that uses them"},
	{"values", 0, OPT_JSON, "JSON", offsetof(struct transact_opts, values),
	 "ExpressionAttributeValues, for every line that uses them"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
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

/* A condition that never holds, on an item that no line names. */
static struct transact_action
obstacle(struct call *c, const struct planned *x)
{
	const struct key_attr *pk = x->schema->key.pk;
	const struct key_attr *sk = x->schema->key.sk;
	struct attr *key = arena_new(&c->arena, struct attr, 2);
	struct exprs own = {0};
	uint64_t random = 0;
	struct buf number;

	(void)!getrandom(&random, sizeof(random), 0);
	buf_init(&number, &c->arena);
	buf_fmt(&number, "%llu", (unsigned long long)random);
	key[0] = (struct attr){pk->name, {.type = pk->type, .text = buf_view(&number)}};
	key[1] = (struct attr){sk->name, {.type = sk->type, .text = buf_view(&number)}};
	exprs_name(c, &own, "#itemctl_pk", pk->name);
	return (struct transact_action){
		.kind = TRANSACT_CHECK,
		.table = x->line->table,
		.item = {.at = key, .n = key_part_n(sk) > 0 ? 2 : 1},
		.ph = own.request.ph,
		.condition = SLICE(
			"attribute_exists(#itemctl_pk) AND attribute_not_exists(#itemctl_pk)"),
	};
}

/* Was it the obstacle alone, which comes last, that was in the way? */
static bool
only_obstacle(struct error *e)
{
	if (e->n_reasons > 0) {
		e->n_reasons--;
	}
	for (size_t i = 0; i < e->n_reasons; i++) {
		if (!slice_is(e->reasons[i].code, "None")) {
			return false;
		}
	}
	return true;
}

/* Evaluate the lines [from, to), fewer than a transaction may have, and write nothing. */
static int
try_lines(const struct plan *p, struct call *c, size_t from, size_t to)
{
	struct transact_action *actions =
		arena_new(&c->arena, struct transact_action, to - from + 1);
	struct transact_write_items_in in = {.actions = actions, .n_actions = to - from + 1};
	struct transact_write_items_out out;

	for (size_t i = from; i < to; i++) {
		actions[i - from] = real_action(p, &p->lines[i]);
	}
	assert(p->lines != NULL);
	actions[to - from] = obstacle(c, &p->lines[from]);
	int r = engine_transact_write_items(p->ctl->engine, c, &in, &out);

	if (r == -ERR_CANCELED && only_obstacle(&c->error)) {
		c->error = (struct error){0};
		return 0;
	}
	return r;
}

/* An expression of one line is at fault: find out which by trying each alone. */
static void
find_culprit(struct plan *p, struct call *c)
{
	for (size_t i = 0; i < p->n; i++) {
		struct call own;

		call_open(&own, c->now_ms, CTL_BUDGET);
		bool same = try_lines(p, &own, i, i + 1) == -ERR_VALIDATION &&
			    strcmp(own.error.message, c->error.message) == 0;

		call_close(&own);
		if (same) {
			p->ctl->exprs = &p->lines[i].exprs;
			(void)text_at(c, p->origin, p->lines[i].line->line);
			return;
		}
	}
}

/* "Transaction cancelled, ... [None, ConditionalCheckFailed]" of the lines alone. */
static void
put_codes(struct buf *b, const struct error *e)
{
	const char *codes = strchr(e->message, '[');

	buf_slice(b, slice_of(e->message,
			      codes == NULL ? strlen(e->message) : (size_t)(codes - e->message)));
	for (size_t i = 0; i < e->n_reasons; i++) {
		buf_fmt(b, "%s%.*s", i == 0 ? "[" : ", ", SLICE_ARG(e->reasons[i].code));
	}
	buf_char(b, ']');
}

/* A cancelled transaction's error, with one line an action, of which @from is the first. */
static int
explain(struct plan *p, struct call *c, size_t from)
{
	struct error e = c->error;
	struct buf b;

	buf_init(&b, &c->arena);
	put_codes(&b, &e);
	for (size_t i = 0; i < e.n_reasons && from + i < p->n; i++) {
		const struct cancel_reason *why = &e.reasons[i];

		buf_char(&b, '\n');
		text_put_place(&b, p->origin, p->lines[from + i].line->line);
		buf_slice(&b, why->code);
		if (why->message.len > 0) {
			buf_fmt(&b, ": %.*s", SLICE_ARG(why->message));
		}
		if (why->item != NULL && p->o->returned != NULL) {
			buf_char(&b, ' ');
			item_put_json(&b, why->item,
				      p->ctl->format == OUT_TYPED ? ITEM_TYPED : ITEM_PLAIN);
		}
	}
	c->error = (struct error){0};
	return call_fail(c, e.code, "%.*s", SLICE_ARG(buf_view(&b)));
}

/* All lines; a whole transaction has no room for one action more, so that it is tried twice. */
static int
try_all(struct plan *p, struct call *c)
{
	size_t most = LIMIT_TRANSACTION - 1;
	size_t from = 0;
	int r = try_lines(p, c, 0, p->n < most ? p->n : most);

	if (r == 0 && p->n > most) {
		from = p->n - most;
		r = try_lines(p, c, from, p->n);
	}
	return r == -ERR_CANCELED ? explain(p, c, from) : r;
}

static int
run_writes(struct plan *p, struct call *c)
{
	struct transact_action *actions = arena_new(&c->arena, struct transact_action, p->n);
	struct op_in in = {.type = OP_TRANSACT_WRITE_ITEMS,
			   .transact_write_items = {.actions = actions,
						    .n_actions = p->n,
						    .token = slice_from(p->o->token)}};
	struct op_out out = {.type = OP_TRANSACT_WRITE_ITEMS};
	int r;

	for (size_t i = 0; i < p->n; i++) {
		actions[i] = real_action(p, &p->lines[i]);
	}
	if (p->o->dry_run) {
		r = op_validate(c, &in);
		r = r < 0 ? r : try_all(p, c);
	} else {
		r = engine_execute(p->ctl->engine, c, &in, &out);
		r = r == -ERR_CANCELED ? explain(p, c, 0) : r;
	}
	if (r == -ERR_VALIDATION && p->n <= LIMIT_TRANSACTION) {
		find_culprit(p, c);
	}
	if (r == 0) {
		ctl_note(p->ctl, "transaction of %zu action%s: %s", p->n, p->n == 1 ? "" : "s",
			 p->o->dry_run ? "would be done" : "done");
	}
	return r;
}

/* ------------------------------------------------------------ reading */

static void
note_missing(const struct plan *p, int line)
{
	struct buf place;

	buf_init(&place, NULL);
	text_put_place(&place, p->origin, line);
	ctl_note(p->ctl, "%.*snot found", SLICE_ARG(buf_view(&place)));
	buf_release(&place);
}

static int
run_reads(struct plan *p, struct call *c)
{
	struct transact_get *gets = arena_new(&c->arena, struct transact_get, p->n);
	struct transact_get_items_in in = {.gets = gets, .n_gets = p->n};
	struct transact_get_items_out answer = {0};
	int status = 0;

	if (p->o->token != NULL || p->o->dry_run) {
		return call_fail(c, ERR_USAGE, "--token and --dry-run are for writes");
	}
	for (size_t i = 0; i < p->n; i++) {
		gets[i] = (struct transact_get){
			.table = p->lines[i].line->table,
			.key = p->lines[i].item,
			.projection = p->lines[i].text,
			.ph = p->lines[i].exprs.request.ph,
		};
	}
	int r = engine_transact_get_items(p->ctl->engine, c, &in, &answer);
	if (r == -ERR_CANCELED) {
		return explain(p, c, 0);
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
			note_missing(p, p->lines[i].line->line);
			status = 1;
		}
	}
	return status;
}

/* A file, standard input or, in a pattern, what stands below the command. */
static int
script_text(struct plan *p, struct call *c, const struct words *words, struct slice *out)
{
	if (p->ctl->fill != NULL && words->n == 0) {
		p->origin = p->ctl->origin;
		*out = p->ctl->script;
		return 0;
	}
	return ctl_read_text(c, words->n == 0 ? "-" : words->at[0], out);
}

static int
run_transact(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct text_origin own = {0};
	struct plan plan = {.ctl = ctl, .o = opts, .origin = &own};
	struct script script = {0};
	struct slice text;

	if (plan.o->returned != NULL && strcmp(plan.o->returned, "old") != 0) {
		return call_fail(c, ERR_USAGE, "--return is old, not \"%s\"", plan.o->returned);
	}
	if (plan.o->token != NULL && *plan.o->token == '\0') {
		/* In the API's words.  A script whose variable is unset would believe that it may repeat. */
		return call_fail(c, ERR_USAGE,
				 "1 validation error detected: Value '' at 'clientRequestToken' "
				 "failed to satisfy constraint: Member must have length greater "
				 "than or equal to 1");
	}
	int r = script_text(&plan, c, words, &text);
	if (r == 0) {
		r = script_parse(c, plan.origin, text, &script);
	}
	if (r == 0) {
		r = script_fill(c, ctl->fill, &script);
	}
	if (r == 0) {
		r = plan_make(&plan, c, &script);
	}
	if (r < 0) {
		return r;
	}
	return script.reads ? run_reads(&plan, c) : run_writes(&plan, c);
}

const struct command cmd_transact = {
	.name = "transact",
	.usage = "[FILE] [--token T] [--dry-run] [--return old]",
	.summary = "several actions, all or none, from a file or standard input",
	.details =
		"One action a line; a line that begins with # is a comment; an indented one continues\n"
		"the action above.\n"
		"  put    TABLE ITEM [if EXPR]\n"
		"  update TABLE PK [SK] EXPR [if EXPR]\n"
		"  delete TABLE PK [SK] [if EXPR]\n"
		"  check  TABLE PK [SK] if EXPR\n"
		"  get    TABLE PK [SK] [project LIST]     only get lines, or none\n"
		"Words are quoted as in a shell; an ITEM may stand unquoted. A cancelled\n"
		"transaction shows for each action its line, reason and message; exit status 4.\n"
		"--dry-run sends it with a condition that never holds: everything is looked at as if\n"
		"it were done, and nothing is.",
	.opts = transact_opts,
	.opts_bytes = sizeof(struct transact_opts),
	.max_words = 1,
	.input = INPUT_FILES,
	.run = run_transact,
};
