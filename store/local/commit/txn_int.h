/* txn_int - what the queue's leader and the operations that it runs have in common */
#ifndef STORE_LOCAL_COMMIT_TXN_INT_H
#define STORE_LOCAL_COMMIT_TXN_INT_H

#include "store/local/commit/overlay.h"
#include "store/local/commit/txn.h"
#include "store/local/commit/young.h"

/* What one leader leaves to the next, and what it has of the group it runs. */
struct txn {
	struct kv *kv;
	struct feed *feed;
	struct overlay overlay;
	struct young young;
	struct kv_batch *batch; /* empty between groups */
	uint64_t seq;           /* newest number given out */
	char *broken;           /* why nothing may be written any more; NULL: it may */
	bool listening;         /* was anybody, when the group began? */
	struct change *changes; /* to publish */
	size_t n_changes;
	size_t cap_changes;
};

/** txn_init - on zeroed memory;  Errors:  -ERR_IO, -ERR_CORRUPT  reading the last sequence number */
int txn_init(struct call *c, struct txn *t, struct kv *kv, struct feed *feed)
	__attribute__((warn_unused_result));
void txn_release(struct txn *t);

/**
 * txn_run_group - run the operations, commit, publish; every w->result is set
 *
 * Return: did it wait for the disk?
 */
bool txn_run_group(struct txn *t, struct txn_wait *group);

#endif
