/*
 * cmd_transact - TransactWriteItems and TransactGetItems from a file
 *
 *   text -> script.c -> one struct planned a line -> operation -> items, or a line each why not
 *
 * A dry run sends the same conditions as ConditionChecks: they are evaluated
 * and nothing is written.
 */
#include <assert.h>
#include <ctype.h>

#include "store/model/limits.h"
#include "store/op/validate.h"

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/keyval.h"
#include "tools/script.h"

struct transact_opts {
	const char *token;
	const char *returned;
	const char *names;
	const char *values;
	bool dry_run;
};

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

/* One line, ready to be sent. */
struct planned {
	const struct script_action *line;
	const struct schema *schema;
	struct exprs exprs;
	struct slice text; /* condition or projection */
	struct item item;  /* SCRIPT_PUT: the item; else the key */
	struct item key;
};

struct plan {
	struct ctl *ctl;
	const struct transact_opts *o;
	struct planned *lines;
	size_t n;
};

/* The same error with the line of the file in front. */
static int
at_line(struct call *c, int line)
{
	struct error e = c->error;

	c->error = (struct error){0};
	int r = call_fail(c, e.code, "line %d: %s", line, e.message);

	c->error.place = e.place;
	return r;
}

/* ------------------------------------------------------------ planning */

/* The table's schema: asked once for each table. */
static int
schema_of(struct plan *p, struct call *c, size_t i)
{
	struct slice table = p->lines[i].line->table;

	for (size_t j = 0; j < i; j++) {
		if (slice_eq(p->lines[j].line->table, table)) {
			p->lines[i].schema = p->lines[j].schema;
			return 0;
		}
	}
	return ctl_schema(p->ctl, c, table, &p->lines[i].schema);
}

/* Does @text hold the placeholder @name, and not merely a longer one? */
static bool
mentions(struct slice text, struct slice name)
{
	while (text.len >= name.len && name.len > 0) {
		const char *at = memmem(text.at, text.len, name.at, name.len);

		if (at == NULL) {
			return false;
		}
		text = slice_skip(text, (size_t)(at - text.at) + name.len);
		if (text.len == 0 || !(isalnum((unsigned char)text.at[0]) || text.at[0] == '_')) {
			return true;
		}
	}
	return false;
}

/* Of --names and --values, what @text mentions: a line must not have unused ones. */
static void
keep_mentioned(struct call *c, struct placeholders *ph, struct slice text)
{
	struct name_alias *names = arena_new(&c->arena, struct name_alias, ph->n_names + 1);
	struct attr *values = arena_new(&c->arena, struct attr, ph->values.n + 1);
	size_t n_names = 0;
	size_t n_values = 0;

	for (size_t i = 0; i < ph->n_names; i++) {
		if (mentions(text, ph->names[i].alias)) {
			names[n_names++] = ph->names[i];
		}
	}
	for (size_t i = 0; i < ph->values.n; i++) {
		if (mentions(text, ph->values.at[i].name)) {
			values[n_values++] = ph->values.at[i];
		}
	}
	*ph = (struct placeholders){
		.names = names,
		.n_names = n_names,
		.values = {.at = values, .n = n_values},
		.names_given = n_names > 0,
		.values_given = n_values > 0,
	};
}

static int
plan_expression(struct plan *p, struct call *c, struct planned *x)
{
	bool reads = x->line->verb == SCRIPT_GET;

	p->ctl->exprs = &x->exprs;
	int r = exprs_placeholders(c, &x->exprs, p->o->names, p->o->values);
	if (r < 0) {
		return r;
	}
	keep_mentioned(c, &x->exprs.request.ph, x->line->tail);
	return exprs_add(c, &x->exprs, reads ? "ProjectionExpression" : "ConditionExpression",
			 x->line->tail, &x->text);
}

static int
plan_item(struct call *c, struct planned *x)
{
	if (x->line->verb == SCRIPT_PUT) {
		int r = ctl_item(c, x->line->words[0], &x->item);

		return r < 0 ? r : keyval_pick(c, &x->schema->key, &x->item, &x->key);
	}
	int r = keyval_key(c, &x->schema->key, x->line->words[0],
			   x->line->n_words > 1 ? &x->line->words[1] : NULL, &x->key);
	x->item = x->key;
	return r;
}

