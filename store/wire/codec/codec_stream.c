/*
 * codec_stream - ListStreams, DescribeStream, GetShardIterator, GetRecords; and a table's StreamSpecification
 */
#include "store/model/schema.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* In the order of enum stream_view. */
const struct shape_words codec_view_words = {
	SHAPE_WORDS("", "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"),
	.set = "[NEW_AND_OLD_IMAGES, NEW_IMAGE, OLD_IMAGE, KEYS_ONLY]"};

/* ------------------------------------------------------------ StreamSpecification */

static const struct shape_member codec_stream_shape_members[] = {
	SHAPE_ROW(struct codec_stream, enabled, "StreamEnabled", SHAPE_BOOL,
		  SHAPE_GIVEN(struct codec_stream, enabled_given), .flags = SHAPE_REQUIRED),
	SHAPE_ROW(struct codec_stream, view, "StreamViewType", SHAPE_STRING,
		  .words = &codec_view_words),
};
SHAPE_SHARE(codec_stream_shape, struct codec_stream, SHAPE_CLASS("StreamSpecification"))

static const struct {
	const char *wanted;  /* the stream is enabled without a view */
	const char *surplus; /* the stream is disabled with a view */
} codec_stream_words[] = {
	[CODEC_STREAM_CREATED] =
		{"Table is being created with a stream enabled, UpdateViewType is required",
		 "Table is being created with a stream disabled, UpdateViewType should not be "
		 "specified"},
	[CODEC_STREAM_CHANGED] =
		{"If stream is being enabled then UpdateViewType is required",
		 "If stream is being disabled, then UpdateViewType must not be specified"},
};

int
codec_unpack_stream(struct call *c, const struct codec_stream *stream,
		    enum codec_stream_request request, enum stream_view *out)
{
	const char *what = NULL;

	*out = stream_view_from_name(stream->view);
	if (stream->given && stream->enabled && stream->view.len == 0) {
		what = codec_stream_words[request].wanted;
	} else if (stream->given && !stream->enabled && stream->view.len > 0) {
		what = codec_stream_words[request].surplus;
	}
	if (what == NULL && stream->enabled && *out == STREAM_NONE) {
		return call_fail(c, ERR_VALIDATION, "Invalid StreamViewType: %.*s",
				 SLICE_ARG(stream->view));
	}
	return what == NULL ? 0
			    : call_fail(c, ERR_VALIDATION,
					"One or more parameter values were invalid: %s", what);
}

struct codec_stream
codec_pack_stream(enum stream_view view)
{
	bool enabled = view != STREAM_NONE;

	return (struct codec_stream){.given = enabled,
				     .enabled = enabled,
				     .enabled_given = enabled,
				     .view = slice_from(stream_view_name(view))};
}

/* ------------------------------------------------------------ ListStreams */

static const struct shape_member codec_list_streams_in_members[] = {
	CODEC_ROW_STRING(struct list_streams_in, table, "TableName"),
	CODEC_ROW_STRING(struct list_streams_in, start, "ExclusiveStartStreamArn"),
	CODEC_ROW_LIMIT(struct list_streams_in, limit),
};

static_assert(offsetof(struct describe_stream_out, name) == 0, "CODEC_ROWS_STREAM_NAME reads it");
#define CODEC_ROWS_STREAM_NAME \
	CODEC_ROW_NAME(struct stream_name, arn, "StreamArn"), \
		CODEC_ROW_STRING(struct stream_name, table, "TableName"), \
		CODEC_ROW_STRING(struct stream_name, label, "StreamLabel")

static const struct shape_member codec_listed_stream_members[] = {CODEC_ROWS_STREAM_NAME};
SHAPE_DEFINE(codec_listed_stream, struct stream_name, NULL)

static const struct shape_member codec_list_streams_out_members[] = {
	CODEC_ROW_LIST(struct list_streams_out, streams, "Streams", &codec_listed_stream),
	CODEC_ROW_STRING(struct list_streams_out, last, "LastEvaluatedStreamArn"),
};

SHAPE_ROWS(list_streams)

/* ------------------------------------------------------------ DescribeStream */

static const struct shape_words codec_filter_words = {SHAPE_WORDS("", "CHILD_SHARDS"),
						      .set = "[CHILD_SHARDS]"};
