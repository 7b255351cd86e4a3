/*
 * GetItem, PutItem, UpdateItem, DeleteItem, Query and Scan keep every field in a round trip between two ends of
 * ItemFS.
 */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"

static void
get_item_keeps_every_field(void)
{
	struct op_in in = {.type = OP_GET_ITEM,
			   .get_item = {.table = SLICE("t-1"),
					.key = codec_key(),
					.projection = SLICE("#a, b[0].c"),
					.ph = codec_names_only(),
					.consistent = true}};
	struct op_out out = {.type = OP_GET_ITEM,
			     .get_item = {.found = true, .item = codec_thing(), .mtime_ns = 12345}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.get_item.table, in.get_item.table);
	SAME_ITEM(got.get_item.key, in.get_item.key);
	SAME_SLICE(got.get_item.projection, in.get_item.projection);
	codec_same_holders(&got.get_item.ph, &in.get_item.ph);
	CU_ASSERT_TRUE(got.get_item.consistent);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_TRUE(answer.get_item.found);
	SAME_ITEM(answer.get_item.item, out.get_item.item);
	CU_ASSERT_EQUAL(answer.get_item.mtime_ns, 12345);

	/* An absent item differs from an item without attributes. */
	answer = codec_through_out(&in, &(struct op_out){.type = OP_GET_ITEM});
	CU_ASSERT_FALSE(answer.get_item.found);
	answer = codec_through_out(&in,
				   &(struct op_out){.type = OP_GET_ITEM, .get_item.found = true});
	CU_ASSERT_TRUE(answer.get_item.found);
}

static void
put_item_keeps_every_field(void)
{
	struct op_in in = {.type = OP_PUT_ITEM,
			   .put_item = {.write = {.table = SLICE("t-1"),
						  .item = codec_thing(),
						  .condition = SLICE("attribute_not_exists(PK)"),
						  .ph = codec_holders(),
						  .return_values = RETURN_ALL_OLD,
						  .return_on_failure = RETURN_ALL_OLD,
						  .unsynced = true},
					.mtime_ns = UINT64_MAX}};
	struct op_out out = {
		.type = OP_PUT_ITEM,
		.put_item = {.written = {.had_old = true, .attributes = codec_thing(), .seq = 99}}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.put_item.write.table, in.put_item.write.table);
	SAME_ITEM(got.put_item.write.item, in.put_item.write.item);
	SAME_SLICE(got.put_item.write.condition, in.put_item.write.condition);
	codec_same_holders(&got.put_item.write.ph, &in.put_item.write.ph);
	CU_ASSERT_EQUAL(got.put_item.write.return_values, RETURN_ALL_OLD);
	CU_ASSERT_EQUAL(got.put_item.write.return_on_failure, RETURN_ALL_OLD);
	CU_ASSERT_EQUAL(got.put_item.mtime_ns, UINT64_MAX);
	CU_ASSERT_TRUE(got.put_item.write.unsynced);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_TRUE(answer.put_item.written.had_old);
	SAME_ITEM(answer.put_item.written.attributes, out.put_item.written.attributes);
	CU_ASSERT_EQUAL(answer.put_item.written.seq, 99);
}

