/*
 * codec_own - itemfs's own operations, the listings for the mount, and DescribeKeyUsage
 *
 *   LoadItems       {"TableName", "Items": [ITEM]}     -> {"Loaded"}
 *   ChangeItems     {"TableName", "Keys": [ITEM], "UpdateExpression"?, "ConditionExpression"?, names, values}
 *                                                      -> {"Changed", "Refused"}
 *   SetTime         {"TableName", "Key": ITEM, "MTime"} -> {"Seq"}
 *   Sync            {}                                 -> {}
 *   Sweep           {"TableName"?, "Now"?, "AnyAge"?: true, "Next"?: BYTES}
 *                                                      -> {"Items", "Deleted", "Ahead"?, "Next"?: BYTES}
 *   Compact         {"TableName"?, "Next"?: BYTES} -> {"Bytes"?, "Ahead"?, "Next"?: BYTES}
 *   Check           {"Next"?: BYTES, "Repair"?: true} -> {"Problems": [BYTES], "Repaired"?, "Items", "Entries",
 *                                                         "Looked"?, "Ahead"?, "Next"?: BYTES}
 *   BackupStore     {"Path": BYTES, "Mark"} -> {"Records", "Bytes", "Broken": [BYTES]}
 *   Refused         {"Path"?: BYTES} -> {"Lines": [BYTES]}
 *
 * ITEM is a map of typed values ({"S":"x"}).  BYTES is one typed value: S if the bytes are UTF-8, otherwise B (base64),
 * since a path may contain any bytes.  MTime is nanoseconds of Unix time.  The rows below define the listings and
 * DescribeKeyUsage.
 */
#include <inttypes.h>

#include "store/base/core/utf8.h"
#include "store/model/item_json.h"
#include "store/model/typed_json.h"
#include "store/model/value.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ BYTES */

static int
codec_read_bytes(struct codec_reader *r, const struct json *json, void *field)
{
	struct value v = {0};

	if (json->type != JSON_OBJECT || field == NULL) {
		return typed_json_check_value(r->c, json);
	}
	int status = value_from_typed_json(r->c, json, &v);

	if (status == 0 && v.type != VALUE_S && v.type != VALUE_B) {
		status = call_fail(r->c, ERR_VALIDATION, "expected S or B, not %s",
				   value_type_name(v.type));
	}
	if (status == 0) {
		*(struct slice *)field = v.text;
	}
	return status;
}

static void
codec_write_bytes(struct codec_writer *w, const void *field)
{
	const struct slice *s = field;
	const struct value v = {.type = utf8_valid(*s) ? VALUE_S : VALUE_B, .text = *s};

	value_put_json(codec_by_hand(w), &v, ITEM_TYPED);
}

const struct shape_custom codec_bytes = {codec_read_bytes, codec_write_bytes};

static const struct shape_member codec_lines_members[] = {
	{.kind = SHAPE_CUSTOM, .custom = &codec_bytes},
};
SHAPE_DEFINE(codec_lines, struct slice, NULL, .bare = true)

/* NOLINTBEGIN(bugprone-macro-parentheses): the second argument is the name of a member */
#define CODEC_ROW_BYTES(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_CUSTOM, SHAPE_COUNT(type, field.len), \
		  .custom = &codec_bytes)
/* NOLINTEND(bugprone-macro-parentheses) */
#define CODEC_ROW_LINES(type, field, name) CODEC_ROW_LIST(type, field, name, &codec_lines)
#define CODEC_ROW_ITEMS(type, field, name) CODEC_ROW_LIST(type, field, name, &shape_items)

/* ------------------------------------------------------------ LoadItems, ChangeItems, SetTime, Sync */

static const struct shape_member codec_load_items_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct load_items_in, table),
	CODEC_ROW_ITEMS(struct load_items_in, items, "Items"),
};
static const struct shape_member codec_load_items_out_members[] = {
	CODEC_ROW_NUMBER(struct load_items_out, loaded, "Loaded"),
};

static const struct shape_member codec_change_items_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct change_items_in, table),
	CODEC_ROW_ITEMS(struct change_items_in, keys, "Keys"),
	CODEC_ROW_EXPRESSION(struct change_items_in, update, "UpdateExpression"),
	CODEC_ROW_EXPRESSION(struct change_items_in, condition, "ConditionExpression"),
	CODEC_ROW_NAMES(struct change_items_in, ph),
	CODEC_ROW_VALUES(struct change_items_in, ph),
};
static const struct shape_member codec_change_items_out_members[] = {
	CODEC_ROW_NUMBER(struct change_items_out, changed, "Changed"),
	CODEC_ROW_NUMBER(struct change_items_out, refused, "Refused"),
};

