/* sql_mend_clauses - steps for verbs, keywords and conditions: see sql_mend_int.h */
#include "store/base/text/near.h"
#include "store/model/schema.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"

#include "tools/sql/sql_mend.h"
#include "tools/sql/sql_mend_int.h"
#include "tools/text/sql_text.h"
#include "tools/text/words.h"

/* ------------------------------------------------------------ verbs and keywords */

/* Return the one of @words that is similar to @word; empty: none, or it is the same. */
static struct slice
sql_mend_slip(struct slice word, const char *words)
{
	struct slice best = sql_text_near(word, words).best;

	return ascii_same(best, word) ? SLICE("") : best;
}

/* Return the keyword that is meant by @at, in a place where no name is allowed; empty: it may be a name. */
static struct slice
sql_mend_keyword(struct slice text, struct lexeme before, struct lexeme last, struct lexeme at)
{
	struct slice word = sql_text_of(text, at);
	struct lexeme next = lex(text, at.end);
	bool value = last.type >= LEXEME_EQ && last.type <= LEXEME_GE;
	bool source = sql_text_is(text, before, "FROM") || sql_text_is(text, before, "UPDATE");

	if (sql_text_is(text, last, "ORDER") || sql_text_is(text, last, "GROUP")) {
		return sql_mend_slip(word, "BY");
	}
	if (next.type == LEXEME_NUMBER && !value) {
		return sql_mend_slip(word, "LIMIT OFFSET");
	}
	if (sql_text_is(text, next, "BY")) {
		return sql_mend_slip(word, "ORDER GROUP");
	}
	return source && next.type == LEXEME_WORD ? sql_mend_slip(word, "WHERE") : SLICE("");
}

void
sql_mend_slips(struct sql_mending *m)
{
	struct lexeme first = lex(m->t.text, 0);
	struct lexeme before = first;
	struct lexeme last = first;
	struct slice meant = sql_mend_slip(sql_text_of(m->t.text, first), SQL_TEXT_VERBS);

	if (meant.len > 0) {
		m->sure = false;
		sql_text_put(&m->t, first.start, first.end, "%.*s", SLICE_ARG(meant));
	}
	first = lex(m->t.text, 0);
	for (struct lexeme at = lex(m->t.text, first.end); at.type != LEXEME_END;
	     at = lex(m->t.text, at.end)) {
		meant = at.type == LEXEME_WORD ? sql_mend_keyword(m->t.text, before, last, at)
					       : SLICE("");
		if (meant.len > 0) {
			m->sure = false;
			sql_text_put(&m->t, at.start, at.end, "%.*s", SLICE_ARG(meant));
			at = lex(m->t.text, at.start);
		}
		before = last;
		last = at;
	}
}

void
sql_mend_from(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme select = sql_text_find(text, 0, "SELECT");

	if (!sql_text_begins(text, "FROM")) {
		return;
	}
	if (select.type == LEXEME_END) {
		sql_text_put(&m->t, 0, 0, "SELECT * ");
		return;
	}
	struct slice moved = slice_of(text.at + select.start, sql_text_end(text) - select.start);
	struct lexeme tail = sql_text_find(moved, 0, "WHERE GROUP HAVING ORDER LIMIT");

	sql_text_put(&m->t, 0, text.len, "%.*s %.*s%.*s",
		     SLICE_ARG(ascii_trim(slice_of(moved.at, tail.start))),
		     SLICE_ARG(slice_of(text.at, select.start)),
		     SLICE_ARG(slice_skip(moved, tail.start)));
}

void
sql_mend_list(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme first = lex(text, 0);
	struct lexeme list = lex(text, first.end);
	struct lexeme next = lex(text, list.end);
	struct lexeme from = sql_text_find(text, 0, "FROM");

	if (!sql_text_is(text, first, "SELECT")) {
		return;
	}
	if (list.type == LEXEME_STAR && from.type == LEXEME_END) {
		struct near near = near_start(sql_text_of(text, next));

		near_try(&near, SLICE("FROM"));
		m->sure = false;
		if (near.best.len > 0 && next.type == LEXEME_WORD) {
			sql_text_put(&m->t, next.start, next.end, "FROM");
		} else if (next.type == LEXEME_WORD && !lex_reserved(near.typed)) {
			sql_text_put(&m->t, next.start, next.start, "FROM ");
		}
	} else if (list.start == from.start && from.type == LEXEME_WORD) {
		m->sure = false;
		sql_text_put(&m->t, from.start, from.start, "* ");
	} else if (from.type == LEXEME_WORD) {
		size_t last = from.start;

		while (last > 0 && ascii_blank(text.at[last - 1])) {
			last--;
		}
		if (last > 0 && text.at[last - 1] == ',') {
			m->sure = false;
			sql_text_cut(&m->t, last - 1, last);
		}
	}
}

