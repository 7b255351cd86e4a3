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

#include "store/base/core/ascii.h"
#include "store/expr/ast.h"
#include "store/model/arn.h"
#include "store/model/item.h"
#include "store/op/validate.h"
#include "store/partiql/partiql_clauses.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"

static int
read_where(struct reader *r, struct statement *st)
{
	return reader_skip(r, "WHERE") ? reader_condition(r, &st->trees.condition) : 0;
}

/* ------------------------------------------------------------ tables */

/* Return: whether an alias follows the table. */
static bool
at_alias(const struct reader *r)
{
	return reader_word(r, "AS") || reader_word(r, "AT") || reader_word(r, "BY") ||
	       reader_is_name(r);
}

static int
no_alias(struct reader *r)
{
	return at_alias(r) ? reader_refuse(r, r->next, "Aliasing is not supported") : 0;
}

/* Check that @name is a table name or an ARN; the caller of the parser resolves ARNs. */
static int
check_table_name(struct reader *r, struct lexeme at, struct slice name)
{
	if (validate_name(name) || arn_is(name)) {
		return 0;
	}
	return reader_refuse(r, at,
			     "Table name should be within the length [3, 255] and only contain "
			     "'a-z', 'A-Z', '0-9', '-', '_', '.'.");
}

/* table[.index] */
static int
read_source(struct reader *r, struct statement *st)
{
	struct lexeme at = r->next;
	int status = reader_name(r, &st->table);

	if (status == 0 && r->next.type == LEXEME_DOT) {
		reader_advance(r);
		status = reader_name(r, &st->index);
	}
	if (status == 0 && r->next.type == LEXEME_DOT) {
		return reader_refuse(r, r->next,
				     "A path may contain at most 2 components in the FROM clause");
	}
	return status < 0 ? status : check_table_name(r, at, st->table);
}

static int
check_one_source(struct reader *r)
{
	static const char *const joins[] = {"JOIN", "INNER", "LEFT",  "RIGHT",
					    "FULL", "OUTER", "CROSS", NULL};
	bool more = r->next.type == LEXEME_COMMA;

	for (size_t i = 0; joins[i] != NULL && !more; i++) {
		more = reader_word(r, joins[i]);
	}
	return more ? reader_refuse(r, r->next,
				    "Only select from a single table or index is supported.")
		    : 0;
}

static int
read_from(struct reader *r, struct statement *st)
{
	bool name = reader_is_name(r);

	if (!name && r->next.type != LEXEME_WORD && r->next.type != LEXEME_OTHER &&
	    !reader_at_end(r)) {
		return reader_refuse(r, r->next, "Unexpected from source");
	}
	int status = read_source(r, st);

	if (status == 0 && r->next.type >= LEXEME_STAR && r->next.type <= LEXEME_CONCAT) {
		return reader_refuse(r, r->next, "Unexpected from source");
	}
	if (status == 0) {
		status = no_alias(r);
	}
	return status < 0 ? status : check_one_source(r);
}

/* Read the table of a statement that writes. */
static int
read_target(struct reader *r, struct statement *st)
{
	int status = read_source(r, st);

	if (status == 0) {
		status = no_alias(r);
	}
	if (status == 0 && st->index.len > 0) {
		status = reader_defer(
			r,
			reader_refuse(r, r->next, "This operation is not supported on an index"));
	}
	return status;
}

/* ------------------------------------------------------------ SELECT */

static int
check_no_clause(struct reader *r)
{
	static const char *const clauses[] = {"HAVING", "LIMIT", "OFFSET", NULL};

	if (reader_word(r, "GROUP")) {
		return reader_refuse(r, r->next, "Unsupported clause: GROUP BY");
	}
	for (size_t i = 0; clauses[i] != NULL; i++) {
		if (reader_skip(r, clauses[i])) {
			return reader_refuse(r, r->next, "Unsupported clause: %s at %s", clauses[i],
					     reader_place(r, r->next));
		}
	}
	return 0;
}

/* Read the list of SELECT.  If it is followed by FROM, an error in it is deferred. */
static int
statement_read_listed(struct reader *r, struct statement *st)
{
	int status = clause_projection(r, st);

	if (status < 0 && !r->malformed) {
		for (; !reader_word(r, "FROM") && !reader_at_end(r); reader_advance(r)) {
			r->asked += r->next.type == LEXEME_PARAMETER;
		}
		if (reader_word(r, "FROM")) {
			status = reader_defer(r, status);
		}
	}
	return status;
}

