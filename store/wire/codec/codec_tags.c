/* codec_tags - TagResource, UntagResource, ListTagsOfResource */
#include "store/wire/codec/codec_rows.h"

static const struct shape_member codec_tag_members[] = {
	SHAPE_ROW(struct tag, key, "Key", SHAPE_STRING, .flags = SHAPE_NULLABLE | SHAPE_ANSWERED),
	SHAPE_ROW(struct tag, value, "Value", SHAPE_STRING, .flags = SHAPE_NULLABLE),
};
const struct shape codec_tag_shape = {.class = SHAPE_CLASS("Tag"),
				      SHAPE_MEMBERS(struct tag, codec_tag_members)};

/* Without an ARN nothing else of the request is looked at. */
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
static const struct shape codec_tag_in = {
	SHAPE_MEMBERS(struct tag_resource_in, codec_tag_in_members),
	.finish = codec_finish_resource};

static const struct shape_member codec_untag_in_members[] = {
	CODEC_ROW_STRING(struct untag_resource_in, arn, "ResourceArn"),
	SHAPE_ROW(struct untag_resource_in, keys, "TagKeys", SHAPE_LIST,
		  SHAPE_COUNT(struct untag_resource_in, n_keys), .of = &shape_strings,
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};
static const struct shape codec_untag_in = {
	SHAPE_MEMBERS(struct untag_resource_in, codec_untag_in_members),
	.finish = codec_finish_resource};

static const struct shape_member codec_list_tags_in_members[] = {
	CODEC_ROW_STRING(struct list_tags_of_resource_in, arn, "ResourceArn"),
	CODEC_ROW_STRING(struct list_tags_of_resource_in, next, "NextToken"),
};
static const struct shape codec_list_tags_in = {
	SHAPE_MEMBERS(struct list_tags_of_resource_in, codec_list_tags_in_members)};

static const struct shape_member codec_list_tags_out_members[] = {
	CODEC_ROW_TAGS(struct list_tags_of_resource_out, tags, n_tags, SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct list_tags_of_resource_out, next, "NextToken"),
};
static const struct shape codec_list_tags_out = {
	SHAPE_MEMBERS(struct list_tags_of_resource_out, codec_list_tags_out_members)};

SHAPE_OPERATION(tag_resource, &codec_tag_in, &shape_nothing)
SHAPE_OPERATION(untag_resource, &codec_untag_in, &shape_nothing)
SHAPE_OPERATION(list_tags_of_resource, &codec_list_tags_in, &codec_list_tags_out)
