/*
 * codec_transfer - drafts and rules of exports and imports; rules and words that many operations share (codec_rows.h)
 */
#include "store/wire/codec/codec_transfer.h"

#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/op/validate.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/codec_rows.h"

/* ------------------------------------------------------------ rules */

const struct shape_words codec_transfer_words = {SHAPE_WORDS("IN_PROGRESS", "COMPLETED", "FAILED")};

static bool
codec_fits_token(struct slice token)
{
	return token.len > 0 && slice_chr(token, '$') == NULL;
}

static bool
codec_fits_owner(struct slice owner)
{
	return owner.len == LIMIT_ACCOUNT_DIGITS && ascii_digits_end(owner, 0) == owner.len;
}

static const struct shape_pattern codec_token_pattern = {"^[^\\$]+$", codec_fits_token};
static const struct shape_pattern codec_owner_pattern = {"[0-9]{12}", codec_fits_owner};
static const struct shape_pattern codec_bucket_pattern = {"^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$",
							  validate_bucket};

const struct shape_rule codec_client_token_rule = {.pattern = &codec_token_pattern,
						   .max = LIMIT_TRANSFER_TOKEN};
const struct shape_rule codec_owner_rule = {.pattern = &codec_owner_pattern};
const struct shape_rule codec_bucket_rule = {.pattern = &codec_bucket_pattern,
					     .max = LIMIT_BUCKET_NAME};
const struct shape_rule codec_transfer_arn_rule = {.min = LIMIT_TRANSFER_ARN_MIN};
const struct shape_rule codec_transfer_page_rule = {.least = 1, .most = LIMIT_LIST_TRANSFERS};

/* ------------------------------------------------------------ descriptions */

int
codec_unpack_transfer(struct call *c, const struct codec_transfer *from, const char *kind,
		      struct transfer *out)
{
	*out = from->of;
	return arn_read(from->arn, kind, &out->table, &out->id)
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "an answer without an ARN of %s", kind);
}

void
codec_pack_transfer(struct codec_writer *w, const struct transfer *from, const char *kind,
		    struct codec_transfer *out)
{
	*out = (struct codec_transfer){
		.of = *from,
		.arn = codec_pack_arn(w, from->table, kind, from->id),
		.table_arn = codec_pack_arn(w, from->table, NULL, SLICE("")),
		.ended = from->status != TRANSFER_RUNNING,
	};
}

/* ------------------------------------------------------------ rules and words of many operations */

const struct shape_rule codec_table_rule = {.name = true, .min = 1, .max = LIMIT_TABLE_NAME_MAX};
const struct shape_rule codec_table_name_rule = {.name = true, .max = LIMIT_TABLE_NAME_MAX};
const struct shape_rule codec_index_rule = {.name = true, .min = 3, .max = LIMIT_TABLE_NAME_MAX};
const struct shape_rule codec_filled_rule = {.min = 1};
const struct shape_rule codec_positive_rule = {.least = 1};
const struct shape_rule codec_token_rule = {.min = 1, .max = LIMIT_TOKEN_BYTES};

static const struct shape_member codec_alias_shape_members[] = {
	SHAPE_BARE(struct name_alias, name, SHAPE_STRING),
};
SHAPE_SHARE(codec_alias_shape, struct name_alias, "java.lang.String", .bare = true,
	    .key = offsetof(struct name_alias, alias))

/* In the order of enum return_values. */
const struct shape_words codec_return_words = {
	SHAPE_WORDS("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"),
	.set = "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
	.newer = CODEC_NEWER_ENUM "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"}; /* sic */

/* Foreign servers have states in between. */
const struct shape_words codec_state_words = {
	SHAPE_WORDS("DISABLED", "ENABLED", "DISABLING", "ENABLING")};

const struct shape_words codec_failure_words = {SHAPE_WORDS("NONE", "ALL_OLD"),
						.set = "[ALL_OLD, NONE]"};
