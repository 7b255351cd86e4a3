/*
 * young - the set of existing collections in fresh tables: tables that this process has created
 *
 * A put must know whether its collection is new. For a table that was empty when this process created it, a set of
 * hashes answers that without a read. In the kv such a read would search memory and all levels in vain, and most puts
 * of a bulk load need one. The set answers "certainly absent" or "ask the kv".
 *
 * Thread: the commit leader only.
 */
#ifndef STORE_LOCAL_COMMIT_YOUNG_H
#define STORE_LOCAL_COMMIT_YOUNG_H

#include <stdint.h>

#include "store/base/core/slice.h"

/* If the set would exceed its maximum size, it is emptied, and no table is fresh any more. */
struct young {
	uint32_t *tables; /* ids */
	size_t n_tables;
	uint64_t *slots; /* hashes of collection keys; 0: free */
	size_t n_slots;  /* 0, or a power of two */
	size_t n;        /* slots used, at most half of them */
};

/** young_release - free the memory and empty the set: no table is fresh any more */
void young_release(struct young *y);

/** young_begin - add the fresh table @id, which is empty */
void young_begin(struct young *y, uint32_t id);

/** young_end - remove table @id, if it is there */
void young_end(struct young *y, uint32_t id);

/** young_absent - whether a collection certainly does not exist; @key: keyspace_partition() */
bool young_absent(const struct young *y, struct slice key);

/** young_add - add a collection of a fresh table; it exists now, or will exist if the operation succeeds */
void young_add(struct young *y, struct slice key);

#endif
