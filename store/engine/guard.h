/* guard - an engine around an engine that hands on what reads, and asks a function instead of what writes */
#ifndef STORE_ENGINE_GUARD_H
#define STORE_ENGINE_GUARD_H

#include "store/engine/engine.h"

/**
 * Carried out instead of an operation that writes, op_writes() says which; Sync is none of them
 * @arg:   as given
 * @below: reads may be asked of it
 *
 * Thread: any
 */
typedef int guard_fn(void *arg, struct engine *below, struct call *c, const struct op_in *in,
		     struct op_out *out);

/* Returned of a read: @below is to answer it. */
enum { GUARD_PASS = 1 };

/**
 * guard_open - @below is closed with it
 * @read: asked before what reads; NULL: nobody is
 * @arg:  stays the caller's
 */
struct engine *guard_open(struct engine *below, guard_fn *write, guard_fn *read, void *arg);

/** guard_refuse - each write fails with -ERR_GUARDED and the sentence @why, which is copied */
struct engine *guard_refuse(struct engine *below, const char *why);

#endif
