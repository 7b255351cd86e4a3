/*
 * statement - parses whole statements
 *
 *   SELECT {* | path {, path}} FROM table[.index] [WHERE condition] [ORDER BY name [ASC | DESC] {, ...}]
 *   INSERT INTO table VALUE {'name': value ,}
 *   UPDATE table {SET path = sum {, path = sum} | REMOVE path} [WHERE condition] [RETURNING ...]
 *   FROM table [WHERE condition] {SET ... | REMOVE path} [RETURNING ...]
 *   DELETE FROM table [WHERE condition] [RETURNING ...]
 *   EXISTS(SELECT ...)
 *
 * A semicolon may follow.
 */
#include "store/partiql/statement.h"

#include "store/expr/ast.h"
#include "store/model/arn.h"
#include "store/model/item.h"
#include "store/op/validate.h"
#include "store/partiql/partiql_clauses.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"

static void
read_where(struct reader *r, struct statement *st)
{
	if (reader_skip(r, "WHERE")) {
		st->trees.condition = reader_condition(r);
	}
}

/* ------------------------------------------------------------ tables */

static void
no_alias(struct reader *r)
{
	if (reader_word(r, "AS") || reader_word(r, "AT") || reader_word(r, "BY") ||
	    reader_is_name(r)) {
		reader_refuse(r, r->next, "Aliasing is not supported");
	}
}

/* table[.index]; the caller of the parser resolves ARNs in place of the table's name. */
static void
read_source(struct reader *r, struct statement *st)
{
	struct lexeme at = r->next;

	reader_name(r, &st->table);
	if (reader_take(r, LEXEME_DOT)) {
		reader_name(r, &st->index);
	}
	if (r->next.type == LEXEME_DOT) {
		reader_refuse(r, r->next,
			      "A path may contain at most 2 components in the FROM clause");
	}
	if (!validate_name(st->table) && !arn_is(st->table)) {
		reader_refuse(r, at,
			      "Table name should be within the length [3, 255] and only contain "
			      "'a-z', 'A-Z', '0-9', '-', '_', '.'.");
	}
}

static void
check_one_source(struct reader *r)
{
	static const char *const joins[] = {"JOIN", "INNER", "LEFT",  "RIGHT",
					    "FULL", "OUTER", "CROSS", NULL};
	bool more = r->next.type == LEXEME_COMMA;

	for (size_t i = 0; joins[i] != NULL && !more; i++) {
		more = reader_word(r, joins[i]);
	}
	if (more) {
		reader_refuse(r, r->next, "Only select from a single table or index is supported.");
	}
}

static void
read_from(struct reader *r, struct statement *st)
{
	if (!reader_is_name(r) && r->next.type != LEXEME_WORD && r->next.type != LEXEME_OTHER &&
	    !reader_at_end(r)) {
		reader_refuse(r, r->next, "Unexpected from source");
	}
	read_source(r, st);
	if (r->next.type >= LEXEME_STAR && r->next.type <= LEXEME_CONCAT) {
		reader_refuse(r, r->next, "Unexpected from source");
	}
	no_alias(r);
	check_one_source(r);
}

/* Read the table of a statement that writes. */
static void
read_target(struct reader *r, struct statement *st)
{
	read_source(r, st);
	no_alias(r);
	if (r->status == 0 && st->index.len > 0) {
		reader_refuse(r, r->next, "This operation is not supported on an index");
		reader_defer(r);
	}
}

/* ------------------------------------------------------------ SELECT */

static void
check_no_clause(struct reader *r)
{
	static const char *const clauses[] = {"HAVING", "LIMIT", "OFFSET", NULL};

	if (reader_word(r, "GROUP")) {
		reader_refuse(r, r->next, "Unsupported clause: GROUP BY");
	}
	for (size_t i = 0; clauses[i] != NULL; i++) {
		if (reader_skip(r, clauses[i])) {
			reader_refuse(r, r->next, "Unsupported clause: %s at %s", clauses[i],
				      reader_place(r, r->next));
		}
	}
}

/* Read the list of SELECT.  If it is followed by FROM, a fault in it is deferred. */
static void
statement_read_listed(struct reader *r, struct statement *st)
{
	clause_projection(r, st);
	if (r->status < 0 && !r->malformed) {
		struct lexeme at = r->last;

		for (; at.type != LEXEME_END && at.type != LEXEME_SEMICOLON &&
		       !ascii_same(reader_text(r, at), SLICE("FROM"));
		     at = lex(r->text, at.end)) {
			r->asked += at.type == LEXEME_PARAMETER;
		}
		if (at.type == LEXEME_WORD) {
			r->last = at;
			reader_defer(r);
		}
	}
}

