/*
 * backoff - when to try again what failed for now: after pauses, each twice as long
 *
 *   struct backoff b = backoff_start(most_ms);
 *   while ((r = ...) < 0 && backoff_passes(r) && backoff_plan(&b)) {
 *           backoff_pause(&b, c) or something else until backoff_is_due(&b)
 *   }
 */
#ifndef FS_CORE_BACKOFF_H
#define FS_CORE_BACKOFF_H

#include "store/base/core/call.h"

/* Times by clock_steady_ms(). */
struct backoff {
	uint64_t until_ms; /* from then on no try is planned any more */
	uint64_t next_ms;  /* the next try */
	unsigned pause_ms; /* before it, at most */
};

/** backoff_start - @most_ms: from now until no try is planned any more */
struct backoff backoff_start(unsigned most_ms);

/**
 * backoff_passes - is the failure one that passes by itself: throttling, a conflict, a busy server?
 *
 * Nothing of the operation has been carried out then.
 */
bool backoff_passes(int r);

/** backoff_plan - the try failed: plan another one; false: the time is over */
bool backoff_plan(struct backoff *b);

/** backoff_is_due - has the time of the planned try come? */
bool backoff_is_due(const struct backoff *b);

/** backoff_pause - wait for it; false: the call was given up meanwhile */
bool backoff_pause(const struct backoff *b, const struct call *c);

#endif