static const struct shape_member codec_set_time_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct set_time_in, table),
	CODEC_ROW_KEY(struct set_time_in, key, "Key"),
	CODEC_ROW_NUMBER(struct set_time_in, mtime_ns, "MTime"),
};
static const struct shape_member codec_set_time_out_members[] = {
	CODEC_ROW_NUMBER(struct set_time_out, seq, "Seq"),
};

SHAPE_ROWS(load_items)

/* Check that at least one of the keys was processed; otherwise a client that asks for the rest would never end. */
static int
codec_finish_change_items(struct codec_reader *r, const struct json *json, void *answer)
{
	const struct change_items_out *out = answer;
	size_t n = r->in->change_items.n_keys;

	(void)json;
	if (n > 0 && (out->changed > n || out->refused > n - out->changed ||
		      out->changed + out->refused == 0)) {
		return call_fail(r->c, ERR_VALIDATION,
				 "an answer about %" PRIu64 " and %" PRIu64 " of %zu keys",
				 out->changed, out->refused, n);
	}
	return 0;
}

SHAPE_DEFINE(codec_change_items_out, struct change_items_out, NULL,
	     .finish = codec_finish_change_items)

SHAPE_ROWS_IN(change_items)
SHAPE_ANSWER(change_items, &codec_change_items_out)
SHAPE_ROWS(set_time)
SHAPE_OPERATION(sync, &shape_nothing, &shape_nothing)

/* ------------------------------------------------------------ Sweep, Compact, Check, Refused */

static const struct shape_member codec_sweep_in_members[] = {
	CODEC_ROW_STRING(struct sweep_in, table, "TableName"),
	CODEC_ROW_NUMBER(struct sweep_in, now_s, "Now"),
	CODEC_ROW_BOOL(struct sweep_in, any_age, "AnyAge"),
	CODEC_ROW_BYTES(struct sweep_in, next, "Next"),
};
static const struct shape_member codec_sweep_out_members[] = {
	CODEC_ROW_NUMBER(struct sweep_out, items, "Items"),
	CODEC_ROW_NUMBER(struct sweep_out, deleted, "Deleted"),
	CODEC_ROW_LONG(struct sweep_out, ahead, "Ahead"),
	CODEC_ROW_BYTES(struct sweep_out, next, "Next"),
};

static const struct shape_member codec_compact_in_members[] = {
	CODEC_ROW_STRING(struct compact_in, table, "TableName"),
	CODEC_ROW_BYTES(struct compact_in, next, "Next"),
};
static const struct shape_member codec_compact_out_members[] = {
	CODEC_ROW_LONG(struct compact_out, bytes, "Bytes"),
	CODEC_ROW_LONG(struct compact_out, ahead, "Ahead"),
	CODEC_ROW_BYTES(struct compact_out, next, "Next"),
};

static const struct shape_member codec_check_in_members[] = {
	CODEC_ROW_BOOL(struct check_in, repair, "Repair"),
	CODEC_ROW_BYTES(struct check_in, next, "Next"),
};
static const struct shape_member codec_check_out_members[] = {
	CODEC_ROW_LINES(struct check_out, problems, "Problems"),
	CODEC_ROW_LONG(struct check_out, repaired, "Repaired"),
	CODEC_ROW_NUMBER(struct check_out, items, "Items"),
	CODEC_ROW_NUMBER(struct check_out, entries, "Entries"),
	CODEC_ROW_LONG(struct check_out, looked, "Looked"),
	CODEC_ROW_LONG(struct check_out, ahead, "Ahead"),
	CODEC_ROW_BYTES(struct check_out, next, "Next"),
};

static const struct shape_member codec_backup_store_in_members[] = {
	CODEC_ROW_BYTES(struct backup_store_in, dir, "Path"),
	CODEC_ROW_NUMBER(struct backup_store_in, mark, "Mark"),
};
static const struct shape_member codec_backup_store_out_members[] = {
	CODEC_ROW_NUMBER(struct backup_store_out, records, "Records"),
	CODEC_ROW_NUMBER(struct backup_store_out, bytes, "Bytes"),
	CODEC_ROW_LINES(struct backup_store_out, broken, "Broken"),
};

static const struct shape_member codec_refused_in_members[] = {
	CODEC_ROW_BYTES(struct refused_in, path, "Path"),
};
static const struct shape_member codec_refused_out_members[] = {
	CODEC_ROW_LINES(struct refused_out, lines, "Lines"),
};

