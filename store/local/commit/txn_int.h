/* txn_int - state shared by the queue's leader and the operations that it runs */
#ifndef STORE_LOCAL_COMMIT_TXN_INT_H
#define STORE_LOCAL_COMMIT_TXN_INT_H

#include "store/local/commit/fresh.h"
#include "store/local/commit/pending_writes.h"
#include "store/local/commit/txn.h"

/* The state that each leader passes on to the next one, and that of the group which runs. */
struct txn {
	struct kv *kv;
	struct feed *feed;
	struct pending_writes pending;
	struct fresh fresh;
	struct kv_batch *batch; /* empty between groups */
	uint64_t seq;           /* newest sequence number taken */
	char *broken;           /* reason why all writes are refused; NULL: they are not */
	bool listening;         /* the feed had readers when the group began */
	struct change *changes; /* to be published after the commit */
	size_t n_changes;
	size_t cap_changes;
};

/** txn_init - initialize zeroed memory; Errors: -ERR_IO, -ERR_CORRUPT reading the last sequence number */
int txn_init(struct call *c, struct txn *t, struct kv *kv, struct feed *feed) must_check;

/** txn_release - free its memory */
void txn_release(struct txn *t);

/**
 * txn_run_group - run the operations, commit, publish, and set each w->result
 * @group: a list of at least one operation
 *
 * Return: whether the commit was synced
 * Thread: the leader
 */
bool txn_run_group(struct txn *t, struct txn_wait *group);

#endif
