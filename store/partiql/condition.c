/*
 * condition - parses the conditions after WHERE and the sums of UPDATE into trees of store/expr
 *
 * One grammar reads both, because only the end of a parenthesis shows whether it contains a condition or a sum.
 */
#include <assert.h>

#include "store/expr/ast.h"
#include "store/expr/expr_check.h"
#include "store/model/limits.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"

static int read_or(struct reader *r, struct node **out);

static struct node *
over(struct reader *r, enum node_type type, size_t place, const struct node_list *l)
{
	r->operators++;
	return node_over(r->c, type, place, l);
}

/* Return: whether @n may be true or false, unlike a path, a constant or a sum. */
static bool
is_truth(const struct node *n)
{
	return n->type != NODE_PATH && n->type != NODE_VALUE && n->type != NODE_ADD &&
	       n->type != NODE_SUBTRACT;
}

static int
not_here(struct reader *r, struct lexeme at, const char *op)
{
	return reader_refuse(r, at, "Unsupported operator in %s Expression. Operator: %s",
			     r->update ? "Update" : "Condition", op);
}

/* ------------------------------------------------------------ operands */

static int
condition_check_operand(struct reader *r, struct lexeme at, const struct node *n)
{
	bool value = !is_truth(n) || n->type == NODE_CALL;

	return value ? 0 : not_here(r, at, slice_cstr(&r->c->arena, reader_text(r, at)));
}

static int
condition_check_operands(struct reader *r, struct lexeme at, const struct node_list *l)
{
	int status = 0;

	for (size_t i = 0; i < l->n && status == 0; i++) {
		status = condition_check_operand(r, at, l->at[i]);
	}
	return status;
}

static int
read_arguments(struct reader *r, enum lexeme_type close, struct node_list *l)
{
	int status = reader_enter(r);

	while (status == 0 && r->next.type != LEXEME_CLOSE) {
		struct node *n = NULL;

		status = read_or(r, &n);
		if (status < 0) {
			return status;
		}
		node_list_add(r->c, l, n);
		if (!reader_take(r, LEXEME_COMMA)) {
			break;
		}
	}
	return status < 0 ? status : reader_leave(r, close);
}

static int
read_call(struct reader *r, struct node **out)
{
	struct lexeme at = r->next;
	struct slice name = reader_function(r, at);
	struct node_list l = {0};
	bool set = slice_is(name, "set_add") || slice_is(name, "set_delete");

	reader_advance(r);
	int status = read_arguments(r, LEXEME_CLOSE, &l);

	if (status < 0) {
		return status;
	}
	if (function_find(name) == FUNCTION_NONE && !(set && r->update)) {
		return reader_refuse(r, at, "Unrecognized function: %.*s at %s", SLICE_ARG(name),
				     reader_place(r, at));
	}
	*out = over(r, NODE_CALL, at.start, &l);
	(*out)->text = name;
	return condition_check_operands(r, at, &l);
}

/* (condition) or (sum) */
static int
read_group(struct reader *r, struct node **out)
{
	int status = reader_enter(r);

	if (status == 0) {
		status = read_or(r, out);
	}
	return status < 0 ? status : reader_leave(r, LEXEME_CLOSE);
}

static int
condition_read_value(struct reader *r, struct node **out)
{
	size_t place = r->next.start;
	struct value v;
	int status = reader_value(r, &v);

	if (status == 0) {
		*out = node_value(r->c, &v, place);
	}
	return status;
}

static int
read_operand(struct reader *r, struct node **out)
{
	struct lexeme at = r->next;

	if (at.type == LEXEME_OPEN) {
		return read_group(r, out);
	}
	if (reader_at_value(r)) {
		return condition_read_value(r, out);
	}
	if (reader_word(r, "MISSING")) {
		return reader_refuse(r, at, "MISSING must be compared using IS operator");
	}
	if (at.type == LEXEME_WORD && lex(r->text, at.end).type == LEXEME_OPEN) {
		return read_call(r, out);
	}
	*out = node_make(r->c, NODE_PATH, at.start, NULL, 0);
	return reader_path(r, &(*out)->path);
}

