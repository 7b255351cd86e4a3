/* expr_check - checks that do not depend on placeholders: functions, reserved words, indexes */
#ifndef STORE_EXPR_EXPR_CHECK_H
#define STORE_EXPR_EXPR_CHECK_H

#include "store/expr/ast.h"

/**
 * check_condition - check a condition, or the value that an update sets, and fill in functions and indexes
 *
 * Errors:  -ERR_VALIDATION  unknown functions, a function as an operand or size() as a condition,
 *                           reserved words, indexes out of range, paths over 32 levels; the
 *                           leftmost fault is reported
 */
int check_condition(struct call *c, enum expr_kind kind, struct node *n) must_check;

/** function_find - the function called @name; FUNCTION_NONE if there is none */
enum function function_find(struct slice name);

/** check_path - as check_condition(), for one path of a projection or update */
int check_path(struct call *c, enum expr_kind kind, struct path *p) must_check;

#endif
