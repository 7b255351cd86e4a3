/*
 * codec_account - recovery, time to live and tags of a table; limits and endpoints of an account
 *
 * Continuous backups are always on; only point-in-time recovery is switched.
 */
#include "store/base/text/json.h"
#include "store/model/limits.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ backups: the answers */

/* If recovery is off, the other members are 0 and so not written. */
static const struct shape_member codec_recovery_members[] = {
	SHAPE_ROW(struct recovery, enabled, "PointInTimeRecoveryStatus", SHAPE_FLAG,
		  .words = &codec_state_words, .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct recovery, days, "RecoveryPeriodInDays", SHAPE_INTEGER),
	SHAPE_ROW(struct recovery, earliest_ms, "EarliestRestorableDateTime", SHAPE_TIME),
	SHAPE_ROW(struct recovery, latest_ms, "LatestRestorableDateTime", SHAPE_TIME),
};
SHAPE_DEFINE(codec_recovery, struct recovery, NULL)

static const struct shape_member codec_continuous_members[] = {
	SHAPE_FIXED("ContinuousBackupsStatus", "ENABLED"),
	SHAPE_INNER("PointInTimeRecoveryDescription", &codec_recovery, .flags = SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_continuous, struct recovery, NULL)

static const struct shape_member codec_backups_members[] = {
	SHAPE_INNER("ContinuousBackupsDescription", &codec_continuous, .flags = SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_backups, struct recovery, NULL)

/* ------------------------------------------------------------ backups: the requests */

SHAPE_OPERATION(describe_continuous_backups, &codec_table_only_shape, &codec_backups)

static const struct shape_rule codec_days_rule = {.least = 1, .most = LIMIT_RECOVERY_DAYS};

static const struct shape_member codec_specification_members[] = {
	SHAPE_ROW(struct update_continuous_backups_in, enabled, "PointInTimeRecoveryEnabled",
		  SHAPE_BOOL, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
	SHAPE_ROW(struct update_continuous_backups_in, days, "RecoveryPeriodInDays", SHAPE_INTEGER,
		  SHAPE_GIVEN(struct update_continuous_backups_in, has_days),
		  .rule = &codec_days_rule),
};
SHAPE_DEFINE(codec_specification, struct update_continuous_backups_in,
	     SHAPE_CLASS("PointInTimeRecoverySpecification"))

static const struct shape_member codec_update_continuous_backups_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct update_continuous_backups_in, table),
	SHAPE_INNER("PointInTimeRecoverySpecification", &codec_specification,
		    .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};

SHAPE_ROWS_IN(update_continuous_backups)
SHAPE_ANSWER(update_continuous_backups, &codec_backups)

/* ------------------------------------------------------------ DescribeLimits */

static const struct shape_member codec_describe_limits_out_members[] = {
	CODEC_ROW_NUMBER(struct describe_limits_out, account_read_units,
			 "AccountMaxReadCapacityUnits"),
	CODEC_ROW_NUMBER(struct describe_limits_out, account_write_units,
			 "AccountMaxWriteCapacityUnits"),
	CODEC_ROW_NUMBER(struct describe_limits_out, table_read_units, "TableMaxReadCapacityUnits"),
	CODEC_ROW_NUMBER(struct describe_limits_out, table_write_units,
			 "TableMaxWriteCapacityUnits"),
};

SHAPE_REQUEST(describe_limits, &shape_nothing)
SHAPE_ROWS_OUT(describe_limits)

/* ------------------------------------------------------------ DescribeEndpoints */

/* The list of the answer, of which only the first element is used. */
struct codec_endpoints {
	const struct describe_endpoints_out *at;
	size_t n;
};

static const struct shape_member codec_endpoint_members[] = {
	CODEC_ROW_STRING(struct describe_endpoints_out, address, "Address"),
	CODEC_ROW_NUMBER(struct describe_endpoints_out, minutes, "CachePeriodInMinutes"),
};
SHAPE_DEFINE(codec_endpoint, struct describe_endpoints_out, NULL)

static const struct shape_member codec_endpoints_members[] = {
	SHAPE_ROW_LIST(struct codec_endpoints, at, n, "Endpoints", &codec_endpoint),
};

static int
codec_unpack_endpoints(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_endpoints *e = draft;

	(void)r;
	if (e->n > 0) {
		*(struct describe_endpoints_out *)out = e->at[0];
	}
	return 0;
}

static void
codec_pack_endpoints(struct codec_writer *w, const void *out, void *draft)
{
	(void)w;
	*(struct codec_endpoints *)draft = (struct codec_endpoints){out, 1};
}

SHAPE_DEFINE_DRAFT(codec_endpoints, struct describe_endpoints_out, struct codec_endpoints,
		   codec_unpack_endpoints, codec_pack_endpoints)

/* The front end fills in the address, which it knows from the Host header. */
SHAPE_OPERATION(describe_endpoints, &shape_nothing, &codec_endpoints)

/* ------------------------------------------------------------ UpdateTimeToLive */

static const struct shape_member codec_ttl_members[] = {
	SHAPE_ROW(struct update_time_to_live_in, enabled, "Enabled", SHAPE_BOOL,
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
	SHAPE_ROW(struct update_time_to_live_in, attribute, "AttributeName", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED | SHAPE_NULLABLE),
};
SHAPE_DEFINE(codec_ttl, struct update_time_to_live_in, SHAPE_CLASS("TimeToLiveSpecification"))

#define CODEC_ROW_TTL \
	SHAPE_INNER("TimeToLiveSpecification", &codec_ttl, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS)

static const struct shape_member codec_update_time_to_live_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct update_time_to_live_in, table),
	CODEC_ROW_TTL,
};

/* The answer repeats the request, so it is written from the request and not read. */
static void
codec_also_update_ttl(struct codec_writer *w, const void *out)
{
	static const struct shape_member members[] = {CODEC_ROW_TTL};
	static const struct shape specification = {
		SHAPE_MEMBERS(struct update_time_to_live_in, members)};

	(void)out;
	shape_write(w, &specification, w->in);
}
static const struct shape codec_update_ttl_out = {.also = codec_also_update_ttl};

SHAPE_ROWS_IN(update_time_to_live)
SHAPE_ANSWER(update_time_to_live, &codec_update_ttl_out)

/* ------------------------------------------------------------ DescribeTimeToLive */

struct codec_ttl_description {
	bool enabled; /* TimeToLiveStatus: AttributeName is in effect */
	struct slice attribute;
};

static const struct shape_member codec_ttl_description_members[] = {
	SHAPE_ROW(struct codec_ttl_description, enabled, "TimeToLiveStatus", SHAPE_FLAG,
		  .flags = SHAPE_ALWAYS, .words = &codec_state_words),
	CODEC_ROW_STRING(struct codec_ttl_description, attribute, "AttributeName"),
};
SHAPE_DEFINE(codec_ttl_description, struct codec_ttl_description, NULL)

static const struct shape_member codec_describe_ttl_out_members[] = {
	SHAPE_INNER("TimeToLiveDescription", &codec_ttl_description, .flags = SHAPE_ALWAYS),
};

static int
codec_unpack_ttl(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_ttl_description *d = draft;

	(void)r;
	if (d->enabled) {
		((struct describe_time_to_live_out *)out)->attribute = d->attribute;
	}
	return 0;
}

static void
codec_pack_ttl(struct codec_writer *w, const void *out, void *draft)
{
	struct slice attribute = ((const struct describe_time_to_live_out *)out)->attribute;

	(void)w;
	*(struct codec_ttl_description *)draft =
		(struct codec_ttl_description){attribute.len > 0, attribute};
}

SHAPE_DEFINE_DRAFT(codec_describe_ttl_out, struct describe_time_to_live_out,
		   struct codec_ttl_description, codec_unpack_ttl, codec_pack_ttl)

SHAPE_OPERATION(describe_time_to_live, &codec_table_only_shape, &codec_describe_ttl_out)

/* ------------------------------------------------------------ TagResource, UntagResource, ListTagsOfResource */

static const struct shape_member codec_tag_shape_members[] = {
	SHAPE_ROW(struct tag, key, "Key", SHAPE_STRING, .flags = SHAPE_NULLABLE | SHAPE_ANSWERED),
	SHAPE_ROW(struct tag, value, "Value", SHAPE_STRING, .flags = SHAPE_NULLABLE),
};
SHAPE_SHARE(codec_tag_shape, struct tag, SHAPE_CLASS("Tag"))

/* A missing ARN is reported before anything else. */
static int
codec_finish_resource(struct codec_reader *r, const struct json *json, void *out)
{
	(void)out;
	return codec_is_null(json_get_slice(json, SLICE("ResourceArn")))
		       ? call_fail(r->c, ERR_VALIDATION, "Invalid TableArn")
		       : 0;
}

static const struct shape_member codec_tag_in_members[] = {
	CODEC_ROW_STRING(struct tag_resource_in, arn, "ResourceArn"),
	CODEC_ROW_TAGS(struct tag_resource_in, tags, n_tags, SHAPE_REQUIRED | SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_tag_in, struct tag_resource_in, NULL, .finish = codec_finish_resource)

static const struct shape_member codec_untag_in_members[] = {
	CODEC_ROW_STRING(struct untag_resource_in, arn, "ResourceArn"),
	SHAPE_ROW_LIST(struct untag_resource_in, keys, n_keys, "TagKeys", &shape_strings,
		       .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_untag_in, struct untag_resource_in, NULL, .finish = codec_finish_resource)

static const struct shape_member codec_list_tags_of_resource_in_members[] = {
	CODEC_ROW_STRING(struct list_tags_of_resource_in, arn, "ResourceArn"),
	CODEC_ROW_STRING(struct list_tags_of_resource_in, next, "NextToken"),
};

static const struct shape_member codec_list_tags_of_resource_out_members[] = {
	CODEC_ROW_TAGS(struct list_tags_of_resource_out, tags, n_tags, SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct list_tags_of_resource_out, next, "NextToken"),
};

SHAPE_OPERATION(tag_resource, &codec_tag_in, &shape_nothing)
SHAPE_OPERATION(untag_resource, &codec_untag_in, &shape_nothing)
SHAPE_ROWS(list_tags_of_resource)
