/*
 * codec_listing - the mount's listings: ListPartitions and ListEntries
 *
 *   ListPartitions  {"TableName", "IndexName"?, "From"?: VALUES, "After"?: true,
 *                    "At"?: VALUES, "Limit"?}
 *               ->  {"Partitions": [{"Key": VALUES, "Items", "ItemBytes", "RenderedBytes"}],
 *                    "More"?: true}
 *   ListEntries     {"TableName", "IndexName"?, "PartitionKey"?: VALUES, "After"?: ITEM, "At"?: ITEM,
 *                    "Limit"?}
 *               ->  {"Entries": [{"Key": VALUES, "RenderedBytes", "MTime"}], "More"?: true}
 *
 * VALUES is an array of typed values ({"S":"x"}), one for each key attribute in
 * the order of struct key_values, ITEM a map of them, MTime nanoseconds of Unix time.  A view does not travel: a remote listing reads the newest state.
 */
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

static const struct shape_member codec_list_partitions_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct list_partitions_in, table),
	CODEC_ROW_STRING(struct list_partitions_in, index, "IndexName"),
	CODEC_ROW_KEY_VALUES(struct list_partitions_in, from, "From"),
	CODEC_ROW_BOOL(struct list_partitions_in, after, "After"),
	CODEC_ROW_KEY_VALUES(struct list_partitions_in, at, "At"),
	CODEC_ROW_LIMIT(struct list_partitions_in, limit),
};

static const struct shape_member codec_partition_members[] = {
	CODEC_ROW_KEY_ANSWERED(struct partition, pk, "Key"),
	CODEC_ROW_NUMBER(struct partition, items, "Items"),
	CODEC_ROW_NUMBER(struct partition, item_bytes, "ItemBytes"),
	CODEC_ROW_NUMBER(struct partition, rendered_bytes, "RenderedBytes"),
};
static const struct shape codec_partition = {
	.class = SHAPE_CLASS("Partition"),
	SHAPE_MEMBERS(struct partition, codec_partition_members)};

static const struct shape_member codec_list_partitions_out_members[] = {
	SHAPE_ROW(struct list_partitions_out, partitions, "Partitions", SHAPE_LIST,
		  SHAPE_COUNT(struct list_partitions_out, n_partitions), .of = &codec_partition,
		  .flags = SHAPE_ALWAYS),
	CODEC_ROW_BOOL(struct list_partitions_out, more, "More"),
};

/* Where there is more, its reader goes on behind the last one. */
static int
codec_check_more(struct codec_reader *r, bool more, size_t n)
{
	return !more || n > 0 ? 0
			      : call_fail(r->c, ERR_VALIDATION,
					  "an answer with nothing that says that there is more");
}

static int
codec_finish_partitions(struct codec_reader *r, const struct json *json, void *answer)
{
	const struct list_partitions_out *out = answer;

	(void)json;
	return codec_check_more(r, out->more, out->n_partitions);
}

static const struct shape codec_list_partitions_in = {
	SHAPE_MEMBERS(struct list_partitions_in, codec_list_partitions_in_members)};
static const struct shape codec_list_partitions_out = {
	SHAPE_MEMBERS(struct list_partitions_out, codec_list_partitions_out_members),
	.finish = codec_finish_partitions};

SHAPE_OPERATION(list_partitions, &codec_list_partitions_in, &codec_list_partitions_out)

static const struct shape_member codec_list_entries_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct list_entries_in, table),
	CODEC_ROW_STRING(struct list_entries_in, index, "IndexName"),
	CODEC_ROW_KEY_VALUES(struct list_entries_in, pk, "PartitionKey"),
	SHAPE_ROW(struct list_entries_in, after, "After", SHAPE_ITEM_AT),
	SHAPE_ROW(struct list_entries_in, at, "At", SHAPE_ITEM_AT),
	CODEC_ROW_LIMIT(struct list_entries_in, limit),
};

static const struct shape_member codec_entry_members[] = {
	CODEC_ROW_KEY_ANSWERED(struct entry, key, "Key"),
	CODEC_ROW_NUMBER(struct entry, rendered_bytes, "RenderedBytes"),
	CODEC_ROW_NUMBER(struct entry, mtime_ns, "MTime"),
};
static const struct shape codec_entry = {.class = SHAPE_CLASS("Entry"),
					 SHAPE_MEMBERS(struct entry, codec_entry_members)};

static const struct shape_member codec_list_entries_out_members[] = {
	SHAPE_ROW(struct list_entries_out, entries, "Entries", SHAPE_LIST,
		  SHAPE_COUNT(struct list_entries_out, n_entries), .of = &codec_entry,
		  .flags = SHAPE_ALWAYS),
	CODEC_ROW_BOOL(struct list_entries_out, more, "More"),
};

static int
codec_finish_entries(struct codec_reader *r, const struct json *json, void *answer)
{
	const struct list_entries_out *out = answer;

	(void)json;
	return codec_check_more(r, out->more, out->n_entries);
}

static const struct shape codec_list_entries_in = {
	SHAPE_MEMBERS(struct list_entries_in, codec_list_entries_in_members)};
static const struct shape codec_list_entries_out = {
	SHAPE_MEMBERS(struct list_entries_out, codec_list_entries_out_members),
	.finish = codec_finish_entries};

SHAPE_OPERATION(list_entries, &codec_list_entries_in, &codec_list_entries_out)
