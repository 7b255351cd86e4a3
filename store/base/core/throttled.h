/*
 * throttled - the reasons why a request was throttled (ThrottlingReasons, which the service reports since August 2025)
 *
 * A reason is one word of three parts: "Table" or "Index", "Read" or "Write", and the limit:
 *   ProvisionedThroughputExceeded  the units of a table or GSI
 *   KeyRangeThroughputExceeded     the units of one partition key
 *   MaxOnDemandThroughputExceeded  the maximum that the table's owner set
 *   AccountLimitExceeded           the limit of the account
 * The resource is the ARN of the table or of the index.
 *
 * Source: API_ThrottlingReason of the API reference; "Diagnosing throttling" of the developer guide
 */
#ifndef STORE_BASE_CORE_THROTTLED_H
#define STORE_BASE_CORE_THROTTLED_H

#include "store/base/core/slice.h"

struct buf;

enum { THROTTLED_MAX = 100 }; /* reasons kept per request: no request has more items */

struct throttled_why {
	struct slice reason;
	struct slice resource; /* may be empty in the answer of an endpoint */
};

/* Different reasons, in the order in which they were added; the array is in an arena. */
struct throttled {
	const struct throttled_why *at;
	size_t n;
	size_t cap;
};

/** throttled_add - add @why, whose bytes are borrowed; does nothing if @t contains it or has THROTTLED_MAX reasons */
void throttled_add(struct arena *a, struct throttled *t, struct throttled_why why);

/** throttled_add_all - add each reason of @more, as throttled_add() */
void throttled_add_all(struct arena *a, struct throttled *t, const struct throttled *more);

/** throttled_copy - copy @t and the bytes that it points to */
struct throttled throttled_copy(struct arena *a, const struct throttled *t);

/** throttled_put - append " (REASON: RESOURCE, ...)", escaped and cut to one line; appends nothing if @t is empty */
void throttled_put(struct buf *out, const struct throttled *t);

#endif
