/* ranges - long work of the background on ranges of keys, which can be stopped on the way */
#ifndef STORE_LOCAL_RANGES_H
#define STORE_LOCAL_RANGES_H

#include <stdatomic.h>

#include "store/local/local_int.h"

/* So many deletes make a range worth compacting: tombstones make seeks slow. */
enum { RANGES_COMPACT_AFTER = 50000 };

/**
 * ranges_delete - delete the keys that begin with @prefix; of tokens, those expired at @now_ms
 * @stop: looked at between two batches
 *
 * Where many are deleted, each piece is compacted at once.
 * Return:  0;  1: told to stop
 * Errors:  those of txn_run();  -ERR_IO, -ERR_CORRUPT
 */
int ranges_delete(struct local *l, const atomic_bool *stop, struct slice prefix, uint64_t now_ms);

/** ranges_compact - compact from @from to @to in pieces; @stop is looked at between two */
void ranges_compact(struct local *l, const atomic_bool *stop, struct slice from, struct slice to);

#endif
