/*
 * allowance - limits on what a mount of an endpoint consumes: rate= and max_read=
 *
 * The limits are engines around the endpoint's engine (store/engine/rate.h).  With rate=, each request waits for its
 * turn.  With max_read=, reads that can be interrupted (lookups, listings, READs, generated files) wait when the units
 * of the minute are used up.  Reads that a write depends on do not wait, because they hold locks, but they are counted.
 */
#ifndef FS_DAEMON_ALLOWANCE_H
#define FS_DAEMON_ALLOWANCE_H

#include "store/engine/engine.h"

struct options;

enum { ALLOWANCE_FAR_UNITS = 3000 }; /* default of max_read= for far endpoints */

/** allowance_check - check rate=.  Errors: -ERR_VALIDATION */
int allowance_check(struct call *c, const struct options *o) must_check;

/**
 * allowance_open - wrap @below in the engines that the options need; takes @below over
 *
 * The origin of a call is its mount or NULL.  While a call waits, the mount's loop has one more thread.
 */
struct engine *allowance_open(struct engine *below, const struct options *o);

/** allowance_backoff_ms - milliseconds for which a request that failed temporarily is repeated */
unsigned allowance_backoff_ms(const struct options *o);

/** allowance_max_read - limit of read units per minute; 0: no limit */
unsigned allowance_max_read(const struct options *o);

#endif
