/* sql_hints_writes - advice about statements that write: see sql_hints_int.h */
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/model/item_json.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/session/ctl.h"
#include "tools/sql/sql_hints.h"
#include "tools/sql/sql_hints_int.h"
#include "tools/sql/sql_mend.h"
#include "tools/text/fmt.h"
#include "tools/text/sql_text.h"
#include "tools/text/words.h"

/* ------------------------------------------------------------ UPDATE and DELETE of several items */

/* Replace a IS [NOT] MISSING by a function; false: there is another IS. */
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

/* Append a lexeme of PartiQL as in an expression of the API; false: expressions do not have it. */
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

/* Append a condition, or SET and REMOVE, as an expression of the API; false: not possible. */
static bool
sql_hints_expression(struct call *c, struct slice partiql, struct buf *out)
{
	struct sql_text t = {c, partiql};
	struct lexeme before = {LEXEME_END, 0, 0};
	size_t close = SIZE_MAX; /* of the list after IN */
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

/* Return true if the condition is only PK = value; @out: the value. */
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

/* Return true for an UPDATE or DELETE that is refused because it does not name one item. */
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

bool
sql_hints_several(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	bool update = sql_text_begins(text, "UPDATE");
	struct lexeme where = sql_text_find(text, 0, "WHERE");
	size_t last = sql_text_end(text);
	size_t condition = where.type == LEXEME_END ? last : where.end;
	size_t behind = where.type == LEXEME_END ? last : where.start;
	struct slice filter = ascii_trim(slice_of(text.at + condition, last - condition));
	struct slice partition;
	struct statement st;
	size_t start;
	size_t end;

	if ((!update && !sql_text_begins(text, "DELETE")) || !sql_text_table(text, &start, &end)) {
		return false;
	}
	call_scope(own, c->now_ms);
	struct buf filtered = {.arena = &own.arena}, changed = {.arena = &own.arena};
	bool good = sql_hints_is_several(ctl, &own, text, &st) &&
		    sql_hints_expression(&own, filter, &filtered) &&
		    sql_hints_expression(&own, slice_of(text.at + end, behind - end), &changed);

	own.error = (struct error){0};
	if (good) {
		buf_fmt(out, "%s one item by its whole key; for several items: itemctl %s ",
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
	return good;
}

/* Append the assignments of SET and the equalities of WHERE as a tuple; false: there is something else. */
static bool
sql_hints_tuple(struct call *c, struct slice text, size_t from, struct buf *out)
{
	struct lexeme at = lex(text, from);

	buf_char(out, '{');
	while (at.type != LEXEME_END && at.type != LEXEME_SEMICOLON) {
		struct lexeme name = lex(text, at.end); /* after SET, WHERE, AND or a comma */
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
	bool update = sql_text_begins(text, "UPDATE");
	const struct schema *schema;
	struct buf line = {.arena = &c->arena};
	size_t equal = 0;
	size_t terms = 1; /* terms that AND joins; all must be equalities of the key */
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

	if (!there || equal != terms || !sql_mend_schema(ctl, c, bare, &schema) ||
	    equal != (key_schema_has_sort(&schema->key) ? 2 : 1)) {
		return false;
	}
	buf_str(out, "there is no such item");
	buf_fmt(&line, "INSERT INTO %.*s VALUE ", SLICE_ARG(table));
	if (update && sql_hints_tuple(c, text, end, &line)) {
		buf_str(out, ", and UPDATE changes only an existing item; to write it: itemctl "
			     "sql ");
		shell_text(out, buf_view(&line));
	}
	return true;
}

/* ------------------------------------------------------------ writes */

bool
sql_hints_transaction(struct ctl *ctl, struct call *c, struct slice rest, struct buf *out)
{
	struct statements all = {.text = rest};
	struct error before = c->error;
	struct buf json = {0};
	struct slice one;
	size_t questions;
	size_t n = 0;
	bool ended = false;

	struct lexeme first = lex(rest, 0);

	if (!sql_text_is(rest, first, "BEGIN") &&
	    !(sql_text_is(rest, first, "START") &&
	      sql_text_is(rest, lex(rest, first.end), "TRANSACTION"))) {
		return false;
	}
	(void)statements_next(&all, &one, &questions);
	while (!ended && statements_next(&all, &one, &questions)) {
		ended = sql_text_begins(one, "COMMIT END");
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
		buf_str(out, "to run all or none: itemctl execute-transaction "
			     "--transact-statements ");
		shell_text(out, buf_view(&json));
	}
	buf_release(&json);
	return ended && n > 0;
}

bool
sql_hints_put(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	struct lexeme into = sql_text_find(text, 0, "INTO");
	struct lexeme on = sql_text_find(text, into.end, "ON");
	bool nothing = sql_text_find(text, on.end, "NOTHING").type == LEXEME_WORD;
	struct parameterized of = {0};
	struct sql_mend mend;
	struct statement st;

	if (into.type == LEXEME_END || (sql_text_is(text, lex(text, lex(text, 0).end), "INTO") &&
					on.type == LEXEME_END && sql_text_begins(text, "INSERT"))) {
		return false;
	}
	call_scope(own, c->now_ms);
	struct buf insert = {.arena = &own.arena};

	buf_fmt(&insert, "INSERT %.*s",
		SLICE_ARG(slice_of(text.at + into.start, on.start - into.start)));
	of.statement = buf_view(&insert);
	if (sql_mend(ctl, &own, &of, &mend)) {
		of.statement = mend.text;
	}
	bool good = statement_parse(&own, of.statement, NULL, 0, &st) == 0;

	if (good && nothing) {
		buf_str(out, "INSERT refuses an existing item: itemctl sql ");
		shell_text(out, ascii_trim(of.statement));
	} else if (good) {
		struct buf item = {.arena = &own.arena};

		item_put_json(&item, &st.item, ITEM_PLAIN);
		fmt_shell(out, "put writes an item, whether it exists or not: itemctl put % ",
			  st.table);
		shell_text(out, buf_view(&item));
	}
	return good;
}

bool
sql_hints_values(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	struct lexeme values = sql_text_find(text, 0, "VALUES VALUE");
	const struct schema *schema;
	size_t start;
	size_t end;

	if (!sql_text_begins(text, "INSERT") || values.type == LEXEME_END ||
	    !sql_text_table(text, &start, &end)) {
		return false;
	}
	struct slice table = sql_text_of(text, lex(text, start));

	if (!sql_mend_schema(ctl, c, table, &schema)) {
		return false;
	}
	bool sort = key_schema_has_sort(&schema->key);

	if (lex(text, end).type == LEXEME_OPEN) {
		buf_str(out, "give as many names as values, and use single quotes around strings");
		return true;
	}
	buf_str(out, "name each value, and use single quotes around strings: ");
	buf_fmt(out, "INSERT INTO %.*s (%.*s%s%.*s, ...) %.*s", SLICE_ARG(table),
		SLICE_ARG(schema->key.pk->name), sort ? ", " : "",
		SLICE_ARG(sort ? schema->key.sk->name : SLICE("")),
		SLICE_ARG(slice_of(text.at + values.start, sql_text_end(text) - values.start)));
	return true;
}
