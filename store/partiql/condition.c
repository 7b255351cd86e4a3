/*
 * condition - parses the conditions after WHERE and the sums of UPDATE into trees of store/expr
 *
 * One grammar reads both, because only the end of a parenthesis shows whether it contains a condition or a sum.
 */
#include "store/expr/ast.h"
#include "store/expr/expr_check.h"
#include "store/model/limits.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"

static struct node *read_or(struct reader *r);

static struct node *
over(struct reader *r, enum node_type type, size_t place, struct node *const *arg, size_t n)
{
	r->operators++;
	return node_make(r->c, type, place, arg, n);
}

/* Return: whether @n may be true or false, unlike a path, a constant or a sum. */
static bool
is_truth(const struct node *n)
{
	return n->type != NODE_PATH && n->type != NODE_VALUE && n->type != NODE_ADD &&
	       n->type != NODE_SUBTRACT;
}

static void
not_here(struct reader *r, struct lexeme at, const char *op)
{
	reader_refuse(r, at, "Unsupported operator in %s Expression. Operator: %s",
		      r->update ? "Update" : "Condition", op);
}

/* ------------------------------------------------------------ operands */

static void
condition_check_operands(struct reader *r, struct lexeme at, struct node *const *arg, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is_truth(arg[i]) && arg[i]->type != NODE_CALL) {
			not_here(r, at, slice_cstr(&r->c->arena, reader_text(r, at)));
		}
	}
}

static void
read_arguments(struct reader *r, enum lexeme_type close, struct node_list *l)
{
	reader_enter(r);
	while (r->status == 0 && r->next.type != LEXEME_CLOSE) {
		node_list_add(r->c, l, read_or(r));
		if (!reader_take(r, LEXEME_COMMA)) {
			break;
		}
	}
	reader_leave(r, close);
}

static struct node *
read_call(struct reader *r)
{
	struct lexeme at = r->next;
	struct slice name = reader_function(r, at);
	struct node_list l = {0};
	bool set = slice_is(name, "set_add") || slice_is(name, "set_delete");

	reader_advance(r);
	read_arguments(r, LEXEME_CLOSE, &l);
	if (function_find(name) == FUNCTION_NONE && !(set && r->update)) {
		reader_refuse(r, at, "Unrecognized function: %.*s at %s", SLICE_ARG(name),
			      reader_place(r, at));
	}
	condition_check_operands(r, at, l.at, l.n);
	struct node *n = over(r, NODE_CALL, at.start, l.at, l.n);

	n->text = name;
	return n;
}

/* (condition) or (sum) */
static struct node *
read_group(struct reader *r)
{
	reader_enter(r);
	struct node *n = read_or(r);

	reader_leave(r, LEXEME_CLOSE);
	return n;
}

static struct node *
condition_read_value(struct reader *r)
{
	size_t place = r->next.start;
	struct value v;

	reader_value(r, &v);
	return node_value(r->c, &v, place);
}

static struct node *
read_operand(struct reader *r)
{
	struct lexeme at = r->next;

	if (at.type == LEXEME_OPEN) {
		return read_group(r);
	}
	if (reader_at_value(r)) {
		return condition_read_value(r);
	}
	if (reader_word(r, "MISSING")) {
		reader_refuse(r, at, "MISSING must be compared using IS operator");
	} else if (at.type == LEXEME_WORD && lex(r->text, at.end).type == LEXEME_OPEN) {
		return read_call(r);
	}
	struct node *n = node_make(r->c, NODE_PATH, at.start, NULL, 0);

	reader_path(r, &n->path);
	return n;
}

/* A sign is part of the number after it. */
static struct node *
read_signed(struct reader *r)
{
	struct lexeme at = r->next;

	if (at.type != LEXEME_MINUS && at.type != LEXEME_PLUS) {
		return read_operand(r);
	}
	if (!reader_at_signed(r)) {
		reader_refuse(r, at,
			      "Incorrect number of operands for operator or function; operator or "
			      "function: %.*s, number of operands: 1",
			      SLICE_ARG(reader_text(r, at)));
	}
	return condition_read_value(r);
}

static struct node *
read_sum(struct reader *r)
{
	struct node *n = read_signed(r);

	while (r->next.type >= LEXEME_STAR && r->next.type <= LEXEME_CONCAT) {
		struct lexeme at = r->next;
		bool add = at.type == LEXEME_PLUS;

		if (!r->update || (!add && at.type != LEXEME_MINUS)) {
			not_here(r, at, slice_cstr(&r->c->arena, reader_text(r, at)));
		}
		reader_advance(r);
		struct node *two[2] = {n, read_signed(r)};

		n = over(r, add ? NODE_ADD : NODE_SUBTRACT, at.start, two, 2);
	}
	return n;
}

/* ------------------------------------------------------------ tests */

static bool
any_truth(struct node *const *arg, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		any = any || truth_is(arg[i]);
	}
	return any;
}

static struct node *
read_comparison(struct reader *r, struct node *first)
{
	struct lexeme at = r->next;

	reader_advance(r);
	struct node *two[2] = {first, read_sum(r)};

	if (!r->update && any_truth(two, 2)) {
		return truth_compare(r, at, two[0], two[1]);
	}
	condition_check_operands(r, at, two, 2);
	/* enum node_type and enum lexeme_type have the comparisons in the same order. */
	return over(r, (enum node_type)(NODE_EQ + (at.type - LEXEME_EQ)), at.start, two, 2);
}

