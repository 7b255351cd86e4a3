/* legacy_int - nodes and checks that conditions and updates of attributes share */
#ifndef STORE_EXPR_LEGACY_INT_H
#define STORE_EXPR_LEGACY_INT_H

#include "store/expr/bind.h"

/* A path of one step, whatever characters @name has. */
struct path legacy_path(struct call *c, struct slice name);

/* Bound nodes; @b of a call may be NULL. */
struct node *legacy_attribute(struct call *c, struct slice name);
struct node *legacy_value(struct call *c, const struct value *v);
struct node *legacy_call(struct call *c, enum function f, struct node *a, struct node *b);

/**
 * legacy_check_attribute - limits of names and of stored values
 * @v: NULL: only the name
 *
 * Errors:  -ERR_VALIDATION
 */
int legacy_check_attribute(struct call *c, struct slice name, const struct value *v)
	__attribute__((warn_unused_result));

#endif
