/*
 * throttled - why a request was throttled, as the service has told it since August 2025: ThrottlingReasons
 *
 * A reason is one word of three parts: "Table" or "Index", "Read" or "Write", and the limit:
 *   ProvisionedThroughputExceeded  the units of a table or GSI
 *   KeyRangeThroughputExceeded     of one partition key
 *   MaxOnDemandThroughputExceeded  what the table's owner allows; AccountLimitExceeded: the account's
 * The resource is the ARN of the table, or of the index.
 *
 * Source: API_ThrottlingReason of the API reference; "Diagnosing throttling" of the developer guide
 */
#ifndef STORE_BASE_CORE_THROTTLED_H
#define STORE_BASE_CORE_THROTTLED_H

#include "store/base/core/slice.h"

struct buf;

enum { THROTTLED_MAX = 100 }; /* reasons of one request that are kept: no request has more items */

struct throttled_why {
	struct slice reason;
	struct slice resource; /* may be empty: only of an endpoint's answer */
};

/* Each once, in the order in which they came; its array is in an arena. */
struct throttled {
	const struct throttled_why *at;
	size_t n;
	size_t cap;
};

/** throttled_add - one more, which is borrowed; nothing when it is there already, or when there are THROTTLED_MAX */
void throttled_add(struct arena *a, struct throttled *t, struct throttled_why why);

/** throttled_add_all - those of @more */
void throttled_add_all(struct arena *a, struct throttled *t, const struct throttled *more);

/** throttled_copy - with all that they point to */
struct throttled throttled_copy(struct arena *a, const struct throttled *t);

/** throttled_put - append " (REASON: RESOURCE, ...)", on one line and not too long whatever they hold; nothing of none */
void throttled_put(struct buf *out, const struct throttled *t);

#endif
