/* guard - an engine that passes reads on and calls a function in place of operations that write */
#ifndef STORE_ENGINE_GUARD_H
#define STORE_ENGINE_GUARD_H

#include "store/engine/engine.h"

/**
 * guard_fn - called in place of an operation that writes (op_writes(), except Sync), or before one that reads
 * @arg:   of guard_open()
 * @below: the wrapped engine, to read from
 *
 * Return: as engine_execute(); for a read also GUARD_PASS
 * Thread: any
 */
typedef int guard_fn(void *arg, struct engine *below, struct call *c, const struct op_in *in,
		     struct op_out *out);

/* The wrapped engine executes the read. */
enum { GUARD_PASS = 1 };

/**
 * guard_open - wrap an engine
 * @below: owned from here on; engine_close() closes both
 * @write: called in place of operations that write
 * @read:  called before operations that read, but not for passed requests, views and row streams; NULL: none
 * @arg:   borrowed until engine_close()
 */
struct engine *guard_open(struct engine *below, guard_fn *write, guard_fn *read, void *arg);

/** guard_refuse - wrap an engine so that each write fails with -ERR_GUARDED and the message @why, which is copied */
struct engine *guard_refuse(struct engine *below, const char *why);

#endif
