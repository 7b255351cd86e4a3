/* ranges - long work of the background on ranges of keys, a turn after another */
#ifndef STORE_LOCAL_JOBS_RANGES_H
#define STORE_LOCAL_JOBS_RANGES_H

#include "store/local/records/local_int.h"
#include "store/local/records/turn.h"

/* So many deletes make a range worth compacting: tombstones make seeks slow. */
enum { RANGES_COMPACT_AFTER = 50000 };

enum ranges_outcome { RANGES_MORE = 1 };

/* Where a deletion has come to; all zero: it has not begun. */
struct ranges_walk {
	unsigned space;   /* the letter whose keys are next */
	struct buf place; /* the next key; on the heap */
	struct buf from;  /* what was deleted from here on is not compacted yet; likewise */
	uint64_t keys;    /* so many */
	uint64_t bytes;   /* keys and values */
};

/* Sets *@dead: may what @record holds be deleted at @now_ms?  Errors: -ERR_CORRUPT */
typedef int ranges_dead_fn(struct call *c, struct slice record, uint64_t now_ms, bool *dead);

void ranges_walk_release(struct ranges_walk *w);

/**
 * ranges_delete - delete the keys that begin with a letter of @spaces and @head
 * @is_dead: asked of each when it is deleted, with @now_ms; NULL: all of them go
 *
 * Where many are deleted, each piece is compacted at once, which ends the turn.
 * Return:  0;  RANGES_MORE: the turn is over
 * Errors:  those of txn_run();  -ERR_IO, -ERR_CORRUPT
 */
int ranges_delete(struct local *l, const struct turn *turn, const char *spaces, struct slice head,
		  ranges_dead_fn *is_dead, uint64_t now_ms, struct ranges_walk *w)
	__attribute__((warn_unused_result));

/**
 * ranges_compact - compact from @from, which moves, to @to: one piece
 *
 * Return:  0;  RANGES_MORE
 * Errors:  -ERR_NO_SPACE  the disk has no room for it
 */
int ranges_compact(struct local *l, struct call *c, struct buf *from, struct slice to)
	__attribute__((warn_unused_result));

#endif
