/* Tests of the cache of an endpoint's answers: lifetime, use and invalidation, with a simulated clock. */
#include "store/base/core/clock.h"

#include "fs/core/recent.h"

#include "tests/support/unit.h"

static struct recent r;
static struct call c;
static uint64_t now;

static void
begin(void)
{
	recent_init(&r, 1);
	call_open(&c, 0, SIZE_MAX);
	now = 1000 * NS_PER_S;
}

static void
end(void)
{
	recent_release(&r);
	call_close(&c);
}

static void
put(const char *key, const char *text, bool listed)
{
	recent_put(&r,
		   &(struct recent_new){.key = slice_from(key),
					.dir = 7,
					.listed = listed,
					.size = strlen(text),
					.text = slice_from(text)},
		   r.drops, now);
}

static bool
has(const char *key, const char *text, bool take)
{
	struct slice out;

	return recent_text(&r, slice_from(key), now, take, &c.arena, &out) && slice_is(out, text);
}

static uint64_t
size(const char *key)
{
	uint64_t n;

	return recent_size(&r, slice_from(key), now, &n) ? n : 0;
}

static void
an_item_is_valid_until_the_timeout(void)
{
	put("a", "text", false);
	CU_ASSERT_TRUE(has("a", "text", false));
	CU_ASSERT_FALSE(has("b", "text", false));
	now += NS_PER_S - 1;
	CU_ASSERT_TRUE(has("a", "text", false));
	now += 1;
	CU_ASSERT_FALSE(has("a", "text", false));
	CU_ASSERT_EQUAL(r.n, 0);
	CU_ASSERT_EQUAL(r.text_bytes, 0);
}

static void
a_text_is_handed_out_once(void)
{
	put("a", "text", false);
	CU_ASSERT_TRUE(has("a", "text", true));
	CU_ASSERT_FALSE(has("a", "text", true));
	CU_ASSERT_EQUAL(size("a"), 4);
	put("a", "another", false);
	CU_ASSERT_TRUE(has("a", "another", true));
}

static void
listed_items_stay_valid_while_the_directory_is_read(void)
{
	char name[16];

	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		put(name, "text", true);
	}
	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		CU_ASSERT_EQUAL(size(name), 4);
		CU_ASSERT_TRUE(has(name, "text", true));
		now += NS_PER_S / 2;
	}
	CU_ASSERT_EQUAL(size("0"), 0);
}

static void
listed_items_expire_after_a_pause_or_a_minute(void)
{
	put("a", "text", true);
	put("b", "text", true);
	put("z", "text", true);
	now += NS_PER_S / 2;
	CU_ASSERT_EQUAL(size("a"), 4);
	now += NS_PER_S;
	CU_ASSERT_EQUAL(size("b"), 0);
	for (int i = 0; i < 120; i++) {
		put("x", "text", true);
		now += NS_PER_S / 2;
	}
	CU_ASSERT_EQUAL(size("x"), 4);
	CU_ASSERT_EQUAL(size("z"), 0);
}

static void
a_listed_item_is_used_once_and_then_expires_as_any_other(void)
{
	put("a", "text", true);
	now += NS_PER_S * 9 / 10;
	CU_ASSERT_EQUAL(size("a"), 4);
	put("b", "text", true);
	now += NS_PER_S * 9 / 10;
	CU_ASSERT_EQUAL(size("a"), 4);
	CU_ASSERT_EQUAL(size("b"), 4);
	now += NS_PER_S / 5;
	CU_ASSERT_EQUAL(size("a"), 0);
	CU_ASSERT_EQUAL(size("b"), 4);
}

static void
a_write_drops_cached_items_and_those_being_fetched(void)
{
	uint64_t drops = r.drops;

	put("a", "text", false);
	recent_drop(&r);
	CU_ASSERT_FALSE(has("a", "text", false));
	recent_put(&r, &(struct recent_new){.key = SLICE("a"), .text = SLICE("old")}, drops, now);
	CU_ASSERT_FALSE(has("a", "old", false));
	put("a", "new", false);
	CU_ASSERT_TRUE(has("a", "new", false));
}

static void
the_number_and_size_of_entries_are_bounded(void)
{
	static char large[100 * 1024];
	char name[16];

	memset(large, 'x', sizeof(large) - 1);
	for (int i = 0; i < 500; i++) {
		(void)snprintf(name, sizeof(name), "large%d", i);
		put(name, large, true);
		CU_ASSERT_TRUE(r.text_bytes <= RECENT_TEXT_BYTES);
	}
	CU_ASSERT_EQUAL(size("large0"), sizeof(large) - 1);
	CU_ASSERT_FALSE(has("large0", large, false));
	CU_ASSERT_TRUE(has("large499", large, false));
	for (int i = 0; i < RECENT_ENTRIES + 10; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		put(name, "", true);
	}
	CU_ASSERT_EQUAL(r.n, RECENT_ENTRIES);
	CU_ASSERT_EQUAL(r.text_bytes, 0);
	now += 61 * NS_PER_S;
	put("a", "text", false);
	CU_ASSERT_EQUAL(r.n, 1);
}

static void
without_a_timeout_nothing_is_cached(void)
{
	recent_release(&r);
	recent_init(&r, 0);
	put("a", "text", true);
	CU_ASSERT_FALSE(has("a", "text", false));
	CU_ASSERT_EQUAL(size("a"), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_item_is_valid_until_the_timeout),
	UNIT_TEST(a_text_is_handed_out_once),
	UNIT_TEST(listed_items_stay_valid_while_the_directory_is_read),
	UNIT_TEST(listed_items_expire_after_a_pause_or_a_minute),
	UNIT_TEST(a_listed_item_is_used_once_and_then_expires_as_any_other),
	UNIT_TEST(a_write_drops_cached_items_and_those_being_fetched),
	UNIT_TEST(the_number_and_size_of_entries_are_bounded),
	UNIT_TEST(without_a_timeout_nothing_is_cached),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(recent, begin, end, tests);
