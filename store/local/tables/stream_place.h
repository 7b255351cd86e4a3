/* stream_place - shard iterators: a position in a stream and the time the iterator was made */
#ifndef STORE_LOCAL_TABLES_STREAM_PLACE_H
#define STORE_LOCAL_TABLES_STREAM_PLACE_H

#include "store/base/core/base.h"

struct stream_place {
	uint64_t stream;  /* id of the stream */
	uint64_t made_ms; /* Unix time */
	uint64_t seq;     /* sequence number of the first record to read */
	bool horizon;     /* skip records that are too old; otherwise they are an error */
};

/** stream_place_write - encode @p as an iterator, in the call's arena */
struct slice stream_place_write(struct call *c, struct slice arn, const struct stream_place *p);

/**
 * stream_place_read - decode an iterator
 * @arn: ARN of the stream; borrows @iterator
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  not made by stream_place_write();  -ERR_EXPIRED_ITERATOR  made 15 minutes ago or
 *          earlier
 */
int stream_place_read(struct call *c, struct slice iterator, struct slice *arn,
		      struct stream_place *out) must_check;

#endif
