/*
 * sweeper - deletes what has outlived its time to live, again and again, in a thread of its own
 *
 * Nobody waits for it: it asks the engine for one page of a sweep after the
 * other and rests between two of them.
 */
#ifndef STORE_ENGINE_SWEEPER_H
#define STORE_ENGINE_SWEEPER_H

#include "store/engine/engine.h"

struct sweeper;

struct sweeper_options {
	uint64_t (*now_ms)(void); /* Unix time; NULL: the system's */
	uint64_t every_ms; /* from the end of a sweep to the next one; 0: never; SWEEPER_BY_COST */
	/* A sweep has ended early; the next one begins anew.  In the sweeper's thread; may be NULL. */
	void (*failed)(const struct error *e);
};

/* Unless told otherwise: 2 seconds, and up to a minute where a sweep takes longer than 20 ms. */
#define SWEEPER_BY_COST UINT64_MAX

/**
 * sweeper_start - begin with a rest
 * @e: stays open until sweeper_stop()
 * @o: copied
 *
 * Errors:  -ERR_IO  no thread
 */
int sweeper_start(struct call *c, struct engine *e, const struct sweeper_options *o,
		  struct sweeper **out) __attribute__((warn_unused_result));

/** sweeper_every - another interval, from now on; 0: never */
void sweeper_every(struct sweeper *s, uint64_t every_ms);

/** sweeper_stop - wait for the page under way, end and free; NULL is harmless */
void sweeper_stop(struct sweeper *s);

#endif
