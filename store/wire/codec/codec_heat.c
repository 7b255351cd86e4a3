/*
 * codec_heat - DescribeHeat
 *
 *   {"TableName", "IndexName"?, "Since"?, "Limit"?}
 *   -> {"Seconds", USE, "Keys": [{"Key": VALUES, USE}], "Known"}
 *
 * VALUES as in codec_listing.c.  USE is what was read and written, of it the busiest second, in halves
 * of units: "Read", "ReadPeak", "Write", "WritePeak".
 */
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

#define CODEC_ROWS_USE(type) \
	CODEC_ROW_NUMBER(type, read.halves, "Read"), \
		CODEC_ROW_NUMBER(type, read.peak_halves, "ReadPeak"), \
		CODEC_ROW_NUMBER(type, write.halves, "Write"), \
		CODEC_ROW_NUMBER(type, write.peak_halves, "WritePeak")

static const struct shape_member codec_describe_heat_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct describe_heat_in, table),
	CODEC_ROW_STRING(struct describe_heat_in, index, "IndexName"),
	CODEC_ROW_NUMBER(struct describe_heat_in, since_s, "Since"),
	CODEC_ROW_LIMIT(struct describe_heat_in, limit),
};

static const struct shape_member codec_heat_of_key_members[] = {
	CODEC_ROW_KEY_ANSWERED(struct heat_of_key, pk, "Key"),
	CODEC_ROWS_USE(struct heat_of_key),
};
static const struct shape codec_heat_of_key = {
	.class = SHAPE_CLASS("HeatOfKey"),
	SHAPE_MEMBERS(struct heat_of_key, codec_heat_of_key_members)};

static const struct shape_member codec_describe_heat_out_members[] = {
	CODEC_ROW_NUMBER(struct describe_heat_out, seconds, "Seconds"),
	CODEC_ROWS_USE(struct describe_heat_out),
	SHAPE_ROW(struct describe_heat_out, keys, "Keys", SHAPE_LIST,
		  SHAPE_COUNT(struct describe_heat_out, n_keys), .of = &codec_heat_of_key,
		  .flags = SHAPE_ALWAYS),
	CODEC_ROW_NUMBER(struct describe_heat_out, known, "Known"),
};

SHAPE_ROWS(describe_heat)