/* A sign is part of the number after it. */
static int
read_signed(struct reader *r, struct node **out)
{
	struct lexeme at = r->next;

	if (at.type != LEXEME_MINUS && at.type != LEXEME_PLUS) {
		return read_operand(r, out);
	}
	if (!reader_at_signed(r)) {
		return reader_refuse(r, at,
				     "Incorrect number of operands for operator or function; "
				     "operator or function: %.*s, number of operands: 1",
				     SLICE_ARG(reader_text(r, at)));
	}
	return condition_read_value(r, out);
}

static int
read_sum(struct reader *r, struct node **out)
{
	int status = read_signed(r, out);

	while (status == 0 && r->next.type >= LEXEME_STAR && r->next.type <= LEXEME_CONCAT) {
		struct lexeme at = r->next;
		struct node_list l = {0};

		if (!r->update || (at.type != LEXEME_PLUS && at.type != LEXEME_MINUS)) {
			return not_here(r, at, slice_cstr(&r->c->arena, reader_text(r, at)));
		}
		reader_advance(r);
		node_list_add(r->c, &l, *out);
		status = read_signed(r, out);
		if (status == 0) {
			node_list_add(r->c, &l, *out);
			*out = over(r, at.type == LEXEME_PLUS ? NODE_ADD : NODE_SUBTRACT, at.start,
				    &l);
		}
	}
	return status;
}

/* ------------------------------------------------------------ tests */

static bool
any_truth(const struct node_list *l)
{
	bool any = false;

	for (size_t i = 0; i < l->n; i++) {
		any = any || truth_is(l->at[i]);
	}
	return any;
}

static int
read_comparison(struct reader *r, struct node *first, struct node **out)
{
	struct lexeme at = r->next;
	struct node_list l = {0};
	int status;

	reader_advance(r);
	node_list_add(r->c, &l, first);
	status = read_sum(r, out);
	if (status < 0) {
		return status;
	}
	node_list_add(r->c, &l, *out);
	if (!r->update && (truth_is(first) || truth_is(*out))) {
		return truth_compare(r, at, first, *out, out);
	}
	status = condition_check_operands(r, at, &l);
	/* enum node_type and enum lexeme_type have the comparisons in the same order. */
	*out = over(r, (enum node_type)(NODE_EQ + (at.type - LEXEME_EQ)), at.start, &l);
	return status;
}

static int
read_between(struct reader *r, struct node *first, struct node **out)
{
	struct lexeme at = r->next;
	struct node_list l = {0};
	int status;

	reader_advance(r);
	node_list_add(r->c, &l, first);
	status = read_sum(r, out);
	if (status == 0) {
		node_list_add(r->c, &l, *out);
		status = reader_expect_word(r, "AND");
	}
	if (status == 0) {
		status = read_sum(r, out);
	}
	if (status < 0) {
		return status;
	}
	node_list_add(r->c, &l, *out);
	if (any_truth(&l)) {
		return truth_refuse(r, at);
	}
	*out = over(r, NODE_BETWEEN, at.start, &l);
	return condition_check_operands(r, at, &l);
}

static int
condition_read_in(struct reader *r, struct node *first, struct node **out)
{
	struct lexeme at = r->next;
	struct node_list l = {0};
	int status = 0;

	reader_advance(r);
	node_list_add(r->c, &l, first);
	bool list = r->next.type == LEXEME_LEFT;

	if ((!list && r->next.type != LEXEME_OPEN) ||
	    lex(r->text, r->next.end).type == (list ? LEXEME_RIGHT : LEXEME_CLOSE)) {
		return reader_refuse(r, at,
				     "IN operator must have a left hand argument of type Variable "
				     "Reference and right hand argument of type Seq with at least "
				     "one member");
	}
	status = read_arguments(r, list ? LEXEME_RIGHT : LEXEME_CLOSE, &l);
	if (status == 0 && l.n - 1 > LIMIT_IN_OPERANDS) {
		return reader_refuse(r, at,
				     "The IN operator is provided with too many operands; number "
				     "of operands: %zu",
				     l.n - 1);
	}
	if (status == 0 && any_truth(&l)) {
		return truth_in(r, at, l.at, l.n, out);
	}
	*out = over(r, NODE_IN, at.start, &l);
	return status < 0 ? status : condition_check_operands(r, at, &l);
}

