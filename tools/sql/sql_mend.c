/*
 * sql_mend - see sql_mend.h; the list of steps, steps for signs, quotes, INSERT and several statements, and the final check
 *
 * The order of the steps matters.  A step that finds nothing to do leaves the text unchanged.  The result is parsed: it
 * is no suggestion if the grammar refuses it.
 */
#include "tools/sql/sql_mend.h"

#include "store/model/schema.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/advice/update_words.h"
#include "tools/sql/sql_group.h"
#include "tools/sql/sql_mend_int.h"
#include "tools/text/sql_text.h"

/* ------------------------------------------------------------ signs and quotes */

/* `name`: write double quotes. */
static void
sql_mend_backticks(struct sql_mending *m)
{
	for (size_t at = 0; at < m->t.text.len;) {
		struct lexeme l = lex(m->t.text, at);
		const char *open = m->t.text.at + l.start;

		at = l.type == LEXEME_END ? m->t.text.len : l.end;
		if (l.type == LEXEME_OTHER && *open == '`') {
			const char *close = memchr(open + 1, '`', m->t.text.len - l.start - 1);

			if (close == NULL) {
				return;
			}
			at = (size_t)(close - m->t.text.at) + 1;
			sql_text_put(&m->t, l.start, at, "\"%.*s\"", (int)(close - open - 1),
				     open + 1);
		}
	}
}

/* 'O'Brien': double the quote.  'Acme: add the missing quote after the first word. */
static void
sql_mend_quotes(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme at = lex(text, 0);
	struct lexeme inner = {LEXEME_END, 0, 0};

	for (; at.type != LEXEME_END && at.type != LEXEME_OTHER; at = lex(text, at.end)) {
		bool word = at.type == LEXEME_STRING && at.end < text.len &&
			    ascii_word(text.at[at.end]);

		inner = word ? at : inner;
	}
	if (at.type != LEXEME_OTHER || strchr("'\"", text.at[at.start]) == NULL) {
		return;
	}
	m->sure = false;
	if (inner.type == LEXEME_STRING) {
		sql_text_put(&m->t, inner.end, inner.end, "'");
		return;
	}
	size_t end = at.start + 1;

	while (end < text.len && !ascii_blank(text.at[end]) && text.at[end] != ';') {
		end++;
	}
	sql_text_put(&m->t, end, end, "%c", text.at[at.start]);
}

/* UPDATE ... SET a = a || ['x'], n++: see update_words_lists(). */
static void
sql_mend_lists(struct sql_mending *m)
{
	if (sql_text_begins(m->t.text, "UPDATE")) {
		update_words_lists(&m->t);
	}
}

/* Replace == && || += -= :name $1. */
static void
sql_mend_signs(struct sql_mending *m)
{
	size_t n = 0; /* parameters so far */

	for (struct lexeme at = lex(m->t.text, 0); at.type != LEXEME_END;
	     at = lex(m->t.text, at.end)) {
		struct slice text = m->t.text;
		struct slice rest = slice_skip(text, at.start);
		struct lexeme next = lex(text, at.end);
		bool joined = next.start == at.end;

		if (at.type == LEXEME_EQ && next.type == LEXEME_EQ && joined) {
			sql_text_cut(&m->t, next.start, next.end);
		} else if (slice_starts(rest, SLICE("&&"))) {
			sql_text_put(&m->t, at.start, at.start + 2, "AND");
		} else if (at.type == LEXEME_CONCAT) {
			m->sure = false;
			sql_text_put(&m->t, at.start, at.end, "OR");
		} else if ((at.type == LEXEME_PLUS || at.type == LEXEME_MINUS) &&
			   next.type == LEXEME_EQ && joined) {
			size_t path = sql_text_path(text, at.start);

			sql_text_put(
				&m->t, at.start, next.end, "= %.*s %c",
				SLICE_ARG(ascii_trim(slice_of(text.at + path, at.start - path))),
				rest.at[0]);
		} else if (at.type == LEXEME_COLON && next.type == LEXEME_WORD && joined &&
			   (at.start == 0 || ascii_blank(text.at[at.start - 1]) ||
			    strchr("=<>(,[", text.at[at.start - 1]) != NULL)) {
			m->sure = m->sure && n++ == 0; /* the order of several is unknown */
			sql_text_put(&m->t, at.start, next.end, "?");
		} else if (at.type == LEXEME_WORD && rest.at[0] == '$' && at.end - at.start == 2 &&
			   rest.at[1] == (char)('1' + n) && n < 9) {
			n++;
			sql_text_put(&m->t, at.start, at.end, "?");
		}
		at = lex(m->t.text, at.start); /* the new lexeme */
	}
}

/* ------------------------------------------------------------ several statements */

