/*
 * index_job - background work that adds or drops an index step by step
 *
 *   CREATING     writers maintain the index (index.h); its job waits in the background thread
 *   BACKFILLING  the table's keys are scanned in order, one batch at a time
 *   ACTIVE       every item has its entry: the index may be read
 *   DELETING     its entries and counts are deleted; then the index is gone
 *
 * The state is stored in the table's definition, so the work continues after a restart.
 *
 * The keys of a batch of the backfill are found outside the commit queue.  One operation of the queue then reads the
 * current state of these items, adds the missing entries, and stores in the same commit where the next batch begins.  So
 * writes may happen at any time, and after a crash the backfill continues where it stopped.
 */
#ifndef STORE_LOCAL_TABLES_INDEX_JOB_H
#define STORE_LOCAL_TABLES_INDEX_JOB_H

#include "store/local/jobs/tasks.h"

enum index_job_outcome { INDEX_JOB_MORE = 1 };

/**
 * index_job_run - continue until @time_slice is over
 * @w: progress of the deletion of the entries
 *
 * Return:  0: nothing is left to do;  INDEX_JOB_MORE
 * Errors:  those of txn_run(): the rest waits for the next start
 * Thread:  the background thread (tasks.h)
 */
int index_job_run(struct local *l, const struct time_slice *time_slice,
		  const struct index_name *name, struct ranges_walk *w) must_check;

/* ------------------------------------------------------------ backfill */

/**
 * backfill_piece - add the entries of the next batch of items
 * @s, @ix: from the catalog
 *
 * Return:  0: no items are left;  INDEX_JOB_MORE: call again, also when the schema has changed
 * Errors:  those of txn_run();  -ERR_IO, -ERR_CORRUPT
 */
int backfill_piece(struct local *l, struct call *c, const struct schema *s, const struct index *ix)
	must_check;

/* Progress of a backfill. */
struct backfill_mark {
	uint64_t items;     /* number of items that were read */
	struct slice place; /* key where it continues; all items before it have their entries */
};

/** backfill_mark_decode - decode a mark;  @out borrows @record;  Return: 0, -ERR_CORRUPT */
int backfill_mark_decode(struct call *c, struct slice record, struct backfill_mark *out) must_check;

/**
 * backfill_mark - read the mark of index @ix
 * @at:  NULL: the newest state
 * @out: borrows from the call's arena; all zero: not begun
 *
 * Return:  0;  those of kv_get();  -ERR_CORRUPT
 */
int backfill_mark(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
		  const struct index *ix, struct backfill_mark *out) must_check;

#endif