static const struct shape_rule codec_shard_rule = {.min = 28, .max = 65};

static const struct shape_member codec_filter_members[] = {
	SHAPE_ROW(struct describe_stream_in, children, "Type", SHAPE_FLAG, .flags = SHAPE_REQUIRED,
		  .words = &codec_filter_words),
	SHAPE_ROW(struct describe_stream_in, parent, "ShardId", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED | SHAPE_NEWER, .rule = &codec_shard_rule),
};
SHAPE_DEFINE(codec_filter, struct describe_stream_in, SHAPE_CLASS("ShardFilter"))

static const struct shape_member codec_describe_stream_in_members[] = {
	CODEC_ROW_STRING(struct describe_stream_in, stream, "StreamArn"),
	CODEC_ROW_STRING(struct describe_stream_in, start_shard, "ExclusiveStartShardId"),
	CODEC_ROW_LIMIT(struct describe_stream_in, limit),
	SHAPE_INNER("ShardFilter", &codec_filter, SHAPE_GIVEN(struct describe_stream_in, filtered)),
};

static const struct shape_member codec_sequence_range_members[] = {
	CODEC_ROW_STRING(struct stream_shard, first, "StartingSequenceNumber"),
	CODEC_ROW_STRING(struct stream_shard, last, "EndingSequenceNumber"),
};
SHAPE_DEFINE(codec_sequence_range, struct stream_shard, NULL)