static struct node *
read_between(struct reader *r, struct node *first)
{
	struct lexeme at = r->next;

	reader_advance(r);
	struct node *three[3] = {first, read_sum(r)};

	reader_expect_word(r, "AND");
	three[2] = read_sum(r);
	if (any_truth(three, 3)) {
		truth_refuse(r, at);
	}
	condition_check_operands(r, at, three, 3);
	return over(r, NODE_BETWEEN, at.start, three, 3);
}

static struct node *
condition_read_in(struct reader *r, struct node *first)
{
	struct lexeme at = r->next;
	struct node_list l = {0};

	reader_advance(r);
	node_list_add(r->c, &l, first);
	bool list = r->next.type == LEXEME_LEFT;
	enum lexeme_type close = list ? LEXEME_RIGHT : LEXEME_CLOSE;

	if ((!list && r->next.type != LEXEME_OPEN) || lex(r->text, r->next.end).type == close) {
		reader_refuse(r, at,
			      "IN operator must have a left hand argument of type Variable "
			      "Reference and right hand argument of type Seq with at least one "
			      "member");
	}
	read_arguments(r, close, &l);
	if (l.n - 1 > LIMIT_IN_OPERANDS) {
		reader_refuse(r, at,
			      "The IN operator is provided with too many operands; number of "
			      "operands: %zu",
			      l.n - 1);
	}
	if (r->status == 0 && any_truth(l.at, l.n)) {
		return truth_in(r, at, l.at, l.n);
	}
	condition_check_operands(r, at, l.at, l.n);
	return over(r, NODE_IN, at.start, l.at, l.n);
}

/* Read a test in which NOT may occur between the operand and the operator. */
static struct node *
read_inner(struct reader *r, struct node *first)
{
	struct lexeme at = r->next;
	bool negated = reader_skip(r, "NOT");
	struct node *n = first;

	if (reader_word(r, "BETWEEN")) {
		n = read_between(r, first);
	} else if (reader_word(r, "IN")) {
		n = condition_read_in(r, first);
	} else if (reader_word(r, "LIKE")) {
		not_here(r, at, "like");
	} else if (negated) {
		reader_malformed(r, NULL);
	}
	return negated ? node_make(r->c, NODE_NOT, at.start, &n, 1) : n;
}

static struct node *
read_test(struct reader *r)
{
	struct node *first = read_sum(r);
	struct node *n;
	struct lexeme at = r->next;

	if (at.type >= LEXEME_EQ && at.type <= LEXEME_GE) {
		n = read_comparison(r, first);
	} else if (reader_word(r, "IS")) {
		n = reader_is(r, first);
	} else {
		n = read_inner(r, first);
	}
	if (r->update && n != first) {
		not_here(r, at, slice_cstr(&r->c->arena, reader_text(r, at)));
	}
	return n;
}

/* ------------------------------------------------------------ NOT, AND, OR */

static struct node *
read_not(struct reader *r)
{
	struct lexeme at = r->next;
	size_t nots = 0;

	while (reader_skip(r, "NOT")) {
		nots++;
	}
	struct node *n = read_test(r);

	if (nots == 0) {
		return n;
	}
	if (r->update) {
		not_here(r, at, "NOT");
	}
	if (!is_truth(n)) {
		reader_refuse(r, at, "The argument to NOT must be a Type or Expression");
	}
	r->operators += (unsigned)nots;
	/* Two NOTs cancel each other. */
	return nots % 2 == 1 ? node_make(r->c, NODE_NOT, at.start, &n, 1) : n;
}

static struct node *
read_chain(struct reader *r, const char *word, enum node_type type,
	   struct node *(*read)(struct reader *r))
{
	struct lexeme at = r->next;
	struct node_list l = {0};
	struct node *n = read(r);

	if (!reader_word(r, word)) {
		return n;
	}
	if (r->update) {
		not_here(r, r->next, word);
	}
	node_list_add(r->c, &l, n);
	while (reader_skip(r, word)) {
		if (reader_at_end(r)) {
			reader_malformed(r, "Missing right-hand side expression of infix operator");
		}
		node_list_add(r->c, &l, read(r));
		r->operators++;
	}
	for (size_t i = 0; i < l.n; i++) {
		if (!is_truth(l.at[i])) {
			reader_refuse(r, at, "The arguments to AND/OR must be Expressions");
		}
	}
	return node_over(r->c, type, at.start, &l);
}

static struct node *
read_and(struct reader *r)
{
	return read_chain(r, "AND", NODE_AND, read_not);
}

static struct node *
read_or(struct reader *r)
{
	return read_chain(r, "OR", NODE_OR, read_and);
}

struct node *
reader_condition(struct reader *r)
{
	struct lexeme at = r->next;

	r->update = false;
	r->condition = true;
	r->operators = 0;
	struct node *n = read_or(r);

	if (!is_truth(n)) {
		reader_refuse(r, at,
			      "WHERE clause must contain an expression that resolves to a boolean");
	}
	reader_check_operators(r, at);
	return n;
}

struct node *
reader_sum(struct reader *r)
{
	struct lexeme at = r->next;

	r->update = true;
	r->condition = false;
	struct node *n = read_or(r);

	reader_check_operators(r, at);
	return n;
}
