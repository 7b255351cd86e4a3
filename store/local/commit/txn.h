/*
 * txn - group commit: operations of many writers in one batch with one sync
 *
 * A writer queues an operation that is parsed, checked and bound. The first writer of the queue becomes the leader. It
 * runs the queued operations in order, commits them as one batch, publishes the changes and wakes the owners. Each
 * operation sees the changes of those before it. An operation that fails leaves nothing in the batch and does not
 * affect the others. So all writes are serial and need no other lock.
 *
 * An operation may read single keys. It may read ranges only if it is alone in its group.
 */
#ifndef STORE_LOCAL_COMMIT_TXN_H
#define STORE_LOCAL_COMMIT_TXN_H

#include "store/engine/feed.h"
#include "store/kv/kv.h"
#include "store/local/records/record.h"
#include "store/op/op.h"

struct txn;
struct txn_queue;

/* TXN_REBIND: the schema that the operation was bound to has been replaced; bind it again */
enum txn_outcome { TXN_REBIND = 10 };

struct txn_op {
	/*
	 * Runs in the leader's thread.  Return: 0; < 0 or > 0 (TXN_REBIND and other outcomes): its changes are
	 * undone, and the caller gets the result.  NULL: it writes nothing, and is committed all the same.
	 */
	int (*run)(struct txn *t, struct call *c, void *arg);
	/* Called after the group is committed and before the next group runs; may be NULL. */
	void (*committed)(void *arg);
	void *arg;
	size_t bytes; /* approximate size of the items; bounds groups and the queue */
	bool grows;   /* it adds data: refused while the disk has little free space */
	bool durable; /* synced before txn_run() returns */
	bool ends_group; /* the last operation of its group: later ones must run after its committed() */
	/* The only operation of its group: it may read ranges, and a snapshot that it takes is the state it changes. */
	bool alone;
};

/* An entry of the queue. The submitter owns its memory and must not touch it until ended() is called. */
struct txn_wait {
	struct call *c;
	const struct txn_op *op;
	/* Called in the leader's thread with the result that txn_run() would return. It must not wait. */
	void (*ended)(struct txn_wait *w, int r);

	/* private to the queue */
	struct txn_wait *next;
	int result;
	_Atomic uint32_t state;
};

/**
 * txn_queue_new - create the queue of @kv's writers and start the committer
 * @feed: every commit is reported to it; it must outlive the queue
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT  reading the last sequence number;  -ERR_IO  no thread could be started
 */
int txn_queue_new(struct call *c, struct kv *kv, struct feed *feed, struct txn_queue **out)
	must_check;

/** txn_queue_free - free the queue; no operation may be queued or running; NULL is allowed */
void txn_queue_free(struct txn_queue *q);

/**
 * txn_run - queue an operation and wait until its group is committed
 *
 * Return:  the result of run()
 * Errors:  that of run();
 *          -ERR_IO        the commit failed: its outcome is unknown, and later operations get -ERR_READ_ONLY
 *          -ERR_NO_SPACE  there was too little free disk space, and nothing was done; or, if later operations get
 *                         -ERR_READ_ONLY, the disk became full during the commit, whose outcome is unknown
 *          -ERR_READ_ONLY  an earlier commit failed, or the store is corrupt
 * Thread:  any, but not inside run(), committed() or ended()
 */
int txn_run(struct txn_queue *q, struct call *c, const struct txn_op *op) must_check;

/** txn_run_last - as txn_run(), for an operation that is durable and ends its group: a change of the set of tables */
int txn_run_last(struct txn_queue *q, struct call *c,
		 int (*run)(struct txn *t, struct call *c, void *arg), void (*committed)(void *arg),
		 void *arg) must_check;

/** txn_run_empty - commit without a change: all that was committed before is then synced if @durable */
int txn_run_empty(struct txn_queue *q, struct call *c, bool durable) must_check;

/**
 * txn_submit - queue an operation without waiting; w->ended() is called when its group has been committed
 *
 * The function does not wait for room in the queue: the caller must bound its operations under way.
 * Thread:  any; ended() may submit again
 */
void txn_submit(struct txn_queue *q, struct txn_wait *w);

/**
 * txn_stored_seq - read the newest sequence number of the snapshot @at (NULL: of the current state)
 * @out: 0 if there is none
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 */
int txn_stored_seq(struct call *c, struct kv *kv, struct kv_snapshot *at, uint64_t *out) must_check;

/** txn_table_begins - report that table @id is new and empty.  Thread: committed() of an operation */
void txn_table_begins(struct txn_queue *q, uint32_t id);

/** txn_table_ends - report that table @id has been dropped.  Thread: committed() of an operation */
void txn_table_ends(struct txn_queue *q, uint32_t id);

/* ------------------------------------------------------------ inside run() */

/**
 * txn_get - get the value of a key
 * @value: borrowed until the group is committed
 *
 * Return: 0, KV_ABSENT, -ERR_IO, -ERR_CORRUPT
 */
int txn_get(struct txn *t, struct call *c, struct slice key, struct slice *value) must_check;

/**
 * txn_learn - read many keys in one pass, so that txn_get() finds them in memory
 * @keys:  in ascending order
 * @bytes: stop after this many bytes of values; txn_get() reads the remaining keys
 *
 * Memory: borrows the keys until the group is committed
 * Errors:  -ERR_IO, -ERR_CORRUPT
 */
int txn_learn(struct txn *t, struct call *c, const struct slice *keys, size_t n, size_t bytes)
	must_check;

/** txn_put - set the value of a key; both are borrowed until the group is committed: put them into the call's arena */
void txn_put(struct txn *t, struct slice key, struct slice value);

/** txn_del - delete a key, which is borrowed as in txn_put() */
void txn_del(struct txn *t, struct slice key);

/**
 * txn_counts - get the counts of a collection, or the totals of a table or index
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 */
int txn_counts(struct txn *t, struct call *c, struct slice key, struct record_counts *out)
	must_check;

/**
 * txn_get_of - get an item or entry of @collection, and the collection's counts
 *
 * The function avoids reads: a collection without counts has no items, and one that is new in this group has only
 * items of this group.
 * Return: as txn_get()
 */
int txn_get_of(struct txn *t, struct call *c, struct slice collection, struct slice key,
	       struct record_counts *counts, struct slice *value) must_check;

/**
 * txn_count - add @more to counts or totals
 * @more:       numbers modulo 2^64: adding (uint64_t)-1 subtracts one
 * @partitions: set to 1 if the collection was empty before, to -1 if it is empty now, otherwise to 0; may be NULL
 *
 * Errors:  -ERR_IO;  -ERR_CORRUPT  a count would become negative
 */
int txn_count(struct txn *t, struct call *c, struct slice key, const struct record_counts *more,
	      int *partitions) must_check;

/** txn_set_counts - replace the counts of a collection */
void txn_set_counts(struct txn *t, struct slice key, const struct record_counts *counts);

/** txn_seq - take the next sequence number, for one changed item */
uint64_t txn_seq(struct txn *t);

/** txn_newest - the number that txn_seq() returned last */
uint64_t txn_newest(const struct txn *t);

/** txn_publish - publish @ch to the feed after the commit, if the feed has readers; its slices are borrowed until then */
void txn_publish(struct txn *t, const struct change *ch);

#endif
