/* sql_mend_rows - steps for the number, order and selection of rows: see sql_mend_int.h */
#include "store/partiql/partiql_lex.h"

#include "tools/sql/sql_mend_int.h"
#include "tools/text/sql_text.h"

/* ------------------------------------------------------------ number of rows */

/* Read the number at @at; false: it is none. */
static bool
sql_mend_number(struct slice text, struct lexeme at, size_t *out)
{
	uint64_t n;

	if (at.type != LEXEME_NUMBER || !ascii_count(sql_text_of(text, at), &n)) {
		return false;
	}
	*out = n;
	return true;
}

/* Remove the text from @start to @end, with the blanks before it. */
static void
sql_mend_remove(struct sql_mending *m, size_t start, size_t end)
{
	while (start > 0 && ascii_blank(m->t.text.at[start - 1])) {
		start--;
	}
	sql_text_cut(&m->t, start, end);
}

/* Remove "WORD n"; false: it is not there. */
static bool
sql_mend_take(struct sql_mending *m, const char *word, size_t *out)
{
	struct lexeme at = sql_text_find(m->t.text, 0, word);
	struct lexeme number = lex(m->t.text, at.end);
	struct lexeme next = lex(m->t.text, number.end);
	size_t second;

	if (at.type == LEXEME_END || !sql_mend_number(m->t.text, number, out)) {
		return false;
	}
	if (strcmp(word, "LIMIT") == 0 && next.type == LEXEME_COMMA &&
	    sql_mend_number(m->t.text, lex(m->t.text, next.end), &second)) { /* LIMIT offset, n */
		m->order.offset = *out;
		*out = second;
		number = lex(m->t.text, next.end);
		next = lex(m->t.text, number.end);
	}
	bool rows = sql_text_is(m->t.text, next, "ROWS ROW");

	sql_mend_remove(m, at.start, rows ? next.end : number.end);
	return true;
}

/* Return true if there is only one statement: options and pipes of the line apply to all. */
static bool
sql_mend_is_one(const struct sql_mending *m)
{
	size_t end = sql_text_end(m->t.text);

	while (lex(m->t.text, end).type == LEXEME_SEMICOLON) {
		end = lex(m->t.text, end).end;
	}
	return lex(m->t.text, end).type == LEXEME_END;
}

void
sql_mend_limit(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme first = lex(text, 0);
	struct lexeme top = lex(text, first.end);
	struct lexeme number = lex(text, top.end);

	if (!sql_text_is(text, first, "SELECT") || !sql_mend_is_one(m)) {
		return;
	}
	if (sql_text_is(text, top, "TOP") && sql_mend_number(text, number, &m->limit)) {
		sql_text_cut(&m->t, top.start, lex(text, number.end).start);
	}
	(void)sql_mend_take(m, "LIMIT", &m->limit);
	(void)sql_mend_take(m, "OFFSET", &m->order.offset);

	struct lexeme fetch = sql_text_find(m->t.text, 0, "FETCH");
	struct lexeme only = sql_text_find(m->t.text, fetch.end, "ONLY");

	if (only.type == LEXEME_WORD &&
	    sql_mend_number(m->t.text, lex(m->t.text, lex(m->t.text, fetch.end).end), &m->limit)) {
		sql_mend_remove(m, fetch.start, only.end);
	}
}

static void
sql_mend_jq_path(struct buf *b, struct slice name)
{
	bool plain = name.len > 0 && !ascii_digit(name.at[0]);

	for (size_t i = 0; i < name.len; i++) {
		plain = plain && ascii_word(name.at[i]);
	}
	buf_fmt(b, plain ? ".%.*s" : ".\"%.*s\"", SLICE_ARG(name));
}

/* Return true if SELECT lists @name or *; @from: the offset of FROM */
static bool
sql_mend_is_listed(struct slice text, struct slice name, size_t from)
{
	for (struct lexeme at = lex(text, 0); at.start < from; at = lex(text, at.end)) {
		if (at.type == LEXEME_STAR || slice_eq(sql_text_of(text, at), name)) {
			return true;
		}
	}
	return false;
}

