/* ranges - deletion and compaction of ranges of keys in pieces, for background tasks */
#ifndef STORE_LOCAL_JOBS_RANGES_H
#define STORE_LOCAL_JOBS_RANGES_H

#include "store/local/records/local_int.h"
#include "store/local/records/time_slice.h"

/* A range with this many deletes is worth compacting: tombstones make seeks slow. */
enum { RANGES_COMPACT_AFTER = 50000 };

enum ranges_outcome { RANGES_MORE = 1 };

/* The progress of a deletion; all zero: it has not begun. */
struct ranges_walk {
	unsigned space;   /* index of the letter whose keys are next */
	struct buf place; /* the next key; on the heap */
	struct buf from;  /* start of the range that was deleted but not compacted; on the heap */
	uint64_t keys;    /* number of keys deleted in that range */
	uint64_t bytes;   /* of these keys and their values */
};

/* Set *@dead if the key with the value @record may be deleted at @now_ms.  Errors: -ERR_CORRUPT */
typedef int ranges_dead_fn(struct call *c, struct slice record, uint64_t now_ms, bool *dead);

/** ranges_walk_release - free the memory of @w */
void ranges_walk_release(struct ranges_walk *w);

/**
 * ranges_delete - delete the keys that begin with a letter of @spaces, followed by @head
 * @is_dead: called in the leader's thread before each deletion, with @now_ms; NULL: all keys are deleted
 * @w:       all zero at the first call, then as the last call left it
 *
 * If many keys are deleted, each piece is compacted immediately, which ends the time slice.
 * Return:  0;  RANGES_MORE: the time slice is over
 * Errors:  those of txn_run();  -ERR_IO, -ERR_CORRUPT
 */
int ranges_delete(struct local *l, const struct time_slice *time_slice, const char *spaces,
		  struct slice head, ranges_dead_fn *is_dead, uint64_t now_ms,
		  struct ranges_walk *w) __attribute__((warn_unused_result));

/**
 * ranges_compact - compact one piece of the range from @from to @to
 * @from: set to the end of the piece
 *
 * Return:  0;  RANGES_MORE: the piece ended before @to
 * Errors:  -ERR_NO_SPACE  too little disk space for a compaction
 */
int ranges_compact(struct local *l, struct call *c, struct buf *from, struct slice to)
	__attribute__((warn_unused_result));

#endif
