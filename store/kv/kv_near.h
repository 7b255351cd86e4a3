/*
 * kv_near - many keys, read in ascending order
 *
 * A look-up of LevelDB begins anew each time, in memory and in each level.
 * From one key to another that lies close by, a cursor takes a few steps
 * instead.  Where they lie far apart, they are looked up after all: a cursor
 * that seeks reads a block of every level, a look-up asks the filters first.
 */
#ifndef STORE_KV_KV_NEAR_H
#define STORE_KV_KV_NEAR_H

#include "store/kv/kv.h"

/* Zero but for the kv. */
struct near {
	struct kv *kv;
	struct kv_cursor *cur; /* NULL: not needed yet, or any more */
	unsigned sought;       /* times that steps did not lead to the key */
	unsigned stepped;      /* times that they did */
};

/**
 * near_get - as kv_get() of the newest state; no key is less than the one before
 *
 * May see the state as it was at the first call.  What it answers is known to be true when
 * near_end() says so: a block that cannot be read hides what is in it.
 */
int near_get(struct near *n, struct call *c, struct slice key, struct buf *out)
	__attribute__((warn_unused_result));

/** near_end - to be called in any case;  Errors:  -ERR_IO, -ERR_CORRUPT */
int near_end(struct near *n, struct call *c) __attribute__((warn_unused_result));

#endif
