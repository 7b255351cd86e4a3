/*
 * young - which collections exist of the tables that this process has made
 *
 * A put into a new collection must know that it is new.  For a table that was
 * empty when this process made it, a set of hashes tells without asking the
 * kv, which would look in vain in memory and in every level: a bulk load is
 * mostly that.  The set says "not there" for certain, or "ask".
 *
 * Thread: the commit leader only.
 */
#ifndef STORE_LOCAL_COMMIT_YOUNG_H
#define STORE_LOCAL_COMMIT_YOUNG_H

#include <stdint.h>

#include "store/base/core/slice.h"

/* When the set would grow over its bound, all tables become old. */
struct young {
	uint32_t *tables; /* ids */
	size_t n_tables;
	uint64_t *slots; /* hashes of collection keys; 0: free */
	size_t n_slots;  /* 0, or a power of two */
	size_t n;        /* slots used, at most half */
};

void young_release(struct young *y);

/** young_begin - table @id begins with nothing in it */
void young_begin(struct young *y, uint32_t id);

/** young_end - table @id is gone */
void young_end(struct young *y, uint32_t id);

/** young_absent - is there certainly no such collection? @key: keyspace_partition() */
bool young_absent(const struct young *y, struct slice key);

/** young_add - there is now, or will be if the operation succeeds */
void young_add(struct young *y, struct slice key);

#endif
