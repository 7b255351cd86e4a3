/* stream_state - streams and their records as bytes */
#ifndef STORE_LOCAL_RECORDS_STREAM_STATE_H
#define STORE_LOCAL_RECORDS_STREAM_STATE_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/model/stream_arn.h"
#include "store/op/op.h"

/* A stream, as it stands behind 's' table 00 label. */
struct stream_state {
	uint64_t id; /* in keys of records: the sequence number with which it began */
	enum stream_view view;
	uint64_t ended_seq; /* with which it ended; 0: it has not */
	uint64_t ended_ms;  /* when */
	uint64_t trimmed;   /* the newest record that was deleted for its age; 0: none */
	struct slice pk;    /* names of the table's key attributes */
	struct slice sk;    /* empty: there is none */
};

/** stream_old - did what has time @ms happen a day before @now_ms? Source: BEHAVIOUR 7.3 */
bool stream_old(uint64_t ms, uint64_t now_ms);

/** stream_gone - did it end so long ago that it cannot be read any more? */
bool stream_gone(const struct stream_state *s, uint64_t now_ms);

/** stream_key - 's' table 00 label; without the label the common prefix of a table's streams */
void stream_key(struct buf *out, struct slice table, const uint64_t *label_ms);

/** stream_parse_key - the inverse; Errors: -ERR_CORRUPT; Memory: @table borrows @key */
int stream_parse_key(struct call *c, struct slice key, struct slice *table, uint64_t *label_ms)
	__attribute__((warn_unused_result));

void stream_encode(struct buf *out, const struct stream_state *s);
int stream_decode(struct call *c, struct slice bytes, struct stream_state *out)
	__attribute__((warn_unused_result));

/** stream_record_key - 'r' stream seq; without @seq the common prefix of a stream's records */
void stream_record_key(struct buf *out, uint64_t stream, const uint64_t *seq);

/** stream_record_seq - the last part of such a key; Errors: -ERR_CORRUPT */
int stream_record_seq(struct call *c, struct slice key, uint64_t *seq)
	__attribute__((warn_unused_result));

/* A record, with keys and images as record_body() has them. */
struct stream_entry {
	uint64_t time_ms;
	bool had_old;
	bool has_new;
	bool service;
	struct slice keys;
	struct slice new_image; /* empty: not recorded, or there was none */
	struct slice old_image; /* likewise */
};

void stream_entry_encode(struct buf *out, const struct stream_entry *e);

/** stream_entry_decode - Memory: borrows @bytes; Errors: -ERR_CORRUPT */
int stream_entry_decode(struct call *c, struct slice bytes, struct stream_entry *out)
	__attribute__((warn_unused_result));

/** stream_shard - the name of a stream's one shard */
struct slice stream_shard(struct arena *a, uint64_t stream, uint64_t label_ms);

#endif
