/*
 * op_stream - structs of the operations on streams; part of op.h
 *
 * A stream is identified by its ARN (store/model/stream_arn.h).  Its changes are in shards;
 * a store has one.  Sequence numbers are text: digits, as in DynamoDB.
 */
#ifndef STORE_OP_OP_STREAM_H
#define STORE_OP_OP_STREAM_H

#include "store/model/schema.h"

struct list_streams_in {
	struct slice table; /* empty: of every table */
	struct slice start; /* ARN: streams after this one */
	uint32_t limit;     /* 1..100; 0 = 100 */
};
struct stream_name {
	struct slice arn;
	struct slice table;
	struct slice label;
};
struct list_streams_out {
	const struct stream_name *streams;
	size_t n_streams;
	struct slice last; /* LastEvaluatedStreamArn; empty at the end */
};

struct describe_stream_in {
	struct slice stream;      /* ARN */
	struct slice start_shard; /* shards after this one */
	uint32_t limit;           /* shards; 1..100; 0 = 100 */
	bool filtered;            /* by the next two members */
	bool children;            /* only the shards with this parent */
	struct slice parent;
};
struct stream_shard {
	struct slice id;
	struct slice parent; /* the shard with the previous records; empty: none, or it is gone */
	struct slice first;  /* StartingSequenceNumber */
	struct slice last;   /* EndingSequenceNumber; empty while changes may follow */
};
struct describe_stream_out {
	struct stream_name name;
	bool enabled;
	enum stream_view view;
	uint64_t created_ms;
	struct slice pk; /* name of the partition key attribute */
	struct slice sk; /* name of the sort key attribute; empty: none */
	const struct stream_shard *shards;
	size_t n_shards;
	struct slice last_shard; /* LastEvaluatedShardId; empty at the end */
};

enum iterator_type {
	ITERATOR_NONE,
	ITERATOR_TRIM_HORIZON,
	ITERATOR_LATEST,
	ITERATOR_AT_SEQUENCE_NUMBER,
	ITERATOR_AFTER_SEQUENCE_NUMBER,
};
struct get_shard_iterator_in {
	struct slice stream; /* ARN */
	struct slice shard;
	enum iterator_type type;
	struct slice seq; /* with the last two types */
};
struct get_shard_iterator_out {
	struct slice iterator;
};

enum stream_event { STREAM_INSERT, STREAM_MODIFY, STREAM_REMOVE };

/* One change of an item. */
struct stream_record {
	struct slice id; /* eventID */
	enum stream_event event;
	enum stream_view view;
	bool service;     /* by the store itself: the item has expired */
	uint64_t time_ms; /* Unix time, truncated to seconds */
	uint64_t bytes;   /* keys and images, by DynamoDB's count */
	struct slice seq;
	struct item keys;
	struct item new_image; /* n = 0: not in the record */
	struct item old_image; /* n = 0: not in the record */
};
struct get_records_in {
	struct slice iterator;
	uint32_t limit; /* 1..1,000; 0 = 1,000 */
};
struct get_records_out {
	const struct stream_record *records;
	size_t n_records;
	struct slice next; /* NextShardIterator; empty at the end of a closed shard */
};

#endif
