/*
 * kv_sorted - reads many keys in ascending order
 *
 * Each look-up of LevelDB starts again in memory and in each level. A cursor needs only a few steps to a key close by.
 * If the keys are far apart, look-ups are faster: a cursor that seeks reads a block of every level, but a look-up asks
 * the filters first.
 */
#ifndef STORE_KV_KV_SORTED_H
#define STORE_KV_KV_SORTED_H

#include "store/kv/kv.h"

/* To begin, set kv and zero the rest. */
struct kv_sorted {
	struct kv *kv;
	struct kv_cursor *cur; /* NULL: not needed yet */
	unsigned sought;       /* number of keys that steps did not reach */
	unsigned stepped;      /* number of keys that steps reached */
};

/**
 * kv_sorted_get - read one key as kv_get() does; no key may be less than the one before
 *
 * It may see the state at the first call, or a newer one. The results are only valid if kv_sorted_end() returns 0,
 * because a block that cannot be read hides its keys.
 */
int kv_sorted_get(struct kv_sorted *n, struct call *c, struct slice key, struct buf *out)
	must_check;

/** kv_sorted_end - free the cursor; call it in any case; Errors: -ERR_IO, -ERR_CORRUPT if results are not valid */
int kv_sorted_end(struct kv_sorted *n, struct call *c) must_check;

#endif
