/* select - preparation of a Query or Scan: bound expressions, selected attributes, admission and payment */
#ifndef STORE_LOCAL_READ_SELECT_H
#define STORE_LOCAL_READ_SELECT_H

#include "store/local/meter/throttle.h"
#include "store/local/read/read_page.h"

struct select_bound {
	const struct schema *schema;
	const struct index *ix;
	struct keycond condition; /* query only */
	struct page_spec spec;
	struct throttle_place place; /* set by select_admit() */
};

/** select_starts - whether the request has an ExclusiveStartKey, which may be empty: that is an error */
static inline bool
select_starts(const struct read_in *in)
{
	return in->has_start || in->start.n > 0;
}

/**
 * select_bind - bind the expressions and the schema of a request
 * @in:    the common part of Query and Scan; must live as long as @out
 * @query: the Query that @in is a part of; NULL: a Scan
 *
 * After it the caller checks the start key, and then calls select_check().
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX, -ERR_VALIDATION
 * Source:  BEHAVIOUR 4.4, 4.7, 14, A, B.3, C
 */
int select_bind(struct local *l, struct call *c, const struct read_in *in,
		const struct query_in *query, struct select_bound *out) must_check;

/** select_check_all - check that a GSI holds all attributes, if they are requested; Errors: -ERR_VALIDATION */
int select_check_all(struct call *c, const struct read_in *in, const struct select_bound *b)
	must_check;

/* What is read.  The filter of a SELECT, and of a Scan of a global index, gets the entries of the index. */
enum select_of { SELECT_OF_QUERY, SELECT_OF_SCAN, SELECT_OF_STATEMENT };

/**
 * select_check - check the expressions against the schema, and that the index holds the attributes in them
 * @b: its page_spec is completed
 *
 * Errors:  -ERR_VALIDATION
 */
int select_check(struct call *c, const struct read_in *in, enum select_of of,
		 struct select_bound *b) must_check;

/**
 * select_admit - check that something is left of the budgets, and set b->place
 * @now: the current schema of the table, for a read that takes a long time; NULL: the schema that was bound
 * @k:   values of the partition key; NULL: a scan
 *
 * Errors:  as throttle_admit()
 */
int select_admit(struct local *l, struct call *c, struct select_bound *b, const struct schema *now,
		 const struct key_values *k) must_check;

/** select_pay - pay for @read, after select_admit(); Return: the consumed capacity, empty unless @in asks for it */
struct consumed_list select_pay(struct local *l, struct call *c, const struct read_in *in,
				const struct select_bound *b, const struct page_sum *read);

#endif
