/*
 * sweeper - a thread that deletes expired items with Sweep operations
 *
 * It asks the engine for one page of a sweep at a time and rests between pages.
 */
#ifndef STORE_ENGINE_SWEEPER_H
#define STORE_ENGINE_SWEEPER_H

#include "store/engine/engine.h"

struct sweeper;

struct sweeper_options {
	uint64_t (*now_ms)(void); /* Unix time; NULL: the system's */
	uint64_t every_ms;        /* between two sweeps; 0: no sweeps; or SWEEPER_BY_COST */
	/* Called in the sweeper's thread when a sweep failed; the next one starts from the beginning. May be NULL. */
	void (*failed)(const struct error *e);
};

/* The default interval: 2 seconds, and up to a minute if a sweep takes longer than 20 ms. */
#define SWEEPER_BY_COST UINT64_MAX

/**
 * sweeper_start - start the thread, which first waits for one interval
 * @e: stays open until sweeper_stop()
 * @o: copied
 *
 * Errors:  -ERR_IO  the thread cannot be started
 */
int sweeper_start(struct call *c, struct engine *e, const struct sweeper_options *o,
		  struct sweeper **out) must_check;

/** sweeper_every - change the interval; 0: no sweeps */
void sweeper_every(struct sweeper *s, uint64_t every_ms);

/** sweeper_stop - wait for the present page, stop the thread and free; @s may be NULL */
void sweeper_stop(struct sweeper *s);

#endif
