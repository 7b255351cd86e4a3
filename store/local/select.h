/*
 * select - what Query and Scan have in common before they read: expressions bound, attributes chosen
 */
#ifndef STORE_LOCAL_SELECT_H
#define STORE_LOCAL_SELECT_H

#include "store/local/page.h"

/* The common part of query_in and scan_in. */
struct select_request {
	struct slice table;
	struct slice index;
	bool query;                 /* else a scan */
	struct slice key_condition; /* query only */
	struct slice filter;
	struct slice projection;
	const struct placeholders *ph;
	enum select select;
	bool consistent;
	uint32_t limit;
};

struct select_bound {
	const struct schema *schema;
	const struct index *ix;
	struct keycond condition; /* query only */
	struct page_spec spec;
};

/**
 * select_bind - schema, expressions and attributes of a request
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX, -ERR_VALIDATION
 * Source:  behaviour list 4.4, 4.7, 14, 15.A, 15.B.3, 15.C
 */
int select_bind(struct local *l, struct call *c, const struct select_request *in,
		struct select_bound *out) __attribute__((warn_unused_result));

#endif
