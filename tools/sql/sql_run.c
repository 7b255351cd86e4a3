/* sql_run - see sql_run.h */
#include "tools/sql/sql_run.h"

#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/advice/nothing.h"
#include "tools/explain/explain.h"
#include "tools/out/out.h"
#include "tools/out/spool.h"
#include "tools/query/groups.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/sql/sql_group.h"
#include "tools/sql/sql_mend.h"
#include "tools/sql/sql_order.h"
#include "tools/text/bare.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"
#include "tools/write/misnamed.h"

/* Notes about the result of a SELECT: why it is empty, and attributes that no item has. */
struct sql_notes {
	bool parsed; /* @st is valid */
	bool select; /* a SELECT */
	struct statement st;
	struct absent_names asked;
};

/* Parse a statement before it is executed, and set the order of columns; in the arena of the call. */
static struct sql_notes
sql_notes_begin(struct ctl *ctl, struct call *c, const struct parameterized *of)
{
	struct sql_notes n = {0};
	int r = statement_parse(c, of->statement, of->parameters, of->n_parameters, &n.st);

	c->error = (struct error){0}; /* execution reports it */
	n.parsed = r == 0;
	n.select = r == 0 && n.st.kind == STATEMENT_SELECT;
	if (n.select) {
		size_t labels = n.st.trees.n_projection;

		n.asked = (struct absent_names){.at = n.st.labels, .n = labels, .left = labels};
		n.asked.seen = arena_new(&c->arena, bool, labels + 1);
		if (labels > 0) {
			lead_names(&ctl->out, n.asked.at, labels);
		} else {
			lead_table(ctl, c, n.st.table, n.st.index);
		}
	}
	return n;
}

/* Get the partition or item that a SELECT reads; false: it reads several partitions. */
static bool
sql_notes_key(struct ctl *ctl, struct call *c, const struct statement *st, struct absent_key *out)
{
	const struct schema *schema = NULL;
	const struct index *ix = NULL;
	struct selection s;

	if (ctl_schema(ctl, c, st->table, &schema) < 0) {
		return false;
	}
	ix = st->index.len == 0 ? NULL : schema_index(schema, st->index);
	if (translate_select(c, schema, ix, st, &s) < 0 || s.runs.n != 1) {
		return false;
	}
	const struct keycond *run = &s.runs.at[0];
	bool all = run->op == KEYCOND_NONE && s.runs.rest == NULL;

	*out = (struct absent_key){.table = st->table,
				   .index = st->index,
				   .key = schema_key(schema, ix),
				   .pk = run->equal,
				   .sk = run->op == KEYCOND_EQ && s.runs.rest == NULL ? run->a
										      : NULL,
				   .ranged = !all};
	return run->equal.n == key_part_n(out->key->pk);
}

/* Return the offset of the word @word in @text; text.len: not found. */
static size_t
sql_notes_word(struct slice text, struct slice word)
{
	size_t at = 0;

	for (; at + word.len < text.len; at++) {
		bool begins = at == 0 || ascii_blank(text.at[at - 1]);

		if (begins && ascii_same(slice_of(text.at + at, word.len), word) &&
		    ascii_blank(text.at[at + word.len])) {
			return at;
		}
	}
	return text.len;
}

/* Return the text from WHERE to ORDER; empty: there is no condition. */
static struct slice
sql_notes_where(const struct statement *st)
{
	struct slice where = slice_skip(st->text, sql_notes_word(st->text, SLICE("WHERE")));

	return slice_of(where.at, sql_notes_word(where, SLICE("ORDER")));
}

