/*
 * fresh - the set of existing collections in fresh tables: tables that this process has created
 *
 * A put must know whether its collection is new. For a table that was empty when this process created it, a set of
 * hashes answers that without a read. In the kv such a read would search memory and all levels in vain, and most puts
 * of a bulk load need one. The set answers "certainly absent" or "ask the kv".
 *
 * Thread: the commit leader only.
 */
#ifndef STORE_LOCAL_COMMIT_FRESH_H
#define STORE_LOCAL_COMMIT_FRESH_H

#include "store/base/core/base.h"

/* If the set would exceed its maximum size, it is emptied, and no table is fresh any more. */
struct fresh {
	uint32_t *tables; /* ids */
	size_t n_tables;
	uint64_t *slots; /* hashes of collection keys; 0: free */
	size_t n_slots;  /* 0, or a power of two */
	size_t n;        /* slots used, at most half of them */
};

/** fresh_release - free the memory and empty the set: no table is fresh any more */
void fresh_release(struct fresh *f);

/** fresh_begin - add the fresh table @id, which is empty */
void fresh_begin(struct fresh *f, uint32_t id);

/** fresh_end - remove table @id, if it is there */
void fresh_end(struct fresh *f, uint32_t id);

/** fresh_absent - whether @key is that of a collection (keyspace_collection()) which certainly does not exist */
bool fresh_absent(const struct fresh *f, struct slice key);

/** fresh_add - add @key, if it is a collection of a fresh table; it exists now, or will if the operation succeeds */
void fresh_add(struct fresh *f, struct slice key);

#endif
