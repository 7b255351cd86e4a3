/* sql_mend_names - steps for tables, indexes, aliases and columns: see sql_mend_int.h */
#include "store/base/text/near.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/partiql/partiql_lex.h"

#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/sql/sql_mend_int.h"
#include "tools/text/sql_text.h"
#include "tools/text/words.h"

/* Return true if @at continues the statement after the name of a table, so it is no alias. */
static bool
sql_mend_is_clause(struct slice text, struct lexeme at)
{
	return (at.type != LEXEME_WORD && at.type != LEXEME_QUOTED) ||
	       sql_text_is(text, at,
			   "WHERE ORDER GROUP HAVING LIMIT OFFSET FETCH SET REMOVE VALUE UNION "
			   "VALUES RETURNING ON JOIN INNER LEFT RIGHT FULL CROSS NATURAL FROM "
			   "INTERSECT EXCEPT GO " SQL_TEXT_VERBS);
}

/* Remove "NAME." everywhere except from @start to @end.  Return: the number of removals */
static size_t
sql_mend_members(struct sql_text *t, struct slice name, size_t start, size_t end)
{
	bool member = false; /* after a dot: another name */
	size_t n = 0;

	for (struct lexeme at = lex(t->text, 0); at.type != LEXEME_END;) {
		struct lexeme dot = lex(t->text, at.end);
		bool is = dot.type == LEXEME_DOT && !member &&
			  ascii_same(sql_text_of(t->text, at), name) &&
			  (at.start < start || at.start >= end);

		member = at.type == LEXEME_DOT;
		if (is) {
			size_t before = t->text.len;

			sql_text_cut(t, at.start, dot.end);
			before -= t->text.len;
			start -= at.start < start ? before : 0;
			end -= at.start < end ? before : 0;
			n++;
		}
		at = lex(t->text, is ? at.start : at.end);
	}
	return n;
}

void
sql_mend_alias(struct sql_mending *m)
{
	size_t start;
	size_t end;

	if (!sql_text_table(m->t.text, &start, &end)) {
		return;
	}
	struct lexeme as = lex(m->t.text, end);
	struct lexeme alias = sql_text_is(m->t.text, as, "AS") ? lex(m->t.text, as.end) : as;
	struct lexeme behind = lex(m->t.text, alias.end);
	bool none = sql_mend_is_clause(m->t.text, alias) || behind.type == LEXEME_COMMA ||
		    sql_text_begins(m->t.text, "INSERT");
	struct slice name = sql_text_of(m->t.text, none ? lex(m->t.text, start) : alias);

	name = slice_copy(&m->t.c->arena, name);
	if (!none) {
		sql_text_cut(&m->t, end, alias.end);
	}
	(void)sql_mend_members(&m->t, name, start, end);
}

bool
sql_mend_qualified(struct ctl *ctl, struct call *c, struct slice text)
{
	struct sql_text t = {c, text};
	struct page page = {0};
	size_t start;
	size_t end;

	if (!sql_text_begins(text, "SELECT") || !sql_text_table(text, &start, &end)) {
		return false;
	}
	struct slice table = sql_text_of(text, lex(text, start));
	struct lexeme next = lex(text, end);

	if (next.type == LEXEME_COMMA ||
	    (next.type == LEXEME_WORD && !sql_text_is(text, next, "WHERE GROUP ORDER LIMIT"))) {
		return false;
	}
	return sql_mend_members(&t, table, start, end) > 0 && !url_is_far(ctl->store) &&
	       absent_sample(ctl, c, table, &page) == 0 && absent_is(&page, table);
}

/* Return the @n-th part of the list of SELECT, from 1; empty: it does not exist. */
static struct slice
sql_mend_part(struct slice text, size_t n)
{
	struct lexeme from = sql_text_find(text, 0, "FROM");
	struct lexeme at = lex(text, lex(text, 0).end);
	size_t start = at.start;

	for (; at.start < from.start; at = lex(text, sql_text_close(text, at))) {
		if (at.type == LEXEME_COMMA && --n == 0) {
			break;
		}
		start = at.type == LEXEME_COMMA ? at.end : start;
	}
	bool last = at.start >= from.start && n == 1;

	return n == 0 || last ? ascii_trim(slice_of(text.at + start, at.start - start))
			      : (struct slice){0};
}

