/* legacy_int - nodes that conditions and updates of attributes share */
#ifndef STORE_EXPR_LEGACY_INT_H
#define STORE_EXPR_LEGACY_INT_H

#include "store/expr/bind.h"

/* A path of one step, whatever characters @name has. */
struct path legacy_path(struct call *c, struct slice name);

/* Bound nodes; @b of a call may be NULL. */
struct node *legacy_attribute(struct call *c, struct slice name);
struct node *legacy_value(struct call *c, const struct value *v);
struct node *legacy_call(struct call *c, enum function f, struct node *a, struct node *b);

#endif
