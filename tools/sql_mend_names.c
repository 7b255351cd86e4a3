/* sql_mend_names - tables, indexes, aliases: see sql_mend_int.h */
#include "store/base/ascii.h"

#include "tools/sql_mend_int.h"
#include "tools/words.h"

/* Words that go on behind the name of a table. */
static bool
mend_is_clause(struct slice text, struct lexeme at)
{
	return (at.type != LEXEME_WORD && at.type != LEXEME_QUOTED) ||
	       sql_text_is(text, at,
			   "WHERE ORDER GROUP HAVING LIMIT OFFSET FETCH SET REMOVE VALUE UNION "
			   "VALUES RETURNING ON JOIN INNER LEFT RIGHT FULL CROSS NATURAL FROM "
			   "INTERSECT EXCEPT GO " SQL_TEXT_VERBS);
}

/* FROM T [AS] a: the name goes, and so does it in a.b and a.* */
void
mend_alias(struct mend *m)
{
	size_t start;
	size_t end;

	if (!sql_text_table(m->t.text, &start, &end)) {
		return;
	}
	struct lexeme as = lex(m->t.text, end);
	struct lexeme alias = sql_text_is(m->t.text, as, "AS") ? lex(m->t.text, as.end) : as;
	struct lexeme behind = lex(m->t.text, alias.end);

	if (mend_is_clause(m->t.text, alias) || behind.type == LEXEME_COMMA ||
	    sql_text_is(m->t.text, lex(m->t.text, 0), "INSERT")) {
		return;
	}
	struct slice name = slice_copy(&m->t.c->arena, sql_text_of(m->t.text, alias));

	bool member = false; /* of a path: another name */

	sql_text_cut(&m->t, end, alias.end);
	for (struct lexeme at = lex(m->t.text, 0); at.type != LEXEME_END;) {
		struct lexeme dot = lex(m->t.text, at.end);
		bool is = dot.type == LEXEME_DOT && !member &&
			  ascii_same(sql_text_of(m->t.text, at), name);

		member = at.type == LEXEME_DOT;

		if (is) {
			sql_text_cut(&m->t, at.start, dot.end);
		}
		at = lex(m->t.text, is ? at.start : at.end);
	}
}

/* SELECT a AS b: an attribute keeps its name. */
void
mend_columns(struct mend *m)
{
	struct lexeme from = sql_text_find(m->t.text, 0, "FROM");

	for (struct lexeme as = sql_text_find(m->t.text, 0, "AS"); as.start < from.start;
	     as = sql_text_find(m->t.text, 0, "AS")) {
		size_t end = as.start;

		while (end > 0 && ascii_blank(m->t.text.at[end - 1])) {
			end--;
		}
		m->sure = false;
		sql_text_cut(&m->t, end, lex(m->t.text, as.end).end);
		from = sql_text_find(m->t.text, 0, "FROM");
	}
}

bool
mend_schema(struct mend *m, struct slice table, const struct schema **out)
{
	struct error before = m->t.c->error;

	m->t.c->error = (struct error){0};
	bool there = ctl_schema(m->ctl, m->t.c, table, out) == 0;

	m->t.c->error = before;
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
		for (size_t i = 0; i < out.n_names && i < MEND_TABLES; i++) {
			c->error = (struct error){0};
			if (ctl_schema(ctl, c, out.names[i], &schema) == 0 &&
			    schema_index(schema, index) != NULL) {
				found = out.names[i];
				n++;
			}
		}
	}
	c->error = before;
	return n == 1 ? found : (struct slice){0};
}

/* Is what stands before @at a table, and what stands behind it an index of it, or a table of that schema? */
static bool
mend_split(struct mend *m, struct slice name, size_t at, struct slice *table, struct slice *index)
{
	struct slice before = slice_of(name.at, at);
	struct slice behind = slice_skip(name, at + 1);
	const struct schema *schema;

	if (mend_schema(m, before, &schema) && schema_index(schema, behind) != NULL) {
		*table = before;
		*index = behind;
		return true;
	}
	if (words_in_any_case("public main dbo default", before) &&
	    mend_schema(m, behind, &schema)) {
		*table = behind;
		return true;
	}
	return false;
}

/* my-table, app.users, 'music', an index alone, T-INDEX, public.music: a name in double quotes. */
void
mend_table(struct mend *m)
{
	const struct schema *schema;
	struct slice table = {0};
	struct slice index = {0};
	struct buf b;
	size_t start;
	size_t end;

	if (!sql_text_table(m->t.text, &start, &end)) {
		return;
	}
	struct slice name = slice_of(m->t.text.at + start, end - start);
	struct lexeme first = lex(m->t.text, start);

	if (first.type == LEXEME_STRING && first.end == end) {
		name = sql_text_string(m->t.c, name);
	} else if (memchr(name.at, '"', name.len) != NULL ||
		   memchr(name.at, '\'', name.len) != NULL) {
		return;
	}
	if (mend_schema(m, name, &schema)) {
		table = name;
	}
	for (size_t i = 1; table.len == 0 && i + 1 < name.len; i++) {
		if (name.at[i] == '.' || name.at[i] == '-') {
			(void)mend_split(m, name, i, &table, &index);
		}
	}
	if (table.len == 0) {
		table = sql_mend_table_of_index(m->ctl, m->t.c, name);
		index = name;
	}
	bool plain = first.type == LEXEME_WORD && first.end == end && index.len == 0 &&
		     !lex_reserved(name);

	if (table.len == 0 || (plain && slice_eq(table, name))) {
		return;
	}
	buf_init(&b, &m->t.c->arena);
	sql_text_quoted(&b, table, '"');
	if (index.len > 0) {
		buf_char(&b, '.');
		sql_text_quoted(&b, index, '"');
	}
	sql_text_put(&m->t, start, end, "%.*s", SLICE_ARG(buf_view(&b)));
}

/* SELECT * WHERE ...: in a store of one table it is that one. */
void
mend_only_table(struct mend *m)
{
	struct lexeme where = sql_text_find(m->t.text, 0, "WHERE");
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};

	if (where.type == LEXEME_END || !sql_text_is(m->t.text, lex(m->t.text, 0), "SELECT") ||
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