/* Return the @alias of a part, or the part without it; the part if it has no alias. */
static struct slice
sql_mend_named(struct slice part, bool alias)
{
	struct lexeme at = lex(part, 0);
	size_t end = sql_text_is(part, lex(part, at.end), "AS") ? at.end : SIZE_MAX;

	for (struct lexeme next = at; next.type != LEXEME_END; next = lex(part, next.end)) {
		bool behind = next.start > at.end && (next.type == LEXEME_WORD);

		next.end = next.type == LEXEME_OPEN ? sql_text_close(part, next) : next.end;
		end = behind && end == SIZE_MAX ? at.end : end;
		at = next;
	}
	if (end == SIZE_MAX) {
		return part;
	}
	return alias ? sql_text_of(part, at) : slice_of(part.at, end);
}

/* Return the part for the position @at of GROUP BY, or for ALL the parts without functions; empty: @at is a name. */
static struct slice
sql_mend_position(struct sql_mending *m, struct lexeme at, bool order)
{
	struct slice text = m->t.text;
	struct slice part;
	struct buf b = {.arena = &m->t.c->arena};
	uint64_t n;

	if (at.type == LEXEME_NUMBER && ascii_count(sql_text_of(text, at), &n)) {
		return sql_mend_named(sql_mend_part(text, n), order);
	}
	if (order || !sql_text_is(text, at, "ALL")) {
		return (struct slice){0};
	}
	for (size_t i = 1; (part = sql_mend_part(text, i)).len > 0; i++) {
		if (slice_chr(part, '(') == NULL) {
			buf_fmt(&b, "%s%.*s", b.len == 0 ? "" : ", ",
				SLICE_ARG(sql_mend_named(part, false)));
		}
	}
	return buf_view(&b);
}

/* Write COUNT(1) as COUNT(*). */
static void
sql_mend_count(struct sql_mending *m, struct lexeme at)
{
	struct lexeme one = lex(m->t.text, lex(m->t.text, at.end).end);

	if (sql_text_is(m->t.text, at, "COUNT") && one.type == LEXEME_NUMBER) {
		sql_text_put(&m->t, one.start, one.end, "*");
	}
}

void
sql_mend_positions(struct sql_mending *m)
{
	bool by = false; /* after GROUP BY or ORDER BY */
	bool order = false;

	if (sql_text_find(m->t.text, 0, "GROUP").type == LEXEME_END) {
		return;
	}
	for (struct lexeme at = lex(m->t.text, 0); at.type != LEXEME_END;
	     at = lex(m->t.text, at.end)) {
		sql_mend_count(m, at);
		order = order || sql_text_is(m->t.text, at, "ORDER");
		by = (by || sql_text_is(m->t.text, at, "BY")) &&
		     !sql_text_is(m->t.text, at, "HAVING LIMIT");

		struct slice part = by ? sql_mend_position(m, at, order) : (struct slice){0};

		if (part.len > 0) {
			sql_text_put(&m->t, at.start, at.end, "%.*s", SLICE_ARG(part));
			at.end = at.start + part.len;
		}
	}
}

/* Return true after a comparison, or in a list: a value must follow.  @before: previous lexemes, the last one first */
static bool
sql_mend_is_value(struct slice text, const struct lexeme before[2], bool inside, bool between)
{
	return (before[0].type >= LEXEME_EQ && before[0].type <= LEXEME_GE) ||
	       before[0].type == LEXEME_LEFT || (before[0].type == LEXEME_COMMA && inside) ||
	       (before[0].type == LEXEME_OPEN && sql_text_is(text, before[1], "IN")) ||
	       sql_text_is(text, before[0], between ? "AND BETWEEN" : "BETWEEN");
}

/* Return true if @at, a word or in double quotes, may be a text: no item of @page has an attribute of that name. */
static bool
sql_mend_is_text(const struct sql_text *t, struct lexeme at, const struct page *page, bool words)
{
	struct slice name = sql_text_of(t->text, at);
	struct lexeme next = lex(t->text, at.end);
	bool joined = next.type == LEXEME_DOT || next.type == LEXEME_LEFT ||
		      next.type == LEXEME_OPEN || next.type == LEXEME_PLUS ||
		      next.type == LEXEME_MINUS;

	if (at.type == LEXEME_QUOTED) {
		name = sql_text_string(t->c, name);
	} else if (at.type != LEXEME_WORD || !words ||
		   sql_text_is(t->text, at, "TRUE FALSE NULL MISSING NOT SELECT")) {
		return false;
	}
	return !joined && (page->count == 0 || absent_is(page, name));
}

