/*
 * codec_account - DescribeContinuousBackups, UpdateContinuousBackups, DescribeLimits, DescribeEndpoints
 *
 * Backups that can be taken at any time are always on; what is switched is
 * point-in-time recovery.
 */
#include "store/model/limits.h"
#include "store/wire/codec/codec_rows.h"

/* ------------------------------------------------------------ backups: the answer of both */

struct codec_recovery {
	struct recovery of;
	bool on; /* what is told of one that is enabled */
};

static const char *const codec_switch[] = {"DISABLED", "ENABLED", NULL};
static const struct shape_words codec_switch_words = {.at = codec_switch, .set = "ENABLED"};

#define CODEC_ROW_WHEN_ON(field, name, kind) \
	SHAPE_ROW(struct codec_recovery, of.field, name, kind, \
		  SHAPE_GIVEN(struct codec_recovery, on))
static const struct shape_member codec_recovery_members[] = {
	SHAPE_ROW(struct codec_recovery, of.enabled, "PointInTimeRecoveryStatus", SHAPE_FLAG,
		  .words = &codec_switch_words, .flags = SHAPE_ALWAYS),
	CODEC_ROW_WHEN_ON(days, "RecoveryPeriodInDays", SHAPE_INTEGER),
	CODEC_ROW_WHEN_ON(earliest_ms, "EarliestRestorableDateTime", SHAPE_TIME),
	CODEC_ROW_WHEN_ON(latest_ms, "LatestRestorableDateTime", SHAPE_TIME),
};
static const struct shape codec_recovery = {
	.class = SHAPE_CLASS("PointInTimeRecoveryDescription"),
	SHAPE_MEMBERS(struct codec_recovery, codec_recovery_members)};

static const struct shape_member codec_continuous_members[] = {
	{.name = SLICE_INIT("ContinuousBackupsStatus"),
	 .kind = SHAPE_CONSTANT,
	 .words = &codec_switch_words},
	{.name = SLICE_INIT("PointInTimeRecoveryDescription"),
	 .kind = SHAPE_STRUCT,
	 .of = &codec_recovery,
	 .flags = SHAPE_ALWAYS},
};
static const struct shape codec_continuous = {
	.class = SHAPE_CLASS("ContinuousBackupsDescription"),
	SHAPE_MEMBERS(struct codec_recovery, codec_continuous_members)};

static const struct shape_member codec_backups_members[] = {
	{.name = SLICE_INIT("ContinuousBackupsDescription"),
	 .kind = SHAPE_STRUCT,
	 .of = &codec_continuous,
	 .flags = SHAPE_ALWAYS},
};

static int
codec_unpack_recovery(struct codec_reader *r, const void *draft, void *out)
{
	(void)r;
	*(struct recovery *)out = ((const struct codec_recovery *)draft)->of;
	return 0;
}

static void
codec_pack_recovery(struct codec_writer *w, const void *out, void *draft)
{
	const struct recovery *v = out;

	(void)w;
	*(struct codec_recovery *)draft = (struct codec_recovery){*v, v->enabled};
}

static const struct shape codec_backups = {SHAPE_DRAFT(struct recovery, struct codec_recovery,
						       codec_backups_members, codec_unpack_recovery,
						       codec_pack_recovery)};

/* ------------------------------------------------------------ their requests */

static const struct shape_member codec_describe_backups_members[] = {
	CODEC_ROW_TABLE_FIRST(struct describe_continuous_backups_in, table),
};
static const struct shape codec_describe_backups = {
	SHAPE_MEMBERS(struct describe_continuous_backups_in, codec_describe_backups_members)};

SHAPE_OPERATION(describe_continuous_backups, &codec_describe_backups, &codec_backups)

static const struct shape_rule codec_days_rule = {.least = 1, .most = LIMIT_RECOVERY_DAYS};

static const struct shape_member codec_specification_members[] = {
	SHAPE_ROW(struct update_continuous_backups_in, enabled, "PointInTimeRecoveryEnabled",
		  SHAPE_BOOL, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
	SHAPE_ROW(struct update_continuous_backups_in, days, "RecoveryPeriodInDays", SHAPE_INTEGER,
		  SHAPE_GIVEN(struct update_continuous_backups_in, has_days),
		  .rule = &codec_days_rule),
};
static const struct shape codec_specification = {
	.class = SHAPE_CLASS("PointInTimeRecoverySpecification"),
	SHAPE_MEMBERS(struct update_continuous_backups_in, codec_specification_members)};

static const struct shape_member codec_update_backups_members[] = {
	CODEC_ROW_TABLE_FIRST(struct update_continuous_backups_in, table),
	{.name = SLICE_INIT("PointInTimeRecoverySpecification"),
	 .kind = SHAPE_STRUCT,
	 .of = &codec_specification,
	 .flags = SHAPE_REQUIRED | SHAPE_ALWAYS},
};
static const struct shape codec_update_backups = {
	SHAPE_MEMBERS(struct update_continuous_backups_in, codec_update_backups_members)};

SHAPE_OPERATION(update_continuous_backups, &codec_update_backups, &codec_backups)

/* ------------------------------------------------------------ DescribeLimits */

static const struct shape_member codec_limits_members[] = {
	CODEC_ROW_NUMBER(struct describe_limits_out, account_read_units,
			 "AccountMaxReadCapacityUnits"),
	CODEC_ROW_NUMBER(struct describe_limits_out, account_write_units,
			 "AccountMaxWriteCapacityUnits"),
	CODEC_ROW_NUMBER(struct describe_limits_out, table_read_units, "TableMaxReadCapacityUnits"),
	CODEC_ROW_NUMBER(struct describe_limits_out, table_write_units,
			 "TableMaxWriteCapacityUnits"),
};
static const struct shape codec_limits = {
	SHAPE_MEMBERS(struct describe_limits_out, codec_limits_members)};

SHAPE_OPERATION(describe_limits, &shape_nothing, &codec_limits)

/* ------------------------------------------------------------ DescribeEndpoints */

/* A list, of which the first counts. */
struct codec_endpoints {
	const struct describe_endpoints_out *at;
	size_t n;
};

static const struct shape_member codec_endpoint_members[] = {
	CODEC_ROW_STRING(struct describe_endpoints_out, address, "Address"),
	CODEC_ROW_NUMBER(struct describe_endpoints_out, minutes, "CachePeriodInMinutes"),
};
static const struct shape codec_endpoint = {
	.class = SHAPE_CLASS("Endpoint"),
	SHAPE_MEMBERS(struct describe_endpoints_out, codec_endpoint_members)};

static const struct shape_member codec_endpoints_members[] = {
	SHAPE_ROW(struct codec_endpoints, at, "Endpoints", SHAPE_LIST,
		  SHAPE_COUNT(struct codec_endpoints, n), .of = &codec_endpoint),
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

static const struct shape codec_endpoints = {
	SHAPE_DRAFT(struct describe_endpoints_out, struct codec_endpoints, codec_endpoints_members,
		    codec_unpack_endpoints, codec_pack_endpoints)};

/* The host is the front end's to know: a header has it. */
SHAPE_OPERATION(describe_endpoints, &shape_nothing, &codec_endpoints)
