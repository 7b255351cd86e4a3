/* Tests of the pause between two attempts. */
#include "store/base/core/clock.h"
#include "store/base/core/pause.h"

#include "tests/support/unit.h"

static unsigned asked;

static bool
is_over_at_the_third_look(const void *arg)
{
	(void)arg;
	return ++asked >= 3;
}

static void
lasts_for_the_given_time(void)
{
	struct call c = {0};
	uint64_t begun = clock_steady_ms();

	CU_ASSERT_TRUE(pause_ms(&c, 120));
	CU_ASSERT_TRUE(clock_steady_ms() >= begun + 120);
	CU_ASSERT_TRUE(pause_ms(&c, 0));
}

static void
ends_when_the_caller_gives_up(void)
{
	struct call c = {.given_up = is_over_at_the_third_look};

	asked = 0;
	CU_ASSERT_FALSE(pause_ms(&c, UINT32_MAX));
	CU_ASSERT_EQUAL(asked, 3);
	CU_ASSERT_FALSE(pause_ms(&c, 0));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(lasts_for_the_given_time),
	UNIT_TEST(ends_when_the_caller_gives_up),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(pause, NULL, NULL, tests);