static int
make_plan(struct plan *p, struct call *c, const struct script *script)
{
	p->lines = arena_new(&c->arena, struct planned, script->n_actions);
	p->n = script->n_actions;
	for (size_t i = 0; i < p->n; i++) {
		struct planned *x = &p->lines[i];

		x->line = &script->actions[i];
		int r = schema_of(p, c, i);
		if (r == 0) {
			r = plan_expression(p, c, x);
		}
		if (r == 0) {
			r = plan_item(c, x);
		}
		if (r < 0) {
			return at_line(c, x->line->line);
		}
	}
	p->ctl->exprs = NULL;
	return 0;
}

/* ------------------------------------------------------------ writing */

static struct transact_action
real_action(const struct plan *p, const struct planned *x)
{
	static const enum transact_kind kinds[] = {[SCRIPT_PUT] = TRANSACT_PUT,
						   [SCRIPT_DELETE] = TRANSACT_DELETE,
						   [SCRIPT_CHECK] = TRANSACT_CHECK};

	return (struct transact_action){
		.kind = kinds[x->line->verb],
		.table = x->line->table,
		.item = x->item,
		.condition = x->text,
		.ph = x->exprs.request.ph,
		.return_on_failure = p->o->returned != NULL ? RETURN_ALL_OLD : RETURN_NONE,
	};
}

/* The action's condition alone; without one, a condition that always holds. */
static struct transact_action
check_action(const struct plan *p, struct call *c, const struct planned *x)
{
	struct transact_action action = real_action(p, x);

	action.kind = TRANSACT_CHECK;
	action.item = x->key;
	if (x->text.len == 0) {
		struct exprs own = {0};

		exprs_name(c, &own, "#itemctl_pk", x->schema->key.pk->name);
		action.ph = own.request.ph;
		action.condition =
			SLICE("attribute_exists(#itemctl_pk) OR attribute_not_exists(#itemctl_pk)");
	}
	return action;
}

/* What a put would be refused for, conditions apart: its size, and keys of indexes. */
static int
check_put(struct call *c, const struct planned *x)
{
	if (x->line->verb != SCRIPT_PUT) {
		return 0;
	}
	if (item_size(&x->item) > LIMIT_ITEM_BYTES) {
		return call_fail(c, ERR_ITEM_TOO_BIG,
				 "Item size has exceeded the maximum allowed size");
	}
	for (size_t i = 0; i < x->schema->n_index; i++) {
		const struct index *ix = &x->schema->index[i];

		for (size_t k = 0; k < KEY_ATTRS_MAX; k++) {
			const struct key_attr *a = key_slot(&ix->key, k);
			const struct value *v = item_get(&x->item, a->name);

			if (v != NULL && v->type != a->type) {
				return call_fail(c, ERR_VALIDATION,
						 "One or more parameter values were invalid: Type "
						 "mismatch for Index Key %.*s Expected: %s Actual: "
						 "%s IndexName: %.*s",
						 SLICE_ARG(a->name), value_type_name(a->type),
						 value_type_name(v->type), SLICE_ARG(ix->name));
			}
		}
	}
	return 0;
}

/* The same operation with conditions only. */
static int
only_check(const struct plan *p, struct call *c, const struct op_in *in,
	   struct transact_action *actions)
{
	int r = op_validate(c, in);

	for (size_t i = 0; r == 0 && i < p->n; i++) {
		r = check_put(c, &p->lines[i]);
		if (r < 0) {
			return at_line(c, p->lines[i].line->line);
		}
		actions[i] = check_action(p, c, &p->lines[i]);
	}
	return r;
}

/* An expression of one line is at fault: find out which by asking for each alone. */
static void
find_culprit(struct plan *p, struct call *c)
{
	for (size_t i = 0; i < p->n; i++) {
		struct call own;

		call_open(&own, c->now_ms, CTL_BUDGET);
		struct transact_action action = check_action(p, &own, &p->lines[i]);
		struct transact_write_items_in in = {.actions = &action, .n_actions = 1};
		struct transact_write_items_out out;
		int r = engine_transact_write_items(p->ctl->engine, &own, &in, &out);
		bool same =
			r == -ERR_VALIDATION && strcmp(own.error.message, c->error.message) == 0;

		call_close(&own);
		if (same) {
			p->ctl->exprs = &p->lines[i].exprs;
			(void)at_line(c, p->lines[i].line->line);
			return;
		}
	}
}

