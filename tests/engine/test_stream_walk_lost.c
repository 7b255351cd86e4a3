/* Tests of reading a stream with many shards: records that expire before they are read, and failures. */
#include "tests/engine/walk_fixture.h"
#include "tests/support/unit.h"

/* ------------------------------------------------------------ slow readers; failures */

static void
a_reader_continues_after_an_expired_iterator(void)
{
	walk_add("a", "", "", true);
	walk_begin(STREAM_WALK_NEWEST);
	walk_fixture.at[0].pages = "1";
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	walk_fixture.at[0].pages = "121";
	walk_fixture.failure = ERR_EXPIRED_ITERATOR;
	walk_fixture.fail_at = walk_fixture.calls + 1;
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0 0.1 0.1 0.2"));
	CU_ASSERT_FALSE(stream_walk_lost(walk));
}

static void
records_lost_meanwhile_are_reported(void)
{
	static const enum err failures[] = {ERR_EXPIRED_ITERATOR, ERR_TRIMMED};

	for (size_t i = 0; i < 2; i++) {
		walk_fixture.n = 0;
		walk_add("a", "", "1", true);
		walk_begin(STREAM_WALK_NEWEST);
		walk_fixture.at[0].pages = "11";
		walk_fixture.failure = failures[i];
		walk_fixture.fail_at = walk_fixture.calls + 1;
		CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
		/* After an expired iterator, continue at the newest record; after trimmed records, at the oldest. */
		CU_ASSERT_TRUE(walk_was_read(i == 0 ? "" : "0.0 0.1"));
		CU_ASSERT_TRUE(stream_walk_lost(walk));
		CU_ASSERT_FALSE(stream_walk_lost(walk));
	}
}

/* Let the service forget a parent shard after @steps of its reader. */
static void
forget_parent(int steps)
{
	walk_fixture.n = 0;
	walk_add("b", "a", "1", true);
	walk_add("a", "", "11", false);
	walk_begin(STREAM_WALK_OLDEST);
	for (int i = 0; i < steps; i++) {
		CU_ASSERT_EQUAL(walk_read_some(), 0);
	}
	walk_fixture.n--;
}

static void
children_of_a_forgotten_shard_are_read(void)
{
	static const char *const read[] = {"0.0", "0.0", "1.0 0.0"};

	/* The shard disappears before it is begun, before its first page, or after it. */
	for (int i = 0; i < 3; i++) {
		forget_parent(1 + i);
		CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
		CU_ASSERT_TRUE(walk_was_read(read[i]));
		CU_ASSERT_TRUE(stream_walk_lost(walk));
		CU_ASSERT_FALSE(stream_walk_lost(walk));
	}
}

static void
a_listed_shard_that_is_not_found_is_a_failure(void)
{
	walk_add("a", "", "1", true);
	walk_fixture.at[0].lost = true;
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_on(), -ERR_NO_TABLE);
	CU_ASSERT_EQUAL(walk_read_on(), -ERR_NO_TABLE);
	walk_fixture.at[0].lost = false;
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0"));
	CU_ASSERT_FALSE(stream_walk_lost(walk));
}

static void
no_record_is_missing_after_a_failure(void)
{
	walk_add("b", "a", "101", true);
	walk_add("a", "", "11", false);
	walk_add("x", "", "1", true);
	walk_fixture.failure = ERR_THROTTLED;
	for (unsigned nth = 2; nth < 30; nth++) {
		walk_fixture.calls = 0;
		walk_fixture.fail_at = nth;
		walk_begin(STREAM_WALK_OLDEST);
		int r = walk_read_on();

		CU_ASSERT_EQUAL(r, walk_fixture.calls < nth ? STREAM_WALK_TIP : -ERR_THROTTLED);
		if (r < 0) {
			CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
		}
		CU_ASSERT_TRUE(walk_was_read("1.0 1.1 2.0 0.0 0.2"));
	}
}

static void
a_reader_whose_first_calls_fail_is_not_opened(void)
{
	walk_fixture.failure = ERR_UNREACHABLE;
	walk_add("a", "", "1", true);
	/* The first call lists the shards, the second gets an iterator. */
	for (unsigned nth = 1; nth <= 2; nth++) {
		walk_fixture.calls = 0;
		walk_fixture.fail_at = nth;
		CU_ASSERT_EQUAL(walk_try_from(STREAM_WALK_NEWEST), -ERR_UNREACHABLE);
	}
	CU_ASSERT_PTR_NULL(walk);
}

/* ------------------------------------------------------------ after a sequence number */

static void
a_number_whose_shard_is_gone_is_reported_as_a_loss(void)
{
	walk_add("a", "", "1", true);
	walk_add("b", "", "1", true);
	walk_add("c", "", "1", true);
	for (size_t i = 0; i < 3; i++) {
		walk_fixture.at[i].first = "43";
	}
	walk_begin(STREAM_WALK_AFTER);
	CU_ASSERT_EQUAL(walk_read_some(), 0);
	CU_ASSERT_FALSE(stream_walk_lost(walk));
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(stream_walk_lost(walk));
	CU_ASSERT_FALSE(stream_walk_lost(walk));
	CU_ASSERT_TRUE(walk_was_read("0.0 1.0 2.0"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_reader_continues_after_an_expired_iterator),
	UNIT_TEST(records_lost_meanwhile_are_reported),
	UNIT_TEST(children_of_a_forgotten_shard_are_read),
	UNIT_TEST(a_listed_shard_that_is_not_found_is_a_failure),
	UNIT_TEST(no_record_is_missing_after_a_failure),
	UNIT_TEST(a_reader_whose_first_calls_fail_is_not_opened),
	UNIT_TEST(a_number_whose_shard_is_gone_is_reported_as_a_loss),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_walk_lost, walk_fixture_open, walk_fixture_close, tests);
