/* stream - begin and end of a table's stream, and the records of its changes, committed with the changes */
#ifndef STORE_LOCAL_WRITE_STREAM_H
#define STORE_LOCAL_WRITE_STREAM_H

#include "store/local/commit/txn.h"
#include "store/local/write/write.h"

/**
 * stream_begin - create a stream, if s->stream.view asks for one, and set the other fields of s->stream
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 * Thread:  the commit leader
 */
int stream_begin(struct txn *t, struct call *c, struct schema *s) must_check;

/** stream_end - mark the table's stream, if it has one, as ended; Errors, Thread: as stream_begin() */
int stream_end(struct txn *t, struct call *c, const struct schema *s) must_check;

/**
 * stream_record - put the stream record of the change @w, with the sequence number w->seq
 *
 * The table must have a stream, and the content of the item must have changed.
 * Thread:  the commit leader
 */
void stream_record(struct txn *t, struct call *c, const struct write *w);

#endif
