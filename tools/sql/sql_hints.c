/* sql_hints - see sql_hints.h */
#include "tools/sql/sql_hints.h"

#include "store/base/text/shell_word.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"

#include "tools/sql/rewrite.h"
#include "tools/sql/sql_hints_int.h"
#include "tools/sql/sql_mend.h"
#include "tools/text/bare.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

void
sql_hints_line(struct buf *out, const struct sql_typed *typed, const struct sql_mend *mend)
{
	bool whole = mend->ordered.len > 0;
	struct slice text = whole && !mend->sure ? mend->ordered : mend->text;

	if (typed->word == NULL || !typed_line_with(out, slice_from(typed->word), text)) {
		buf_str(out, "itemctl sql ");
		shell_text(out, text);
	}
	if (mend->limit.given && !whole) {
		buf_fmt(out, " --limit %lu", (unsigned long)mend->limit.n);
	}
	buf_slice(out, mend->pipe);
}

/* ------------------------------------------------------------ what PartiQL lacks */

static bool
sql_hints_begins(struct slice text, struct slice want)
{
	struct lexeme at = lex(text, 0);

	for (struct lexeme w = lex(want, 0); w.type != LEXEME_END; w = lex(want, w.end)) {
		if (!ascii_same(sql_text_of(want, w), sql_text_of(text, at))) {
			return false;
		}
		at = lex(text, at.end);
	}
	return true;
}

/* Return advice about signs and parentheses that PartiQL does not allow; NULL: none. */
static const char *
sql_hints_of_signs(struct slice text)
{
	bool select = sql_text_begins(text, "SELECT");
	bool update = sql_text_begins(text, "UPDATE");
	struct lexeme from = sql_text_find(text, 0, "FROM");
	struct lexeme where = sql_text_find(text, 0, "WHERE");

	if (lex(text, sql_text_find(text, 0, "BY").end).type == LEXEME_NUMBER) {
		return "ORDER BY and GROUP BY name attributes, which SELECT lists";
	}
	for (struct lexeme at = lex(text, 0); at.type != LEXEME_END; at = lex(text, at.end)) {
		struct lexeme next = lex(text, at.end);

		if (at.type == LEXEME_OPEN && sql_text_is(text, next, "SELECT")) {
			return "PartiQL has no nested SELECT: run the inner SELECT first";
		}
		if (update && at.start < where.start &&
		    (at.type == LEXEME_STAR || at.type == LEXEME_SLASH)) {
			return "SET can only add and subtract (SET a = b + 1): read the items, "
			       "compute the values, and SET each";
		}
		if (select && at.start < from.start &&
		    (at.type == LEXEME_PLUS || at.type == LEXEME_SLASH ||
		     at.type == LEXEME_CONCAT ||
		     (at.type == LEXEME_WORD && next.type == LEXEME_OPEN))) {
			return "a SELECT lists attributes unchanged: use jq to compute, or COUNT, "
			       "SUM, MIN, MAX and AVG";
		}
	}
	if (select && from.type == LEXEME_END) {
		return "a SELECT names its table: SELECT * FROM TABLE WHERE PK = 'a'; itemctl tables "
		       "lists the tables";
	}
	return NULL;
}

/* Return advice about statements and clauses for which there is no complete line; NULL: none. */
static const char *
sql_hints_of_words(struct slice text)
{
	static const char *const begins[][2] = {
		{"create table", "itemctl create-table NAME --key PK,SK creates a table"},
		{"create index|create unique index",
		 "itemctl alter TABLE --add-gsi NAME=PK,SK adds an index"},
		{"create", "itemctl create-table NAME --key PK,SK creates a table"},
		{"drop index", "itemctl alter TABLE --drop-gsi NAME drops an index"},
		{"drop", "itemctl drop TABLE drops a table"},
		{"alter table",
		 "attributes of items are not declared; for what can be changed in a table: "
		 "itemctl help alter"},
		{"truncate", "itemctl delete TABLE --all deletes all items"},
		{"show", "itemctl tables lists the tables, itemctl describe TABLE shows one"},
		{"describe|desc|pragma", "itemctl describe TABLE shows a table"},
		{"analyze", "itemctl stats counts items and bytes"},
		{"vacuum", "itemctl compact frees disk space"},
		{"begin|start transaction",
		 "itemctl transact FILE runs several actions, all or none"},
		{"commit|rollback",
		 "each statement takes effect at once; itemctl transact FILE runs several "
		 "actions, all or none"},
		{"use", "a statement names its table: SELECT * FROM t"},
		{"with", "PartiQL has no WITH: run the inner SELECT first"},
		{"merge", "itemctl put TABLE ITEM writes an item, whether it exists or not"},
	};
	static const char *const clauses[][2] = {
		{"LIMIT", "LIMIT is a number: itemctl sql --limit N 'SELECT ...'"},
		{"LIKE",
		 "LIKE 'x%' is written begins_with(a, 'x'), LIKE '%x%' contains(a, 'x'); for other "
		 "patterns use jq: itemctl sql 'SELECT ...' | jq -c 'select(.a | test(\"x$\"))'"},
		{"ILIKE",
		 "comparisons are case-sensitive; to ignore case, use jq: itemctl sql 'SELECT "
		 "...' | jq -c 'select(.a | test(\"x\"; \"i\"))'"},
		{"DISTINCT", "for each value once: SELECT a FROM t GROUP BY a"},
		{"OFFSET", "itemctl sql prints all pages; --limit N prints at most N items"},
		{"UNION", "a statement reads one table; separate several statements by semicolons"},
	};

	if (slice_starts(text, SLICE(".")) || slice_starts(text, SLICE("\\"))) {
		return "itemctl tables lists the tables, itemctl describe TABLE shows one; itemctl shell "
		       "is a prompt";
	}
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		const char *all = begins[i][0];

		for (size_t n; *all != '\0'; all += n + (all[n] == '|')) {
			n = strcspn(all, "|");
			if (sql_hints_begins(text, slice_of(all, n))) {
				return begins[i][1];
			}
		}
	}
	for (size_t i = 0; i < sizeof(clauses) / sizeof(clauses[0]); i++) {
		struct lexeme clause = sql_text_find(text, 0, clauses[i][0]);

		/* A number after LIMIT is right. */
		if (clause.type == LEXEME_WORD && lex(text, clause.end).type != LEXEME_NUMBER) {
			return clauses[i][1];
		}
	}
	return sql_hints_of_signs(text);
}

