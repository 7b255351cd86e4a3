/* codec_ttl - UpdateTimeToLive, DescribeTimeToLive */
#include "store/wire/codec/codec_rows.h"

/* ------------------------------------------------------------ UpdateTimeToLive */

static const struct shape_member codec_ttl_members[] = {
	SHAPE_ROW(struct update_time_to_live_in, enabled, "Enabled", SHAPE_BOOL,
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
	SHAPE_ROW(struct update_time_to_live_in, attribute, "AttributeName", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED | SHAPE_NULLABLE),
};
static const struct shape codec_ttl = {
	.class = SHAPE_CLASS("TimeToLiveSpecification"),
	SHAPE_MEMBERS(struct update_time_to_live_in, codec_ttl_members)};

#define CODEC_ROW_TTL \
	{ \
		.name = SLICE_INIT("TimeToLiveSpecification"), .kind = SHAPE_STRUCT, \
		.of = &codec_ttl, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS \
	}

static const struct shape_member codec_update_ttl_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct update_time_to_live_in, table),
	CODEC_ROW_TTL,
};
static const struct shape codec_update_ttl_in = {
	SHAPE_MEMBERS(struct update_time_to_live_in, codec_update_ttl_in_members)};

/* The answer repeats the request, so nothing of it is read. */
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

SHAPE_OPERATION(update_time_to_live, &codec_update_ttl_in, &codec_update_ttl_out)

/* ------------------------------------------------------------ DescribeTimeToLive */

static const struct shape_member codec_describe_ttl_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct describe_time_to_live_in, table),
};
static const struct shape codec_describe_ttl_in = {
	SHAPE_MEMBERS(struct describe_time_to_live_in, codec_describe_ttl_in_members)};

/* TimeToLiveStatus says whether AttributeName counts: a server of others knows states in between. */
enum codec_ttl_status { CODEC_TTL_DISABLED, CODEC_TTL_ENABLED, CODEC_TTL_ENABLING };
static const char *const codec_ttl_statuses[] = {"DISABLED", "ENABLED", "ENABLING", NULL};
static const struct shape_words codec_ttl_status_words = {.at = codec_ttl_statuses};

struct codec_ttl_description {
	enum codec_ttl_status status;
	struct slice attribute;
};

static const struct shape_member codec_ttl_description_members[] = {
	SHAPE_ROW(struct codec_ttl_description, status, "TimeToLiveStatus", SHAPE_ENUM,
		  .flags = SHAPE_ALWAYS, .words = &codec_ttl_status_words),
	CODEC_ROW_STRING(struct codec_ttl_description, attribute, "AttributeName"),
};
static const struct shape codec_ttl_description = {
	.class = SHAPE_CLASS("TimeToLiveDescription"),
	SHAPE_MEMBERS(struct codec_ttl_description, codec_ttl_description_members)};

static const struct shape_member codec_describe_ttl_out_members[] = {
	{.name = SLICE_INIT("TimeToLiveDescription"),
	 .kind = SHAPE_STRUCT,
	 .of = &codec_ttl_description,
	 .flags = SHAPE_ALWAYS},
};

static int
codec_unpack_ttl(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_ttl_description *d = draft;

	(void)r;
	if (d->status != CODEC_TTL_DISABLED) {
		((struct describe_time_to_live_out *)out)->attribute = d->attribute;
	}
	return 0;
}

static void
codec_pack_ttl(struct codec_writer *w, const void *out, void *draft)
{
	struct slice attribute = ((const struct describe_time_to_live_out *)out)->attribute;

	(void)w;
	*(struct codec_ttl_description *)draft = (struct codec_ttl_description){
		attribute.len > 0 ? CODEC_TTL_ENABLED : CODEC_TTL_DISABLED, attribute};
}

static const struct shape codec_describe_ttl_out = {
	SHAPE_DRAFT(struct describe_time_to_live_out, struct codec_ttl_description,
		    codec_describe_ttl_out_members, codec_unpack_ttl, codec_pack_ttl)};

SHAPE_OPERATION(describe_time_to_live, &codec_describe_ttl_in, &codec_describe_ttl_out)