/* Note that IS NULL and = NULL mean the value NULL, while in SQL they mean a missing attribute; false: no note. */
static bool
sql_notes_null(struct ctl *ctl, struct slice where, uint64_t items)
{
	struct lexeme null = sql_text_find(where, 0, "NULL");
	struct lexeme before = {LEXEME_END, 0, 0};
	struct lexeme first = before; /* IS, = or <> */
	cleanup(buf_release) struct buf line = {0};

	if (null.type == LEXEME_END) {
		return false;
	}
	for (struct lexeme at = lex(where, 0); at.start < null.start; at = lex(where, at.end)) {
		first = sql_text_is(where, at, "NOT") ? first : at;
		before = at;
	}
	bool negated = sql_text_is(where, before, "NOT") || first.type == LEXEME_NE;

	if (negated == (items == 0) || (!sql_text_is(where, first, "IS") &&
					first.type != LEXEME_EQ && first.type != LEXEME_NE)) {
		return false;
	}
	if (!typed_line_with(&line, slice_of(where.at + first.start, null.end - first.start),
			     negated ? SLICE("IS NOT MISSING") : SLICE("IS MISSING"))) {
		buf_str(&line, negated ? "IS NOT MISSING" : "IS MISSING");
	}
	if (negated) {
		ctl_note(ctl,
			 "IS NOT NULL is also true for a missing attribute; to find one that "
			 "exists: %.*s",
			 SLICE_ARG(buf_view(&line)));
	} else {
		ctl_note(ctl,
			 "IS NULL finds only the value NULL; to find a missing attribute: %.*s",
			 SLICE_ARG(buf_view(&line)));
	}
	return true;
}

/* Note why nothing was found. */
static void
sql_notes_nothing(struct ctl *ctl, struct call *c, const struct sql_notes *n)
{
	static const struct placeholders none;
	const struct statement *st = &n->st;
	struct nothing nothing = {.table = st->table, .filter = sql_notes_where(st), .ph = &none};
	struct absent_key key;
	struct bare bare;
	call_scope(own, c->now_ms);

	nothing.statement = true;
	if (bare_find(nothing.filter, &bare) &&
	    words_in_any_case("TRUE FALSE NULL MISSING", bare.word)) {
		nothing.filter = (struct slice){0};
	}
	if (ctl_may_look(ctl) && sql_notes_key(ctl, &own, st, &key)) {
		nothing.key = &key;
	}
	(void)nothing_say(ctl, c, &nothing);
}

/* Print notes after the result, which had @items items. */
static void
sql_notes_say(struct ctl *ctl, struct call *c, const struct sql_notes *n, uint64_t items)
{
	if (!n->select || ctl->quiet || sql_notes_null(ctl, sql_notes_where(&n->st), items)) {
		return;
	}
	if (items == 0) {
		sql_notes_nothing(ctl, c, n);
	} else {
		nothing_say_projected(ctl, c, n->st.table, &n->asked);
	}
}

/* ------------------------------------------------------------ statements */

/* The items that a statement returns, and what happens to them */
struct sql_answer {
	struct sql_run *q;
	struct opt_count limit;
	size_t skip; /* items that are not printed */
	struct sql_notes notes;
	struct groups *groups;     /* where they are added; NULL: they are not grouped */
	struct sql_sorted *sorted; /* where they are added; NULL: they are not sorted */
	bool counts;               /* they are only counted, for a DELETE */
	uint64_t items;
	uint64_t printed;
};

/* Print an item, unless it is skipped.  Return: false if no more items are wanted */
static bool
sql_run_print(void *arg, const struct item *it)
{
	struct sql_answer *a = arg;
	const struct opt_count *limit = &a->limit;

	if (limit->given && a->printed == limit->n) {
		return false;
	}
	if (a->skip > 0) {
		a->skip--;
		return true;
	}
	a->printed++;
	return out_item(&a->q->ctl->out, it) && !(limit->given && a->printed == limit->n);
}

/* Handle the items of a page.  Return: 0; 1 if no more items are wanted; -ERR_* */
static int
sql_run_take(struct sql_answer *a, struct call *c, const struct execute_statement_out *out)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < out->n_items; i++) {
		const struct item *it = &out->items[i];

		a->items++;
		absent_names_see(&a->notes.asked, it);
		r = a->counts           ? 0
		    : a->groups != NULL ? groups_add(a->groups, c, it)
		    : a->sorted != NULL ? sql_order_add(a->sorted, c, it)
					: !sql_run_print(a, it);
	}
	return r;
}

