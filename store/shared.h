/*
 * shared - the engine of a store that another process owns: asked through its socket and, when that
 * process has ended, through whoever owns the store next
 *
 * Only what nobody can have carried out is carried on (-ERR_GONE of a client); a change whose fate is
 * not known keeps its error.
 */
#ifndef STORE_SHARED_H
#define STORE_SHARED_H

#include "store/engine/engine.h"

/**
 * The engine of the store, of a client or its own
 * @until_ms: of clock_steady_ms(); so long an owner that begins or ends may be waited for
 */
typedef int shared_open_fn(struct call *c, const char *dir, uint64_t until_ms, struct engine **out);

/**
 * shared_new - an engine around @now, which it closes
 * @wait_ms: from the end of an owner to the next one
 * @open:    finds the next one
 *
 * Thread: any number at once; they share the one that is found
 */
struct engine *shared_new(const char *dir, struct engine *now, unsigned wait_ms,
			  shared_open_fn *open);

#endif
