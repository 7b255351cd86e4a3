/* The records of a stream with many shards: what is gone before it was read, and what fails. */
#include "tests/engine/walk_scene.h"
#include "tests/support/unit.h"

/* ------------------------------------------------------------ readers that were away; failures */

static void
who_was_away_goes_on_where_he_was(void)
{
	walk_add("a", "", "", true);
	walk_begin(STREAM_WALK_NEWEST);
	walk_scene.at[0].pages = "1";
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	walk_scene.at[0].pages = "121";
	walk_scene.failure = ERR_EXPIRED_ITERATOR;
	walk_scene.fail_at = walk_scene.calls + 1;
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0 0.1 0.1 0.2"));
	CU_ASSERT_FALSE(stream_walk_lost(walk));
}

static void
what_has_gone_meanwhile_is_told(void)
{
	static const enum err failures[] = {ERR_EXPIRED_ITERATOR, ERR_TRIMMED};

	for (size_t i = 0; i < 2; i++) {
		walk_scene.n = 0;
		walk_add("a", "", "1", true);
		walk_begin(STREAM_WALK_NEWEST);
		walk_scene.at[0].pages = "11";
		walk_scene.failure = failures[i];
		walk_scene.fail_at = walk_scene.calls + 1;
		CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
		/* Expired: from the newest on again.  Trimmed: from what there is. */
		CU_ASSERT_TRUE(walk_was_read(i == 0 ? "" : "0.0 0.1"));
		CU_ASSERT_TRUE(stream_walk_lost(walk));
		CU_ASSERT_FALSE(stream_walk_lost(walk));
	}
}

/* The service forgets a parent after @steps of its reader. */
static void
forget_parent(int steps)
{
	walk_scene.n = 0;
	walk_add("b", "a", "1", true);
	walk_add("a", "", "11", false);
	walk_begin(STREAM_WALK_OLDEST);
	for (int i = 0; i < steps; i++) {
		CU_ASSERT_EQUAL(walk_read_some(), 0);
	}
	walk_scene.n--;
}

static void
children_of_one_that_is_forgotten_go_on(void)
{
	static const char *const read[] = {"0.0", "0.0", "1.0 0.0"};

	/* Before it has begun, before its first page, behind it. */
	for (int i = 0; i < 3; i++) {
		forget_parent(1 + i);
		CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
		CU_ASSERT_TRUE(walk_was_read(read[i]));
		CU_ASSERT_TRUE(stream_walk_lost(walk));
		CU_ASSERT_FALSE(stream_walk_lost(walk));
	}
}

static void
one_that_is_listed_and_not_found_is_a_failure(void)
{
	walk_add("a", "", "1", true);
	walk_scene.at[0].lost = true;
	walk_begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(walk_read_on(), -ERR_NO_TABLE);
	CU_ASSERT_EQUAL(walk_read_on(), -ERR_NO_TABLE);
	walk_scene.at[0].lost = false;
	CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(walk_was_read("0.0"));
	CU_ASSERT_FALSE(stream_walk_lost(walk));
}

static void
after_a_failure_nothing_is_missing(void)
{
	walk_add("b", "a", "101", true);
	walk_add("a", "", "11", false);
	walk_add("x", "", "1", true);
	walk_scene.failure = ERR_THROTTLED;
	for (unsigned nth = 2; nth < 30; nth++) {
		walk_scene.calls = 0;
		walk_scene.fail_at = nth;
		walk_begin(STREAM_WALK_OLDEST);
		int r = walk_read_on();

		CU_ASSERT_EQUAL(r, walk_scene.calls < nth ? STREAM_WALK_TIP : -ERR_THROTTLED);
		if (r < 0) {
			CU_ASSERT_EQUAL(walk_read_on(), STREAM_WALK_TIP);
		}
		CU_ASSERT_TRUE(walk_was_read("1.0 1.1 2.0 0.0 0.2"));
	}
}

static void
what_fails_at_first_is_not_open(void)
{
	walk_scene.failure = ERR_UNREACHABLE;
	walk_add("a", "", "1", true);
	/* Its shards, and each iterator. */
	for (unsigned nth = 1; nth <= 2; nth++) {
		walk_scene.calls = 0;
		walk_scene.fail_at = nth;
		CU_ASSERT_EQUAL(walk_try_from(STREAM_WALK_NEWEST), -ERR_UNREACHABLE);
	}
	CU_ASSERT_PTR_NULL(walk);
}

/* ------------------------------------------------------------ behind a number */

static void
a_number_whose_shard_is_gone_is_told(void)
{
	walk_add("a", "", "1", true);
	walk_add("b", "", "1", true);
	walk_add("c", "", "1", true);
	for (size_t i = 0; i < 3; i++) {
		walk_scene.at[i].first = "43";
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
	UNIT_TEST(who_was_away_goes_on_where_he_was),
	UNIT_TEST(what_has_gone_meanwhile_is_told),
	UNIT_TEST(children_of_one_that_is_forgotten_go_on),
	UNIT_TEST(one_that_is_listed_and_not_found_is_a_failure),
	UNIT_TEST(after_a_failure_nothing_is_missing),
	UNIT_TEST(what_fails_at_first_is_not_open),
	UNIT_TEST(a_number_whose_shard_is_gone_is_told),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_walk_lost, walk_scene_open, walk_scene_close, tests);