static void
update_item_keeps_every_field(void)
{
	struct op_in in = {.type = OP_UPDATE_ITEM,
			   .update_item = {.write = {.table = SLICE("t-1"),
						     .item = codec_key(),
						     .condition = SLICE("#a = :v"),
						     .ph = codec_holders(),
						     .return_on_failure = RETURN_ALL_OLD,
						     .unsynced = true},
					   .update = SLICE("SET #b = :w")}};
	struct op_out out = {
		.type = OP_UPDATE_ITEM,
		.update_item = {
			.written = {.had_old = true, .attributes = codec_thing(), .seq = 7}}};

	for (int v = RETURN_NONE; v <= RETURN_UPDATED_NEW; v++) {
		in.update_item.write.return_values = (enum return_values)v;
		struct op_in got = codec_through_in(&in);

		SAME_SLICE(got.update_item.write.table, in.update_item.write.table);
		SAME_ITEM(got.update_item.write.item, in.update_item.write.item);
		SAME_SLICE(got.update_item.write.condition, in.update_item.write.condition);
		SAME_SLICE(got.update_item.update, in.update_item.update);
		codec_same_holders(&got.update_item.write.ph, &in.update_item.write.ph);
		CU_ASSERT_EQUAL(got.update_item.write.return_values, (enum return_values)v);
		CU_ASSERT_EQUAL(got.update_item.write.return_on_failure, RETURN_ALL_OLD);
		CU_ASSERT_TRUE(got.update_item.write.unsynced);

		struct op_out answer = codec_through_out(&in, &out);

		CU_ASSERT_TRUE(answer.update_item.written.had_old);
		CU_ASSERT_EQUAL(answer.update_item.written.attributes.n > 0, v != RETURN_NONE);
		CU_ASSERT_EQUAL(answer.update_item.written.seq, 7);
	}
}

static void
delete_item_keeps_every_field(void)
{
	struct op_in in = {.type = OP_DELETE_ITEM,
			   .delete_item = {.write = {.table = SLICE("t-1"),
						     .item = codec_key(),
						     .condition = SLICE("#a = :v"),
						     .ph = codec_holders(),
						     .return_values = RETURN_ALL_OLD,
						     .return_on_failure = RETURN_ALL_OLD,
						     .unsynced = true}}};
	struct op_out out = {
		.type = OP_DELETE_ITEM,
		.delete_item = {
			.written = {.had_old = true, .attributes = codec_thing(), .seq = 5}}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.delete_item.write.table, in.delete_item.write.table);
	SAME_ITEM(got.delete_item.write.item, in.delete_item.write.item);
	SAME_SLICE(got.delete_item.write.condition, in.delete_item.write.condition);
	codec_same_holders(&got.delete_item.write.ph, &in.delete_item.write.ph);
	CU_ASSERT_EQUAL(got.delete_item.write.return_values, RETURN_ALL_OLD);
	CU_ASSERT_EQUAL(got.delete_item.write.return_on_failure, RETURN_ALL_OLD);
	CU_ASSERT_TRUE(got.delete_item.write.unsynced);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_TRUE(answer.delete_item.written.had_old);
	SAME_ITEM(answer.delete_item.written.attributes, out.delete_item.written.attributes);
	CU_ASSERT_EQUAL(answer.delete_item.written.seq, 5);
}

static void
query_keeps_every_field(void)
{
	for (int select = SELECT_DEFAULT; select <= SELECT_SPECIFIC; select++) {
		struct op_in in = {.type = OP_QUERY,
				   .query = {.read.table = SLICE("t-1"),
					     .read.index = SLICE("GSI1"),
					     .key_condition = SLICE("PK = :v"),
					     .read.filter = SLICE("#a > :w"),
					     .read.projection = SLICE("#b"),
					     .read.ph = codec_holders(),
					     .read.select = (enum select)select,
					     .read.consistent = true,
					     .backward = true,
					     .read.has_limit = true,
					     .read.limit = 10,
					     .read.start = codec_key()}};
		struct op_in got = codec_through_in(&in);

		SAME_SLICE(got.query.read.table, in.query.read.table);
		SAME_SLICE(got.query.read.index, in.query.read.index);
		SAME_SLICE(got.query.key_condition, in.query.key_condition);
		SAME_SLICE(got.query.read.filter, in.query.read.filter);
		SAME_SLICE(got.query.read.projection, in.query.read.projection);
		codec_same_holders(&got.query.read.ph, &in.query.read.ph);
		CU_ASSERT_EQUAL(got.query.read.select, in.query.read.select);
		CU_ASSERT_TRUE(got.query.read.consistent);
		CU_ASSERT_TRUE(got.query.backward);
		CU_ASSERT_TRUE(got.query.read.has_limit);
		CU_ASSERT_EQUAL(got.query.read.limit, 10);
		SAME_ITEM(got.query.read.start, in.query.read.start);
	}
}

