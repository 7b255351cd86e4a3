/* Names of tables, time to live, tags, recovery and limits keep every field in a round trip between two ends of ItemFS. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"

static void
names_of_tables_go_both_ways(void)
{
	static const struct slice names[] = {SLICE_INIT("abc"), SLICE_INIT("abd")};
	struct op_in describe = {.type = OP_DESCRIBE_TABLE, .describe_table = {SLICE("t-1")}};
	struct op_in drop = {.type = OP_DELETE_TABLE, .delete_table = {SLICE("t-2")}};
	struct op_in list = {.type = OP_LIST_TABLES, .list_tables = {SLICE("aaa"), 7}};
	struct op_out out = {.type = OP_LIST_TABLES, .list_tables = {names, 2, SLICE("abd")}};

	describe = codec_through_in(&describe);
	SAME_SLICE(describe.describe_table.table, SLICE("t-1"));
	drop = codec_through_in(&drop);
	SAME_SLICE(drop.delete_table.table, SLICE("t-2"));
	list = codec_through_in(&list);
	SAME_SLICE(list.list_tables.start, SLICE("aaa"));
	CU_ASSERT_EQUAL(list.list_tables.limit, 7);
	out = codec_through_out(&list, &out);
	CU_ASSERT_EQUAL_FATAL(out.list_tables.n_names, 2);
	SAME_SLICE(out.list_tables.names[0], names[0]);
	SAME_SLICE(out.list_tables.names[1], names[1]);
	SAME_SLICE(out.list_tables.last, SLICE("abd"));
}

static void
time_to_live_keeps_every_field(void)
{
	struct op_in update = {.type = OP_UPDATE_TIME_TO_LIVE,
			       .update_time_to_live = {SLICE("t-1"), true, SLICE("end")}};
	struct op_in describe = {.type = OP_DESCRIBE_TIME_TO_LIVE,
				 .describe_time_to_live.table = SLICE("t-1")};
	struct op_out out = {.type = OP_DESCRIBE_TIME_TO_LIVE,
			     .describe_time_to_live.attribute = SLICE("end")};
	struct op_in got = codec_through_in(&update);

	SAME_SLICE(got.update_time_to_live.table, SLICE("t-1"));
	SAME_SLICE(got.update_time_to_live.attribute, SLICE("end"));
	CU_ASSERT_TRUE(got.update_time_to_live.enabled);
	update.update_time_to_live.enabled = false;
	CU_ASSERT_FALSE(codec_through_in(&update).update_time_to_live.enabled);
	got = codec_through_in(&describe);
	SAME_SLICE(got.describe_time_to_live.table, SLICE("t-1"));
	struct op_out answer = codec_through_out(&describe, &out);

	SAME_SLICE(answer.describe_time_to_live.attribute, SLICE("end"));
	out.describe_time_to_live.attribute = slice_of(NULL, 0);
	answer = codec_through_out(&describe, &out);
	CU_ASSERT_EQUAL(answer.describe_time_to_live.attribute.len, 0);
}

static void
tags_keep_every_field(void)
{
	struct tag tags[] = {{SLICE("a"), SLICE("1")}, {SLICE("b"), SLICE("")}};
	struct slice keys[] = {SLICE_INIT("a"), SLICE_INIT("b")};
	struct op_in add = {.type = OP_TAG_RESOURCE, .tag_resource = {SLICE("arn:x"), tags, 2}};
	struct op_in take = {.type = OP_UNTAG_RESOURCE,
			     .untag_resource = {SLICE("arn:x"), keys, 2}};
	struct op_in list = {.type = OP_LIST_TAGS_OF_RESOURCE,
			     .list_tags_of_resource = {SLICE("arn:x"), SLICE("more")}};
	struct op_out out = {.type = OP_LIST_TAGS_OF_RESOURCE,
			     .list_tags_of_resource = {tags, 2, SLICE("more")}};
	struct op_in got = codec_through_in(&add);

	SAME_SLICE(got.tag_resource.arn, SLICE("arn:x"));
	CU_ASSERT_EQUAL_FATAL(got.tag_resource.n_tags, 2);
	SAME_SLICE(got.tag_resource.tags[1].key, SLICE("b"));
	CU_ASSERT_PTR_NOT_NULL(got.tag_resource.tags[1].value.at);
	got = codec_through_in(&take);
	SAME_SLICE(got.untag_resource.arn, SLICE("arn:x"));
	CU_ASSERT_EQUAL_FATAL(got.untag_resource.n_keys, 2);
	SAME_SLICE(got.untag_resource.keys[0], SLICE("a"));
	got = codec_through_in(&list);
	SAME_SLICE(got.list_tags_of_resource.arn, SLICE("arn:x"));
	SAME_SLICE(got.list_tags_of_resource.next, SLICE("more"));
	struct op_out answer = codec_through_out(&list, &out);

	CU_ASSERT_EQUAL_FATAL(answer.list_tags_of_resource.n_tags, 2);
	SAME_SLICE(answer.list_tags_of_resource.tags[0].value, SLICE("1"));
	SAME_SLICE(answer.list_tags_of_resource.next, SLICE("more"));
}

static void
recovery_keeps_every_field(void)
{
	struct op_in update = {.type = OP_UPDATE_CONTINUOUS_BACKUPS,
			       .update_continuous_backups = {SLICE("t-1"), true, true, 7}};
	struct op_in describe = {.type = OP_DESCRIBE_CONTINUOUS_BACKUPS,
				 .describe_continuous_backups.table = SLICE("t-1")};
	struct op_out out = {
		.type = OP_DESCRIBE_CONTINUOUS_BACKUPS,
		.describe_continuous_backups.recovery = {true, 7, 1700000000123, 1700000000456}};
	struct op_in got = codec_through_in(&update);

	SAME_SLICE(got.update_continuous_backups.table, SLICE("t-1"));
	CU_ASSERT_TRUE(got.update_continuous_backups.enabled);
	CU_ASSERT_TRUE(got.update_continuous_backups.has_days);
	CU_ASSERT_EQUAL(got.update_continuous_backups.days, 7);
	got = codec_through_in(&describe);
	SAME_SLICE(got.describe_continuous_backups.table, SLICE("t-1"));
	struct op_out answer = codec_through_out(&describe, &out);
	struct recovery *v = &answer.describe_continuous_backups.recovery;

	CU_ASSERT_TRUE(v->enabled);
	CU_ASSERT_EQUAL(v->days, 7);
	CU_ASSERT_EQUAL(v->earliest_ms, 1700000000123);
	CU_ASSERT_EQUAL(v->latest_ms, 1700000000456);
}

static void
limits_and_endpoints_keep_every_field(void)
{
	struct op_in limits = {.type = OP_DESCRIBE_LIMITS};
	struct op_out numbers = {.type = OP_DESCRIBE_LIMITS, .describe_limits = {1, 2, 3, 4}};
	struct op_in endpoints = {.type = OP_DESCRIBE_ENDPOINTS};
	struct op_out one = {.type = OP_DESCRIBE_ENDPOINTS,
			     .describe_endpoints = {SLICE("here:1"), 5}};
	struct op_out answer = codec_through_out(&limits, &numbers);

	CU_ASSERT_EQUAL(answer.describe_limits.account_read_units, 1);
	CU_ASSERT_EQUAL(answer.describe_limits.account_write_units, 2);
	CU_ASSERT_EQUAL(answer.describe_limits.table_read_units, 3);
	CU_ASSERT_EQUAL(answer.describe_limits.table_write_units, 4);
	answer = codec_through_out(&endpoints, &one);
	SAME_SLICE(answer.describe_endpoints.address, SLICE("here:1"));
	CU_ASSERT_EQUAL(answer.describe_endpoints.minutes, 5);
}

/* ENABLING and DISABLING are states of an endpoint that changes the setting asynchronously. */
static void
only_an_enabled_time_to_live_has_an_attribute(void)
{
	static const struct {
		const char *body;
		size_t len; /* length of the attribute's name */
	} rows[] = {
		{"{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"ENABLING\",\"AttributeName\":\"end\"}}",
		 3},
		{"{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"DISABLING\",\"AttributeName\":\"end\"}}",
		 0},
		{"{\"TimeToLiveDescription\":{}}", 0},
		{"{}", 0},
	};
	struct op_in in = {.type = OP_DESCRIBE_TIME_TO_LIVE};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct op_out out;
		int r = codec_decode_out(&codec.c, slice_from(rows[i].body), &in, &out);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_EQUAL(out.describe_time_to_live.attribute.len, rows[i].len);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(names_of_tables_go_both_ways),
	UNIT_TEST(time_to_live_keeps_every_field),
	UNIT_TEST(tags_keep_every_field),
	UNIT_TEST(recovery_keeps_every_field),
	UNIT_TEST(limits_and_endpoints_keep_every_field),
	UNIT_TEST(only_an_enabled_time_to_live_has_an_attribute),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_settings, codec_setup, codec_teardown, tests);