/* A cancelled transaction's error, with one line an action. */
static int
explain(struct plan *p, struct call *c)
{
	struct error e = c->error;
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, e.message);
	for (size_t i = 0; i < e.n_reasons && i < p->n; i++) {
		const struct cancel_reason *why = &e.reasons[i];

		buf_fmt(&b, "\nline %d: %.*s", p->lines[i].line->line, SLICE_ARG(why->code));
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

static int
run_writes(struct plan *p, struct call *c)
{
	struct transact_action *actions = arena_new(&c->arena, struct transact_action, p->n);
	struct op_in in = {.type = OP_TRANSACT_WRITE_ITEMS,
			   .transact_write_items = {.actions = actions,
						    .n_actions = p->n,
						    .token = slice_from(p->o->token)}};
	struct op_out out = {.type = OP_TRANSACT_WRITE_ITEMS};
	int r = 0;

	for (size_t i = 0; i < p->n; i++) {
		actions[i] = real_action(p, &p->lines[i]);
	}
	if (p->o->dry_run) {
		r = only_check(p, c, &in, actions);
		in.transact_write_items.token = slice_of(NULL, 0);
	}
	if (r == 0) {
		r = engine_execute(p->ctl->engine, c, &in, &out);
	}
	if (r == -ERR_CANCELED) {
		return explain(p, c);
	}
	if (r == -ERR_VALIDATION) {
		find_culprit(p, c);
	}
	if (r == 0) {
		ctl_note(p->ctl, "transaction of %zu action%s: %s", p->n, p->n == 1 ? "" : "s",
			 p->o->dry_run ? "would be done" : "done");
	}
	return r;
}

/* ------------------------------------------------------------ reading */

static int
run_reads(struct plan *p, struct call *c)
{
	struct transact_get *gets = arena_new(&c->arena, struct transact_get, p->n);
	struct transact_get_items_in in = {.gets = gets, .n_gets = p->n};
	struct transact_get_items_out answer = {0};
	int status = 0;

	if (p->o->token != NULL || p->o->dry_run) {
		return call_fail(c, ERR_VALIDATION, "--token and --dry-run are for writes");
	}
	for (size_t i = 0; i < p->n; i++) {
		gets[i] = (struct transact_get){
			.table = p->lines[i].line->table,
			.key = p->lines[i].key,
			.projection = p->lines[i].text,
			.ph = p->lines[i].exprs.request.ph,
		};
	}
	int r = engine_transact_get_items(p->ctl->engine, c, &in, &answer);
	if (r == -ERR_CANCELED) {
		return explain(p, c);
	}
	if (r < 0) {
		return r;
	}
	assert(answer.n_items == p->n && answer.found != NULL);
	for (size_t i = 0; i < p->n; i++) {
		if (answer.found[i]) {
			(void)out_item(&p->ctl->out, &answer.items[i]);
		} else {
			(void)out_missing(&p->ctl->out);
			ctl_note(p->ctl, "line %d: not found", p->lines[i].line->line);
			status = 1;
		}
	}
	return status;
}

/* A file, standard input or, in a pattern, what stands below the command. */
static int
script_text(struct ctl *ctl, struct call *c, const struct words *words, struct slice *out)
{
	if (ctl->fill != NULL && words->n == 0) {
		*out = ctl->script;
		return 0;
	}
	return ctl_read_file(c, words->n == 0 ? "-" : words->at[0], out);
}

static int
run_transact(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct plan plan = {.ctl = ctl, .o = opts};
	struct script script = {0};
	struct slice text;

	if (plan.o->returned != NULL && strcmp(plan.o->returned, "old") != 0) {
		return call_fail(c, ERR_VALIDATION, "--return is old, not \"%s\"",
				 plan.o->returned);
	}
	int r = script_text(ctl, c, words, &text);
	if (r == 0) {
		r = script_parse(c, text, &script);
	}
	if (r == 0) {
		r = script_fill(c, ctl->fill, &script);
	}
	if (r == 0) {
		r = make_plan(&plan, c, &script);
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
		"One action a line; # begins a comment; an indented line continues the one above.\n"
		"  put    TABLE ITEM [if EXPR]\n"
		"  delete TABLE PK [SK] [if EXPR]\n"
		"  check  TABLE PK [SK] if EXPR\n"
		"  get    TABLE PK [SK] [project LIST]     only get lines, or none\n"
		"Words are quoted as in a shell; an ITEM may stand unquoted. A cancelled\n"
		"transaction shows for each action its line, reason and message; exit status 4.",
	.opts = transact_opts,
	.opts_bytes = sizeof(struct transact_opts),
	.max_words = 1,
	.run = run_transact,
};
