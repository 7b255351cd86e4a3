/*
 * plan - the run of keys that a read must visit
 *
 * These are pure functions from a schema and a condition to two keys.
 */
#ifndef STORE_LOCAL_READ_PLAN_H
#define STORE_LOCAL_READ_PLAN_H

#include "store/expr/expr.h"
#include "store/local/records/keyspace.h"

/* Invariant: lo and hi lie in the key range of (schema, ix); lo >= hi is an empty run. */
struct plan {
	const struct schema *schema;
	const struct index *ix; /* NULL: the table itself */
	struct slice lo;        /* the first key, inclusive */
	struct slice hi;        /* the end, exclusive */
	bool backward;
};

/** plan_whole - plan a read of all items of a table or all entries of an index */
void plan_whole(struct call *c, const struct schema *s, const struct index *ix, struct plan *out);

/** plan_collection - plan a read of the items of one collection that satisfy a key condition */
void plan_collection(struct call *c, const struct schema *s, const struct index *ix,
		     const struct keycond *k, struct plan *out);

/**
 * plan_start - make a plan start after the key of ExclusiveStartKey, which need not exist
 * @k:     the query's key condition; NULL for a scan
 * @start: ExclusiveStartKey
 *
 * Errors:  -ERR_VALIDATION  not exactly the key attributes of table and index, or a key outside the run
 * Source:  BEHAVIOUR 12.9
 */
int plan_start(struct call *c, struct plan *p, const struct keycond *k, const struct item *start)
	must_check;

/** segment_of - the segment of an escaped partition key, by its hash; Return: 0 to @total - 1; @total > 0 */
uint32_t segment_of(struct slice partition, uint32_t total);

#endif
