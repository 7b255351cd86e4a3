/* statement_execute - PartiQL statements with the table they are about: what the three operations share */
#ifndef STORE_LOCAL_PARTIQL_STATEMENT_EXECUTE_H
#define STORE_LOCAL_PARTIQL_STATEMENT_EXECUTE_H

#include "store/local/records/local_int.h"
#include "store/partiql/translate.h"

struct bound_statement {
	struct statement st;
	const struct schema *schema;
	const struct index *ix; /* NULL: the table itself */
	bool absent;            /* the statement can be read, there is no such table */
	bool multiple;          /* the index has a key of several attributes */
};

/**
 * statement_bind - parse, and find the table
 *
 * Errors:  -ERR_VALIDATION, -ERR_NO_TABLE, -ERR_NO_INDEX
 */
int statement_bind(struct local *l, struct call *c, const struct parameterized *p,
		   struct bound_statement *out) __attribute__((warn_unused_result));

/** statement_spelled - the text and its parameters, for digests: other ones have another spelling */
struct slice statement_spelled(struct call *c, const struct parameterized *p);

/** statement_fail_exists - EXISTS where it may not stand: -ERR_VALIDATION */
int statement_fail_exists(struct call *c) __attribute__((warn_unused_result));

/** statement_reason - in which words a statement tells what UpdateItem refuses with @message; both end in a NUL */
struct slice statement_reason(struct slice message);

/* What a translated operation answered. */
struct statement_done {
	const struct item *item; /* what it read or was asked to return; NULL: nothing */
	struct consumed_list consumed;
};

/**
 * statement_run - run a translated operation
 * @op: capacity is asked for here
 *
 * Errors:  -ERR_DUPLICATE  INSERT; and the operation's own
 */
int statement_run(struct local *l, struct call *c, const struct bound_statement *b,
		  struct op_in *op, enum capacity_level capacity, struct statement_done *out)
	__attribute__((warn_unused_result));

/** statement_write_of - what PutItem, UpdateItem and DeleteItem have in common; NULL: another */
struct write_in *statement_write_of(struct op_in *op);

/**
 * statement_select - a page of a SELECT: statement_select.c
 *
 * Errors:  -ERR_VALIDATION, -ERR_IO, -ERR_CORRUPT
 */
int statement_select(struct local *l, struct call *c, const struct bound_statement *b,
		     const struct execute_statement_in *in, struct execute_statement_out *out)
	__attribute__((warn_unused_result));

/* Where a page of a SELECT goes on. */
struct next_page {
	size_t run;        /* in which of the runs of keys */
	struct item start; /* behind this place; n = 0: from the beginning */
};

/** next_page_encode - NextToken: good for the same statement with the same parameters */
struct slice next_page_encode(struct call *c, const struct parameterized *of,
			      const struct next_page *at);

/** next_page_decode - Errors: -ERR_VALIDATION  not made by next_page_encode() for @of */
int next_page_decode(struct call *c, const struct parameterized *of, struct slice token,
		     struct next_page *out) __attribute__((warn_unused_result));

#endif
