/* parse - parses conditions and projections; does not look up placeholders and function names */
#ifndef STORE_EXPR_PARSE_H
#define STORE_EXPR_PARSE_H

#include "store/expr/ast.h"

/**
 * parse_condition - parse a condition, filter or key condition
 *
 * Grammar:  condition = and {OR and};  and = not {AND not};  not = {NOT} predicate
 *           predicate = operand (= <> < <= > >=) operand | operand BETWEEN operand AND operand
 *                     | operand IN (operand {, operand}) | call | (condition)
 *           operand = path | :value | call | (operand);  call = name(operand {, operand})
 *           path = (name | #alias) {.(name | #alias) | [index]}
 *
 * Errors:  -ERR_VALIDATION  size, syntax, redundant parentheses, number of operators
 * Memory:  the tree is in the call's arena and points into @text
 */
int parse_condition(struct call *c, enum expr_kind kind, struct slice text, struct node **out)
	must_check;

/** parse_bare - parse an operand without parentheses: a path, a value or a call */
struct node *parse_bare(struct parser *p);

/**
 * parse_value - parse the value of a SET clause
 *
 * Grammar:  value = sum | (value);  sum = operand [(+ | -) operand]
 */
struct node *parse_value(struct parser *p);

/** parse_end - expect the end of the text; Errors: -ERR_VALIDATION: the first fault, or too many operators */
int parse_end(struct parser *p) must_check;

/** parse_projection - parse a projection: path {, path}; Errors: -ERR_VALIDATION  size, syntax */
int parse_projection(struct call *c, struct slice text, struct path **paths, size_t *n) must_check;

#endif
