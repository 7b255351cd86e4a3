/* codec_param - rules and words of parameters that many operations share */
#include "store/model/limits.h"
#include "store/wire/codec/codec_rows.h"

const struct shape_rule codec_table_rule = {.name = true, .min = 1, .max = LIMIT_TABLE_NAME_MAX};
const struct shape_rule codec_table_name_rule = {.name = true, .max = LIMIT_TABLE_NAME_MAX};
const struct shape_rule codec_index_rule = {.name = true, .min = 3, .max = LIMIT_TABLE_NAME_MAX};
const struct shape_rule codec_filled_rule = {.min = 1};
const struct shape_rule codec_positive_rule = {.least = 1};
const struct shape_rule codec_token_rule = {.min = 1, .max = LIMIT_TOKEN_BYTES};

static const struct shape_member codec_alias_members[] = {
	SHAPE_BARE(struct name_alias, name, SHAPE_STRING),
};
const struct shape codec_alias_shape = {.class = "java.lang.String",
					.bare = true,
					SHAPE_MEMBERS(struct name_alias, codec_alias_members),
					.key = offsetof(struct name_alias, alias)};

/* In the order of enum return_values. */
static const char *const return_words[] = {"NONE",    "ALL_OLD",     "UPDATED_OLD",
					   "ALL_NEW", "UPDATED_NEW", NULL};
const struct shape_words codec_return_words = {
	.at = return_words,
	.set = "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
	.newer = CODEC_NEWER_ENUM "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"}; /* sic */

static const char *const failure_words[] = {"NONE", "ALL_OLD", NULL};
const struct shape_words codec_failure_words = {.at = failure_words, .set = "[ALL_OLD, NONE]"};
