/* codec_transfer - drafts and rows that exports and imports share */
#ifndef STORE_WIRE_CODEC_CODEC_TRANSFER_H
#define STORE_WIRE_CODEC_CODEC_TRANSFER_H

#include "store/wire/codec/codec_parts.h"

/* Some arguments are types or nested fields, which cannot be in parentheses. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */

/* Draft of the format of an import's files. */
struct codec_source {
	unsigned format;      /* enum in codec_import.c */
	unsigned compression; /* likewise */
	bool csv;             /* InputFormatOptions.Csv is present */
	struct slice delimiter;
	const struct slice *headers;
	size_t n_headers;
};

/* Draft of an export or import. */
struct codec_transfer {
	struct transfer of;
	struct slice arn;
	struct slice table_arn;
	bool ended; /* write EndTime and the other members that are known by then */

	/* only in an export */
	unsigned type;
	uint64_t export_ms;
	bool done; /* write the members that are known of an export that succeeded */
	struct slice manifest;

	/* only in an import */
	struct codec_source source;
	struct codec_new_table table;
};

extern const struct shape_words codec_transfer_words; /* enum transfer_status */
extern const struct shape_rule codec_transfer_arn_rule;
extern const struct shape_rule codec_client_token_rule;

/* The members of a struct bucket_place. */
extern const struct shape_rule codec_bucket_rule;
extern const struct shape_rule codec_owner_rule;
#define CODEC_ROWS_PLACE(type, place, prefix_) \
	SHAPE_ROW(type, place.bucket, "S3Bucket", SHAPE_STRING, .flags = SHAPE_REQUIRED, \
		  .rule = &codec_bucket_rule), \
		SHAPE_ROW(type, place.owner, "S3BucketOwner", SHAPE_STRING, \
			  .rule = &codec_owner_rule), \
		SHAPE_ROW(type, place.prefix, prefix_, SHAPE_STRING, .rule = &codec_filled_rule)

/* Names and status. */
#define CODEC_ROWS_STATE(arn_name, status_name) \
	CODEC_ROW_NAME(struct codec_transfer, arn, arn_name), \
		SHAPE_ROW(struct codec_transfer, of.status, status_name, SHAPE_ENUM, \
			  .words = &codec_transfer_words, .flags = SHAPE_ALWAYS), \
		CODEC_ROW_STRING(struct codec_transfer, table_arn, "TableArn"), \
		CODEC_ROW_STRING(struct codec_transfer, of.uuid, "TableId"), \
		CODEC_ROW_STRING(struct codec_transfer, of.token, "ClientToken")

/* Start, end and failure. */
#define CODEC_ROWS_END \
	SHAPE_ROW(struct codec_transfer, of.started_ms, "StartTime", SHAPE_TIME, \
		  .flags = SHAPE_ALWAYS), \
		SHAPE_ROW(struct codec_transfer, of.ended_ms, "EndTime", SHAPE_TIME, \
			  SHAPE_GIVEN(struct codec_transfer, ended)), \
		CODEC_ROW_STRING(struct codec_transfer, of.failure_code, "FailureCode"), \
		CODEC_ROW_STRING(struct codec_transfer, of.failure, "FailureMessage")

/* The members of a struct transfer_query. */
extern const struct shape_rule codec_transfer_page_rule;
#define CODEC_ROWS_QUERY(type, limit_) \
	SHAPE_ROW(type, query.table, "TableArn", SHAPE_STRING, .rule = &codec_filled_rule), \
		SHAPE_ROW(type, query.limit, limit_, SHAPE_INTEGER, \
			  .rule = &codec_transfer_page_rule), \
		CODEC_ROW_STRING(type, query.next, "NextToken")

/**
 * codec_unpack_transfer - convert a draft, except the source and the table of an import
 * @kind: "/export/" or "/import/"
 *
 * Errors:  -ERR_VALIDATION  the ARN is none of this kind
 */
int codec_unpack_transfer(struct call *c, const struct codec_transfer *from, const char *kind,
			  struct transfer *out) must_check;

/** codec_pack_transfer - fill a draft, except the members that only exports or only imports have */
void codec_pack_transfer(struct codec_writer *w, const struct transfer *from, const char *kind,
			 struct codec_transfer *out);

/* NOLINTEND(bugprone-macro-parentheses) */
#endif
