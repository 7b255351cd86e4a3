/* expr_check - what no placeholder can mend: functions in the wrong place, reserved words, indexes */
#ifndef STORE_EXPR_EXPR_CHECK_H
#define STORE_EXPR_EXPR_CHECK_H

#include "store/expr/ast.h"

/**
 * check_condition - of a condition or of what an update sets: fill in functions and indexes, refuse what is wrong
 *
 * Errors:  -ERR_VALIDATION  unknown functions, a function as an operand or size() as a condition,
 *                           reserved words, indexes out of range, paths over 32 levels; the
 *                           leftmost fault is reported
 */
int check_condition(struct call *c, enum expr_kind kind, struct node *n)
	__attribute__((warn_unused_result));

/** function_find - the function called @name; FUNCTION_NONE when there is none */
enum function function_find(struct slice name);

/** check_path - the same for one path of a projection or update */
int check_path(struct call *c, enum expr_kind kind, struct path *p)
	__attribute__((warn_unused_result));

#endif
