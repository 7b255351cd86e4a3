/* Requests and reports of capacity and item collections keep every field in a round trip between two ends of ItemFS. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"

static const struct consumed_index indexes[] = {
	{SLICE_INIT("loc"), false, 1},
	{SLICE_INIT("glob"), true, 8001},
};
static const struct consumed used[] = {
	{.table = SLICE_INIT("one"), .kind = CAPACITY_ANY, .halves = 7},
	{.table = SLICE_INIT("two"),
	 .kind = CAPACITY_READ,
	 .halves = 8002,
	 .detailed = true,
	 .of_table = 0,
	 .index = indexes,
	 .n_index = 2},
	{.table = SLICE_INIT("three"),
	 .kind = CAPACITY_WRITE,
	 .halves = 4,
	 .detailed = true,
	 .of_table = 4},
};
enum { USED = sizeof(used) / sizeof(used[0]) };

static void
same_consumed(const struct consumed_list *got, const struct consumed *want, size_t n)
{
	CU_ASSERT_EQUAL_FATAL(got->n, n);
	for (size_t i = 0; i < n; i++) {
		const struct consumed *a = &got->at[i];

		SAME_SLICE(a->table, want[i].table);
		CU_ASSERT_EQUAL(a->kind, want[i].kind);
		CU_ASSERT_EQUAL(a->halves, want[i].halves);
		CU_ASSERT_EQUAL(a->detailed, want[i].detailed);
		CU_ASSERT_EQUAL(a->of_table, want[i].of_table);
		CU_ASSERT_EQUAL_FATAL(a->n_index, want[i].n_index);
		for (size_t k = 0; k < a->n_index; k++) {
			SAME_SLICE(a->index[k].name, want[i].index[k].name);
			CU_ASSERT_EQUAL(a->index[k].global, want[i].index[k].global);
			CU_ASSERT_EQUAL(a->index[k].halves, want[i].index[k].halves);
		}
	}
}

static void
same_collections(const struct collection_list *got, const struct collection *want, size_t n)
{
	CU_ASSERT_EQUAL_FATAL(got->n, n);
	for (size_t i = 0; i < n; i++) {
		SAME_SLICE(got->at[i].table, want[i].table);
		SAME_ITEM(got->at[i].key, want[i].key);
		CU_ASSERT_EQUAL(got->at[i].low_gb, want[i].low_gb);
		CU_ASSERT_EQUAL(got->at[i].high_gb, want[i].high_gb);
	}
}

/* ------------------------------------------------------------ one table */

static void
reads_of_one_table(void)
{
	for (int level = CAPACITY_NONE; level <= CAPACITY_INDEXES; level++) {
		struct op_in get = {.type = OP_GET_ITEM, .get_item.key = codec_key()};
		struct op_in query = {.type = OP_QUERY};
		struct op_in scan = {.type = OP_SCAN};

		get.get_item.table = query.query.read.table = scan.scan.read.table = SLICE("one");
		get.get_item.capacity = query.query.read.capacity = scan.scan.read.capacity =
			(enum capacity_level)level;
		CU_ASSERT_EQUAL((int)codec_through_in(&get).get_item.capacity, level);
		CU_ASSERT_EQUAL((int)codec_through_in(&query).query.read.capacity, level);
		CU_ASSERT_EQUAL((int)codec_through_in(&scan).scan.read.capacity, level);
	}
	for (size_t i = 0; i < USED; i++) {
		const struct consumed_list one = {&used[i], 1};
		struct op_out answer = codec_through_out(
			&(struct op_in){.type = OP_GET_ITEM},
			&(struct op_out){.type = OP_GET_ITEM, .get_item.consumed = one});

		same_consumed(&answer.get_item.consumed, &used[i], 1);
		answer = codec_through_out(
			&(struct op_in){.type = OP_QUERY},
			&(struct op_out){.type = OP_QUERY, .query.page.consumed = one});
		same_consumed(&answer.query.page.consumed, &used[i], 1);
		answer = codec_through_out(
			&(struct op_in){.type = OP_SCAN},
			&(struct op_out){.type = OP_SCAN, .scan.page.consumed = one});
		same_consumed(&answer.scan.page.consumed, &used[i], 1);
	}
}