SHAPE_ROWS(sweep)
SHAPE_ROWS(compact)
SHAPE_ROWS(check)
SHAPE_ROWS(backup_store)
SHAPE_ROWS(refused)

/* ------------------------------------------------------------ the mount's listings */

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
SHAPE_DEFINE(codec_partition, struct partition, NULL)

static const struct shape_member codec_list_partitions_out_members[] = {
	CODEC_ROW_LIST(struct list_partitions_out, partitions, "Partitions", &codec_partition),
	CODEC_ROW_BOOL(struct list_partitions_out, more, "More"),
};

static_assert(offsetof(struct list_partitions_out, more) ==
			      offsetof(struct list_entries_out, more) &&
		      offsetof(struct list_partitions_out, n_partitions) ==
			      offsetof(struct list_entries_out, n_entries),
	      "codec_finish_listing() reads both");

/* Check that there is a last element to continue after if there is more. */
static int
codec_finish_listing(struct codec_reader *r, const struct json *json, void *answer)
{
	const struct list_entries_out *out = answer;

	(void)json;
	return !out->more || out->n_entries > 0
		       ? 0
		       : call_fail(r->c, ERR_VALIDATION,
				   "an empty answer that says that there is more");
}

SHAPE_DEFINE(codec_list_partitions_out, struct list_partitions_out, NULL,
	     .finish = codec_finish_listing)

SHAPE_ROWS_IN(list_partitions)
SHAPE_ANSWER(list_partitions, &codec_list_partitions_out)

static const struct shape_member codec_list_entries_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct list_entries_in, table),
	CODEC_ROW_STRING(struct list_entries_in, index, "IndexName"),
	CODEC_ROW_KEY_VALUES(struct list_entries_in, pk, "PartitionKey"),
	SHAPE_ROW(struct list_entries_in, after, "After", SHAPE_ITEM,
		  SHAPE_POINTER(struct list_entries_in, after)),
	SHAPE_ROW(struct list_entries_in, at, "At", SHAPE_ITEM,
		  SHAPE_POINTER(struct list_entries_in, at)),
	CODEC_ROW_LIMIT(struct list_entries_in, limit),
};

static const struct shape_member codec_entry_members[] = {
	CODEC_ROW_KEY_ANSWERED(struct entry, key, "Key"),
	CODEC_ROW_NUMBER(struct entry, rendered_bytes, "RenderedBytes"),
	CODEC_ROW_NUMBER(struct entry, mtime_ns, "MTime"),
};
SHAPE_DEFINE(codec_entry, struct entry, NULL)

static const struct shape_member codec_list_entries_out_members[] = {
	CODEC_ROW_LIST(struct list_entries_out, entries, "Entries", &codec_entry),
	CODEC_ROW_BOOL(struct list_entries_out, more, "More"),
};

SHAPE_DEFINE(codec_list_entries_out, struct list_entries_out, NULL, .finish = codec_finish_listing)

SHAPE_ROWS_IN(list_entries)
SHAPE_ANSWER(list_entries, &codec_list_entries_out)

/* ------------------------------------------------------------ DescribeKeyUsage */

static const struct shape_member codec_describe_key_usage_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct describe_key_usage_in, table),
	CODEC_ROW_STRING(struct describe_key_usage_in, index, "IndexName"),
	CODEC_ROW_NUMBER(struct describe_key_usage_in, since_s, "Since"),
	CODEC_ROW_LIMIT(struct describe_key_usage_in, limit),
};

static const struct shape_member codec_usage_of_key_members[] = {
	CODEC_ROW_KEY_ANSWERED(struct usage_of_key, pk, "Key"),
	CODEC_ROW_NUMBER(struct usage_of_key, read.halves, "Read"),
	CODEC_ROW_NUMBER(struct usage_of_key, read.peak_halves, "ReadPeak"),
	CODEC_ROW_NUMBER(struct usage_of_key, write.halves, "Write"),
	CODEC_ROW_NUMBER(struct usage_of_key, write.peak_halves, "WritePeak"),
};
SHAPE_DEFINE(codec_usage_of_key, struct usage_of_key, NULL)

static const struct shape_member codec_describe_key_usage_out_members[] = {
	CODEC_ROW_NUMBER(struct describe_key_usage_out, seconds, "Seconds"),
	CODEC_ROW_LIST(struct describe_key_usage_out, keys, "Keys", &codec_usage_of_key),
	CODEC_ROW_NUMBER(struct describe_key_usage_out, known, "Known"),
};

SHAPE_ROWS(describe_key_usage)
