/* sql_hints - see sql_hints.h */
#include "tools/sql/sql_hints.h"

#include <unistd.h>

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/model/item_json.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/session/ctl.h"
#include "tools/sql/rewrite.h"
#include "tools/sql/sql_join.h"
#include "tools/sql/sql_mend.h"
#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/text/sql_text.h"
#include "tools/text/statements.h"
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

/* ------------------------------------------------------------ what PartiQL has not */

/* Does the statement begin with @words? They are found without a look at blanks and capitals. */
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

/* Signs and brackets in places where PartiQL has none. */
static const char *
sql_hints_of_signs(struct slice text)
{
	bool select = sql_hints_begins(text, SLICE("select"));
	bool update = sql_hints_begins(text, SLICE("update"));
	struct lexeme from = sql_text_find(text, 0, "FROM");
	struct lexeme where = sql_text_find(text, 0, "WHERE");

	if (lex(text, sql_text_find(text, 0, "BY").end).type == LEXEME_NUMBER) {
		return "ORDER BY and GROUP BY name attributes, which SELECT lists";
	}
	for (struct lexeme at = lex(text, 0); at.type != LEXEME_END; at = lex(text, at.end)) {
		struct lexeme next = lex(text, at.end);

		if (at.type == LEXEME_OPEN && sql_text_is(text, next, "SELECT")) {
			return "PartiQL has no SELECT within another one: run the inner one first";
		}
		if (update && at.start < where.start &&
		    (at.type == LEXEME_STAR || at.type == LEXEME_SLASH)) {
			return "SET adds and subtracts alone (SET a = b + 1): read the items, compute the values, and "
			       "SET each";
		}
		if (select && at.start < from.start &&
		    (at.type == LEXEME_PLUS || at.type == LEXEME_SLASH ||
		     at.type == LEXEME_CONCAT ||
		     (at.type == LEXEME_WORD && next.type == LEXEME_OPEN))) {
			return "a SELECT lists attributes as they are: jq computes; COUNT, SUM, MIN, MAX "
			       "and AVG are there";
		}
	}
	if (select && from.type == LEXEME_END) {
		return "a SELECT names its table: SELECT * FROM TABLE WHERE PK = 'a'; itemctl tables "
		       "lists the tables";
	}
	return NULL;
}

/* Statements, and clauses anywhere in one, that have no line of their own. */
static const char *
sql_hints_of_words(struct slice text)
{
	static const char *const begins[][2] = {
		{"create table", "itemctl create-table NAME --key PK,SK makes a table"},
		{"create index|create unique index",
		 "itemctl alter TABLE --add-gsi NAME=PK,SK adds an index"},
		{"create", "itemctl create-table NAME --key PK,SK makes a table"},
		{"drop index", "itemctl alter TABLE --drop-gsi NAME drops an index"},
		{"drop", "itemctl drop TABLE drops a table"},
		{"alter table",
		 "items have the attributes that they are written with; itemctl help alter has "
		 "what can be changed in a table"},
		{"truncate", "itemctl delete TABLE --all deletes all items"},
		{"show", "itemctl tables lists the tables, itemctl describe TABLE shows one"},
		{"describe|desc|pragma", "itemctl describe TABLE shows a table"},
		{"analyze", "itemctl stats counts items and bytes"},
		{"vacuum", "itemctl compact gives space back"},
		{"begin|start transaction",
		 "itemctl transact FILE does several actions, all or none"},
		{"commit|rollback",
		 "each statement takes effect at once; itemctl transact FILE does several actions, "
		 "all or none"},
		{"use", "a statement names its table: SELECT * FROM t"},
		{"with", "PartiQL has no WITH: run the inner SELECT first"},
		{"merge", "itemctl put TABLE ITEM writes an item, whether it is there or not"},
	};
	static const char *const clauses[][2] = {
		{"LIMIT", "LIMIT is a number: itemctl sql --limit N 'SELECT ...'"},
		{"LIKE",
		 "LIKE 'x%' is written begins_with(a, 'x'), LIKE '%x%' contains(a, 'x'), other "
		 "patterns are for jq: itemctl sql 'SELECT ...' | jq -c 'select(.a | test(\"x$\"))'"},
		{"ILIKE",
		 "texts are compared as they are; for capitals and small letters jq: itemctl sql "
		 "'SELECT ...' | jq -c 'select(.a | test(\"x\"; \"i\"))'"},
		{"DISTINCT", "each value once: SELECT a FROM t GROUP BY a"},
		{"OFFSET", "itemctl sql prints all pages; --limit N stops"},
		{"UNION", "a statement reads one table: several have semicolons between them"},
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

		/* A number behind LIMIT is right: something else is not. */
		if (clause.type == LEXEME_WORD && lex(text, clause.end).type != LEXEME_NUMBER) {
			return clauses[i][1];
		}
	}
	return sql_hints_of_signs(text);
}

