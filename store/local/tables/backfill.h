/*
 * backfill - an index that is added to a table gets the entries of the items that are there already
 *
 *   CREATING     writers maintain the index (index.h); its job waits among the chores
 *   BACKFILLING  the table's keys are walked over in their order, a piece at a time
 *   ACTIVE       every item has its entry: the index may be read
 *
 * The keys of a piece are found beside the queue of writers.  One operation of
 * the queue then reads these items as they are by now, puts those entries that
 * are not there, and notes in the same batch where the next piece begins.  So
 * writes may come at any time, and after a crash it goes on where it stood.
 */
#ifndef STORE_LOCAL_TABLES_BACKFILL_H
#define STORE_LOCAL_TABLES_BACKFILL_H

#include "store/local/records/local_int.h"

enum backfill_outcome { BACKFILL_MORE = 1 };

/**
 * backfill_piece - the entries of the next items
 * @s, @ix: as the catalog has them
 *
 * Return:  0 no items are left;  BACKFILL_MORE
 * Errors:  those of txn_run();  -ERR_IO, -ERR_CORRUPT
 */
int backfill_piece(struct local *l, struct call *c, const struct schema *s, const struct index *ix)
	__attribute__((warn_unused_result));

/* How far it is. */
struct backfill_mark {
	uint64_t items;     /* of the table that were looked at */
	struct slice place; /* LevelDB key where it goes on; all before it have their entries */
};

/** backfill_mark_decode - Errors: -ERR_CORRUPT;  @out borrows @record */
int backfill_mark_decode(struct call *c, struct slice record, struct backfill_mark *out)
	__attribute__((warn_unused_result));

/** backfill_mark - of index @ix, borrowed from the call's arena; all zero: not begun */
int backfill_mark(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
		  const struct index *ix, struct backfill_mark *out)
	__attribute__((warn_unused_result));

/** backfill_key - key of the mark: 'b' table index */
void backfill_key(struct buf *out, const struct schema *s, const struct index *ix);

#endif