static void
writes_of_one_table(void)
{
	const struct collection touched = {SLICE("one"), codec_key(), 9, 10};
	const struct write_report report = {{&used[1], 1}, {&touched, 1}};
	const struct write_in write = {
		.table = SLICE("one"),
		.item = codec_key(),
		.asked = {CAPACITY_TOTAL, true},
	};
	struct op_in in = {.type = OP_PUT_ITEM, .put_item.write = write};
	struct op_out out = {.type = OP_PUT_ITEM, .put_item.written.report = report};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL(got.put_item.write.asked.capacity, CAPACITY_TOTAL);
	CU_ASSERT_TRUE(got.put_item.write.asked.collections);
	struct op_out answer = codec_through_out(&in, &out);

	same_consumed(&answer.put_item.written.report.consumed, &used[1], 1);
	same_collections(&answer.put_item.written.report.collections, &touched, 1);

	in = (struct op_in){.type = OP_UPDATE_ITEM, .update_item.write = write};
	out = (struct op_out){.type = OP_UPDATE_ITEM, .update_item.written.report = report};
	got = codec_through_in(&in);
	CU_ASSERT_TRUE(got.update_item.write.asked.collections);
	answer = codec_through_out(&in, &out);
	same_collections(&answer.update_item.written.report.collections, &touched, 1);

	in = (struct op_in){.type = OP_DELETE_ITEM, .delete_item.write = write};
	out = (struct op_out){.type = OP_DELETE_ITEM, .delete_item.written.report = report};
	got = codec_through_in(&in);
	CU_ASSERT_EQUAL(got.delete_item.write.asked.capacity, CAPACITY_TOTAL);
	answer = codec_through_out(&in, &out);
	same_consumed(&answer.delete_item.written.report.consumed, &used[1], 1);
}

/* ------------------------------------------------------------ many tables */

static void
reads_of_many_tables(void)
{
	const struct consumed_list list = {used, USED};
	const struct item key = codec_key();
	const struct batch_get get = {.table = SLICE("one"), .keys = &key, .n_keys = 1};
	const struct transact_get member = {.table = SLICE("one"), .key = key};
	const struct batch_got got_none = {.table = SLICE("one")};
	static const struct item_response nothing;
	struct op_in in = {
		.type = OP_BATCH_GET_ITEM,
		.batch_get_item = {.tables = &get, .n_tables = 1, .capacity = CAPACITY_INDEXES}};
	struct op_out out = {
		.type = OP_BATCH_GET_ITEM,
		.batch_get_item = {.tables = &got_none, .n_tables = 1, .consumed = list}};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL(got.batch_get_item.capacity, CAPACITY_INDEXES);
	struct op_out answer = codec_through_out(&in, &out);

	same_consumed(&answer.batch_get_item.consumed, used, USED);

	in = (struct op_in){
		.type = OP_TRANSACT_GET_ITEMS,
		.transact_get_items = {.gets = &member, .n_gets = 1, .capacity = CAPACITY_TOTAL}};
	out = (struct op_out){
		.type = OP_TRANSACT_GET_ITEMS,
		.transact_get_items = {.responses = &nothing, .n_responses = 1, .consumed = list}};
	got = codec_through_in(&in);
	CU_ASSERT_EQUAL(got.transact_get_items.capacity, CAPACITY_TOTAL);
	answer = codec_through_out(&in, &out);
	same_consumed(&answer.transact_get_items.consumed, used, USED);
}

