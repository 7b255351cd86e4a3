/*
 * path_query - the requests of the engine that a chain of clauses stands for, and whether an item is among
 * what it asks for
 *
 * One Query for each collection; of a table with a simple key, and of a whole table or index, one Scan.
 */
#ifndef FS_PLACE_PATH_QUERY_H
#define FS_PLACE_PATH_QUERY_H

#include "store/expr/inline.h"

#include "fs/place/place.h"

struct query {
	struct op_in *requests; /* OP_QUERY or OP_SCAN, without limit, start and view */
	size_t n;
	struct inline_request expressions; /* of all of them, for messages */
};

enum query_wants { QUERY_ITEMS, QUERY_KEYS };

/**
 * query_make - @p: a QUERY whose chain is complete, or what a TERMINAL or PARTITION stands for
 * @wants: QUERY_KEYS asks for the attributes that name an entry only
 *
 * The limit is the caller's to see to.
 * Return:  0, PLACE_ABSENT for a shortened partition key of nothing, or an error
 * Errors:  -ERR_VALIDATION  a value that is not of the key's type, a text that is no expression
 */
int query_make(const struct mount *m, struct call *c, const struct place *p, enum query_wants wants,
	       struct query *out) __attribute__((warn_unused_result));

/** query_read - the part of a request that Query and Scan have in common */
struct read_in *query_read(struct op_in *request);

/** query_say - the engine's message in @c names placeholders: put what the user typed in their place */
void query_say(struct call *c, const struct place *p, const struct query *q);

/** query_page - run a request of query_make(); Errors: the engine's, in the user's words */
int query_page(struct mount *m, struct call *c, const struct place *p, const struct query *q,
	       const struct op_in *in, struct page *out) __attribute__((warn_unused_result));

/** query_check - does the engine take it?  Errors: as query_page() */
int query_check(struct mount *m, struct call *c, const struct place *p)
	__attribute__((warn_unused_result));

/**
 * query_holds - is an item or entry in what the chain asks for? The limit is not looked at
 * @it: as the table or index has it; becomes what the chain shows of it
 *
 * Return: 1, 0, or an error as of query_make()
 */
int query_holds(struct call *c, const struct place *p, struct item *it)
	__attribute__((warn_unused_result));

#endif
