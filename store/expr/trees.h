/*
 * trees - expressions that another language has parsed (store/partiql)
 *
 * A request whose placeholders point here has no use for its texts: only whether
 * one is there is looked at.  Names and values stand in the trees themselves; they are
 * checked and bound as those of a text are, and messages do not name an expression.
 */
#ifndef STORE_EXPR_TREES_H
#define STORE_EXPR_TREES_H

#include "store/expr/update.h"

struct trees {
	struct node *condition;  /* or filter; NULL: none */
	struct path *projection; /* paths; NULL: everything */
	size_t n_projection;
	struct clause *clause; /* of an update */
	struct path *target;   /* of each clause */
	size_t n_clauses;
};

/** keycond_op_of - what @n, with its operands turned or not, can say of a sort key */
enum keycond_op keycond_op_of(const struct node *n, bool turned);

/** trees_fail - @r, the message without the expression's name that it begins with */
int trees_fail(struct call *c, enum expr_kind kind, int r);

#endif