/* Put a semicolon in place of UNION, and between statements. */
static void
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

	for (struct lexeme at = lex(m->t.text, 0); at.type != LEXEME_END;
	     at = lex(m->t.text, at.end)) {
		bool begins = before == LEXEME_TUPLE || before == LEXEME_COMMA ||
			      before == LEXEME_COLON || before == LEXEME_LEFT;

		before = at.type;
		if (begins && at.type == LEXEME_QUOTED) {
			struct buf b = {.arena = &m->t.c->arena};

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
	struct buf b = {.arena = &m->t.c->arena};
	bool more = true;

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

/* (a, b) VALUES (1, 'x'), ...: write a statement with a tuple for each row. */
static void
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

/* RETURNING * of a write: write ALL OLD or ALL NEW. */
static void
sql_mend_returning(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme returning = sql_text_find(text, 0, "RETURNING");
	struct lexeme star = lex(text, returning.end);

	if (returning.type == LEXEME_WORD && star.type == LEXEME_STAR) {
		sql_text_put(&m->t, returning.start, star.end, "%s",
			     sql_text_begins(text, "DELETE")   ? "RETURNING ALL OLD *"
			     : sql_text_begins(text, "UPDATE") ? "RETURNING ALL NEW *"
							       : "");
	}
}

/* ------------------------------------------------------------ all steps */

/* Return true if a statement can be executed; sets m->missing. */
static bool
sql_mend_reads(struct sql_mending *m, struct slice text)
{
	struct parameterized of = {.statement = text,
				   .parameters = m->of->parameters,
				   .n_parameters = m->of->n_parameters};
	const struct schema *schema = NULL;
	const struct index *ix = NULL;
	struct op_in in;
	struct selection s;
	struct sql_group *g;
	struct statement st;
	struct call *c = m->t.c;
	size_t asked = 0;

	for (struct lexeme at = lex(text, 0); at.type != LEXEME_END; at = lex(text, at.end)) {
		asked += at.type == LEXEME_PARAMETER;
	}
	if (asked != of.n_parameters) { /* any value will do for parsing */
		struct value *any = arena_new(&c->arena, struct value, asked + 1);

		for (size_t i = 0; i < asked; i++) {
			any[i] = value_string(SLICE("x"));
		}
		of.parameters = any;
		of.n_parameters = asked;
	}
	if (sql_group_of(c, &of, &g) < 0) {
		return false;
	}
	if (g != NULL) {
		m->missing = !sql_mend_schema(m->ctl, m->t.c, g->source.table, &schema);
		return true;
	}
	if (statement_parse(c, text, of.parameters, of.n_parameters, &st) < 0) {
		return false;
	}
	m->missing = !sql_mend_schema(m->ctl, m->t.c, st.table, &schema);
	if (m->missing) { /* execution reports it */
		return st.kind == STATEMENT_SELECT;
	}
	if (st.kind == STATEMENT_SELECT) {
		ix = st.index.len == 0 ? NULL : schema_index(schema, st.index);
		return (st.index.len == 0 || ix != NULL) &&
		       (asked > 0 || translate_select(c, schema, ix, &st, &s) == 0);
	}
	return asked > 0 || translate_write(c, schema, &st, RETURN_NONE, &in) == 0;
}

static bool
sql_mend_all_read(struct sql_mending *m)
{
	struct statements all = {.text = m->t.text};
	struct error before = m->t.c->error;
	struct slice one;
	size_t questions;
	size_t n = 0;
	bool read = true;

	while (read && statements_next(&all, &one, &questions)) {
		n++;
		read = sql_mend_reads(m, one);
	}
	m->t.c->error = before;
	m->sure = m->sure && (m->rows || (n == 1 && sql_text_begins(m->t.text, "SELECT")));
	return read && n > 0;
}

bool
sql_mend(struct ctl *ctl, struct call *c, const struct parameterized *of, struct sql_mend *out)
{
	static void (*const steps[])(struct sql_mending *) = {
		sql_mend_backticks, sql_mend_quotes,     sql_mend_words,   sql_mend_lists,
		sql_mend_returning, sql_mend_signs,      sql_mend_slips,   sql_mend_from,
		sql_mend_changes,   sql_mend_twice,      sql_mend_several, sql_mend_insert,
		sql_mend_list,      sql_mend_only_table, sql_mend_alias,   sql_mend_columns,
		sql_mend_positions, sql_mend_table,      sql_mend_limit,   sql_mend_distinct,
		sql_mend_where,     sql_mend_like,       sql_mend_pattern, sql_mend_bare_texts,
		sql_mend_key_types,
	};
	struct sql_mending m = {.t = {.c = c, .text = of->statement},
				.ctl = ctl,
				.of = of,
				.sure = true,
				.limit = SIZE_MAX};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		steps[i](&m);
	}
	bool read = sql_mend_all_read(&m);
	struct slice ordered = slice_of(m.t.text.at, sql_text_end(m.t.text));
	struct buf b = {.arena = &c->arena};

	if (!read && sql_mend_order(&m)) {
		read = sql_mend_all_read(&m);
	}
	*out = (struct sql_mend){.text = ascii_trim(m.t.text),
				 .sure = m.sure && m.jq.len == 0,
				 .order = m.order,
				 .pipe = m.count ? SLICE(" | wc -l") : m.jq,
				 .limit = {.given = m.limit != SIZE_MAX, .n = m.limit}};
	if (m.order.n > 0 || m.order.offset > 0) {
		buf_slice(&b, ordered);
		if (out->limit.given) {
			buf_fmt(&b, " LIMIT %lu", (unsigned long)out->limit.n);
		}
		if (m.order.offset > 0) {
			buf_fmt(&b, " OFFSET %zu", m.order.offset);
		}
		out->ordered = buf_view(&b);
	}
	return read && (!slice_eq(m.t.text, of->statement) || out->limit.given ||
			out->pipe.len > 0 || out->order.offset > 0);
}
