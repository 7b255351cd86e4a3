/* Tests of reading a stream with many shards: where reading begins, and in which order it continues. */
#include "tests/engine/walk_fixture.h"
#include "tests/support/unit.h"

/* ------------------------------------------------------------ from the oldest record on */

static void
parents_are_read_before_their_children(void)
{
	walk_add("c", "b", "1", true);
	walk_add("b", "a", "11", false);
	walk_add("x", "", "1", true);
	walk_add("a", "gone", "2", false);
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("2.0 3.0 3.0 1.0 1.1 0.0"));
	CU_ASSERT_FALSE(stream_walk_lost(walk));
}

static void
an_empty_page_does_not_end_a_shard(void)
{
	walk_add("a", "", "0100000000000000000000010", false);
	walk_add("b", "a", "00000000010000000001", true);
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.1 0.23 1.9 1.19"));
}

static void
ten_empty_pages_are_the_present_end_of_an_open_shard(void)
{
	walk_add("a", "", "100000000001", true);
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0"));
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.11"));
}

static void
a_shard_closed_meanwhile_is_read_to_its_end(void)
{
	walk_add("a", "", "100000000000000000001", true);
	walk_begin(STREAM_WALK_OLDEST);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(walk_read_some(), 0);
	}
	walk_fixture.at[0].open = false;
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0 0.20"));
}

static void
a_follower_asks_each_shard_once(void)
{
	struct stream_walk_in in = {.stream = SLICE("arn:latest"), .goes_on = true};

	walk_add("a", "", "1101", true);
	walk_add("b", "", "1", true);
	CU_ASSERT_EQUAL_FATAL(stream_walk_open(&walk_fixture.engine, walk_clean(), &in, &walk), 0);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0 1.0 0.1"));
	CU_ASSERT_EQUAL(walk_fixture.asked[OP_GET_RECORDS], 5);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.3"));
	CU_ASSERT_EQUAL(walk_fixture.asked[OP_DESCRIBE_STREAM], 1);
}

static void
children_created_meanwhile_are_read(void)
{
	walk_add("a", "", "1", true);
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_some(), 0);
	CU_ASSERT_EQUAL(walk_read_some(), 0);
	walk_fixture.at[0].open = false;
	walk_add("b", "a", "1", false);
	walk_add("c", "b", "1", true);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0 1.0 2.0"));
}

static void
a_disabled_stream_ends(void)
{
	walk_add("a", "", "11", false);
	walk_fixture.enabled = false;
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_END);
	CU_ASSERT_TRUE(walk_was_read("0.0 0.1"));
	walk_fixture.n = 0;
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_END);
}

/* ------------------------------------------------------------ from now on */

static void
earlier_records_are_not_read(void)
{
	walk_add("old", "", "1", false);
	walk_add("a", "old", "12", true);
	walk_add("b", "old", "3", true);
	walk_begin(STREAM_WALK_NEWEST);
	walk_fixture.at[1].pages = "1210";
	walk_fixture.at[2].pages = "3001";
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("1.2"));
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("2.3"));
	CU_ASSERT_EQUAL(walk_fixture.asked[OP_DESCRIBE_STREAM], 2);
}

static void
no_shard_waits_for_a_busy_one(void)
{
	walk_add("a", "", "", true);
	walk_add("b", "", "", true);
	walk_begin(STREAM_WALK_NEWEST);
	walk_fixture.at[0].pages = "111";
	walk_fixture.at[1].pages = "11";
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0 1.0 0.1 1.1 0.2"));
}

static void
a_shard_is_followed_by_its_children(void)
{
	walk_add("a", "", "1", true);
	walk_begin(STREAM_WALK_NEWEST);
	walk_fixture.at[0].pages = "12";
	walk_fixture.at[0].open = false;
	/* Its children are not visible at once. */
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.1 0.1"));
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	walk_add("b", "a", "1", true);
	walk_add("c", "a", "1", true);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("1.0 2.0"));
	unsigned lists = walk_fixture.asked[OP_DESCRIBE_STREAM];

	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_EQUAL(walk_fixture.asked[OP_DESCRIBE_STREAM], lists);
	walk_fixture.at[1].open = walk_fixture.at[2].open = walk_fixture.enabled = false;
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_END);
	CU_ASSERT_TRUE(walk_was_read(""));
	CU_ASSERT_FALSE(stream_walk_lost(walk));
}

/* ------------------------------------------------------------ after a sequence number */

static void
records_after_a_number_are_read_from_each_shard(void)
{
	walk_add("old", "", "1", false);
	walk_add("a", "old", "11", false);
	walk_add("b", "a", "1", true);
	walk_add("c", "old", "11", true);
	walk_fixture.at[0].last = "0000000042"; /* its last record has the number itself */
	walk_fixture.at[1].last = "100";
	walk_fixture.at[2].first = "101";
	walk_fixture.at[3].first = "00041";
	walk_begin(STREAM_WALK_AFTER);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("1.0 1.1 2.0 3.0 3.1"));
	CU_ASSERT_EQUAL(walk_fixture.asked[OP_GET_SHARD_ITERATOR], 3);
	CU_ASSERT_EQUAL(walk_fixture.numbered, 2);
	CU_ASSERT_FALSE(stream_walk_lost(walk));
	/* All records of a shard that is created now come after the number. */
	walk_fixture.at[2].open = false;
	walk_add("d", "b", "1", true);
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("4.0"));
	CU_ASSERT_EQUAL(walk_fixture.numbered, 2);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(parents_are_read_before_their_children),
	UNIT_TEST(an_empty_page_does_not_end_a_shard),
	UNIT_TEST(ten_empty_pages_are_the_present_end_of_an_open_shard),
	UNIT_TEST(a_shard_closed_meanwhile_is_read_to_its_end),
	UNIT_TEST(a_follower_asks_each_shard_once),
	UNIT_TEST(children_created_meanwhile_are_read),
	UNIT_TEST(a_disabled_stream_ends),
	UNIT_TEST(earlier_records_are_not_read),
	UNIT_TEST(no_shard_waits_for_a_busy_one),
	UNIT_TEST(a_shard_is_followed_by_its_children),
	UNIT_TEST(records_after_a_number_are_read_from_each_shard),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_walk, walk_fixture_open, walk_fixture_close, tests);