/* Get a sample of the items of the table; empty for a store on another machine, or if the table does not exist. */
static void
sql_mend_sample(struct ctl *ctl, struct sql_text *t, struct page *page)
{
	struct error error = t->c->error;
	size_t start;
	size_t end;

	if (url_is_far(ctl->store) || !sql_text_table(t->text, &start, &end)) {
		return;
	}
	struct lexeme table = lex(t->text, start);
	struct slice name = sql_text_of(t->text, table);

	t->c->error = (struct error){0};
	name = table.type == LEXEME_WORD ? name : sql_text_string(t->c, name);
	if (absent_sample(ctl, t->c, name, page) != 0) {
		*page = (struct page){0};
	}
	t->c->error = error;
}

bool
sql_mend_texts(struct ctl *ctl, struct sql_text *t, bool words)
{
	static const struct page none;
	struct lexeme before[2] = {{LEXEME_END, 0, 0}, {LEXEME_END, 0, 0}};
	struct page page = {0};
	bool looked = false;
	bool changed = false;
	bool between = false;
	int depth = 0;

	for (struct lexeme at = lex(t->text, 0); at.type != LEXEME_END; at = lex(t->text, at.end)) {
		bool may = ctl->fill == NULL &&
			   sql_mend_is_value(t->text, before, depth > 0, between) &&
			   sql_mend_is_text(t, at, &none, words);

		if (may && !looked) {
			sql_mend_sample(ctl, t, &page);
			looked = true;
		}
		if (may && sql_mend_is_text(t, at, &page, words)) {
			struct slice text = sql_text_of(t->text, at);
			struct buf b = {.arena = &t->c->arena};

			text = at.type == LEXEME_WORD ? text : sql_text_string(t->c, text);
			sql_text_quoted(&b, text, '\'');
			sql_text_put(t, at.start, at.end, "%.*s", SLICE_ARG(buf_view(&b)));
			at = lex(t->text, at.start);
			changed = true;
		}
		between = sql_text_is(t->text, at, "BETWEEN") ||
			  (between && !sql_text_is(t->text, before[0], "AND"));
		depth += (at.type == LEXEME_OPEN || at.type == LEXEME_LEFT) -
			 (at.type == LEXEME_CLOSE || at.type == LEXEME_RIGHT);
		before[1] = before[0];
		before[0] = at;
	}
	return changed;
}

void
sql_mend_columns(struct sql_mending *m)
{
	struct lexeme from = sql_text_find(m->t.text, 0, "FROM");

	if (sql_text_find(m->t.text, 0, "GROUP").type != LEXEME_END) { /* they have names */
		return;
	}
	for (struct lexeme as = sql_text_find(m->t.text, 0, "AS"); as.start < from.start;
	     as = sql_text_find(m->t.text, 0, "AS")) {
		size_t end = as.start;

		while (end > 0 && ascii_blank(m->t.text.at[end - 1])) {
			end--;
		}
		struct slice text = m->t.text;
		struct lexeme alias = lex(text, as.end);
		size_t path = sql_text_path(text, as.start);
		struct lexeme at = sql_text_find(text, from.end, "ORDER");
		struct slice name = sql_text_of(text, alias);

		m->sure = false;
		for (; at.type != LEXEME_END; at = lex(m->t.text, at.end)) {
			if (at.type == LEXEME_WORD && slice_eq(sql_text_of(m->t.text, at), name)) {
				sql_text_put(&m->t, at.start, at.end, "%.*s",
					     SLICE_ARG(slice_of(text.at + path, end - path)));
				at.end = at.start + end - path;
			}
		}
		sql_text_cut(&m->t, end, alias.end);
		from = sql_text_find(m->t.text, 0, "FROM");
	}
}

bool
sql_mend_schema(struct ctl *ctl, struct call *c, struct slice table, const struct schema **out)
{
	struct error before = c->error;

	c->error = (struct error){0};
	bool there = ctl_schema(ctl, c, table, out) == 0;

	c->error = before;
	return there;
}