/* Return true if @text can be used in a string of jq within single quotes of a shell. */
static bool
sql_mend_is_quotable(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (strchr("'\"\\", text.at[i]) != NULL) {
			return false;
		}
	}
	return true;
}

/* Append a pattern of LIKE as a regular expression of jq. */
static void
sql_mend_regex(struct buf *b, struct slice pattern)
{
	bool front = slice_starts(pattern, SLICE("%"));
	bool back = slice_ends(pattern, SLICE("%"));

	buf_str(b, front ? "" : "^");
	for (size_t i = front; i + back < pattern.len; i++) {
		char ch = pattern.at[i];

		if (ch == '%') {
			buf_str(b, ".*");
		} else if (ch == '_') {
			buf_char(b, '.');
		} else {
			buf_str(b, strchr(".*+?()[]{}|^$\\", ch) != NULL ? "\\\\" : "");
			buf_char(b, ch);
		}
	}
	buf_str(b, back ? "" : "$");
}

void
sql_mend_pattern(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme where = sql_text_find(text, 0, "WHERE");
	struct lexeme name = lex(text, where.end);
	struct lexeme like = lex(text, name.end);
	struct lexeme literal = lex(text, like.end);
	struct lexeme behind = lex(text, literal.end);
	bool small = sql_text_is(text, like, "ILIKE");
	struct buf b = {.arena = &m->t.c->arena};

	if (literal.type != LEXEME_STRING || name.type != LEXEME_WORD ||
	    (!small && !sql_text_is(text, like, "LIKE")) ||
	    (behind.type != LEXEME_END && behind.type != LEXEME_SEMICOLON) ||
	    m->limit != SIZE_MAX || !sql_mend_is_one(m) ||
	    !sql_mend_is_listed(text, sql_text_of(text, name),
				sql_text_find(text, 0, "FROM").start)) {
		return;
	}
	struct slice pattern = sql_text_string(m->t.c, sql_text_of(text, literal));

	if (!sql_mend_is_quotable(pattern)) {
		return;
	}
	buf_str(&b, " | jq -c 'select(");
	sql_mend_jq_path(&b, sql_text_of(text, name));
	buf_str(&b, " | strings | test(\"");
	sql_mend_regex(&b, pattern);
	buf_fmt(&b, "\"%s))'", small ? "; \"i\"" : "");
	m->jq = buf_view(&b);
	sql_mend_remove(m, where.start, literal.end);
}

void
sql_mend_distinct(struct sql_mending *m)
{
	struct slice text = m->t.text;
	struct lexeme distinct = lex(text, lex(text, 0).end);
	struct lexeme list = lex(text, distinct.end);
	struct lexeme from = sql_text_find(text, 0, "FROM");
	struct lexeme order = sql_text_find(text, from.end, "ORDER");

	if (sql_text_is(text, distinct, "COUNT") && list.type == LEXEME_OPEN &&
	    sql_text_is(text, lex(text, list.end), "DISTINCT")) {
		struct lexeme name = lex(text, lex(text, list.end).end);

		m->count = true;
		m->sure = false;
		sql_text_put(&m->t, distinct.start, sql_text_close(text, list), "DISTINCT %.*s",
			     SLICE_ARG(sql_text_of(text, name)));
		sql_mend_distinct(m);
		return;
	}
	if (!sql_text_is(text, distinct, "DISTINCT") || from.type == LEXEME_END ||
	    sql_text_find(text, from.end, "GROUP").type != LEXEME_END) {
		return;
	}
	if (list.type != LEXEME_STAR) { /* items are distinct anyway */
		struct slice names =
			ascii_trim(slice_of(text.at + list.start, from.start - list.start));
		bool ordered = order.type != LEXEME_END;

		names = slice_copy(&m->t.c->arena, names);
		size_t at = ordered ? order.start : sql_text_end(text);

		sql_text_put(&m->t, at, at, "%sGROUP BY %.*s%s", ordered ? "" : " ",
			     SLICE_ARG(names), ordered ? " " : "");
	}
	sql_text_cut(&m->t, distinct.start, list.start);
}

