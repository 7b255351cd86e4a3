/*
 * sweeper - a thread that deletes expired items with Sweep operations
 *
 * It asks the engine for one page of a sweep at a time and rests between pages.
 */
#ifndef STORE_ENGINE_SWEEPER_H
#define STORE_ENGINE_SWEEPER_H

#include "store/engine/engine.h"

struct sweeper;

/* The default interval: 2 seconds, and up to a minute if a sweep takes longer than 20 ms. */
#define SWEEPER_BY_COST UINT64_MAX

/**
 * sweeper_start - start the thread, which first waits for one interval
 * @e:        stays open until sweeper_stop()
 * @every_ms: between two sweeps; 0: no sweeps; or SWEEPER_BY_COST
 * @failed:   called in the sweeper's thread when a sweep failed; the next one starts from the beginning
 *
 * Errors:  -ERR_IO  the thread cannot be started
 */
int sweeper_start(struct call *c, struct engine *e, uint64_t every_ms,
		  void (*failed)(const struct error *e), struct sweeper **out) must_check;

/** sweeper_every - change the interval; 0: no sweeps */
void sweeper_every(struct sweeper *s, uint64_t every_ms);

/** sweeper_stop - wait for the present page, stop the thread and free; @s may be NULL */
void sweeper_stop(struct sweeper *s);

#endif
