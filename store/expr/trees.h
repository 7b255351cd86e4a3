/*
 * trees - expressions that arrive as trees instead of texts (store/partiql)
 *
 * If the placeholders of a request point to trees, its texts are ignored.  The trees
 * contain the names and values.  They are checked and bound like those of a text, but
 * messages do not name an expression.
 */
#ifndef STORE_EXPR_TREES_H
#define STORE_EXPR_TREES_H

#include "store/expr/update.h"

struct trees {
	struct node *condition;  /* condition or filter; NULL: none */
	struct path *projection; /* paths; NULL: everything */
	size_t n_projection;
	struct clause *clause; /* of an update */
	struct path *target;   /* the path of each clause */
	size_t n_clauses;      /* 0: no update */
};

/** keycond_op_of - operator of @n as a key condition, or KEYCOND_NONE; @turned: the operands are exchanged */
enum keycond_op keycond_op_of(const struct node *n, bool turned);

/** trees_fail - remove "Invalid FilterExpression: " from the message if @r < 0; Return: @r */
int trees_fail(struct call *c, enum expr_kind kind, int r);

#endif
