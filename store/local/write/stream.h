/*
 * stream - changes of a table's items, recorded and kept for a day
 *
 *   stream.c         a stream begins and ends; a change is recorded, in the batch of its item
 *   stream_state.c   FORMAT.md section "Streams" in code
 *   stream_read.c    ListStreams, DescribeStream, GetShardIterator, GetRecords
 *   stream_place.c   what an iterator says
 *   stream_trim.c    what is older than a day goes
 *
 * A stream belongs to a table's name, not to the table: it can be read for a
 * day after it was switched off or its table was dropped.
 */
#ifndef STORE_LOCAL_WRITE_STREAM_H
#define STORE_LOCAL_WRITE_STREAM_H

#include <stdatomic.h>

#include "store/local/commit/txn.h"
#include "store/local/records/turn.h"
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

/**
 * stream_trim - delete records older than a day, and streams that ended so long ago
 * @ch:   @l's, which at its start does not know them yet
 *
 * Return: true when the turn was over before
 */
bool stream_trim(struct local *l, struct chores *ch, const struct turn *turn, uint64_t now_ms);

#endif
