/* Batches and transactions keep every field in a round trip between two ends of ItemFS. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"
#include "tests/wire/wire_test.h"

static void
batch_get_keeps_every_field(void)
{
	struct item keys[] = {codec_key(), wire_item(&codec.c, "{\"PK\":{\"B\":\"AA==\"}}")};
	struct batch_get gets[] = {
		{.table = SLICE("one"),
		 .keys = keys,
		 .n_keys = 2,
		 .projection = SLICE("#a"),
		 .ph = codec_names_only(),
		 .consistent = true},
		{.table = SLICE("two"), .keys = keys, .n_keys = 1},
	};
	struct item found[] = {codec_thing(), codec_key()};
	struct batch_got got_tables[] = {{SLICE("one"), found, 2}, {.table = SLICE("two")}};
	struct op_in in = {.type = OP_BATCH_GET_ITEM,
			   .batch_get_item = {.tables = gets, .n_tables = 2}};
	struct op_out out = {.type = OP_BATCH_GET_ITEM,
			     .batch_get_item = {.tables = got_tables,
						.n_tables = 2,
						.unprocessed = &gets[0],
						.n_unprocessed = 1}};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.batch_get_item.n_tables, 2);
	const struct batch_get *first = &got.batch_get_item.tables[0];

	SAME_SLICE(first->table, SLICE("one"));
	CU_ASSERT_EQUAL_FATAL(first->n_keys, 2);
	SAME_ITEM(first->keys[0], keys[0]);
	SAME_ITEM(first->keys[1], keys[1]);
	SAME_SLICE(first->projection, SLICE("#a"));
	codec_same_holders(&first->ph, &gets[0].ph);
	CU_ASSERT_TRUE(first->consistent);
	CU_ASSERT_FALSE(got.batch_get_item.tables[1].consistent);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.batch_get_item.n_tables, 2);
	CU_ASSERT_EQUAL_FATAL(answer.batch_get_item.tables[0].n_items, 2);
	SAME_ITEM(answer.batch_get_item.tables[0].items[0], found[0]);
	SAME_ITEM(answer.batch_get_item.tables[0].items[1], found[1]);
	SAME_SLICE(answer.batch_get_item.tables[1].table, SLICE("two"));
	CU_ASSERT_EQUAL(answer.batch_get_item.tables[1].n_items, 0);
	CU_ASSERT_EQUAL_FATAL(answer.batch_get_item.n_unprocessed, 1);
	SAME_ITEM(answer.batch_get_item.unprocessed[0].keys[1], keys[1]);
}

static void
answers_of_a_batch_follow_the_order_of_the_request(void)
{
	struct item k = codec_key();
	struct batch_get gets[] = {{.table = SLICE("one"), .keys = &k, .n_keys = 1},
				   {.table = SLICE("two"), .keys = &k, .n_keys = 1}};
	struct op_in in = {.type = OP_BATCH_GET_ITEM,
			   .batch_get_item = {.tables = gets, .n_tables = 2}};
	struct op_out out;
	int r = codec_decode_out(&codec.c,
				 SLICE("{\"Responses\":{\"two\":[{\"PK\":{\"S\":\"x\"}}]},"
				       "\"UnprocessedKeys\":{}}"),
				 &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(out.batch_get_item.n_tables, 2);
	SAME_SLICE(out.batch_get_item.tables[0].table, SLICE("one"));
	CU_ASSERT_EQUAL(out.batch_get_item.tables[0].n_items, 0);
	CU_ASSERT_EQUAL(out.batch_get_item.tables[1].n_items, 1);
}

static void
batch_write_keeps_every_field(void)
{
	struct batch_action actions[] = {{.item = codec_thing()},
					 {.kind = BATCH_DELETE, .item = codec_key()}};
	struct batch_write writes[] = {{SLICE("one"), actions, 2}, {SLICE("two"), actions, 1}};
	struct op_in in = {.type = OP_BATCH_WRITE_ITEM,
			   .batch_write_item = {.tables = writes, .n_tables = 2}};
	struct op_out out = {.type = OP_BATCH_WRITE_ITEM,
			     .batch_write_item = {.unprocessed = writes, .n_unprocessed = 1}};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.batch_write_item.n_tables, 2);
	const struct batch_write *first = &got.batch_write_item.tables[0];

	SAME_SLICE(first->table, SLICE("one"));
	CU_ASSERT_EQUAL_FATAL(first->n_actions, 2);
	CU_ASSERT_EQUAL(first->actions[0].kind, BATCH_PUT);
	SAME_ITEM(first->actions[0].item, actions[0].item);
	CU_ASSERT_EQUAL(first->actions[1].kind, BATCH_DELETE);
	SAME_ITEM(first->actions[1].item, actions[1].item);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.batch_write_item.n_unprocessed, 1);
	CU_ASSERT_EQUAL(answer.batch_write_item.unprocessed[0].n_actions, 2);
}

static void
transact_get_keeps_every_field(void)
{
	struct transact_get gets[] = {
		{.table = SLICE("one"),
		 .key = codec_key(),
		 .projection = SLICE("#a"),
		 .ph = codec_names_only()},
		{.table = SLICE("two"), .key = codec_key()},
	};
	struct item_response responses[] = {{true, codec_thing()}, {0}};
	struct op_in in = {.type = OP_TRANSACT_GET_ITEMS,
			   .transact_get_items = {.gets = gets, .n_gets = 2}};
	struct op_out out = {.type = OP_TRANSACT_GET_ITEMS,
			     .transact_get_items = {.responses = responses, .n_responses = 2}};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.transact_get_items.n_gets, 2);
	SAME_SLICE(got.transact_get_items.gets[0].table, SLICE("one"));
	SAME_ITEM(got.transact_get_items.gets[0].key, gets[0].key);
	SAME_SLICE(got.transact_get_items.gets[0].projection, SLICE("#a"));
	codec_same_holders(&got.transact_get_items.gets[0].ph, &gets[0].ph);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.transact_get_items.n_responses, 2);
	CU_ASSERT_TRUE(answer.transact_get_items.responses[0].found);
	CU_ASSERT_FALSE(answer.transact_get_items.responses[1].found);
	SAME_ITEM(answer.transact_get_items.responses[0].item, responses[0].item);
}

static void
transact_write_keeps_every_field(void)
{
	struct transact_action actions[] = {
		{.kind = TRANSACT_PUT,
		 .table = SLICE("one"),
		 .item = codec_thing(),
		 .condition = SLICE("#a = :v"),
		 .ph = codec_holders(),
		 .return_on_failure = RETURN_ALL_OLD},
		{.kind = TRANSACT_DELETE, .table = SLICE("two"), .item = codec_key()},
		{.kind = TRANSACT_CHECK,
		 .table = SLICE("one"),
		 .item = codec_key(),
		 .condition = SLICE("#b = :w"),
		 .ph = codec_holders()},
		{.kind = TRANSACT_UPDATE,
		 .table = SLICE("one"),
		 .item = codec_key(),
		 .update = SLICE("SET #a = :v"),
		 .condition = SLICE("#b = :w"),
		 .ph = codec_holders(),
		 .return_on_failure = RETURN_ALL_OLD},
	};
	enum { ACTIONS = sizeof(actions) / sizeof(actions[0]) };
	struct op_in in = {.type = OP_TRANSACT_WRITE_ITEMS,
			   .transact_write_items = {.actions = actions,
						    .n_actions = ACTIONS,
						    .token = SLICE("token"),
						    .unsynced = true}};
	struct op_out out = {.type = OP_TRANSACT_WRITE_ITEMS, .transact_write_items.seq = 77};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.transact_write_items.n_actions, ACTIONS);
	for (size_t i = 0; i < ACTIONS; i++) {
		const struct transact_action *a = &got.transact_write_items.actions[i];

		CU_ASSERT_EQUAL(a->kind, actions[i].kind);
		SAME_SLICE(a->table, actions[i].table);
		SAME_ITEM(a->item, actions[i].item);
		SAME_SLICE(a->update, actions[i].update);
		SAME_SLICE(a->condition, actions[i].condition);
		codec_same_holders(&a->ph, &actions[i].ph);
		CU_ASSERT_EQUAL(a->return_on_failure, actions[i].return_on_failure);
	}
	SAME_SLICE(got.transact_write_items.token, SLICE("token"));
	CU_ASSERT_TRUE(got.transact_write_items.unsynced);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL(answer.transact_write_items.seq, 77);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(batch_get_keeps_every_field),
	UNIT_TEST(answers_of_a_batch_follow_the_order_of_the_request),
	UNIT_TEST(batch_write_keeps_every_field),
	UNIT_TEST(transact_get_keeps_every_field),
	UNIT_TEST(transact_write_keeps_every_field),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_batch, codec_setup, codec_teardown, tests);