/* Execute the statement and handle all pages.  Each page has a call of its own, so memory is bounded. */
static int
sql_run_read(struct sql_answer *a, struct call *c, const struct parameterized *of)
{
	struct slice next = {0};
	int r;

	do {
		struct execute_statement_in in = {.of = *of, .next = next};
		struct execute_statement_out out;
		call_scope(own, c->now_ms);

		r = engine_execute_statement(a->q->ctl->engine, &own, &in, &out);
		if (r == 0) {
			r = sql_run_take(a, &own, &out);
		}
		next = r == 0 ? slice_copy(&c->arena, out.next) : (struct slice){0};
		r = r < 0 ? ctl_adopt(c, &own) : r;
	} while (next.len > 0);
	return r < 0 ? r : 0;
}

/* Number of items to print: the smaller one of --limit and the LIMIT clause */
static struct opt_count
sql_run_limit(const struct sql_run *q, const struct opt_count *clause)
{
	const struct opt_count *option = &q->limit;

	return clause->given && (!option->given || clause->n < option->n) ? *clause : *option;
}

void
sql_run_show_in(struct sql_run *q, struct call *c, struct slice statement)
{
	struct exprs *exprs = arena_new(&c->arena, struct exprs, 1);

	exprs->typed[0] = (struct exprs_typed){.field = "Statement", .user = statement};
	exprs->n = 1;
	q->ctl->exprs = exprs;
}

/*
 * If a SELECT without a result compares with names that no item has, run it again with these names as texts.
 * @r: what the second run returned
 *
 * Return: false if it has no such names; *r is unchanged
 */
static bool
sql_run_again(struct sql_run *q, struct call *c, const struct parameterized *of,
	      const struct sql_mend *mend, int *r)
{
	struct sql_text t = {c, of->statement};
	struct sql_text word = {c, slice_from(q->word)};
	struct parameterized as = *of;
	struct buf line = {.arena = &c->arena};

	if (q->again || !sql_mend_texts(q->ctl, &t, true)) {
		return false;
	}
	if (q->word == NULL || !sql_mend_texts(q->ctl, &word, true) ||
	    !typed_line_with(&line, slice_from(q->word), word.text)) {
		buf_str(&line, "itemctl sql ");
		shell_text(&line, t.text);
	}
	ctl_note(q->ctl, "strings need single quotes; read as: %.*s", SLICE_ARG(buf_view(&line)));
	as.statement = t.text;
	q->again = true;
	sql_run_show_in(q, c, as.statement);
	*r = sql_run_statement(q, c, &as, mend);
	q->again = false;
	return true;
}

/* The part of an UPDATE from SET or REMOVE up to its condition */
static struct slice
sql_run_changes(struct slice statement)
{
	size_t from = sql_text_find(statement, 0, "SET REMOVE").start;
	size_t end = sql_text_find(statement, from, "WHERE").start;

	return slice_of(statement.at + from, end - from);
}

static int
sql_run_plain(struct sql_run *q, struct call *c, const struct parameterized *of,
	      const struct sql_mend *mend)
{
	bool sorts = mend->order.n > 0;
	struct parameterized as = *of;
	struct sql_answer a = {.q = q,
			       .limit = sql_run_limit(q, &mend->limit),
			       .skip = mend->order.offset,
			       .notes = sql_notes_begin(q->ctl, c, of),
			       .sorted = sorts ? sql_order_new(&mend->order) : NULL};
	enum statement_kind kind = a.notes.st.kind;

	a.counts = a.notes.parsed && kind == STATEMENT_DELETE && !a.notes.st.returns;
	if (a.counts) { /* it also succeeds if there is no item */

		as.statement = slice_from(arena_print(&c->arena, "%.*s RETURNING ALL OLD *",
						      SLICE_ARG(of->statement)));
	}
	if (q->word != NULL && a.notes.parsed && kind == STATEMENT_UPDATE) {
		misnamed_update(q->ctl, c, a.notes.st.table, sql_run_changes(of->statement));
	}
	int r = sql_run_read(&a, c, &as);

	if (r == 0 && a.items == 0 && a.notes.select && sql_run_again(q, c, of, mend, &r)) {
		sql_order_free(a.sorted);
		return r;
	}
	if (r == 0 && sorts) {
		struct slice lacks = sql_order_lacking(a.sorted);

		if (lacks.len > 0) {
			ctl_note(q->ctl, "not sorted: none of the items has an attribute %.*s",
				 SLICE_ARG(lacks));
		}
		sql_order_print(a.sorted, sql_run_print, &a);
	}
	if (r == 0) {
		sql_notes_say(q->ctl, c, &a.notes, a.items);
		q->written[kind].asked += !a.notes.select;
		q->written[kind].items += kind == STATEMENT_DELETE ? a.items : 1;
	}
	sql_order_free(a.sorted);
	return r;
}

