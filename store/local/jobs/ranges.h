/* ranges - deletion and compaction of ranges of keys in pieces, for background tasks */
#ifndef STORE_LOCAL_JOBS_RANGES_H
#define STORE_LOCAL_JOBS_RANGES_H

#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/local/records/local_int.h"

/* How long a background task runs before another one has its turn. */
struct time_slice {
	const atomic_bool *stop; /* set when the store is being closed */
	uint64_t until_ms;       /* end of the time slice, on the steady clock */
};

/**
 * time_slice_over - whether the time slice has ended
 *
 * A task calls it between two steps, so each time slice has at least one step unless the store is being closed.
 */
static inline bool
time_slice_over(const struct time_slice *t)
{
	return atomic_load(t->stop) || clock_steady_ms() >= t->until_ms;
}

/* A range with this many deletes is worth compacting: tombstones make seeks slow. */
enum { RANGES_COMPACT_AFTER = 50000 };

enum ranges_outcome { RANGES_MORE = 1 };

/* Set *@dead if the key with the value @record may be deleted at @now_ms.  Errors: -ERR_CORRUPT */
typedef int ranges_dead_fn(struct call *c, struct slice record, uint64_t now_ms, bool *dead);

/* A deletion and its progress. The caller sets the first two fields, and the others to zero at first. */
struct ranges_walk {
	ranges_dead_fn *is_dead; /* called in the leader's thread; NULL: all keys are deleted */
	uint64_t now_ms;         /* for is_dead */
	unsigned space;          /* index of the letter whose keys are next */
	struct buf place;        /* the next key; on the heap */
	struct buf from; /* start of the range that was deleted but not compacted; on the heap */
	uint64_t keys;   /* number of keys deleted in that range */
	uint64_t bytes;  /* of these keys and their values */
};

/** ranges_walk_release - free the memory of @w */
void ranges_walk_release(struct ranges_walk *w);

/**
 * ranges_delete - delete the keys that begin with a letter of @spaces, followed by @head
 * @w: at the first call as described above, then as the last call left it
 *
 * If many keys are deleted, each piece is compacted immediately, which ends the time slice.
 * Return:  0;  RANGES_MORE: the time slice is over
 * Errors:  those of txn_run();  -ERR_IO, -ERR_CORRUPT
 */
int ranges_delete(struct local *l, const struct time_slice *time_slice, const char *spaces,
		  struct slice head, struct ranges_walk *w) must_check;

/**
 * ranges_compact - compact one piece of the range from @from to @to
 * @from: set to the end of the piece
 *
 * Return:  0;  RANGES_MORE: the piece ended before @to
 * Errors:  -ERR_NO_SPACE  too little disk space for a compaction
 */
int ranges_compact(struct local *l, struct call *c, struct buf *from, struct slice to) must_check;

#endif
