/*
 * statement - one PartiQL statement: text and parameters in, what it says out
 *
 *   r = statement_parse(c, text, parameters, n, &st);
 *   r = statement_write(c, schema, &st, RETURN_NONE, &in);     translate.h: to an operation
 *
 * Pure: nothing is known of tables here.  Messages are DynamoDB Local's; of what the
 * service forbids and Local does not, the service's.
 */
#ifndef STORE_PARTIQL_STATEMENT_H
#define STORE_PARTIQL_STATEMENT_H

#include "store/expr/trees.h"
#include "store/op/op.h"

enum statement_kind {
	STATEMENT_SELECT,
	STATEMENT_INSERT,
	STATEMENT_UPDATE,
	STATEMENT_DELETE,
	STATEMENT_EXISTS, /* of a transaction: a condition */
};

/* One attribute behind ORDER BY. */
struct order {
	struct slice name;
	bool descending;
	size_t place; /* in the text */
};

struct statement {
	enum statement_kind kind;
	struct slice text;
	struct slice table;
	struct slice index;   /* SELECT; empty: the table itself */
	struct item item;     /* INSERT */
	struct trees trees;   /* WHERE as a whole, what SELECT lists, what UPDATE does */
	struct slice *labels; /* SELECT: how the answer calls each path */
	struct order *order;  /* SELECT */
	size_t n_order;       /* how many */
	bool returns;         /* RETURNING was there */
	bool late; /* what is wrong is neither its syntax nor a literal: of a table that is not
				 there, or cannot be used, the service tells that first */
	enum return_values returning;
};

/**
 * statement_parse - read a statement
 * @parameters: what its question marks stand for, @n of them
 *
 * Errors:  -ERR_VALIDATION  syntax, with the place; another number of parameters; what DynamoDB's
 *                           PartiQL does not have: then table and index are known all the same
 * Memory:  in the call's arena; borrows @text and @parameters
 */
int statement_parse(struct call *c, struct slice text, const struct value *parameters, size_t n,
		    struct statement *out) __attribute__((warn_unused_result));

#endif
