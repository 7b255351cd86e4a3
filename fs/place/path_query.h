/*
 * path_query - the engine's requests for a chain of clauses, and the test whether an item is in the result
 *
 * One Query for each collection; one Scan for a table with a simple key, and for a whole table or index.
 */
#ifndef FS_PLACE_PATH_QUERY_H
#define FS_PLACE_PATH_QUERY_H

#include "store/expr/inline.h"

#include "fs/place/place.h"

struct query {
	struct op_in *requests; /* OP_QUERY or OP_SCAN, without limit, start and view */
	size_t n;
	struct inline_request expressions; /* of all requests, for messages */
};

enum query_wants { QUERY_ITEMS, QUERY_KEYS };

/**
 * query_make - build the requests of a query
 * @p:     a QUERY whose chain is complete, or the place of a TERMINAL or PARTITION
 * @wants: QUERY_KEYS requests only the attributes that name an entry
 *
 * The caller applies the limit.
 * Return:  0, PLACE_ABSENT for a shortened partition name without a key, or an error
 * Errors:  -ERR_VALIDATION  a value that is not of the key's type, a text that is no expression
 */
int query_make(const struct mount *m, struct call *c, const struct place *p, enum query_wants wants,
	       struct query *out) must_check;

/** query_say - replace placeholders in the engine's message in @c by the text that the user typed */
void query_say(struct call *c, const struct place *p, const struct query *q);

/** query_page - run a request of query_make(); Errors: the engine's, with the user's text in the message */
int query_page(struct mount *m, struct call *c, const struct place *p, const struct query *q,
	       const struct op_in *in, struct page *out) must_check;

/** query_check - run the query with limit 1 to see whether the engine accepts it; Errors: as query_page() */
int query_check(struct mount *m, struct call *c, const struct place *p) must_check;

/**
 * query_holds - test whether an item or entry is in the result of the query, apart from the limit
 * @it: as the table or index has it; if it is in the result, its projection replaces it
 *
 * Return: 1, 0, or an error as of query_make()
 */
int query_holds(struct call *c, const struct place *p, struct item *it) must_check;

#endif
