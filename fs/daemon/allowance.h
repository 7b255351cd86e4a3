/*
 * allowance - what a mount of an endpoint may consume: rate= and max_read=
 *
 * Engines around the endpoint's (store/engine/rate.h).  With rate= every request takes its turn.  With max_read= reads
 * that somebody can interrupt wait when the units of a minute are used up: look-ups, listings, READs, texts that are
 * made.  Reads that a write depends on hold locks, so they go on; they count all the same.
 */
#ifndef FS_DAEMON_ALLOWANCE_H
#define FS_DAEMON_ALLOWANCE_H

#include "store/engine/engine.h"

struct options;

enum { ALLOWANCE_FAR_UNITS = 3000 }; /* max_read= of DynamoDB and of what is not on loopback */

/** allowance_check - rate= and max_read= of the options; Errors: -ERR_VALIDATION */
int allowance_check(struct call *c, const struct options *o) __attribute__((warn_unused_result));

/** allowance_open - @below, or engines around it; calls whose origin is a mount are looked after there */
struct engine *allowance_open(struct engine *below, const struct options *o);

/** allowance_backoff_ms - how long a request is tried again that failed for now */
unsigned allowance_backoff_ms(const struct options *o);

/** allowance_max_read - units a minute; 0: no limit */
unsigned allowance_max_read(const struct options *o);

#endif
