/*
 * shared - engine for a store that another process owns: a client of that process or, when it has
 * ended, of the next owner
 *
 * A request is repeated only if the old owner cannot have executed it (-ERR_GONE of a client).  A change
 * whose outcome is unknown keeps its error.
 */
#ifndef STORE_SHARED_H
#define STORE_SHARED_H

#include "store/engine/engine.h"

/**
 * shared_open_fn - open the store, as a client or as its owner
 * @until_ms: deadline on clock_steady_ms() for waiting for an owner that starts or ends
 */
typedef int shared_open_fn(struct call *c, const char *dir, uint64_t until_ms, struct engine **out);

/**
 * shared_new - create an engine around @now, which it closes
 * @open: opens the store again when the owner has ended, within TIMING_OPEN
 *
 * Thread: any number of threads at once; they share the engine
 */
struct engine *shared_new(const char *dir, struct engine *now, shared_open_fn *open);

#endif