static void
read_select(struct reader *r, struct statement *st)
{
	reader_advance(r);
	statement_read_listed(r, st);
	reader_expect_word(r, "FROM");
	read_from(r, st);
	read_where(r, st);
	check_no_clause(r);
	clause_order(r, st);
	check_no_clause(r);
}

static void
read_exists(struct reader *r, struct statement *st)
{
	reader_advance(r);
	reader_expect(r, LEXEME_OPEN);
	if (!reader_word(r, "SELECT")) {
		reader_malformed(r, NULL);
	}
	read_select(r, st);
	st->kind = STATEMENT_EXISTS;
	reader_expect(r, LEXEME_CLOSE);
}

/* ------------------------------------------------------------ INSERT, UPDATE, DELETE */

static void
read_insert(struct reader *r, struct statement *st)
{
	reader_advance(r);
	reader_expect_word(r, "INTO");
	st->kind = STATEMENT_INSERT;
	read_source(r, st);
	if (r->status == 0 && st->index.len > 0) {
		reader_refuse(r, r->next,
			      "FROM clause may only contain a single table name in data "
			      "manipulation statements");
		reader_defer(r);
	}
	if (!reader_skip(r, "VALUE")) {
		reader_malformed(r, "Unexpected token after expression");
	}
	if (r->next.type != LEXEME_TUPLE && reader_at_value(r)) {
		reader_refuse(r, r->next,
			      "Unsupported format in item expression. Please use struct format "
			      "{...} to express item values for insert statement. at %s",
			      reader_place(r, r->next));
	}
	if (r->next.type != LEXEME_TUPLE) {
		reader_malformed(r, NULL);
	}
	st->item = reader_tuple(r);
	if (reader_word(r, "RETURNING")) {
		reader_refuse(r, r->next, "RETURNING is not supported in INSERT");
	}
}

/* UPDATE table {SET ... | REMOVE ...} WHERE condition; or FROM table WHERE condition {SET ... | REMOVE ...} */
static void
read_update(struct reader *r, struct statement *st)
{
	bool where_first = reader_word(r, "FROM");

	reader_advance(r);
	read_target(r, st);
	st->kind = STATEMENT_UPDATE;
	if (where_first) {
		read_where(r, st);
	}
	clause_changes(r, st);
	if (!where_first) {
		read_where(r, st);
	}
	clause_returning(r, st);
}

static void
read_delete(struct reader *r, struct statement *st)
{
	reader_advance(r);
	reader_expect_word(r, "FROM");
	st->kind = STATEMENT_DELETE;
	if (!reader_is_name(r)) {
		reader_malformed(r, "Expected identifier for simple path");
	}
	read_target(r, st);
	read_where(r, st);
	clause_returning(r, st);
}

/* ------------------------------------------------------------ all statements */

static void
read_statement(struct reader *r, struct statement *st)
{
	static const struct {
		const char *word;
		void (*read)(struct reader *r, struct statement *st);
	} verbs[] = {
		{"SELECT", read_select}, {"INSERT", read_insert}, {"UPDATE", read_update},
		{"DELETE", read_delete}, {"EXISTS", read_exists}, {"FROM", read_update},
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (reader_word(r, verbs[i].word)) {
			verbs[i].read(r, st);
			return;
		}
	}
	struct lexeme second = lex(r->text, r->next.end);

	if (reader_is_name(r) && ascii_same(reader_text(r, second), SLICE("IS"))) {
		reader_is_statement(r);
	}
	reader_malformed(r, "Expected data manipulation");
}

/* The limits of stored values apply to parameters, too. */
static int
check_parameters(struct call *c, const struct value *parameters, size_t n)
{
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++) {
		struct attr a = {SLICE("?"), parameters[i]};

		status = item_check(c, &(struct item){&a, 1});
	}
	return status;
}

int
statement_parse(struct call *c, struct slice text, const struct value *parameters, size_t n,
		struct statement *out)
{
	struct reader r;
	int status = check_parameters(c, parameters, n);

	*out = (struct statement){.text = text};
	if (status < 0) {
		return status;
	}
	reader_start(&r, c, text);
	r.parameters = parameters;
	r.n_parameters = n;
	read_statement(&r, out);
	(void)reader_take(&r, LEXEME_SEMICOLON);
	if (r.next.type != LEXEME_END) {
		reader_malformed(&r, "Unexpected token after expression");
	}
	if (r.status == 0 && r.asked != n) {
		return call_fail(c, ERR_VALIDATION,
				 "Number of parameters in request and statement don't match.");
	}
	if (r.status == 0 && r.late.code != 0) {
		out->late = true;
		c->error = r.late;
		return -(int)r.late.code;
	}
	return r.status;
}
