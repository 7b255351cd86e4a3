/* stream_state - streams and their records as bytes */
#ifndef STORE_LOCAL_RECORDS_STREAM_STATE_H
#define STORE_LOCAL_RECORDS_STREAM_STATE_H

#include "store/model/stream_arn.h"
#include "store/op/op.h"

/* A stream: the value of the key 's' table 00 label. */
struct stream_state {
	uint64_t id;           /* sequence number of its begin; part of the keys of its records */
	enum stream_view view; /* never STREAM_NONE */
	uint64_t ended_seq;    /* sequence number of its end; 0: it has not ended */
	uint64_t ended_ms;     /* time at which it ended */
	uint64_t trimmed; /* sequence number of the newest record deleted for its age; 0: none */
	struct slice pk;  /* names of the table's key attributes */
	struct slice sk;  /* empty: there is none */
};

/** stream_old - whether the time @ms is at least a day before @now_ms; Source: BEHAVIOUR 7.3 */
bool stream_old(uint64_t ms, uint64_t now_ms);

/** stream_gone - whether the stream ended so long ago that it can no longer be read */
bool stream_gone(const struct stream_state *s, uint64_t now_ms);

/** stream_key - make 's' table 00 label in @a; with @label_ms NULL the common prefix of the table's streams */
struct slice stream_key(struct arena *a, struct slice table, const uint64_t *label_ms);

/** stream_parse_key - parse a key of stream_key(); Errors: -ERR_CORRUPT; Memory: @table borrows @key */
int stream_parse_key(struct call *c, struct slice key, struct slice *table, uint64_t *label_ms)
	must_check;

/** stream_encode - append the value of a stream's key */
void stream_encode(struct buf *out, const struct stream_state *s);

/** stream_decode - decode the value of a stream's key; Errors: -ERR_CORRUPT; Memory: names borrow @bytes */
int stream_decode(struct call *c, struct slice bytes, struct stream_state *out) must_check;

/** stream_record_key - make 'r' stream seq in @a; with @seq NULL the common prefix of the stream's records */
struct slice stream_record_key(struct arena *a, uint64_t stream, const uint64_t *seq);

/** stream_record_seq - the sequence number in such a key; Errors: -ERR_CORRUPT */
int stream_record_seq(struct call *c, struct slice key, uint64_t *seq) must_check;

/* A record of a stream. Keys and images have the form of record_body(). */
struct stream_entry {
	uint64_t time_ms;
	bool had_old; /* the item existed before the change; had_old or has_new is true */
	bool has_new; /* the item exists after it */
	bool service; /* the change was made by the service (TTL), not by a request */
	struct slice keys;
	struct slice new_image; /* empty: not recorded, or there was none */
	struct slice old_image; /* empty: not recorded, or there was none */
};

/** stream_entry_encode - append the value of a record's key */
void stream_entry_encode(struct buf *out, const struct stream_entry *e);

/** stream_entry_decode - decode the value of a record's key; Errors: -ERR_CORRUPT; Memory: borrows @bytes */
int stream_entry_decode(struct call *c, struct slice bytes, struct stream_entry *out) must_check;

/** stream_shard - the name of a stream's only shard */
struct slice stream_shard(struct arena *a, uint64_t stream, uint64_t label_ms);

#endif