void
sql_mend_changes(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme first = lex(text, 0);
	struct lexeme next = lex(text, first.end);

	if (sql_text_is(text, first, "DELETE") && next.type == LEXEME_STAR) {
		sql_text_cut(&m->t, next.start, lex(text, next.end).start);
	} else if (sql_text_is(text, first, "DELETE") && !sql_text_is(text, next, "FROM")) {
		sql_text_put(&m->t, next.start, next.start, "FROM ");
	} else if (sql_text_is(text, first, "UPDATE")) {
		struct lexeme where = sql_text_find(text, 0, "WHERE");
		struct lexeme set = sql_text_find(text, where.end, "SET");
		size_t end = sql_text_end(text);

		if (where.type == LEXEME_WORD && set.type == LEXEME_WORD) {
			struct slice condition = ascii_trim(
				slice_of(text.at + where.start, set.start - where.start));
			struct slice change =
				ascii_trim(slice_of(text.at + set.start, end - set.start));

			sql_text_put(&m->t, where.start, end, "%.*s %.*s", SLICE_ARG(change),
				     SLICE_ARG(condition));
		}
	}
}

void
sql_mend_twice(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme set = sql_text_find(text, 0, "SET");
	struct lexeme star = lex(text, set.end);

	while (star.type != LEXEME_STAR && star.type != LEXEME_END) {
		star = lex(text, star.end);
	}
	struct lexeme two = lex(text, star.end);
	struct lexeme behind = lex(text, two.end);
	size_t path = sql_text_path(text, star.start);
	struct lexeme before = set;

	for (struct lexeme at = set; at.end <= path && at.type != LEXEME_END;
	     at = lex(text, at.end)) {
		before = at;
	}
	if (sql_text_begins(text, "UPDATE") && star.type == LEXEME_STAR &&
	    before.type == LEXEME_EQ && slice_is(sql_text_of(text, two), "2") &&
	    (behind.type == LEXEME_COMMA || behind.type == LEXEME_END ||
	     behind.type == LEXEME_SEMICOLON || sql_text_is(text, behind, "WHERE"))) {
		struct slice name = ascii_trim(slice_of(text.at + path, star.start - path));

		sql_text_put(&m->t, star.start, two.end, "+ %.*s", SLICE_ARG(name));
	}
}

/* ------------------------------------------------------------ conditions */

void
sql_mend_where(struct sql_mending *m)
{
	struct lexeme where = sql_text_find(m->t.text, 0, "WHERE");
	struct lexeme next = lex(m->t.text, where.end);

	if (where.type == LEXEME_WORD && sql_text_begins(m->t.text, "SELECT") &&
	    (next.type == LEXEME_END || next.type == LEXEME_SEMICOLON)) {
		m->sure = false;
		sql_text_cut(&m->t, where.start, where.end);
	}
}

/* Remove % from both ends of a pattern of LIKE; false: PartiQL has no function for this pattern. */
static bool
sql_mend_like_text(struct slice pattern, struct slice *x, bool *front, bool *back)
{
	*x = slice_of(pattern.at + 1, pattern.len - 2);
	*front = x->len > 0 && x->at[0] == '%';
	*back = x->len > 1 && x->at[x->len - 1] == '%';
	*x = slice_of(x->at + *front, x->len - *front - *back);
	return (*back || !*front) && x->len > 0 && slice_chr(*x, '%') == NULL &&
	       slice_chr(*x, '_') == NULL;
}

/* Replace one path [NOT] LIKE 'x%'; @like: offset of LIKE.  Return: the offset of the path */
static size_t
sql_mend_like_one(struct sql_mending *m, size_t like, size_t end, struct slice x, bool front,
		  bool back)
{
	struct slice text = m->t.text;
	size_t start = sql_text_path(text, like);
	bool negated = sql_text_is(text, lex(text, start), "NOT");
	size_t path = negated ? sql_text_path(text, start) : start;
	struct slice name = ascii_trim(slice_of(text.at + path, (negated ? start : like) - path));

	if (front || back) {
		sql_text_put(&m->t, path, end, "%s%s(%.*s, '%.*s')", negated ? "NOT " : "",
			     front ? "contains" : "begins_with", SLICE_ARG(name), SLICE_ARG(x));
	} else {
		sql_text_put(&m->t, path, end, "%.*s %s '%.*s'", SLICE_ARG(name),
			     negated ? "<>" : "=", SLICE_ARG(x));
	}
	return path;
}

