/*
 * charge - a write and the budgets of its table: see throttle.h.  Only where told_ask() set w->throttled
 *
 * What any write consumes is noted, see heat.h: but for what DynamoDB does not ask for, as an item's
 * end by its time to live, or an import into a table that is being made.
 */
#ifndef STORE_LOCAL_WRITE_CHARGE_H
#define STORE_LOCAL_WRITE_CHARGE_H

#include "store/local/meter/capacity.h"
#include "store/local/write/write.h"

/** charge_admit - is something left for the table?  Errors: as throttle_admit() */
int charge_admit(struct call *c, const struct write *w) __attribute__((warn_unused_result));

/** charge_admit_indexes - likewise for the GSIs that it touches, before anything is put */
int charge_admit_indexes(struct call *c, const struct write *w) __attribute__((warn_unused_result));

/** charge - pay, and note, what it has consumed */
void charge(struct call *c, const struct write *w);

/* ------------------------------------------------------------ the size of an item collection */

/** collection_bytes - of the collection that @w writes to */
int collection_bytes(struct txn *t, struct call *c, const struct write *w, uint64_t *sum)
	__attribute__((warn_unused_result));

/**
 * collection_check - may it be as large as @w has made it?  What does not grow always may
 *
 * Errors:  -ERR_COLLECTION_TOO_BIG, -ERR_IO, -ERR_CORRUPT
 */
int collection_check(struct txn *t, struct call *c, const struct write *w)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ what writes tell besides their result */

struct told_collection {
	const struct write *last;
};

struct told {
	struct call *c;
	struct capacity_sheet sheet;
	struct told_collection *collections;
	size_t n;
	size_t cap;
};

/** told_ask - have the funnel count what @asked asks for, and what a table with a budget must know */
void told_ask(struct call *c, const struct write_asked *asked, struct slice table, struct write *w);

struct told told_begin(struct call *c, const struct write_asked *asked);

/** told_add - count a write, its capacity @times times */
void told_add(struct told *t, const struct write *w, uint64_t times);

struct write_told told_end(const struct told *t, enum capacity_kind kind);

#endif