/* Read a test in which NOT may occur between the operand and the operator. */
static int
read_inner(struct reader *r, struct node *first, struct node **out)
{
	struct lexeme at = r->next;
	bool negated = reader_skip(r, "NOT");
	int status;

	if (reader_word(r, "BETWEEN")) {
		status = read_between(r, first, out);
	} else if (reader_word(r, "IN")) {
		status = condition_read_in(r, first, out);
	} else if (reader_word(r, "LIKE")) {
		status = not_here(r, at, "like");
	} else {
		return negated ? reader_malformed(r, NULL) : 0;
	}
	if (status == 0 && negated) {
		*out = node_make(r->c, NODE_NOT, at.start, out, 1);
	}
	return status;
}

static int
read_test(struct reader *r, struct node **out)
{
	struct lexeme at;
	int status = read_sum(r, out);

	if (status < 0) {
		return status;
	}
	struct node *first = *out;

	at = r->next;
	if (at.type >= LEXEME_EQ && at.type <= LEXEME_GE) {
		status = read_comparison(r, first, out);
	} else if (reader_word(r, "IS")) {
		status = reader_is(r, first, out);
	} else {
		status = read_inner(r, first, out);
	}
	if (status == 0 && r->update && *out != first) {
		return not_here(r, at, slice_cstr(&r->c->arena, reader_text(r, at)));
	}
	return status;
}

/* ------------------------------------------------------------ NOT, AND, OR */

static int
read_not(struct reader *r, struct node **out)
{
	struct lexeme at = r->next;
	size_t nots = 0;

	while (reader_skip(r, "NOT")) {
		nots++;
	}
	int status = read_test(r, out);

	if (status < 0 || nots == 0) {
		return status;
	}
	if (r->update) {
		return not_here(r, at, "NOT");
	}
	if (!is_truth(*out)) {
		return reader_refuse(r, at, "The argument to NOT must be a Type or Expression");
	}
	r->operators += (unsigned)nots;
	/* Two NOTs cancel each other. */
	if (nots % 2 == 1) {
		*out = node_make(r->c, NODE_NOT, at.start, out, 1);
	}
	return 0;
}

static int
read_chain(struct reader *r, const char *word, enum node_type type,
	   int (*read)(struct reader *r, struct node **out), struct node **out)
{
	struct lexeme at = r->next;
	struct node_list l = {0};
	int status = read(r, out);

	if (status < 0 || !reader_word(r, word)) {
		return status;
	}
	if (r->update) {
		return not_here(r, r->next, word);
	}
	node_list_add(r->c, &l, *out);
	while (reader_skip(r, word)) {
		if (reader_at_end(r)) {
			return reader_malformed(r, "Missing right-hand side expression of infix "
						   "operator");
		}
		status = read(r, out);
		if (status < 0) {
			return status;
		}
		node_list_add(r->c, &l, *out);
		r->operators++;
	}
	for (size_t i = 0; i < l.n; i++) {
		if (!is_truth(l.at[i])) {
			return reader_refuse(r, at, "The arguments to AND/OR must be Expressions");
		}
	}
	assert(r->operators > 0);
	r->operators--; /* over() counts the last one */
	*out = over(r, type, at.start, &l);
	return 0;
}

static int
read_and(struct reader *r, struct node **out)
{
	return read_chain(r, "AND", NODE_AND, read_not, out);
}

static int
read_or(struct reader *r, struct node **out)
{
	return read_chain(r, "OR", NODE_OR, read_and, out);
}

int
reader_condition(struct reader *r, struct node **out)
{
	struct lexeme at = r->next;

	r->update = false;
	r->condition = true;
	r->operators = 0;
	int status = read_or(r, out);

	if (status == 0 && !is_truth(*out)) {
		return reader_refuse(
			r, at,
			"WHERE clause must contain an expression that resolves to a boolean");
	}
	return status < 0 ? status : reader_check_operators(r, at);
}

int
reader_sum(struct reader *r, struct node **out)
{
	struct lexeme at = r->next;

	r->update = true;
	r->condition = false;
	int status = read_or(r, out);

	return status < 0 ? status : reader_check_operators(r, at);
}
