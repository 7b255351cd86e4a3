/*
 * op_stream - what goes into and out of the operations on streams; a part of op.h
 *
 * A stream is named by its ARN (store/model/stream_arn.h); its changes are in shards,
 * here in one.  Sequence numbers are text: digits, as DynamoDB shows them.
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
	bool filtered;            /* by the next two */
	bool children;            /* only the shards that have a parent: */
	struct slice parent;
};
struct stream_shard {
	struct slice id;
	struct slice
		parent; /* the shard whose records come before; empty: there is none, or it is gone */
	struct slice first; /* StartingSequenceNumber */
	struct slice last;  /* EndingSequenceNumber; empty while changes may follow */
};
struct describe_stream_out {
	struct stream_name name;
	bool enabled;
	enum stream_view view;
	uint64_t created_ms;
	struct slice pk; /* names of the key's attributes */
	struct slice sk; /* empty: there is none */
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
	bool service;     /* by the store itself: the item's time had come */
	uint64_t time_ms; /* cut to seconds */
	uint64_t bytes;   /* keys and images, by DynamoDB's count */
	struct slice seq;
	struct item keys;
	struct item new_image; /* n = 0: not in the record */
	struct item old_image; /* likewise */
};
struct get_records_in {
	struct slice iterator;
	uint32_t limit; /* 1..1,000; 0 = 1,000 */
};
struct get_records_out {
	const struct stream_record *records;
	size_t n_records;
	struct slice next; /* NextShardIterator; empty at the end of a shard that is closed */
};

#endif
