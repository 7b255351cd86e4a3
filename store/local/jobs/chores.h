/*
 * chores - what the store does in the background, in one thread
 *
 *   dropped tables   their ranges are deleted; resumed after a restart
 *   indexes          those that are added are filled, those that are dropped deleted; likewise
 *   compaction       of a key range in which many keys were deleted
 *   tokens           those of transactions long past are deleted
 *   streams          so are records older than a day
 *
 * Its writes go through the queue like everybody's.
 */
#ifndef STORE_LOCAL_JOBS_CHORES_H
#define STORE_LOCAL_JOBS_CHORES_H

#include "store/local/jobs/ranges.h"

struct chores;

/* An index of a table, both of which may be gone when it is looked for. */
struct index_name {
	struct slice table;
	uint32_t table_id;
	uint16_t id;
};

/* What this thread carries out in turns and knows nothing of. */
struct chores_work {
	int (*index)(struct local *l, const struct turn *turn, const struct index_name *name,
		     struct ranges_walk *w); /* index_job_run() */
	bool (*trim)(struct local *l, struct chores *ch, const struct turn *turn,
		     uint64_t now_ms); /* stream_trim() */
	ranges_dead_fn *token;         /* token_dead() */
};

/**
 * chores_new - start the thread; takes up what an earlier process left
 * @work: copied
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT  reading what is left
 */
int chores_new(struct call *c, struct local *l, const struct chores_work *work, struct chores **out)
	__attribute__((warn_unused_result));

/** chores_stop - begin nothing new: no job, no batch of deletes, no piece of a compaction */
void chores_stop(struct chores *ch);

/** chores_free - stop, wait for what has begun, and free; what is left waits for the next start */
void chores_free(struct chores *ch);

/** chores_drop - delete every key of table @id, which 'x' id says is dropped */
void chores_drop(struct chores *ch, uint32_t id);

/** chores_index - the index of @s that comes or goes, if there is one: index_job.h */
void chores_index(struct chores *ch, const struct schema *s);

/**
 * chores_deleted - the item or index entry @key is being deleted
 *
 * Tombstones make seeks slow: after 50,000 deletes in a table or an index the
 * range they lie in is compacted.
 * Thread:  the commit leader
 */
void chores_deleted(struct chores *ch, struct slice key);

/** chores_sweep - delete the tokens and the records of streams that are too old at @now_ms, unless
 * that was done just now */
void chores_sweep(struct chores *ch, uint64_t now_ms);

/** chores_wait - until all that was asked so far is done */
void chores_wait(struct chores *ch);

/** chores_dropped_key - key of a dropped table: 'x' id */
void chores_dropped_key(struct buf *out, uint32_t id);

#endif
