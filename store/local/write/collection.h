/*
 * collection - the size of an item collection: a partition of the table and of its local indexes together
 *
 * Inside the funnel, after the counts of the write are in.  Source: BEHAVIOUR 5.3, 5.4
 */
#ifndef STORE_LOCAL_WRITE_COLLECTION_H
#define STORE_LOCAL_WRITE_COLLECTION_H

#include "store/local/write/write.h"

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

#endif