/* Return the @n-th name of SELECT, from 1; LEXEME_END: it does not exist, or is no plain name. */
static struct lexeme
sql_mend_listed(struct slice text, size_t n)
{
	struct lexeme at = lex(text, 0);
	enum lexeme_type before = LEXEME_COMMA;

	for (at = lex(text, at.end); at.type != LEXEME_END; at = lex(text, at.end)) {
		bool name = (at.type == LEXEME_WORD && !sql_text_is(text, at, "FROM")) ||
			    at.type == LEXEME_QUOTED;

		if (at.type != LEXEME_COMMA && (!name || before != LEXEME_COMMA)) {
			break;
		}
		if (name && --n == 0) {
			struct lexeme next = lex(text, at.end);

			if (next.type == LEXEME_COMMA || sql_text_is(text, next, "FROM")) {
				return at;
			}
			break;
		}
		before = at.type;
	}
	return (struct lexeme){LEXEME_END, 0, 0};
}

/* Read the attributes after ORDER BY; a number is a position in SELECT.  Return: false: there are expressions */
static bool
sql_mend_keys(struct sql_mending *m, struct lexeme at)
{
	struct slice text = m->t.text;
	struct lexeme from = sql_text_find(text, 0, "FROM");

	do {
		struct lexeme name = lex(text, at.end);
		size_t number;

		at = lex(text, name.end);
		if (sql_mend_number(text, name, &number)) {
			name = sql_mend_listed(text, number);
		}
		if ((name.type != LEXEME_WORD && name.type != LEXEME_QUOTED) ||
		    m->order.n == SQL_ORDER_MAX) {
			return false;
		}
		bool quoted = name.type == LEXEME_QUOTED;
		struct slice path = sql_text_of(text, name);

		m->order.by[m->order.n].descending = sql_text_is(text, at, "DESC");
		m->order.by[m->order.n].hidden = !sql_mend_is_listed(text, path, from.start);
		m->order.by[m->order.n++].name =
			quoted ? sql_text_string(m->t.c, path) : slice_copy(&m->t.c->arena, path);
		at = sql_text_is(text, at, "DESC") || sql_text_is(text, at, "ASC")
			     ? lex(text, at.end)
			     : at;
	} while (at.type == LEXEME_COMMA);
	return at.type == LEXEME_END || at.type == LEXEME_SEMICOLON;
}

/* Add the attributes of ORDER BY that SELECT does not list. */
static void
sql_mend_read_hidden(struct sql_mending *m)
{
	for (size_t i = 0; i < m->order.n; i++) {
		size_t from = sql_text_find(m->t.text, 0, "FROM").start;

		if (m->order.by[i].hidden) {
			sql_text_put(&m->t, from, from, ", \"%.*s\" ",
				     SLICE_ARG(m->order.by[i].name));
		}
	}
}

bool
sql_mend_order(struct sql_mending *m)
{
	struct lexeme order = sql_text_find(m->t.text, 0, "ORDER");
	struct lexeme by = lex(m->t.text, order.end);

	assert(m->order.n == 0);
	if (order.type == LEXEME_END || !sql_mend_is_one(m) || !sql_text_is(m->t.text, by, "BY") ||
	    sql_text_find(m->t.text, 0, "GROUP").type != LEXEME_END) {
		return false;
	}
	for (struct lexeme at = lex(m->t.text, 0); at.start < order.start;
	     at = lex(m->t.text, at.end)) {
		if (sql_text_is(m->t.text, at, "FROM")) {
			break;
		}
		if (at.type == LEXEME_OPEN) { /* an aggregate function */
			return false;
		}
	}
	if (!sql_mend_keys(m, by)) {
		m->order.n = 0;
		return false;
	}
	sql_mend_remove(m, order.start, sql_text_end(m->t.text));
	sql_mend_read_hidden(m);
	return true;
}
