/*
 * statement - the parser of PartiQL statements
 *
 *   r = statement_parse(c, text, parameters, n, &st);
 *   r = translate_write(c, schema, &st, RETURN_NONE, &in);     translate.h: to an operation
 *
 * The parser does not need the tables.  Messages are those of DynamoDB Local, or of the service where it refuses
 * more than Local does.
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
	STATEMENT_EXISTS, /* condition of a transaction */
};

/* One attribute of ORDER BY. */
struct order {
	struct slice name;
	bool descending;
	size_t place; /* offset in the text */
};

struct statement {
	enum statement_kind kind;
	struct slice text;
	struct slice table;
	struct slice index;   /* of SELECT; empty: the table itself */
	struct item item;     /* of INSERT */
	struct trees trees;   /* condition of WHERE, list of SELECT, changes of UPDATE */
	struct slice *labels; /* of SELECT: names of the paths in the result */
	struct order *order;  /* of SELECT */
	size_t n_order;
	bool returns; /* the statement has RETURNING */
	bool late; /* the error is a deferred one: report a missing table first, as the service does */
	enum return_values returning;
};

/**
 * statement_parse - parse a statement
 * @parameters: the @n values of its question marks
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  a syntax error; the wrong number of parameters; something that DynamoDB's PartiQL does not
 *                           support.  With @out->late, table and index are set
 * Memory:  the call's arena; borrows @text and @parameters
 */
int statement_parse(struct call *c, struct slice text, const struct value *parameters, size_t n,
		    struct statement *out) must_check;

#endif
