/*
 * plan - which run of keys a read looks at
 *
 * Pure: schema and condition in, two keys out.
 */
#ifndef STORE_LOCAL_READ_PLAN_H
#define STORE_LOCAL_READ_PLAN_H

#include "store/expr/expr.h"
#include "store/local/records/keyspace.h"

/* Invariant: lo and hi lie in the key range of (schema, ix); lo >= hi is an empty run. */
struct plan {
	const struct schema *schema;
	const struct index *ix; /* NULL: the table itself */
	struct slice lo;        /* keys from this one on, */
	struct slice hi;        /* before this one */
	bool backward;
};

/** plan_whole - every item of a table or entry of an index */
void plan_whole(struct call *c, const struct schema *s, const struct index *ix, struct plan *out);

/** plan_collection - the items of one collection that fulfil a key condition */
void plan_collection(struct call *c, const struct schema *s, const struct index *ix,
		     const struct keycond *k, struct plan *out);

/**
 * plan_start - go on behind the place that ExclusiveStartKey names; it need not exist
 * @k: the query's key condition; NULL for a scan
 *
 * Errors:  -ERR_VALIDATION  not the key attributes of table and index, or a place outside the run
 * Source:  BEHAVIOUR 12.9
 */
int plan_start(struct call *c, struct plan *p, const struct keycond *k, const struct item *start)
	__attribute__((warn_unused_result));

#endif
