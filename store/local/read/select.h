/*
 * select - what Query and Scan have in common before they read: expressions bound, attributes chosen
 */
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

/** select_starts - does the request name a place to go on?  An empty one is a fault. */
static inline bool
select_starts(const struct read_in *in)
{
	return in->has_start || in->start.n > 0;
}

/**
 * select_bind - expressions and schema of a request
 * @in:    what is read
 * @query: the Query that @in is a part of; NULL: a Scan
 *
 * Next, where a Query begins is judged, and then select_check() is to be called.
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX, -ERR_VALIDATION
 * Source:  BEHAVIOUR 4.4, 4.7, 14, A, B.3, C
 */
int select_bind(struct local *l, struct call *c, const struct read_in *in,
		const struct query_in *query, struct select_bound *out)
	__attribute__((warn_unused_result));

/** select_check_all - all attributes of a GSI: does it hold them? */
int select_check_all(struct call *c, const struct read_in *in, const struct select_bound *b)
	__attribute__((warn_unused_result));

/**
 * select_check - may the expressions ask this of the table, and does the index hold what they want?
 *
 * Errors:  -ERR_VALIDATION
 */
int select_check(struct call *c, const struct read_in *in, bool query, struct select_bound *b)
	__attribute__((warn_unused_result));

/** select_check_statement - likewise of a SELECT, whose filter sees what the index holds, and nothing else */
int select_check_statement(struct call *c, const struct read_in *in, struct select_bound *b)
	__attribute__((warn_unused_result));

/**
 * select_admit - may it be read now?  Errors: as throttle_admit()
 * @now: the table as it is now, for what is read over a longer time; NULL: as it was bound
 * @k:   values of the partition key; NULL: a scan
 */
int select_admit(struct local *l, struct call *c, struct select_bound *b, const struct schema *now,
		 const struct key_values *k) __attribute__((warn_unused_result));

/** select_pay - for the page that was read; told if @in asks for it */
struct consumed_list select_pay(struct local *l, struct call *c, const struct read_in *in,
				const struct select_bound *b, const struct page_sum *read);

#endif