static void
scan_keeps_every_field(void)
{
	struct op_in in = {.type = OP_SCAN,
			   .scan = {.read.table = SLICE("t-1"),
				    .read.index = SLICE("GSI1"),
				    .read.filter = SLICE("#a > :w"),
				    .read.projection = SLICE("#b"),
				    .read.ph = codec_holders(),
				    .read.select = SELECT_SPECIFIC,
				    .read.consistent = true,
				    .read.has_limit = true,
				    .read.limit = 11,
				    .read.start = codec_key(),
				    .has_segment = true,
				    .has_total_segments = true,
				    .segment = 0,
				    .total_segments = 4}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.scan.read.table, in.scan.read.table);
	SAME_SLICE(got.scan.read.index, in.scan.read.index);
	SAME_SLICE(got.scan.read.filter, in.scan.read.filter);
	SAME_SLICE(got.scan.read.projection, in.scan.read.projection);
	codec_same_holders(&got.scan.read.ph, &in.scan.read.ph);
	CU_ASSERT_EQUAL(got.scan.read.select, SELECT_SPECIFIC);
	CU_ASSERT_TRUE(got.scan.read.consistent);
	CU_ASSERT_TRUE(got.scan.read.has_limit);
	CU_ASSERT_EQUAL(got.scan.read.limit, 11);
	SAME_ITEM(got.scan.read.start, in.scan.read.start);
	CU_ASSERT_TRUE(got.scan.has_segment);
	CU_ASSERT_TRUE(got.scan.has_total_segments);
	CU_ASSERT_EQUAL(got.scan.segment, 0);
	CU_ASSERT_EQUAL(got.scan.total_segments, 4);
}

static void
pages_keep_items_counts_and_place(void)
{
	static const enum op_type types[] = {OP_QUERY, OP_SCAN};

	for (size_t i = 0; i < 2; i++) {
		struct item items[] = {codec_thing(), {0}, codec_key()};
		struct op_in in = {.type = types[i]};
		struct op_out out = {.type = types[i]};
		struct page page = {.items = items, .count = 3, .scanned = 17, .last = codec_key()};

		/* Both answers have the same struct page. */
		out.query.page = page;
		out = codec_through_out(&in, &out);
		CU_ASSERT_EQUAL_FATAL(out.query.page.count, 3);
		for (size_t k = 0; k < 3; k++) {
			SAME_ITEM(out.query.page.items[k], items[k]);
		}
		CU_ASSERT_EQUAL(out.query.page.scanned, 17);
		SAME_ITEM(out.query.page.last, page.last);
	}
}

static void
a_count_has_no_items(void)
{
	struct op_in in = {.type = OP_QUERY, .query.read.select = SELECT_COUNT};
	struct op_out out = {.type = OP_QUERY,
			     .query.page = {.count = 1000000, .scanned = 1000001}};
	struct op_out got = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL(got.query.page.count, 1000000);
	CU_ASSERT_EQUAL(got.query.page.scanned, 1000001);
	CU_ASSERT_PTR_NULL(got.query.page.items);
	CU_ASSERT_PTR_NULL(memmem(codec.body.at, codec.body.len, "Items", 5));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(get_item_keeps_every_field),
	UNIT_TEST(put_item_keeps_every_field),
	UNIT_TEST(update_item_keeps_every_field),
	UNIT_TEST(delete_item_keeps_every_field),
	UNIT_TEST(query_keeps_every_field),
	UNIT_TEST(scan_keeps_every_field),
	UNIT_TEST(pages_keep_items_counts_and_place),
	UNIT_TEST(a_count_has_no_items),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_item, codec_setup, codec_teardown, tests);
