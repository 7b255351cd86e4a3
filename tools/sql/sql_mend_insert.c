/* sql_mend_insert - steps for several statements and for INSERT: see sql_mend_int.h */
#include "store/base/core/ascii.h"
#include "store/model/schema.h"
#include "store/partiql/partiql_lex.h"

#include "tools/sql/sql_mend.h"
#include "tools/sql/sql_mend_int.h"
#include "tools/text/sql_text.h"

/* ------------------------------------------------------------ several statements */

void
sql_mend_several(struct sql_mending *m)
{
	struct lexeme at = lex(m->t.text, 0);
	struct lexeme before = at;

	for (at = lex(m->t.text, at.end); at.type != LEXEME_END;) {
		struct lexeme next = lex(m->t.text, at.end);
		struct lexeme third =
			sql_text_is(m->t.text, next, "ALL") ? lex(m->t.text, next.end) : next;

		if (sql_text_is(m->t.text, at, "UNION") &&
		    sql_text_is(m->t.text, third, "SELECT")) {
			sql_text_put(&m->t, before.end, third.start, "; ");
			return;
		}
		if (sql_text_is(m->t.text, at, SQL_TEXT_VERBS) && before.type != LEXEME_OPEN &&
		    before.type != LEXEME_SEMICOLON) {
			sql_text_put(&m->t, before.end, at.start, "; ");
			return;
		}
		before = at;
		at = next;
	}
}

/* ------------------------------------------------------------ INSERT */

enum { MEND_COLUMNS = 50 };

/* Read names of columns in parentheses, and advance *@at after them.  Return: their number; 0: there are none */
static size_t
sql_mend_insert_names(struct sql_mending *m, struct lexeme *at, struct slice *names)
{
	struct slice text = m->t.text;
	size_t n = 0;

	if (at->type != LEXEME_OPEN) {
		return 0;
	}
	do {
		*at = lex(text, at->end);
		if ((at->type != LEXEME_WORD && at->type != LEXEME_QUOTED &&
		     at->type != LEXEME_STRING) ||
		    n == MEND_COLUMNS) {
			return 0;
		}
		names[n] = sql_text_of(text, *at);
		if (at->type != LEXEME_WORD) {
			names[n] = sql_text_string(m->t.c, names[n]);
		}
		n++;
		*at = lex(text, at->end);
	} while (at->type == LEXEME_COMMA);
	if (at->type != LEXEME_CLOSE) {
		return 0;
	}
	*at = lex(text, at->end);
	return n;
}

/* Append one row in parentheses as a tuple; false: it does not have @n values. */
static bool
sql_mend_insert_row(struct sql_mending *m, struct lexeme *at, const struct slice *names, size_t n,
		    struct buf *out)
{
	struct slice text = m->t.text;

	buf_char(out, '{');
	for (size_t i = 0; i < n; i++) {
		struct lexeme value = lex(text, at->end);
		struct lexeme end = value;

		while (end.type != LEXEME_COMMA && end.type != LEXEME_CLOSE &&
		       end.type != LEXEME_END) {
			end = lex(text, sql_text_close(text, end));
		}
		if (end.start == value.start ||
		    end.type != (i + 1 < n ? LEXEME_COMMA : LEXEME_CLOSE)) {
			return false;
		}
		struct slice typed =
			ascii_trim(slice_of(text.at + value.start, end.start - value.start));

		buf_str(out, i == 0 ? "" : ", ");
		sql_text_quoted(out, names[i], '\'');
		buf_str(out, ": ");
		if (value.type == LEXEME_QUOTED && typed.len == value.end - value.start) {
			sql_text_quoted(out, sql_text_string(m->t.c, typed), '\'');
		} else {
			buf_slice(out, typed);
		}
		*at = end;
	}
	buf_char(out, '}');
	*at = lex(text, at->end);
	return true;
}

/* VALUE {"a": "b"}: write single quotes. */
static void
sql_mend_insert_tuple(struct sql_mending *m)
{
	enum lexeme_type before = LEXEME_END;
	struct buf b;

	for (struct lexeme at = lex(m->t.text, 0); at.type != LEXEME_END;
	     at = lex(m->t.text, at.end)) {
		bool begins = before == LEXEME_TUPLE || before == LEXEME_COMMA ||
			      before == LEXEME_COLON || before == LEXEME_LEFT;

		before = at.type;
		if (begins && at.type == LEXEME_QUOTED) {
			buf_init(&b, &m->t.c->arena);
			sql_text_quoted(&b, sql_text_string(m->t.c, sql_text_of(m->t.text, at)),
					'\'');
			sql_text_put(&m->t, at.start, at.end, "%.*s", SLICE_ARG(buf_view(&b)));
			at = lex(m->t.text, at.start);
		}
	}
}

/* Write each row of VALUES as a statement. */
static void
sql_mend_insert_rows(struct sql_mending *m, struct slice into, struct lexeme at,
		     const struct slice *names, size_t n, bool named)
{
	struct slice text = m->t.text;
	struct buf b;
	bool more = true;

	buf_init(&b, &m->t.c->arena);
	while (more) {
		buf_fmt(&b, "%s%.*s VALUE ", b.len == 0 ? "" : "; ", SLICE_ARG(into));
		if (at.type != LEXEME_OPEN || !sql_mend_insert_row(m, &at, names, n, &b)) {
			return;
		}
		more = at.type == LEXEME_COMMA;
		named = named && (!more || slice_chr(text, '?') == NULL);
		at = more ? lex(m->t.text, at.end) : at;
	}
	if (at.type == LEXEME_END || at.type == LEXEME_SEMICOLON) {
		m->t.text = buf_view(&b);
		m->rows = named;
	}
}

void
sql_mend_insert(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct slice names[MEND_COLUMNS];
	struct lexeme first = lex(text, 0);
	size_t start;
	size_t end;

	if (!sql_text_is(text, first, "INSERT") || !sql_text_table(text, &start, &end)) {
		return;
	}
	struct lexeme at = lex(text, end);
	size_t n = sql_mend_insert_names(m, &at, names);
	bool value = sql_text_is(text, at, "VALUE VALUES");
	struct lexeme row = value ? lex(text, at.end) : at;
	const struct schema *schema;
	bool named = n > 0;

	/* Values without names are those of the key, if the number is right. */
	if (value && n == 0 && at.start == lex(text, end).start &&
	    sql_mend_schema(m->ctl, m->t.c, slice_of(text.at + start, end - start), &schema)) {
		names[0] = schema->key.pk[0].name;
		names[1] = schema->key.sk[0].name;
		n = key_schema_has_sort(&schema->key) ? 2 : 1;
	}

	if (row.type == LEXEME_TUPLE) {
		sql_text_put(&m->t, end, row.start, " VALUE ");
		sql_mend_insert_tuple(m);
	} else if (row.type == LEXEME_OPEN && n > 0) {
		sql_mend_insert_rows(m, slice_of(text.at, end), row, names, n, named);
	}
}

/* ------------------------------------------------------------ RETURNING */

void
sql_mend_returning(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme returning = sql_text_find(text, 0, "RETURNING");
	struct lexeme star = lex(text, returning.end);

	if (returning.type == LEXEME_WORD && star.type == LEXEME_STAR) {
		sql_text_put(&m->t, returning.start, star.end, "%s",
			     sql_text_is(text, lex(text, 0), "DELETE")   ? "RETURNING ALL OLD *"
			     : sql_text_is(text, lex(text, 0), "UPDATE") ? "RETURNING ALL NEW *"
									 : "");
	}
}
