/*
 * txn - group commit: many writers, one batch, one sync
 *
 * A writer hands in its operation, parsed, checked and bound.  The first in
 * the queue leads: it runs everything that is queued, in order, each operation
 * seeing those before it, commits the whole as ONE batch, publishes the
 * changes and wakes the owners.  An operation that fails leaves nothing in the
 * batch and fails alone.  So all writes are serial and need no other lock.
 *
 * Point reads only inside an operation: a range read there is a bug, but for one that is alone.
 */
#ifndef STORE_LOCAL_COMMIT_TXN_H
#define STORE_LOCAL_COMMIT_TXN_H

#include "store/engine/feed.h"
#include "store/kv/kv.h"
#include "store/local/records/record.h"
#include "store/op/op.h"

struct txn;
struct txn_queue;

/* The schema that an operation was bound to has moved: bind it again. */
enum txn_outcome { TXN_REBIND = 10 };

struct txn_op {
	/*
	 * Runs in the leader's thread.  Return: 0; < 0: nothing of it is kept; TXN_REBIND and
	 * other outcomes > 0: likewise, and handed to the caller.
	 */
	int (*run)(struct txn *t, struct call *c, void *arg);
	void (*committed)(void *arg); /* after the commit, before any later operation; may be NULL
				       */
	void *arg;
	size_t bytes;    /* of item, about: groups and the queue are bounded by it */
	bool grows;      /* it adds: refused while the disk has little room */
	bool durable;    /* on disk before txn_run() returns */
	bool even_empty; /* commit although nothing was written */
	bool ends_group; /* no operation after it in its group: what it does is seen at the commit
			    */
	bool alone; /* none before it either: a snapshot that it takes is what it changes, and it
		       may read ranges there */
};

/* A place in the queue, in the memory of the one who submits; untouched until it has ended. */
struct txn_wait {
	struct call *c;
	const struct txn_op *op;
	/* What txn_run() would have returned.  In the leader's thread: it must not wait. */
	void (*ended)(struct txn_wait *w, int r);

	/* the queue's */
	struct txn_wait *next;
	int result;
	_Atomic uint32_t state;
};

/**
 * txn_queue_new - @kv's writers
 * @feed: told of every commit
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT  reading the last sequence number;  -ERR_IO  no thread
 */
int txn_queue_new(struct call *c, struct kv *kv, struct feed *feed, struct txn_queue **out)
	__attribute__((warn_unused_result));

/** txn_queue_free - when no operation is under way */
void txn_queue_free(struct txn_queue *q);

/**
 * txn_run - one operation, from the queue to its commit
 *
 * Errors:  what run() answered;  -ERR_NO_SPACE  there was too little room on the disk, and nothing was done;
 *          -ERR_IO, -ERR_NO_SPACE  the commit failed: its outcome is unknown;
 *          -ERR_READ_ONLY  an earlier commit failed, or the store is corrupt
 * Thread:  any
 */
int txn_run(struct txn_queue *q, struct call *c, const struct txn_op *op)
	__attribute__((warn_unused_result));

/** txn_run_last - likewise, durably, and nothing else after it in its group: a change of what tables there are */
int txn_run_last(struct txn_queue *q, struct call *c,
		 int (*run)(struct txn *t, struct call *c, void *arg), void (*committed)(void *arg),
		 void *arg) __attribute__((warn_unused_result));

/**
 * txn_submit - likewise, but return at once; w->ended() is called when it has ended
 *
 * Does not wait for room in the queue: the caller bounds what it has under way.
 * Thread:  any; ended() may submit again
 */
void txn_submit(struct txn_queue *q, struct txn_wait *w);

/**
 * txn_stored_seq - the newest sequence number of the state @at (NULL: the newest state); 0: none
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 */
int txn_stored_seq(struct call *c, struct kv *kv, struct kv_snapshot *at, uint64_t *out)
	__attribute__((warn_unused_result));

/* A table is new and empty, or gone.  Thread: committed() of an operation. */
void txn_table_begins(struct txn_queue *q, uint32_t id);
void txn_table_ends(struct txn_queue *q, uint32_t id);

/* ------------------------------------------------------------ inside run() */

/**
 * txn_get - the value of a key
 * @value: borrowed until the group is committed
 *
 * Return: 0, KV_ABSENT, -ERR_IO, -ERR_CORRUPT
 */
int txn_get(struct txn *t, struct call *c, struct slice key, struct slice *value)
	__attribute__((warn_unused_result));

/**
 * txn_learn - look at many keys at once, for txn_get() to know them
 * @keys:  in ascending order
 * @bytes: of values; what is beyond is left to txn_get()
 *
 * Memory: borrows the keys until the group is committed
 * Errors:  -ERR_IO, -ERR_CORRUPT
 */
int txn_learn(struct txn *t, struct call *c, const struct slice *keys, size_t n, size_t bytes)
	__attribute__((warn_unused_result));

/* Key and value are borrowed until the group is committed: they are in the call's arena. */
void txn_put(struct txn *t, struct slice key, struct slice value);
void txn_del(struct txn *t, struct slice key);

/**
 * txn_counts - the counts of a collection
 * @fresh: had it no record before this group?
 */
int txn_counts(struct txn *t, struct call *c, struct slice key, struct record_counts *out,
	       bool *fresh) __attribute__((warn_unused_result));

/**
 * txn_get_of - txn_get() of an item or entry of @collection, whose @counts tell too
 *
 * A collection without a record has no items, and one that is new in this group only this group's.
 */
int txn_get_of(struct txn *t, struct call *c, struct slice collection, struct slice key,
	       struct record_counts *counts, struct slice *value)
	__attribute__((warn_unused_result));

/* Differences, as numbers modulo 2^64: adding -1 takes one away. */

/**
 * txn_count - add @more to the counts of a collection
 * @partitions: set to 1 when it came into being, to -1 when it ended, else 0
 *
 * Errors:  -ERR_CORRUPT  less than nothing would be left
 */
int txn_count(struct txn *t, struct call *c, struct slice key, const struct record_counts *more,
	      int *partitions) __attribute__((warn_unused_result));

/** txn_total - add @more to the counts of a table or of an index */
int txn_total(struct txn *t, struct call *c, struct slice key, const struct totals *more)
	__attribute__((warn_unused_result));

/** txn_set_counts, txn_set_total - they are this, whatever they were */
void txn_set_counts(struct txn *t, struct slice key, const struct record_counts *counts);
void txn_set_total(struct txn *t, struct slice key, const struct totals *totals);

/** txn_totals - they as they are now */
int txn_totals(struct txn *t, struct call *c, struct slice key, struct totals *out)
	__attribute__((warn_unused_result));

/** txn_seq - the next sequence number, for one changed item */
uint64_t txn_seq(struct txn *t);

/** txn_newest - the number that txn_seq() gave out last */
uint64_t txn_newest(const struct txn *t);

/** txn_listening - does anybody want txn_publish()? */
bool txn_listening(const struct txn *t);

/** txn_publish - to the feed after the commit; borrowed until then */
void txn_publish(struct txn *t, const struct change *ch);

#endif