void
sql_mend_like(struct sql_mending *m)
{
	for (struct lexeme at = lex(m->t.text, 0); at.type != LEXEME_END;
	     at = lex(m->t.text, at.end)) {
		struct lexeme literal = lex(m->t.text, at.end);
		struct slice x;
		bool front;
		bool back;

		if (!sql_text_is(m->t.text, at, "LIKE") || literal.type != LEXEME_STRING) {
			continue;
		}
		if (!sql_mend_like_text(sql_text_of(m->t.text, literal), &x, &front, &back)) {
			return;
		}
		at = lex(m->t.text, sql_mend_like_one(m, at.start, literal.end, x, front, back));
	}
}

void
sql_mend_bare_texts(struct sql_mending *m)
{
	if (!sql_text_begins(m->t.text, "SELECT")) {
		(void)sql_mend_texts(m->ctl, &m->t, false);
	}
}

void
sql_mend_words(struct sql_mending *m)
{
	struct lexeme sign = sql_text_find(m->t.text, 0, "WHERE");
	bool changed = false;

	for (; sign.type != LEXEME_END; sign = lex(m->t.text, sign.end)) {
		struct slice text = m->t.text;
		struct lexeme value = lex(text, sign.end);
		size_t end = value.start;

		while (end < text.len && !ascii_blank(text.at[end]) &&
		       strchr(",)(;'\"[", text.at[end]) == NULL) {
			end++;
		}
		if (sign.type >= LEXEME_EQ && sign.type <= LEXEME_GE && end > value.end &&
		    (value.type == LEXEME_WORD || value.type == LEXEME_NUMBER) &&
		    lex(text, value.end).type != LEXEME_DOT &&
		    (end == text.len || strchr("('\"[", text.at[end]) == NULL)) {
			sql_text_put(&m->t, value.start, end, "'%.*s'",
				     SLICE_ARG(slice_of(text.at + value.start, end - value.start)));
			changed = true;
		}
	}
	if (changed) {
		m->sure = false;
		(void)sql_mend_texts(m->ctl, &m->t, true);
	}
}

void
sql_mend_key_types(struct sql_mending *m)
{
	const struct schema *schema;
	struct lexeme name = {LEXEME_END, 0, 0};
	bool member = false; /* @name is a member of a path, so it is no key */
	struct statement st;
	struct error before = m->t.c->error;
	bool known = statement_parse(m->t.c, m->t.text, m->of->parameters, m->of->n_parameters,
				     &st) == 0 &&
		     sql_mend_schema(m->ctl, m->t.c, st.table, &schema);

	m->t.c->error = before;
	for (struct lexeme at = lex(m->t.text, 0); known && at.type != LEXEME_END;
	     at = lex(m->t.text, at.end)) {
		struct lexeme sign = lex(m->t.text, name.end);
		struct slice word = sql_text_of(m->t.text, at);
		bool compared = name.type != LEXEME_END && sign.type >= LEXEME_EQ &&
				sign.type <= LEXEME_GE &&
				lex(m->t.text, sign.end).start == at.start;
		const struct key_attr *key =
			compared ? schema_key_attr(schema, sql_text_of(m->t.text, name)) : NULL;
		enum value_type type = key == NULL ? VALUE_NULL : key->type;

		if (at.type == LEXEME_NUMBER && type == VALUE_S) {
			sql_text_put(&m->t, at.start, at.end, "'%.*s'", SLICE_ARG(word));
			at = lex(m->t.text, at.start);
		} else if (at.type == LEXEME_STRING && type == VALUE_N && word.len > 2 &&
			   lex(word, 1).type == LEXEME_NUMBER && lex(word, 1).end == word.len - 1) {
			sql_text_put(&m->t, at.start, at.end, "%.*s", (int)word.len - 2,
				     word.at + 1);
			at = lex(m->t.text, at.start);
		}
		if (at.type == LEXEME_WORD) {
			name = at;
			name.type = member ? LEXEME_END : at.type;
		}
		member = at.type == LEXEME_DOT;
	}
}
