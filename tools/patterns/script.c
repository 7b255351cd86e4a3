/* script - see script.h */
#include "tools/patterns/script.h"

#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/keyval.h"
#include "tools/text/fill.h"
#include "tools/text/text_lines.h"
#include "tools/text/words.h"

enum { ACTIONS_MAX = 10000 }; /* above LIMIT_TRANSACTION, so that other errors are reported first */

static const struct {
	const char *name;
	const char *usage;
	const char *tail; /* the word that opens the tail */
	size_t min;       /* words after the table: at least */
	size_t max;       /* and at most */
	enum script_verb verb;
	bool tail_needed;
} verbs[] = {
	{"put", "put TABLE ITEM [if EXPR]", "if", 1, 1, SCRIPT_PUT, false},
	{"update", "update TABLE PK [SK] EXPR [if EXPR]", "if", 2, 3, SCRIPT_UPDATE, false},
	{"delete", "delete TABLE PK [SK] [if EXPR]", "if", 1, 2, SCRIPT_DELETE, false},
	{"check", "check TABLE PK [SK] if EXPR", "if", 1, 2, SCRIPT_CHECK, true},
	{"get", "get TABLE PK [SK] [project LIST]", "project", 1, 2, SCRIPT_GET, false},
};

/* Return true for an empty line or a comment.  An indented line may continue an action. */
static bool
script_is_idle(struct slice line)
{
	return text_is_idle(line, text_indent(line) > 0);
}

/* Read the text of the next action, whose continuation lines are joined by newlines.  Return: false at the end */
static bool
take_action(struct text_lines *t, struct buf *b, int *line)
{
	buf_clear(b);
	while (t->rest.len > 0 && b->len == 0) {
		*line = t->line;
		struct slice first = text_lines_next(t);

		if (!script_is_idle(first)) {
			buf_slice(b, first);
		}
	}
	while (t->rest.len > 0 && b->len > 0) {
		struct text_lines ahead = *t;
		struct slice next = text_lines_next(&ahead);

		if (text_indent(next) == 0 && !script_is_idle(next)) {
			break;
		}
		if (!script_is_idle(next)) {
			buf_char(b, '\n');
			buf_slice(b, next);
		}
		*t = ahead;
	}
	return b->len > 0;
}

/* Why there may be a surplus word.  @hash: there was a word # before it */
static const char *
hint_at(enum script_verb verb, bool hash)
{
	if (hash) {
		return ": put a comment on its own line";
	}
	return verb == SCRIPT_UPDATE ? ": quote the expression" : "";
}

/* Parse the text after the verb. */
static int
parse_rest(struct call *c, size_t verb, struct slice rest, struct script_action *out)
{
	struct word w;
	bool hash = false;

	int r = words_next(c, &rest, &w);
	out->table = w.text;
	while (r == 0) {
		r = words_next(c, &rest, &w);
		if (r != 0) {
			break;
		}
		if (!w.quoted && slice_is(w.text, verbs[verb].tail)) {
			out->tail = ascii_trim(rest);
			if (out->tail.len == 0) {
				return call_fail(c, ERR_USAGE, "nothing follows \"%s\"",
						 verbs[verb].tail);
			}
			break;
		}
		hash = hash || (!w.quoted && slice_is(w.text, "#"));
		if (out->n_words == verbs[verb].max) {
			return call_fail(c, ERR_USAGE, "unexpected \"%.*s\"%s; syntax: %s",
					 SLICE_ARG(w.text), hint_at(verbs[verb].verb, hash),
					 verbs[verb].usage);
		}
		assert(out->n_words < SCRIPT_WORDS_MAX);
		out->words[out->n_words++] = w.text;
	}
	if (r < 0) {
		return r;
	}
	if (out->table.len == 0 || out->n_words < verbs[verb].min ||
	    (verbs[verb].tail_needed && out->tail.len == 0)) {
		return call_fail(c, ERR_USAGE, "syntax: %s", verbs[verb].usage);
	}
	return 0;
}

static int
script_parse_action(struct call *c, struct slice text, struct script_action *out)
{
	struct word w;

	int r = words_next(c, &text, &w);
	if (r != 0) {
		return r < 0 ? r : call_fail(c, ERR_USAGE, "an action is missing");
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!slice_is(w.text, verbs[i].name)) {
			continue;
		}
		out->verb = verbs[i].verb;
		return parse_rest(c, i, text, out);
	}
	return call_fail(c, ERR_USAGE,
			 "unknown action \"%.*s\": use put, update, delete, check or get",
			 SLICE_ARG(w.text));
}

static int
check_kinds(struct call *c, struct script *s)
{
	for (size_t i = 0; i < s->n_actions; i++) {
		bool reads = s->actions[i].verb == SCRIPT_GET;

		if (i == 0) {
			s->reads = reads;
		} else if (reads != s->reads) {
			(void)!call_fail(c, ERR_USAGE, "a transaction has only get lines or none");
			return text_at(c, s->origin, s->actions[i].line);
		}
	}
	if (s->n_actions == 0) {
		return call_fail(c, ERR_USAGE, "a transaction needs at least one action");
	}
	return 0;
}

