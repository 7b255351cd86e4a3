/* statement_execute - binding and execution of PartiQL statements, shared by the three operations of the room */
#ifndef STORE_LOCAL_PARTIQL_STATEMENT_EXECUTE_H
#define STORE_LOCAL_PARTIQL_STATEMENT_EXECUTE_H

#include "store/local/records/local_int.h"
#include "store/partiql/translate.h"

struct bound_statement {
	struct statement st;
	const struct schema *schema;
	const struct index *ix; /* NULL: the table itself */
	bool absent;            /* the statement is valid, but its table does not exist */
	bool multiple; /* a partition key or sort key of the index has several attributes */
};

/**
 * statement_bind - parse a statement and find its table
 *
 * Errors:  -ERR_VALIDATION, -ERR_NO_TABLE, -ERR_NO_INDEX
 */
int statement_bind(struct local *l, struct call *c, const struct parameterized *p,
		   struct bound_statement *out) must_check;

/** statement_spelled - the text and the parameters of a statement as one text, for digests; Memory: call's arena */
struct slice statement_spelled(struct call *c, const struct parameterized *p);

/** statement_fail_exists - fail because EXISTS is not allowed here; Return: -ERR_VALIDATION */
int statement_fail_exists(struct call *c) must_check;

/** statement_reason - the message for a statement whose operation failed with @message; both end in a NUL */
struct slice statement_reason(struct slice message);

/* The answer of a translated operation. */
struct statement_done {
	const struct item *item; /* the item that was read or had to be returned; NULL: none */
	struct consumed_list consumed;
};

/**
 * statement_run - run a translated operation
 * @op:       PutItem, UpdateItem, DeleteItem or GetItem
 * @capacity: set in @op
 *
 * Errors:  -ERR_DUPLICATE  INSERT: the item exists;  those of the operation
 */
int statement_run(struct local *l, struct call *c, const struct bound_statement *b,
		  struct op_in *op, enum capacity_level capacity, struct statement_done *out)
	must_check;

/**
 * statement_select - run one page of a SELECT: statement_select.c
 *
 * Errors:  -ERR_VALIDATION, -ERR_IO, -ERR_CORRUPT
 */
int statement_select(struct local *l, struct call *c, const struct bound_statement *b,
		     const struct execute_statement_in *in, struct execute_statement_out *out)
	must_check;

#endif
