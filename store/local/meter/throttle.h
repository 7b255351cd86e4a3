/*
 * throttle - may a request consume capacity now?  For tables with that setting
 *
 * Budgets of units:
 *   a PROVISIONED table, and each GSI of it: its units a second; what is unused is kept for 300 s
 *   each partition key of a table or GSI:    3,000 units of reading, 1,000 of writing a second
 *
 * A request is let in as long as something is left of every budget that it draws on, and pays when its
 * cost is known.  So the last one may overdraw a budget, and who comes then waits the longer.
 *
 * Partition keys are hashed to a fixed number of partitions, so memory is bounded; two keys
 * that meet in one share its budget, as they may in DynamoDB.  Nothing of this is stored.
 *
 * Source: BEHAVIOUR 5.6, 5.7, 5.9
 */
#ifndef STORE_LOCAL_METER_THROTTLE_H
#define STORE_LOCAL_METER_THROTTLE_H

#include "store/base/core/call.h"
#include "store/model/schema.h"

struct throttle;

enum throttle_kind { THROTTLE_READ, THROTTLE_WRITE };

/* What a request draws on. */
struct throttle_place {
	const struct schema *schema;
	const struct index *ix;  /* NULL or a local index: the table's budget */
	struct slice collection; /* keyspace_partition(); empty: a scan, of all of them */
	enum throttle_kind kind;
};

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t);

/**
 * throttle_admit - is something left?  Always so in a table without the setting
 *
 * The error names the budget that is spent, and whose it is; so does one more that follows another error.
 * Errors:  -ERR_THROTTLED; in a table without provisioned throughput -ERR_THROTTLED_ON_DEMAND
 * Thread:  any
 */
int throttle_admit(struct throttle *t, struct call *c, const struct throttle_place *place)
	__attribute__((warn_unused_result));

/** throttle_pay - take @halves of units; not in a table without the setting */
void throttle_pay(struct throttle *t, const struct call *c, const struct throttle_place *place,
		  uint64_t halves);

/** throttle_kept - how many budgets of tables and GSIs are remembered: some of those that are full are not */
size_t throttle_kept(struct throttle *t);

/** throttle_reason - the code of a transaction's reason, after throttle_admit() gave @r */
struct slice throttle_reason(int r);

#endif
