/* stream - a table's stream begins and ends, and each change is recorded in the batch of its item */
#ifndef STORE_LOCAL_WRITE_STREAM_H
#define STORE_LOCAL_WRITE_STREAM_H

#include "store/local/commit/txn.h"
#include "store/local/write/write.h"

/** stream_begin - a new stream if s->stream.view asks for one; sets the rest of s->stream */
int stream_begin(struct txn *t, struct call *c, struct schema *s)
	__attribute__((warn_unused_result));

/** stream_end - the table's stream, if it has one, gets no more records */
int stream_end(struct txn *t, struct call *c, const struct schema *s)
	__attribute__((warn_unused_result));

/**
 * stream_record - the change that @w makes has the sequence number w->seq
 *
 * For a table with a stream, and other content than before.
 * Thread:  the commit leader
 */
void stream_record(struct txn *t, struct call *c, const struct write *w, bool has_new);

#endif
