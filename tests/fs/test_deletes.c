/* Tests of the limit on deletes through a mount, with a simulated clock. */
#include "fs/core/deletes.h"

#include "tests/support/unit.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND };

static struct deletes d;

static void
teardown(void)
{
	deletes_release(&d);
}

/* Return how many of @n simultaneous deletes are allowed. */
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
without_a_limit_every_delete_is_allowed(void)
{
	deletes_init(&d, false, 0);
	CU_ASSERT_EQUAL(take("t", 100000, 5), 100000);
}

static void
each_table_has_its_own_limit(void)
{
	deletes_init(&d, true, 100);
	CU_ASSERT_EQUAL(take("a", 100, 5), 100);
	CU_ASSERT_EQUAL(take("b", 150, 5), 100);
	CU_ASSERT_EQUAL(take("a", 1, 5), 0);
	CU_ASSERT_EQUAL(take("", 1, 5), 1);
}

static void
a_limit_of_0_allows_no_deletes(void)
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
	for (int i = 0; i < 600; i++) { /* ten minutes at one delete per second are 60 per minute */
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
continued_attempts_extend_the_refusal(void)
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
	UNIT_TEST(without_a_limit_every_delete_is_allowed), UNIT_TEST(each_table_has_its_own_limit),
	UNIT_TEST(a_limit_of_0_allows_no_deletes),          UNIT_TEST(the_window_slides),
	UNIT_TEST(continued_attempts_extend_the_refusal),   CU_TEST_INFO_NULL,
};

UNIT_SUITE(deletes, NULL, teardown, tests);