/* ------------------------------------------------------------ joins */

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

/*
 * Append a line that reads each table of a join with its own statement
 *
 * A statement has the columns of its table, the columns of ON, and the conditions on its table alone, if their names
 * include the table; else it reads whole items.
 *
 * Return: false: @text is no join, and nothing is appended
 */
static bool
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

/* ------------------------------------------------------------ all hints */

/* Append @FILE if the statement is the name of a file. */
static bool
sql_hints_file(struct call *c, struct slice text, struct buf *out)
{
	bool file = text.len > 0 && slice_chr(text, ' ') == NULL &&
		    access(slice_cstr(&c->arena, text), F_OK) == 0;

	if (file) {
		buf_str(out, "to run statements from a file: itemctl sql @");
		shell_word(out, text);
	}
	return file;
}

bool
sql_hints_find(struct ctl *ctl, struct call *c, const struct sql_typed *typed, struct buf *out)
{
	struct slice text = typed->of->statement;
	bool one = strstr(c->error.message, "mandatory equality on all key attributes") != NULL;

	if (sql_hints_file(c, text, out) || sql_hints_transaction(ctl, c, typed->rest, out) ||
	    sql_hints_put(ctl, c, text, out)) {
		return true;
	}
	if (typed->mend != NULL) {
		buf_str(out, "did you mean: ");
		sql_hints_line(out, typed, typed->mend);
		return true;
	}
	if (rewrite_sql(ctl, c, typed->rest, out) || sql_join(c, text, out) ||
	    sql_hints_several(ctl, c, typed->changed, out) || sql_hints_values(ctl, c, text, out)) {
		return true;
	}
	if (one) {
		buf_str(out,
			"WHERE must give the whole key; for several items: itemctl update TABLE "
			"--filter EXPR 'SET a = 1', itemctl delete TABLE --filter EXPR");
		return true;
	}
	const char *hint = c->error.code == ERR_VALIDATION ? sql_hints_of_words(text) : NULL;

	buf_str(out, hint == NULL ? "" : hint);
	return hint != NULL;
}

bool
sql_hints_unquoted(struct call *c, const struct words *words, struct buf *out)
{
	bool listed = true; /* before FROM, where a shell may have replaced * by file names */
	bool files = false;
	struct buf b = {.arena = &c->arena};

	if (words->n < 2 || !words_in_any_case(SQL_TEXT_VERBS, slice_from(words->at[0]))) {
		return false;
	}
	buf_str(&b, words->at[0]);
	for (size_t i = 1; i < words->n; i++) {
		listed = listed && strcasecmp(words->at[i], "from") != 0;
		bool file = listed && access(words->at[i], F_OK) == 0;

		if (!file) {
			buf_fmt(&b, " %s", words->at[i]);
		} else if (!files) {
			buf_str(&b, " *");
		}
		files = files || file;
	}
	struct sql_text t = {c, buf_view(&b)};
	struct error before = c->error;
	struct statement st;
	struct bare bare;

	while (bare_find(t.text, &bare)) { /* its quotes were also lost */
		size_t at = (size_t)(bare.word.at - t.text.at);

		sql_text_put(&t, at, at + bare.word.len, "'%.*s'", SLICE_ARG(bare.word));
	}
	bool reads = statement_parse(c, t.text, NULL, 0, &st) == 0;

	c->error = before;
	buf_str(out, "give the statement as one word, in quotes: itemctl sql ");
	shell_text(out, reads ? t.text : SLICE("SELECT * FROM t"));
	return true;
}
