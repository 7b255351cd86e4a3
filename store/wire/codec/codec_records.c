/*
 * codec_records - GetRecords
 */
#include "store/model/arn.h"
#include "store/wire/codec/codec_rows.h"

static const struct shape_member codec_records_in_members[] = {
	CODEC_ROW_STRING(struct get_records_in, iterator, "ShardIterator"),
	CODEC_ROW_LIMIT(struct get_records_in, limit),
};
static const struct shape codec_records_in = {
	SHAPE_MEMBERS(struct get_records_in, codec_records_in_members)};

/* In the order of enum stream_event. */
static const char *const codec_events[] = {"INSERT", "MODIFY", "REMOVE", NULL};
static const struct shape_words codec_event_words = {.at = codec_events};

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
static const struct shape codec_change = {
	.class = SHAPE_CLASS("StreamRecord"),
	SHAPE_MEMBERS(struct stream_record, codec_change_members)};

/* Who changed it: told only where it was the service itself. */
static const char *const codec_identities[] = {"User", "Service", NULL};
static const struct shape_words codec_identity_words = {.at = codec_identities};
static const struct shape_words codec_principal = {.set = "dynamodb.amazonaws.com"};

static const struct shape_member codec_identity_members[] = {
	{.name = SLICE_INIT("PrincipalId"), .kind = SHAPE_CONSTANT, .words = &codec_principal},
	SHAPE_ROW(struct stream_record, service, "Type", SHAPE_FLAG,
		  .words = &codec_identity_words),
};
static const struct shape codec_identity = {
	.class = SHAPE_CLASS("Identity"),
	SHAPE_MEMBERS(struct stream_record, codec_identity_members)};

static const struct shape_words codec_version = {.set = "1.1"};
static const struct shape_words codec_source = {.set = "aws:dynamodb"};

static const struct shape_member codec_record_members[] = {
	CODEC_ROW_STRING(struct stream_record, id, "eventID"),
	SHAPE_ROW(struct stream_record, event, "eventName", SHAPE_ENUM,
		  .flags = SHAPE_ALWAYS | SHAPE_ANSWERED, .words = &codec_event_words),
	{.name = SLICE_INIT("eventVersion"), .kind = SHAPE_CONSTANT, .words = &codec_version},
	{.name = SLICE_INIT("eventSource"), .kind = SHAPE_CONSTANT, .words = &codec_source},
	{.name = SLICE_INIT("awsRegion"), .kind = SHAPE_REGION},
	{.name = SLICE_INIT("dynamodb"),
	 .kind = SHAPE_STRUCT,
	 .of = &codec_change,
	 .flags = SHAPE_ALWAYS | SHAPE_ANSWERED},
	{.name = SLICE_INIT("userIdentity"), .kind = SHAPE_STRUCT, .of = &codec_identity},
};
static const struct shape codec_record = {
	.class = SHAPE_CLASS("Record"), SHAPE_MEMBERS(struct stream_record, codec_record_members)};

static const struct shape_member codec_records_out_members[] = {
	SHAPE_ROW(struct get_records_out, records, "Records", SHAPE_LIST,
		  SHAPE_COUNT(struct get_records_out, n_records), .of = &codec_record,
		  .flags = SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct get_records_out, next, "NextShardIterator"),
};
static const struct shape codec_records_out = {
	SHAPE_MEMBERS(struct get_records_out, codec_records_out_members)};

SHAPE_OPERATION(get_records, &codec_records_in, &codec_records_out)
