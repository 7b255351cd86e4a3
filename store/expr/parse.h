/* parse - expression text to tree; nothing is known of placeholders and function names yet */
#ifndef STORE_EXPR_PARSE_H
#define STORE_EXPR_PARSE_H

#include "store/expr/ast.h"

/**
 * parse_condition - a condition, filter or key condition
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
	__attribute__((warn_unused_result));

/** parse_bare - a path, a value or a call: an operand without parentheses */
int parse_bare(struct parser *p, struct node **out) __attribute__((warn_unused_result));

/**
 * parse_value - what SET puts into an attribute
 *
 * Grammar:  value = sum | (value);  sum = operand [(+ | -) operand]
 */
int parse_value(struct parser *p, struct node **out) __attribute__((warn_unused_result));

/** parse_end - the text must end here; Errors: -ERR_VALIDATION  too many operators too */
int parse_end(struct parser *p) __attribute__((warn_unused_result));

/** parse_projection - path {, path}; Errors: as above */
int parse_projection(struct call *c, struct slice text, struct path **paths, size_t *n)
	__attribute__((warn_unused_result));

#endif
