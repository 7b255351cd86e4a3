/* stream_place - what a shard iterator says: a place in a stream, and since when it is valid */
#ifndef STORE_LOCAL_TABLES_STREAM_PLACE_H
#define STORE_LOCAL_TABLES_STREAM_PLACE_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

struct stream_place {
	uint64_t stream;  /* its id */
	uint64_t made_ms; /* Unix time */
	uint64_t seq;     /* records from this sequence number on */
	bool horizon;     /* those that are too old are passed over; else they are missed */
};

/** stream_place_write - an iterator; Memory: the call's arena */
struct slice stream_place_write(struct call *c, struct slice arn, const struct stream_place *p);

/**
 * stream_place_read - the inverse
 * @arn: of the stream; borrows @iterator
 *
 * Errors:  -ERR_VALIDATION  not written here;  -ERR_EXPIRED_ITERATOR  15 minutes ago
 */
int stream_place_read(struct call *c, struct slice iterator, struct slice *arn,
		      struct stream_place *out) __attribute__((warn_unused_result));

#endif
