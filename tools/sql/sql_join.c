/* sql_join - one SELECT for each table of a join, because DynamoDB has no joins: see sql_hints_int.h */
#include <assert.h>

#include "store/base/core/ascii.h"
#include "store/base/text/shell_word.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"

#include "tools/sql/sql_hints_int.h"
#include "tools/text/sql_text.h"

enum { JOIN_TABLES = 8 };

struct join {
	struct slice text;
	struct slice tables[JOIN_TABLES];
	struct slice names[JOIN_TABLES]; /* the alias, or else the table: the name before a dot */
	size_t n;
};

/* Add the table after @from, with its alias.  Return: the lexeme after both */
static struct lexeme
join_table(struct join *j, size_t from)
{
	size_t start;
	size_t end;

	if (j->n == JOIN_TABLES || !sql_text_name(j->text, from, &start, &end)) {
		return (struct lexeme){LEXEME_END, j->text.len, j->text.len};
	}
	struct lexeme as = lex(j->text, end);
	struct lexeme alias = sql_text_is(j->text, as, "AS") ? lex(j->text, as.end) : as;
	bool named = (alias.type == LEXEME_WORD && !lex_reserved(sql_text_of(j->text, alias))) ||
		     alias.type == LEXEME_QUOTED;

	j->tables[j->n] = slice_of(j->text.at + start, end - start);
	j->names[j->n] = named ? sql_text_of(j->text, alias) : j->tables[j->n];
	j->n++;
	return named ? lex(j->text, alias.end) : as;
}

static bool
join_tables(struct join *j)
{
	struct lexeme from = sql_text_find(j->text, 0, "FROM");
	struct lexeme next = from;

	if (!sql_text_begins(j->text, "SELECT")) {
		return false;
	}
	do {
		struct lexeme behind = join_table(j, next.end);

		next = behind.type == LEXEME_COMMA ? behind
						   : sql_text_find(j->text, behind.start, "JOIN");
	} while (next.type != LEXEME_END);
	return j->n > 1;
}

/* Return the table of the path at @at; JOIN_TABLES: none is named.  @own: the name after the table */
static size_t
join_owner(const struct join *j, struct lexeme at, struct lexeme *own)
{
	struct lexeme dot = lex(j->text, at.end);

	*own = lex(j->text, dot.end);
	for (size_t i = 0; dot.type == LEXEME_DOT && i < j->n; i++) {
		if (ascii_same(sql_text_of(j->text, at), j->names[i])) {
			return i;
		}
	}
	return JOIN_TABLES;
}

/* Return the offset after the path that begins with @at. */
static size_t
join_path_end(struct slice text, struct lexeme at)
{
	struct lexeme next = lex(text, at.end);

	while (next.type == LEXEME_DOT || next.type == LEXEME_LEFT) {
		at.end = next.type == LEXEME_DOT ? lex(text, next.end).end
						 : sql_text_close(text, next);
		next = lex(text, at.end);
	}
	return at.end;
}

/* Append a column to the list that begins at @begin, unless it is there. */
static void
join_add(struct slice path, size_t begin, struct buf *out)
{
	struct slice list = slice_of(out->at + begin, out->len - begin);
	bool there = false;

	for (struct lexeme at = lex(list, 0); at.type != LEXEME_END && !there;
	     at = lex(list, at.end)) {
		there = slice_eq(slice_of(list.at + at.start, join_path_end(list, at) - at.start),
				 path);
	}
	if (!there) {
		buf_str(out, list.len == 0 ? "" : ", ");
		buf_slice(out, path);
	}
}

/* Append the columns of a table from SELECT and ON; * if a column of SELECT names no table. */
static void
join_columns(const struct join *j, size_t table, struct slice where, struct buf *out)
{
	struct lexeme from = sql_text_find(j->text, 0, "FROM");
	size_t begin = out->len;

	assert(table < j->n);
	for (struct lexeme at = lex(j->text, lex(j->text, 0).end);
	     at.type != LEXEME_END && j->text.at + at.start < where.at;) {
		struct lexeme own;
		size_t owner = join_owner(j, at, &own);
		bool all = at.start < from.start && owner == JOIN_TABLES && at.type != LEXEME_COMMA;

		if (sql_text_is(j->text, at, "AS")) { /* skip the alias of a column */
			at = lex(j->text, lex(j->text, at.end).end);
			continue;
		}
		if (all || (owner == table && own.type == LEXEME_STAR)) {
			out->len = begin;
			buf_char(out, '*');
			return;
		}
		size_t end = owner == JOIN_TABLES ? at.end : join_path_end(j->text, own);

		if (owner == table) {
			join_add(slice_of(j->text.at + own.start, end - own.start), begin, out);
		}
		at = lex(j->text, end);
	}
	buf_str(out, out->len == begin ? "*" : "");
}

