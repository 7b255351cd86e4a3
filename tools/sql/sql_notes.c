/* sql_notes - see sql_notes.h */
#include "tools/sql/sql_notes.h"

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/model/schema.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/advice/nothing.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/text/bare.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"

struct sql_notes
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

void
sql_notes_see(struct sql_notes *n, const struct item *it)
{
	absent_names_see(&n->asked, it);
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

/* Return true for a literal of PartiQL, ignoring case. */
static bool
sql_notes_literal(struct slice word)
{
	return ascii_same(word, SLICE("TRUE")) || ascii_same(word, SLICE("FALSE")) ||
	       ascii_same(word, SLICE("NULL")) || ascii_same(word, SLICE("MISSING"));
}

/* Note why nothing was found. */
static void
sql_notes_nothing(struct ctl *ctl, struct call *c, struct call *own, const struct sql_notes *n)
{
	static const struct placeholders none;
	const struct statement *st = &n->st;
	struct nothing nothing = {.table = st->table, .filter = sql_notes_where(st), .ph = &none};
	struct absent_key key;
	struct bare bare;

	nothing.statement = true;
	if (bare_find(nothing.filter, &bare) && sql_notes_literal(bare.word)) {
		nothing.filter = (struct slice){0};
	}
	if (ctl_may_look(ctl) && sql_notes_key(ctl, own, st, &key)) {
		nothing.key = &key;
	}
	(void)nothing_say(ctl, c, &nothing);
}

void
sql_notes_order(const struct ctl *ctl, struct slice lacks)
{
	if (lacks.len > 0) {
		ctl_note(ctl, "not sorted: none of the items has an attribute %.*s",
			 SLICE_ARG(lacks));
	}
}

void
sql_notes_say(struct ctl *ctl, struct call *c, const struct sql_notes *n, uint64_t items)
{
	struct call own;

	if (!n->select || ctl->quiet || sql_notes_null(ctl, sql_notes_where(&n->st), items)) {
		return;
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	if (items == 0) {
		sql_notes_nothing(ctl, c, &own, n);
	} else {
		nothing_say_projected(ctl, c, n->st.table, &n->asked);
	}
	call_close(&own);
}