static int
read_select(struct reader *r, struct statement *st)
{
	int status;

	reader_advance(r);
	status = statement_read_listed(r, st);
	if (status == 0) {
		status = reader_expect_word(r, "FROM");
	}
	if (status == 0) {
		status = read_from(r, st);
	}
	if (status == 0) {
		status = read_where(r, st);
	}
	if (status == 0) {
		status = check_no_clause(r);
	}
	if (status == 0) {
		status = clause_order(r, st);
	}
	return status < 0 ? status : check_no_clause(r);
}

static int
read_exists(struct reader *r, struct statement *st)
{
	reader_advance(r);
	int status = reader_expect(r, LEXEME_OPEN);

	if (status == 0 && !reader_word(r, "SELECT")) {
		return reader_malformed(r, NULL);
	}
	if (status == 0) {
		status = read_select(r, st);
	}
	st->kind = STATEMENT_EXISTS;
	return status < 0 ? status : reader_expect(r, LEXEME_CLOSE);
}

/* ------------------------------------------------------------ INSERT, UPDATE, DELETE */

static int
read_insert(struct reader *r, struct statement *st)
{
	reader_advance(r);
	int status = reader_expect_word(r, "INTO");

	st->kind = STATEMENT_INSERT;
	if (status == 0) {
		status = read_source(r, st);
	}
	if (status == 0 && st->index.len > 0) {
		status = reader_defer(
			r, reader_refuse(r, r->next,
					 "FROM clause may only contain a single table name in data "
					 "manipulation statements"));
	}
	if (status == 0 && !reader_skip(r, "VALUE")) {
		return reader_malformed(r, "Unexpected token after expression");
	}
	if (status == 0 && r->next.type != LEXEME_TUPLE) {
		return reader_at_value(r)
			       ? reader_refuse(r, r->next,
					       "Unsupported format in item expression. Please use "
					       "struct format {...} to express item values for "
					       "insert statement. at %s",
					       reader_place(r, r->next))
			       : reader_malformed(r, NULL);
	}
	if (status == 0) {
		status = reader_tuple(r, &st->item);
	}
	if (status == 0 && reader_word(r, "RETURNING")) {
		return reader_refuse(r, r->next, "RETURNING is not supported in INSERT");
	}
	return status;
}

/* UPDATE table {SET ... | REMOVE ...} WHERE condition; or FROM table WHERE condition {SET ... | REMOVE ...} */
static int
read_update(struct reader *r, struct statement *st)
{
	bool where_first = reader_word(r, "FROM");

	reader_advance(r);
	int status = read_target(r, st);

	st->kind = STATEMENT_UPDATE;
	if (status == 0 && where_first) {
		status = read_where(r, st);
	}
	if (status == 0) {
		status = clause_changes(r, st);
	}
	if (status == 0 && !where_first) {
		status = read_where(r, st);
	}
	return status < 0 ? status : clause_returning(r, st);
}

static int
read_delete(struct reader *r, struct statement *st)
{
	reader_advance(r);
	int status = reader_expect_word(r, "FROM");

	st->kind = STATEMENT_DELETE;
	if (status == 0 && !reader_is_name(r)) {
		return reader_malformed(r, "Expected identifier for simple path");
	}
	if (status == 0) {
		status = read_target(r, st);
	}
	if (status == 0) {
		status = read_where(r, st);
	}
	return status < 0 ? status : clause_returning(r, st);
}

/* ------------------------------------------------------------ all statements */

static int
read_statement(struct reader *r, struct statement *st)
{
	static const struct {
		const char *word;
		int (*read)(struct reader *r, struct statement *st);
	} verbs[] = {
		{"SELECT", read_select}, {"INSERT", read_insert}, {"UPDATE", read_update},
		{"DELETE", read_delete}, {"EXISTS", read_exists}, {"FROM", read_update},
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (reader_word(r, verbs[i].word)) {
			return verbs[i].read(r, st);
		}
	}
	struct lexeme second = lex(r->text, r->next.end);

	if (reader_is_name(r) && ascii_same(reader_text(r, second), SLICE("IS"))) {
		return reader_is_statement(r);
	}
	return reader_malformed(r, "Expected data manipulation");
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
	status = read_statement(&r, out);
	if (status == 0 && r.next.type == LEXEME_SEMICOLON) {
		reader_advance(&r);
	}
	if (status == 0 && r.next.type != LEXEME_END) {
		status = reader_malformed(&r, "Unexpected token after expression");
	}
	if (status == 0 && r.asked != n) {
		return call_fail(c, ERR_VALIDATION,
				 "Number of parameters in request and statement don't match.");
	}
	if (status == 0 && r.late.code != 0) {
		out->late = true;
		c->error = r.late;
		return -(int)r.late.code;
	}
	return status;
}