static const struct shape_member codec_shard_members[] = {
	CODEC_ROW_NAME(struct stream_shard, id, "ShardId"),
	CODEC_ROW_STRING(struct stream_shard, parent, "ParentShardId"),
	SHAPE_INNER("SequenceNumberRange", &codec_sequence_range, .flags = SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_shard, struct stream_shard, NULL)

/* Draft of the answer. */
struct codec_described_stream {
	struct describe_stream_out of;
	struct codec_key key;
};

static const struct shape_member codec_description_members[] = {
	CODEC_ROWS_STREAM_NAME,
	SHAPE_ROW(struct codec_described_stream, of.enabled, "StreamStatus", SHAPE_FLAG,
		  .flags = SHAPE_ALWAYS, .words = &codec_state_words),
	SHAPE_ROW(struct codec_described_stream, of.view, "StreamViewType", SHAPE_ENUM,
		  .words = &codec_view_words),
	SHAPE_ROW(struct codec_described_stream, of.created_ms, "CreationRequestDateTime",
		  SHAPE_TIME, .flags = SHAPE_ALWAYS),
	CODEC_ROW_KEY_SCHEMA(struct codec_described_stream, key, NULL),
	SHAPE_ROW_LIST(struct codec_described_stream, of.shards, of.n_shards, "Shards",
		       &codec_shard, .flags = SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct codec_described_stream, of.last_shard, "LastEvaluatedShardId"),
};
SHAPE_DEFINE(codec_description, struct codec_described_stream, NULL)

static const struct shape_member codec_describe_stream_out_members[] = {
	SHAPE_INNER("StreamDescription", &codec_description,
		    .flags = SHAPE_ALWAYS | SHAPE_ANSWERED),
};

static int
codec_unpack_described_stream(struct codec_reader *r, const void *draft, void *answer)
{
	const struct codec_described_stream *d = draft;
	const struct codec_definitions untyped = {0};
	struct describe_stream_out *out = answer;
	struct key_schema key = {0};

	int status = codec_accept_key(r->c, &d->key, &untyped, &key);

	*out = d->of;
	out->pk = key.pk->name;
	out->sk = key.sk->name;
	return status;
}

static void
codec_pack_described_stream(struct codec_writer *w, const void *answer, void *draft)
{
	const struct describe_stream_out *out = answer;
	struct codec_described_stream *d = draft;

	d->of = *out;
	d->key = codec_pack_key(
		w, &(struct key_schema){.pk = {{.name = out->pk}}, .sk = {{.name = out->sk}}});
}

SHAPE_DEFINE_DRAFT(codec_describe_stream_out, struct describe_stream_out,
		   struct codec_described_stream, codec_unpack_described_stream,
		   codec_pack_described_stream)

SHAPE_ROWS_IN(describe_stream)
SHAPE_ANSWER(describe_stream, &codec_describe_stream_out)

/* ------------------------------------------------------------ GetShardIterator */

/* In the order of enum iterator_type. */
static const struct shape_words codec_iterator_words = {
	SHAPE_WORDS("", "TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER")};

static const struct shape_member codec_get_shard_iterator_in_members[] = {
	CODEC_ROW_STRING(struct get_shard_iterator_in, stream, "StreamArn"),
	CODEC_ROW_STRING(struct get_shard_iterator_in, shard, "ShardId"),
	SHAPE_ROW(struct get_shard_iterator_in, type, "ShardIteratorType", SHAPE_ENUM,
		  .flags = SHAPE_ANY_WORD, .words = &codec_iterator_words),
	CODEC_ROW_STRING(struct get_shard_iterator_in, seq, "SequenceNumber"),
};

static const struct shape_member codec_get_shard_iterator_out_members[] = {
	CODEC_ROW_NAME(struct get_shard_iterator_out, iterator, "ShardIterator"),
};

SHAPE_ROWS(get_shard_iterator)

/* ------------------------------------------------------------ GetRecords */

static const struct shape_member codec_get_records_in_members[] = {
	CODEC_ROW_STRING(struct get_records_in, iterator, "ShardIterator"),
	CODEC_ROW_LIMIT(struct get_records_in, limit),
};

/* In the order of enum stream_event. */
static const struct shape_words codec_event_words = {SHAPE_WORDS("INSERT", "MODIFY", "REMOVE")};

/* The member "dynamodb". */
static const struct shape_member codec_change_members[] = {
	SHAPE_ROW(struct stream_record, time_ms, "ApproximateCreationDateTime", SHAPE_TIME,
		  .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct stream_record, keys, "Keys", SHAPE_ITEM,
		  .flags = SHAPE_ALWAYS | SHAPE_ANSWERED),
	SHAPE_ROW(struct stream_record, new_image, "NewImage", SHAPE_ITEM),
	SHAPE_ROW(struct stream_record, old_image, "OldImage", SHAPE_ITEM),
	CODEC_ROW_NAME(struct stream_record, seq, "SequenceNumber"),
	SHAPE_ROW(struct stream_record, bytes, "SizeBytes", SHAPE_LONG, .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct stream_record, view, "StreamViewType", SHAPE_ENUM,
		  .words = &codec_view_words),
};
SHAPE_DEFINE(codec_change, struct stream_record, NULL)

/* The originator of a change, which is written only if it is the service itself. */
static const struct shape_words codec_identity_words = {SHAPE_WORDS("User", "Service")};

static const struct shape_member codec_identity_members[] = {
	SHAPE_FIXED("PrincipalId", "dynamodb.amazonaws.com"),
	SHAPE_ROW(struct stream_record, service, "Type", SHAPE_FLAG,
		  .words = &codec_identity_words),
};
SHAPE_DEFINE(codec_identity, struct stream_record, NULL)

static const struct shape_member codec_record_members[] = {
	CODEC_ROW_STRING(struct stream_record, id, "eventID"),
	SHAPE_ROW(struct stream_record, event, "eventName", SHAPE_ENUM,
		  .flags = SHAPE_ALWAYS | SHAPE_ANSWERED, .words = &codec_event_words),
	SHAPE_FIXED("eventVersion", "1.1"),
	SHAPE_FIXED("eventSource", "aws:dynamodb"),
	{.name = SLICE_INIT("awsRegion"), .kind = SHAPE_REGION},
	SHAPE_INNER("dynamodb", &codec_change, .flags = SHAPE_ALWAYS | SHAPE_ANSWERED),
	{.name = SLICE_INIT("userIdentity"), .kind = SHAPE_STRUCT, .of = &codec_identity},
};
SHAPE_DEFINE(codec_record, struct stream_record, NULL)

static const struct shape_member codec_get_records_out_members[] = {
	CODEC_ROW_LIST(struct get_records_out, records, "Records", &codec_record),
	CODEC_ROW_STRING(struct get_records_out, next, "NextShardIterator"),
};

SHAPE_ROWS(get_records)
