/* txn_int - what the queue's leader and the operations that it runs have in common */
#ifndef STORE_LOCAL_TXN_INT_H
#define STORE_LOCAL_TXN_INT_H

#include "store/local/overlay.h"
#include "store/local/txn.h"
#include "store/local/young.h"

/* What the leader has of the group it runs. */
struct txn {
	struct kv *kv;
	struct feed *feed;
	struct overlay overlay;
	struct young young;
	struct kv_batch *batch; /* empty between groups */
	uint64_t seq;           /* newest number given out */
	bool listening;         /* was anybody, when the group began? */
	struct change *changes; /* to publish */
	size_t n_changes;
	size_t cap_changes;
};

#endif