/* ------------------------------------------------------------ UPDATE and DELETE of several items */

/* a IS [NOT] MISSING as a function; false: another IS */
static bool
sql_hints_missing(struct sql_text *t)
{
	struct lexeme is;

	while ((is = sql_text_find(t->text, 0, "IS")).type == LEXEME_WORD) {
		struct lexeme next = lex(t->text, is.end);
		bool there = sql_text_is(t->text, next, "NOT");
		size_t path = sql_text_path(t->text, is.start);
		struct slice name = ascii_trim(slice_of(t->text.at + path, is.start - path));

		next = there ? lex(t->text, next.end) : next;
		if (!sql_text_is(t->text, next, "MISSING")) {
			return false;
		}
		sql_text_put(t, path, next.end, "attribute_%sexists(%.*s)", there ? "" : "not_",
			     SLICE_ARG(name));
	}
	return true;
}

/* One lexeme of PartiQL as an expression of the API has it; false: that has none. */
static bool
sql_hints_lexeme(struct call *c, struct slice text, struct lexeme at, struct buf *out)
{
	struct slice word = sql_text_of(text, at);

	if (at.type == LEXEME_STRING) {
		json_put_string(out, sql_text_string(c, word));
		return true;
	}
	if (at.type == LEXEME_QUOTED) {
		word = sql_text_string(c, word);
		word = words_plain(word) ? word : SLICE("");
	}
	buf_slice(out, at.type == LEXEME_NE ? SLICE("<>") : word);
	return word.len > 0 && at.type != LEXEME_PARAMETER && at.type != LEXEME_BAG &&
	       at.type != LEXEME_OTHER && !words_in_any_case("set_add set_delete", word);
}

/* A condition, or what SET and REMOVE say, as an expression of the API; false: it cannot be one. */
static bool
sql_hints_expression(struct call *c, struct slice partiql, struct buf *out)
{
	struct sql_text t = {c, partiql};
	struct lexeme before = {LEXEME_END, 0, 0};
	size_t close = SIZE_MAX; /* of the list behind IN */
	bool good = sql_hints_missing(&t);

	for (struct lexeme at = lex(t.text, 0); good && at.type != LEXEME_END;
	     at = lex(t.text, at.end)) {
		buf_str(out, at.start > before.end && before.end > 0 ? " " : "");
		if (at.type == LEXEME_LEFT && sql_text_is(t.text, before, "IN")) {
			close = sql_text_close(t.text, at);
			buf_char(out, '(');
		} else if (at.end == close) {
			buf_char(out, ')');
		} else {
			good = sql_hints_lexeme(c, t.text, at, out);
		}
		before = at;
	}
	return good;
}

/* Is the condition that the partition key is a value, and no more? */
static bool
sql_hints_partition(struct ctl *ctl, struct call *c, struct slice table, struct slice condition,
		    struct slice *out)
{
	const struct schema *schema;
	struct lexeme name = lex(condition, 0);
	struct lexeme sign = lex(condition, name.end);
	struct lexeme value = lex(condition, sign.end);
	struct slice word = sql_text_of(condition, value);