int
script_parse(struct call *c, struct text_origin *origin, struct slice text, struct script *out)
{
	struct text_lines t = {.rest = text, .line = 1};
	size_t cap = 0;
	int line = 0;

	*out = (struct script){.origin = origin};
	struct buf b = {.arena = &c->arena};
	while (take_action(&t, &b, &line)) {
		if (out->n_actions == ACTIONS_MAX) {
			(void)!call_fail(c, ERR_USAGE,
					 "over %d actions; a transaction has at most %d",
					 ACTIONS_MAX, LIMIT_TRANSACTION);
			return text_at(c, origin, line);
		}
		out->actions = arena_room(&c->arena, out->actions, out->n_actions, &cap);
		struct script_action *a = &out->actions[out->n_actions++];

		*a = (struct script_action){.line = line};
		int r = script_parse_action(c, slice_copy(&c->arena, buf_view(&b)), a);
		if (r < 0) {
			return text_at(c, origin, line);
		}
	}
	return check_kinds(c, out);
}

static int
fill_action(struct call *c, const struct fill *fill, struct script_action *a)
{
	bool reads = a->verb == SCRIPT_GET;
	int r = fill_text(c, fill, FILL_WORD, a->table, &a->table);

	for (size_t i = 0; r == 0 && i < a->n_words; i++) {
		bool update = a->verb == SCRIPT_UPDATE && i + 1 == a->n_words;
		enum fill_as as = update                  ? FILL_EXPRESSION
				  : a->verb == SCRIPT_PUT ? FILL_JSON
							  : FILL_WORD;

		r = fill_text(c, fill, as, a->words[i], &a->words[i]);
	}
	return r < 0 ? r
		     : fill_text(c, fill, reads ? FILL_NOTHING : FILL_EXPRESSION, a->tail,
				 &a->tail);
}

int
script_fill(struct call *c, const struct fill *fill, struct script *s)
{
	for (size_t i = 0; i < s->n_actions; i++) {
		if (fill_action(c, fill, &s->actions[i]) < 0) {
			return text_at(c, s->origin, s->actions[i].line);
		}
	}
	return 0;
}

/* ------------------------------------------------------------ actions ready to be sent */

/* Set the schema of line @i.  Each table is described once. */
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

static int
plan_expression(struct plan *p, struct call *c, struct planned *x)
{
	const struct script_action *line = x->line;
	bool reads = line->verb == SCRIPT_GET;
	struct slice update = {0};

	if (line->verb == SCRIPT_UPDATE) {
		update = line->words[line->n_words - 1];
	}
	p->ctl->exprs = &x->exprs;
	int r = exprs_placeholders(c, &x->exprs, p->o->names, p->o->values);
	if (r < 0) {
		return r;
	}
	exprs_keep(c, &x->exprs, line->tail, update);
	r = exprs_add(c, &x->exprs, "UpdateExpression", update, &x->update);
	return r < 0 ? r
		     : exprs_add(c, &x->exprs,
				 reads ? "ProjectionExpression" : "ConditionExpression", line->tail,
				 &x->text);
}

static int
plan_item(struct call *c, struct planned *x)
{
	const struct slice *words = x->line->words;

	assert(x->line->n_words > 0);
	size_t n = x->line->n_words - (x->line->verb == SCRIPT_UPDATE);

	return x->line->verb == SCRIPT_PUT ? ctl_item(c, words[0], &x->item)
					   : keyval_key(c, &x->schema->key, words[0],
							n > 1 ? &words[1] : NULL, &x->item);
}

static bool
same_item(const struct planned *a, const struct planned *b)
{
	struct key_values of_a = {.n = 0};
	struct key_values of_b = {.n = 0};

	if (!slice_eq(a->line->table, b->line->table) ||
	    key_from_item(&a->schema->key, &a->item, &of_a) != 0 ||
	    key_from_item(&b->schema->key, &b->item, &of_b) != 0) {
		return false;
	}
	for (size_t i = 0; i < of_a.n; i++) {
		if (!value_eq(of_a.at[i], of_b.at[i])) {
			return false;
		}
	}
	return true;
}

/* Fail if an earlier line names the same item.  The engine checks that, too, but does not name a line. */
static int
check_twice(const struct plan *p, struct call *c, const struct planned *x)
{
	for (const struct planned *before = p->lines; before < x; before++) {
		if (same_item(before, x)) {
			return call_fail(c, ERR_USAGE,
					 "Transaction request cannot include multiple operations "
					 "on one item: it is that of line %d",
					 before->line->line);
		}
	}
	return 0;
}

int
plan_make(struct plan *p, struct call *c, const struct script *script)
{
	p->lines = arena_new(&c->arena, struct planned, script->n_actions);
	p->n = script->n_actions;
	for (size_t i = 0; i < p->n; i++) {
		struct planned *x = &p->lines[i];

		x->line = &script->actions[i];
		int r = schema_of(p, c, i);
		r = r != 0 ? r : plan_expression(p, c, x);
		r = r != 0 ? r : plan_item(c, x);
		r = r != 0 ? r : check_twice(p, c, x);
		if (r < 0) {
			return text_at(c, script->origin, x->line->line);
		}
	}
	p->ctl->exprs = NULL;
	return 0;
}
