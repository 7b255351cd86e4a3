/*
 * backoff - exponential pauses between tries of an operation that failed temporarily
 *
 *   struct backoff b = backoff_start(most_ms);
 *   while ((r = ...) < 0 && backoff_passes(r) && backoff_plan(&b)) {
 *           backoff_pause(&b, c) or other work until backoff_is_due(&b)
 *   }
 */
#ifndef FS_CORE_BACKOFF_H
#define FS_CORE_BACKOFF_H

#include "store/base/core/base.h"

/* Times are of clock_steady_ms(). */
struct backoff {
	uint64_t until_ms; /* no try is planned from then on */
	uint64_t next_ms;  /* time of the next try */
	unsigned pause_ms; /* its longest pause; doubles with each try, up to half a second */
};

/** backoff_start - begin; no try is planned after @most_ms from now */
struct backoff backoff_start(unsigned most_ms);

/**
 * backoff_passes - Return: whether the error is temporary: throttling, a conflict, a busy server
 *
 * No part of the operation has been carried out then.
 */
bool backoff_passes(int r);

/** backoff_plan - plan another try after a failure; false: the time is over */
bool backoff_plan(struct backoff *b);

/** backoff_is_due - Return: whether the time of the planned try has come */
bool backoff_is_due(const struct backoff *b);

/** backoff_pause - wait for that time; false: the call was given up meanwhile */
bool backoff_pause(const struct backoff *b, const struct call *c);

#endif