	if (sign.type != LEXEME_EQ || lex(condition, value.end).type != LEXEME_END ||
	    ctl_schema(ctl, c, table, &schema) < 0 ||
	    !slice_eq(sql_text_of(condition, name), schema->key.pk[0].name)) {
		return false;
	}
	*out = value.type == LEXEME_STRING ? sql_text_string(c, word) : word;
	return value.type == LEXEME_STRING || value.type == LEXEME_NUMBER;
}

/* Is it refused because it does not name one item? */
static bool
sql_hints_is_several(struct ctl *ctl, struct call *c, struct slice text, struct statement *st)
{
	const struct schema *schema;
	struct op_in in;

	return statement_parse(c, text, NULL, 0, st) == 0 && !st->returns &&
	       (st->kind == STATEMENT_UPDATE || st->kind == STATEMENT_DELETE) &&
	       ctl_schema(ctl, c, st->table, &schema) == 0 &&
	       translate_write(c, schema, st, RETURN_NONE, &in) < 0 &&
	       strstr(c->error.message, "mandatory equality on all key attributes") != NULL;
}

static bool
sql_hints_several(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	bool update = sql_hints_begins(text, SLICE("update"));
	struct lexeme where = sql_text_find(text, 0, "WHERE");
	size_t last = sql_text_end(text);
	size_t condition = where.type == LEXEME_END ? last : where.end;
	size_t behind = where.type == LEXEME_END ? last : where.start;
	struct slice filter = ascii_trim(slice_of(text.at + condition, last - condition));
	struct slice partition;
	struct statement st;
	struct buf filtered;
	struct buf changed;
	struct call own;
	size_t start;
	size_t end;

	if ((!update && !sql_hints_begins(text, SLICE("delete"))) ||
	    !sql_text_table(text, &start, &end)) {
		return false;
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	buf_init(&filtered, &own.arena);
	buf_init(&changed, &own.arena);
	bool good = sql_hints_is_several(ctl, &own, text, &st) &&
		    sql_hints_expression(&own, filter, &filtered) &&
		    sql_hints_expression(&own, slice_of(text.at + end, behind - end), &changed);

	own.error = (struct error){0};
	if (good) {
		buf_fmt(out, "%s one item by its whole key; several items: itemctl %s ",
			update ? "UPDATE changes" : "DELETE deletes", update ? "update" : "delete");
		shell_word(out, st.table);
		if (filter.len == 0) {
			buf_str(out, " --all");
		} else if (sql_hints_partition(ctl, &own, st.table, filter, &partition)) {
			fmt_shell(out, " % --all", partition);
		} else {
			buf_str(out, " --filter ");
			shell_text(out, buf_view(&filtered));
		}
		if (update) {
			buf_char(out, ' ');
			shell_text(out, ascii_trim(buf_view(&changed)));
		}
	}
	call_close(&own);
	return good;
}

/* The assignments of SET and the equalities of WHERE as a tuple; false: there is something else */
static bool
sql_hints_tuple(struct call *c, struct slice text, size_t from, struct buf *out)
{
	struct lexeme at = lex(text, from);

	buf_char(out, '{');
	while (at.type != LEXEME_END && at.type != LEXEME_SEMICOLON) {
		struct lexeme name = lex(text, at.end); /* behind SET, WHERE, AND and a comma */
		struct lexeme sign = lex(text, name.end);
		struct lexeme value = lex(text, sign.end);
		struct slice word = sql_text_of(text, name);

		if ((name.type != LEXEME_WORD && name.type != LEXEME_QUOTED) ||
		    sign.type != LEXEME_EQ ||
		    (value.type != LEXEME_STRING && value.type != LEXEME_NUMBER)) {
			return false;
		}
		buf_str(out, out->at[out->len - 1] == '{' ? "" : ", ");
		sql_text_quoted(out, name.type == LEXEME_WORD ? word : sql_text_string(c, word),
				'\'');
		buf_fmt(out, ": %.*s", SLICE_ARG(sql_text_of(text, value)));
		at = lex(text, value.end);
		if (at.type != LEXEME_COMMA && at.type != LEXEME_END &&
		    at.type != LEXEME_SEMICOLON && !sql_text_is(text, at, "SET WHERE AND")) {
			return false;
		}
	}
	buf_char(out, '}');
	return true;
}

bool
sql_hints_absent(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	struct lexeme at = sql_text_find(text, 0, "WHERE");
	bool update = sql_hints_begins(text, SLICE("update"));
	const struct schema *schema;
	struct error before = c->error;
	struct buf line;
	size_t equal = 0;
	size_t terms = 1; /* terms that AND joins: the key, and nothing beside it */
	size_t start;
	size_t end;

	for (; at.type != LEXEME_END && !sql_text_is(text, at, "RETURNING");
	     at = lex(text, at.end)) {
		equal += at.type == LEXEME_EQ;
		terms += sql_text_is(text, at, "AND");
		terms += at.type >= LEXEME_NE && at.type <= LEXEME_OPEN;
	}
	bool there = sql_text_table(text, &start, &end);
	struct slice table = slice_of(text.at + start, end - start);
	struct slice bare = there && table.at[0] == '"' ? sql_text_string(c, table) : table;

	c->error = (struct error){0};
	bool known = there && equal == terms && ctl_schema(ctl, c, bare, &schema) == 0;

	c->error = before;
	if (!known || equal != (key_schema_has_sort(&schema->key) ? 2 : 1)) {
		return false;
	}
	buf_str(out, "there is no such item");
	buf_init(&line, &c->arena);
	buf_fmt(&line, "INSERT INTO %.*s VALUE ", SLICE_ARG(table));
	if (update && sql_hints_tuple(c, text, end, &line)) {
		buf_str(out, ", and UPDATE changes one that is there; to write it: itemctl sql ");
		shell_text(out, buf_view(&line));
	}
	return true;
}

/* ------------------------------------------------------------ writes */

/* BEGIN; ...; COMMIT as a transaction. */
static bool
sql_hints_transaction(struct ctl *ctl, struct call *c, struct slice rest, struct buf *out)
{
	struct statements all = {.text = rest};
	struct error before = c->error;
	struct buf json = {0};
	struct slice one;
	size_t questions;
	size_t n = 0;
	bool ended = false;

	if (!sql_hints_begins(rest, SLICE("begin")) &&
	    !sql_hints_begins(rest, SLICE("start transaction"))) {
		return false;
	}
	(void)statements_next(&all, &one, &questions);
	while (!ended && statements_next(&all, &one, &questions)) {
		ended = sql_hints_begins(one, SLICE("commit")) ||
			sql_hints_begins(one, SLICE("end"));
		if (!ended) {
			struct sql_mend mend;

			one = slice_of(one.at, sql_text_end(one));
			struct parameterized of = {.statement = one};

			c->error = (struct error){0};
			one = sql_mend(ctl, c, &of, &mend) ? mend.text : one;
			c->error = before;
			buf_str(&json, n++ == 0 ? "[{\"Statement\":" : ",{\"Statement\":");
			json_put_string(&json, one);
			buf_char(&json, '}');
		}
	}
	buf_char(&json, ']');
	if (ended && n > 0) {
		buf_str(out, "all or none: itemctl execute-transaction --transact-statements ");
		shell_text(out, buf_view(&json));
	}
	buf_release(&json);
	return ended && n > 0;
}

/* REPLACE INTO, UPSERT INTO, INSERT OR REPLACE INTO, ON CONFLICT: what INSERT would write is put. */
static bool
sql_hints_put(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	struct lexeme into = sql_text_find(text, 0, "INTO");
	struct lexeme on = sql_text_find(text, into.end, "ON");
	bool nothing = sql_text_find(text, on.end, "NOTHING").type == LEXEME_WORD;
	struct parameterized of = {0};
	struct sql_mend mend;
	struct statement st;
	struct call own;
	struct buf insert;

	if (into.type == LEXEME_END ||
	    (sql_text_is(text, lex(text, lex(text, 0).end), "INTO") && on.type == LEXEME_END &&
	     sql_hints_begins(text, SLICE("insert")))) {
		return false;
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	buf_init(&insert, &own.arena);
	buf_fmt(&insert, "INSERT %.*s",
		SLICE_ARG(slice_of(text.at + into.start, on.start - into.start)));
	of.statement = buf_view(&insert);
	if (sql_mend(ctl, &own, &of, &mend)) {
		of.statement = mend.text;
	}
	bool good = statement_parse(&own, of.statement, NULL, 0, &st) == 0;

	if (good && nothing) {
		buf_str(out, "INSERT refuses what is there already: itemctl sql ");
		shell_text(out, ascii_trim(of.statement));
	} else if (good) {
		struct buf item;

		buf_init(&item, &own.arena);
		item_put_json(&item, &st.item, ITEM_PLAIN);
		fmt_shell(out, "put writes an item, whether it is there or not: itemctl put % ",
			  st.table);
		shell_text(out, buf_view(&item));
	}
	call_close(&own);
	return good;
}

/* INSERT INTO T VALUES (1, 2, 3): which names have they? Those of the key are known. */
static bool
sql_hints_values(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	struct lexeme values = sql_text_find(text, 0, "VALUES VALUE");
	struct error before = c->error;
	const struct schema *schema;
	size_t start;
	size_t end;

	if (!sql_hints_begins(text, SLICE("insert")) || values.type == LEXEME_END ||
	    !sql_text_table(text, &start, &end)) {
		return false;
	}
	struct slice table = sql_text_of(text, lex(text, start));

	c->error = (struct error){0};
	bool known = ctl_schema(ctl, c, table, &schema) == 0;

	c->error = before;
	if (!known) {
		return false;
	}
	bool sort = key_schema_has_sort(&schema->key);

	if (lex(text, end).type == LEXEME_OPEN) {
		buf_str(out, "there are as many names as values, and texts have single quotes");
		return true;
	}
	buf_str(out, "each value has a name, and texts single quotes: ");
	buf_fmt(out, "INSERT INTO %.*s (%.*s%s%.*s, ...) %.*s", SLICE_ARG(table),
		SLICE_ARG(schema->key.pk->name), sort ? ", " : "",
		SLICE_ARG(sort ? schema->key.sk->name : SLICE("")),
		SLICE_ARG(slice_of(text.at + values.start, sql_text_end(text) - values.start)));
	return true;
}

/* ------------------------------------------------------------ all of them */

/* The name of a file in place of a statement. */
static bool
sql_hints_file(struct call *c, struct slice text, struct buf *out)
{
	bool file = text.len > 0 && slice_chr(text, ' ') == NULL &&
		    access(slice_cstr(&c->arena, text), F_OK) == 0;

	if (file) {
		buf_str(out, "statements of a file: itemctl sql @");
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
			"it names the whole key; for several items: itemctl update TABLE --filter "
			"EXPR 'SET a = 1', itemctl delete TABLE --filter EXPR");
		return true;
	}
	const char *hint = c->error.code == ERR_VALIDATION ? sql_hints_of_words(text) : NULL;

	buf_str(out, hint == NULL ? "" : hint);
	return hint != NULL;
}

bool
sql_hints_unquoted(struct call *c, const struct words *words, struct buf *out)
{
	bool listed = true; /* before FROM: a * became the names of files */
	bool files = false;
	struct buf b;

	if (words->n < 2 || !words_in_any_case(SQL_TEXT_VERBS, slice_from(words->at[0]))) {
		return false;
	}
	buf_init(&b, &c->arena);
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

	while (bare_find(t.text, &bare)) { /* its quotes went, too */
		size_t at = (size_t)(bare.word.at - t.text.at);

		sql_text_put(&t, at, at + bare.word.len, "'%.*s'", SLICE_ARG(bare.word));
	}
	bool reads = statement_parse(c, t.text, NULL, 0, &st) == 0;

	c->error = before;
	buf_str(out, "a statement is one word, in quotes: itemctl sql ");
	shell_text(out, reads ? t.text : SLICE("SELECT * FROM t"));
	return true;
}