static int
sql_run_grouped(struct sql_run *q, struct call *c, const struct parameterized *of,
		const struct sql_group *g, const struct sql_mend *mend)
{
	struct sql_answer a = {.q = q,
			       .limit = sql_run_limit(q, &mend->limit),
			       .skip = mend->order.offset,
			       .notes = sql_notes_begin(q->ctl, c, &g->reads),
			       .groups = groups_new(&g->plan)};
	int r = sql_run_read(&a, c, &g->reads);

	if (r == 0 && a.items == 0 && sql_run_again(q, c, of, mend, &r)) {
		groups_free(a.groups);
		return r;
	}
	if (r == 0) {
		sql_notes_say(q->ctl, c, &a.notes, a.items);
		spool_report(q->ctl->out.spool);
		lead_names(&q->ctl->out, g->names, g->n_names);
		r = groups_print(a.groups, c, sql_run_print, &a);
	}
	groups_free(a.groups);
	return r;
}

/* Store the name of a missing table in the words of the run, where suggest() looks for it. */
static void
sql_run_name_table(struct sql_run *q, struct call *c, struct slice table)
{
	q->ctl->words = (struct words){0};
	words_add(c, &q->ctl->words, slice_cstr(&c->arena, table));
}

/*
 * Complete the error @r: the table that is missing; the place in the statement, which a remote server does not report.
 */
static void
sql_run_learn(struct sql_run *q, struct call *c, const struct parameterized *of, int r)
{
	struct statement st;
	call_scope(own, c->now_ms);
	bool parsed =
		statement_parse(&own, of->statement, of->parameters, of->n_parameters, &st) == 0;

	if (r == -ERR_NO_TABLE && parsed) {
		sql_run_name_table(q, c, st.table);
	} else if (r == -ERR_VALIDATION && !parsed && c->error.place == 0) {
		c->error.place = own.error.place;
	}
}

static int
sql_run_groups(struct sql_run *q, struct call *c, const struct parameterized *of,
	       struct sql_group *g, const struct sql_mend *mend)
{
	int r = sql_group_begin(g, q->ctl, c, !q->again);

	g->plan.sparse = q->ctl->format == OUT_CSV || q->ctl->format == OUT_TSV;
	if (r == 0) {
		r = q->explain ? explain_statement(q->ctl, c, &g->reads, q->reads)
			       : sql_run_grouped(q, c, of, g, mend);
	}
	if (r == -ERR_NO_TABLE) {
		sql_run_name_table(q, c, g->source.table);
	}
	sql_group_place(g, c);
	return r;
}

int
sql_run_statement(struct sql_run *q, struct call *c, const struct parameterized *of,
		  const struct sql_mend *mend)
{
	struct sql_group *g;
	int r = sql_group_of(c, of, &g);

	if (r < 0 || (q->explain && sql_run_again(q, c, of, mend, &r))) {
		return r;
	}
	if (g != NULL) {
		return sql_run_groups(q, c, of, g, mend);
	}
	r = q->explain ? explain_statement(q->ctl, c, of, q->reads) : sql_run_plain(q, c, of, mend);
	if (r < 0) {
		sql_run_learn(q, c, of, r);
	}
	return r;
}