static void
writes_of_many_tables(void)
{
	const struct item key = codec_key();
	const struct collection touched[] = {
		{SLICE("one"), key, 0, 1},
		{SLICE("one"), codec_thing(), 10, 11},
		{SLICE("two"), key, 3, 4},
	};
	const struct write_report report = {{used, USED}, {touched, 3}};
	const struct write_asked asked = {CAPACITY_INDEXES, true};
	const struct batch_action action = {true, key};
	const struct batch_write write = {SLICE("one"), &action, 1};
	const struct transact_action check = {.table = SLICE("one"), .item = key};
	struct op_in in = {.type = OP_BATCH_WRITE_ITEM,
			   .batch_write_item = {.tables = &write, .n_tables = 1, .asked = asked}};
	struct op_out out = {.type = OP_BATCH_WRITE_ITEM, .batch_write_item.report = report};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL(got.batch_write_item.asked.capacity, CAPACITY_INDEXES);
	CU_ASSERT_TRUE(got.batch_write_item.asked.collections);
	struct op_out answer = codec_through_out(&in, &out);

	same_consumed(&answer.batch_write_item.report.consumed, used, USED);
	same_collections(&answer.batch_write_item.report.collections, touched, 3);

	in = (struct op_in){
		.type = OP_TRANSACT_WRITE_ITEMS,
		.transact_write_items = {.actions = &check, .n_actions = 1, .asked = asked}};
	out = (struct op_out){.type = OP_TRANSACT_WRITE_ITEMS,
			      .transact_write_items.report = report};
	got = codec_through_in(&in);
	CU_ASSERT_EQUAL(got.transact_write_items.asked.capacity, CAPACITY_INDEXES);
	CU_ASSERT_TRUE(got.transact_write_items.asked.collections);
	answer = codec_through_out(&in, &out);
	same_consumed(&answer.transact_write_items.report.consumed, used, USED);
	same_collections(&answer.transact_write_items.report.collections, touched, 3);
}

/* ------------------------------------------------------------ foreign servers */

static void
try_body(enum op_type type, const char *body, int want)
{
	struct call c;
	struct op_in in = {.type = type};
	struct op_out out;

	call_open(&c, 0, 1 << 20);
	int r = codec_decode_out(&c, slice_from(body), &in, &out);

	CU_ASSERT_EQUAL(r, want);
	if (r == 0 && out.type == OP_GET_ITEM) {
		CU_ASSERT_EQUAL(out.get_item.consumed.at[0].halves, 3);
	}
	call_close(&c);
}

static void
answers_of_others(void)
{
	static const struct {
		enum op_type type;
		const char *body;
		int want;
	} rows[] = {
		{OP_GET_ITEM, "{\"ConsumedCapacity\":{\"CapacityUnits\":1.5}}", 0},
		{OP_GET_ITEM, "{\"ConsumedCapacity\":{\"CapacityUnits\":15e-1}}", 0},
		{OP_GET_ITEM, "{\"ConsumedCapacity\":{\"CapacityUnits\":1.7}}", 0},
		{OP_GET_ITEM, "{\"ConsumedCapacity\":{\"CapacityUnits\":\"1\"}}",
		 -ERR_SERIALIZATION},
		{OP_GET_ITEM, "{\"ConsumedCapacity\":[]}", -ERR_SERIALIZATION},
		{OP_GET_ITEM, "{\"ConsumedCapacity\":{\"Table\":3}}", -ERR_SERIALIZATION},
		{OP_GET_ITEM, "{\"ConsumedCapacity\":{\"LocalSecondaryIndexes\":{\"a\":1}}}",
		 -ERR_SERIALIZATION},
		{OP_BATCH_WRITE_ITEM, "{\"ConsumedCapacity\":{}}", -ERR_SERIALIZATION},
		{OP_BATCH_WRITE_ITEM, "{\"ConsumedCapacity\":[1]}", -ERR_SERIALIZATION},
		{OP_BATCH_WRITE_ITEM, "{\"ItemCollectionMetrics\":{\"t\":{}}}", -ERR_SERIALIZATION},
		{OP_BATCH_WRITE_ITEM, "{\"ItemCollectionMetrics\":{\"t\":[1]}}",
		 -ERR_SERIALIZATION},
		{OP_BATCH_WRITE_ITEM, "{\"ItemCollectionMetrics\":{\"t\":[{}]}}", -ERR_VALIDATION},
		{OP_PUT_ITEM, "{\"ItemCollectionMetrics\":{\"SizeEstimateRangeGB\":[1]}}",
		 -ERR_SERIALIZATION},
		{OP_PUT_ITEM, "{\"ItemCollectionMetrics\":{\"SizeEstimateRangeGB\":[1,-2.5]}}", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		try_body(rows[i].type, rows[i].body, rows[i].want);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_of_one_table),   UNIT_TEST(writes_of_one_table),
	UNIT_TEST(reads_of_many_tables), UNIT_TEST(writes_of_many_tables),
	UNIT_TEST(answers_of_others),    CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_capacity, codec_setup, codec_teardown, tests);
