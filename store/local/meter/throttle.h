/*
 * throttle - admission of requests by their capacity budgets, for tables with the throttle setting
 *
 * Budgets of units:
 *   a PROVISIONED table, and each GSI of it: its units per second; unused ones are kept for 300 s
 *   each partition key of a table or GSI:    3,000 read units and 1,000 write units per second
 *
 * A request is admitted if something is left of every budget that it uses, and pays when its cost is known. So the last
 * admitted request may overdraw a budget; later ones then wait longer.
 *
 * Partition keys are hashed to a fixed number of buckets, so memory is bounded. Two keys in the same bucket share its
 * budget, as they may in DynamoDB. Budgets are not stored.
 *
 * Source: BEHAVIOUR 5.6, 5.7, 5.9
 */
#ifndef STORE_LOCAL_METER_THROTTLE_H
#define STORE_LOCAL_METER_THROTTLE_H

#include "store/model/schema.h"

struct throttle;

enum throttle_kind { THROTTLE_READ, THROTTLE_WRITE };

/* The budgets that a request uses. */
struct throttle_place {
	const struct schema *schema;
	const struct index *ix;  /* NULL or a local index: the table's budget */
	struct slice collection; /* keyspace_collection(); empty: all of them, for a scan */
	enum throttle_kind kind;
};

/** throttle_new - all budgets are full; free it with throttle_free() */
struct throttle *throttle_new(void);
void throttle_free(struct throttle *t);

/**
 * throttle_admit - check that something is left of the budgets; always true in a table without the setting
 *
 * The error names the budget that is exhausted and its table or index. If @c already has such an error, the new reason
 * is added to its reasons.
 * Errors:  -ERR_THROTTLED; in a table without provisioned throughput -ERR_THROTTLED_ON_DEMAND
 * Thread:  any
 */
int throttle_admit(struct throttle *t, struct call *c, const struct throttle_place *place)
	must_check;

/** throttle_pay - take @halves of units from the budgets; nothing in a table without the setting.  Thread: any */
void throttle_pay(struct throttle *t, const struct call *c, const struct throttle_place *place,
		  uint64_t halves);

/** throttle_kept - the number of budgets of tables and GSIs in memory; some full ones are not kept.  For tests */
size_t throttle_kept(struct throttle *t);

/** throttle_reason - the code of a transaction's cancellation reason; @r: an error of throttle_admit() */
struct slice throttle_reason(int r);

#endif