/* Append one condition without the name of its table; false: it is not about this table alone. */
static bool
join_condition(const struct join *j, size_t table, struct slice one, struct buf *out)
{
	size_t stop = (size_t)(one.at + one.len - j->text.at);
	size_t behind = (size_t)(one.at - j->text.at);
	size_t n = 0;

	for (struct lexeme at = lex(j->text, behind); at.start < stop;) {
		struct lexeme own;
		size_t owner = join_owner(j, at, &own);
		bool name = at.type == LEXEME_QUOTED ||
			    (at.type == LEXEME_WORD && !lex_reserved(sql_text_of(j->text, at)) &&
			     lex(j->text, at.end).type != LEXEME_OPEN);

		if (owner != table && (name || owner != JOIN_TABLES)) {
			return false;
		}
		if (owner == table) {
			buf_put(out, j->text.at + behind, at.start - behind);
			behind = own.start;
			n++;
		}
		at = lex(j->text, owner == table ? join_path_end(j->text, own) : at.end);
	}
	buf_put(out, j->text.at + behind, stop - behind);
	return n > 0;
}

/* Append the conditions about one table, which are joined by AND; with OR, all conditions or none. */
static void
join_where(const struct join *j, size_t table, struct slice where, struct buf *out)
{
	bool either = sql_text_find(where, 0, "OR").type != LEXEME_END;
	size_t start = 0;
	bool any = false;

	while (start < where.len) {
		struct lexeme stop = sql_text_find(where, start, "AND");

		if (sql_text_find(where, start, "BETWEEN").start < stop.start) {
			stop = sql_text_find(where, stop.end, "AND");
		}
		size_t end = either ? where.len : stop.start;
		size_t before = out->len;

		buf_str(out, any ? " AND " : " WHERE ");
		if (join_condition(j, table, ascii_trim(slice_of(where.at + start, end - start)),
				   out)) {
			any = true;
		} else {
			out->len = before;
		}
		start = either || stop.type == LEXEME_END ? where.len : stop.end;
	}
}

/* Return the text after WHERE, up to the next clause. */
static struct slice
join_condition_of(struct slice text)
{
	struct lexeme where = sql_text_find(text, 0, "WHERE");
	size_t end = sql_text_end(text);

	struct lexeme clause =
		sql_text_find(text, 0, "GROUP HAVING ORDER LIMIT OFFSET FETCH UNION");

	end = clause.type != LEXEME_END && clause.start < end ? clause.start : end;
	size_t start = where.type == LEXEME_END || where.end > end ? end : where.end;

	return slice_of(text.at + start, end - start);
}

bool
sql_join(struct call *c, struct slice text, struct buf *out)
{
	struct join j = {.text = text};
	struct slice where = join_condition_of(text);
	struct error before = c->error;

	if (!join_tables(&j)) {
		return false;
	}
	struct buf all = {.arena = &c->arena};
	for (size_t i = 0; i < j.n; i++) {
		struct statement st;
		struct buf one = {.arena = &c->arena};

		buf_str(&one, "SELECT ");
		join_columns(&j, i, where, &one);
		buf_fmt(&one, " FROM %.*s", SLICE_ARG(j.tables[i]));
		join_where(&j, i, where, &one);
		if (statement_parse(c, buf_view(&one), NULL, 0, &st) < 0) {
			buf_clear(&one);
			buf_fmt(&one, "SELECT * FROM %.*s", SLICE_ARG(j.tables[i]));
		}
		buf_fmt(&all, "%s%.*s", i == 0 ? "" : "; ", SLICE_ARG(buf_view(&one)));
	}
	c->error = before;
	buf_str(out,
		"DynamoDB has no joins: items that are read together belong in one partition. For "
		"each table alone: itemctl sql ");
	shell_text(out, buf_view(&all));
	return true;
}
