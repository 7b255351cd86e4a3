/* How many items a mount may delete; time is made up. */
#include "fs/core/deletes.h"

#include "tests/support/unit.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND };

static struct deletes d;

static void
teardown(void)
{
	deletes_release(&d);
}

/* How many of @n at once are allowed. */
static unsigned
take(const char *table, unsigned n, uint64_t now_ms)
{
	unsigned taken = 0;

	for (unsigned i = 0; i < n; i++) {
		taken += deletes_take(&d, slice_from(table), now_ms);
	}
	return taken;
}

static void
no_limit_is_none(void)
{
	deletes_init(&d, false, 0);
	CU_ASSERT_EQUAL(take("t", 100000, 5), 100000);
}

static void
each_table_has_its_own(void)
{
	deletes_init(&d, true, 100);
	CU_ASSERT_EQUAL(take("a", 100, 5), 100);
	CU_ASSERT_EQUAL(take("b", 150, 5), 100);
	CU_ASSERT_EQUAL(take("a", 1, 5), 0);
	CU_ASSERT_EQUAL(take("", 1, 5), 1);
}

static void
none_may_be_allowed(void)
{
	deletes_init(&d, true, 0);
	CU_ASSERT_EQUAL(take("a", 3, 5), 0);
	CU_ASSERT_EQUAL(take("a", 3, 5 * MINUTE), 0);
}

static void
the_window_slides(void)
{
	uint64_t now = 1000 * MINUTE;

	deletes_init(&d, true, 100);
	for (int i = 0; i < 600; i++) { /* ten minutes of one each second are 60 a minute */
		CU_ASSERT_EQUAL(take("a", 1, now), 1);
		now += SECOND;
	}
	CU_ASSERT_TRUE(take("a", 100, now) <= 45);
	deletes_release(&d);
	deletes_init(&d, true, 100);
	CU_ASSERT_EQUAL(take("a", 60, now), 60);
	CU_ASSERT_EQUAL(take("a", 40, now + 50 * SECOND), 40);
	CU_ASSERT_EQUAL(take("a", 60, now + 66 * SECOND), 60);
}

static void
who_goes_on_trying_stays_shut_out(void)
{
	uint64_t now = 1000 * MINUTE;

	deletes_init(&d, true, 100);
	CU_ASSERT_EQUAL(take("a", 200, now), 100);
	for (int i = 0; i < 100; i++) {
		now += MINUTE / 2;
		CU_ASSERT_EQUAL(take("a", 1, now), 0);
	}
	CU_ASSERT_EQUAL(take("a", 200, now + MINUTE + 5 * SECOND), 100);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(no_limit_is_none),
	UNIT_TEST(each_table_has_its_own),
	UNIT_TEST(none_may_be_allowed),
	UNIT_TEST(the_window_slides),
	UNIT_TEST(who_goes_on_trying_stays_shut_out),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(deletes, NULL, teardown, tests);