struct slice
sql_mend_table_of_index(struct ctl *ctl, struct call *c, struct slice index)
{
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};
	const struct schema *schema;
	struct error before = c->error;
	struct slice found = {0};
	size_t n = 0;

	c->error = (struct error){0};
	if (index.len > 0 && engine_list_tables(ctl->engine, c, &in, &out) == 0) {
		for (size_t i = 0; i < out.n_names && i < SQL_MEND_TABLES; i++) {
			if (sql_mend_schema(ctl, c, out.names[i], &schema) &&
			    schema_index(schema, index) != NULL) {
				found = out.names[i];
				n++;
			}
		}
	}
	c->error = before;
	return n == 1 ? found : (struct slice){0};
}

/* Split @name at the character @at: into a table and its index, or into a schema of SQL and a table. */
static bool
sql_mend_split(struct sql_mending *m, struct slice name, size_t at, struct slice *table,
	       struct slice *index)
{
	struct slice before = slice_of(name.at, at);
	struct slice behind = slice_skip(name, at + 1);
	const struct schema *schema;

	if (sql_mend_schema(m->ctl, m->t.c, before, &schema)) {
		struct near near = near_start(behind);

		for (size_t i = 0; i < schema->n_index; i++) {
			near_try(&near, schema->index[i].name);
		}
		m->sure = m->sure && slice_eq(near.best, behind);
		*table = near.best.len > 0 ? before : SLICE("");
		*index = near.best;
		return near.best.len > 0;
	}
	if (words_in_any_case("public main dbo default", before) &&
	    sql_mend_schema(m->ctl, m->t.c, behind, &schema)) {
		*table = behind;
		return true;
	}
	return false;
}

/* Return the table whose name is similar to a reserved word, such as Orders for Order; empty: none. */
static struct slice
sql_mend_near_table(struct sql_mending *m, struct slice word)
{
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};
	struct near near = near_start(word);

	if (lex_reserved(word) && engine_list_tables(m->ctl->engine, m->t.c, &in, &out) == 0) {
		for (size_t i = 0; i < out.n_names; i++) {
			near_try(&near, out.names[i]);
		}
	}
	m->t.c->error = (struct error){0};
	m->sure = m->sure && near.best.len == 0;
	return near.best;
}

void
sql_mend_table(struct sql_mending *m)
{
	const struct schema *schema;
	struct slice table = {0};
	struct slice index = {0};
	struct buf b = {.arena = &m->t.c->arena};
	size_t start;
	size_t end;

	if (!sql_text_table(m->t.text, &start, &end)) {
		return;
	}
	struct slice name = slice_of(m->t.text.at + start, end - start);
	struct lexeme first = lex(m->t.text, start);

	if (first.type == LEXEME_STRING && first.end == end) {
		name = sql_text_string(m->t.c, name);
	} else if (slice_chr(name, '"') != NULL || slice_chr(name, '\'') != NULL) {
		return;
	}
	if (sql_mend_schema(m->ctl, m->t.c, name, &schema)) {
		table = name;
	}
	for (size_t i = 1; table.len == 0 && i + 1 < name.len; i++) {
		if (name.at[i] == '.' || name.at[i] == '-') {
			(void)sql_mend_split(m, name, i, &table, &index);
		}
	}
	if (table.len == 0) {
		table = sql_mend_table_of_index(m->ctl, m->t.c, name);
		index = table.len > 0 ? name : SLICE("");
		table = table.len > 0 ? table : sql_mend_near_table(m, name);
	}
	bool plain = first.type == LEXEME_WORD && first.end == end && index.len == 0 &&
		     !lex_reserved(name);

	if (table.len == 0 || (plain && slice_eq(table, name))) {
		return;
	}
	sql_text_quoted(&b, table, '"');
	if (index.len > 0) {
		buf_char(&b, '.');
		sql_text_quoted(&b, index, '"');
	}
	sql_text_put(&m->t, start, end, "%.*s", SLICE_ARG(buf_view(&b)));
}

void
sql_mend_only_table(struct sql_mending *m)
{
	struct lexeme where = sql_text_find(m->t.text, 0, "WHERE");
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};

	if (where.type == LEXEME_END || !sql_text_begins(m->t.text, "SELECT") ||
	    sql_text_find(m->t.text, 0, "FROM").type == LEXEME_WORD) {
		return;
	}
	if (engine_list_tables(m->ctl->engine, m->t.c, &in, &out) < 0) {
		m->t.c->error = (struct error){0};
	} else if (out.n_names == 1) {
		m->sure = false;
		sql_text_put(&m->t, where.start, where.start, "FROM \"%.*s\" ",
			     SLICE_ARG(out.names[0]));
	}
}
