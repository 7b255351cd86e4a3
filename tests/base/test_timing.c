/* Tests of the timings that tests can change. */
#include "store/base/core/base.h"
#include "store/base/core/timing.h"

#include "tests/support/unit.h"

static void
a_timing_has_the_value_of_the_table(void)
{
	CU_ASSERT_EQUAL(unsetenv("ITEMFS_TIMING"), 0);
	CU_ASSERT_EQUAL(timing_ms(TIMING_HIDDEN), 2000);
}

static void
the_environment_overrides_a_timing(void)
{
	CU_ASSERT_EQUAL(setenv("ITEMFS_TIMING", "hidden=7,hidden=600000", 1), 0);
	CU_ASSERT_EQUAL(timing_ms(TIMING_HIDDEN), 600000);
	CU_ASSERT_EQUAL(setenv("ITEMFS_TIMING", "", 1), 0);
	CU_ASSERT_EQUAL(timing_ms(TIMING_HIDDEN), 2000);
	CU_ASSERT_EQUAL(unsetenv("ITEMFS_TIMING"), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_timing_has_the_value_of_the_table),
	UNIT_TEST(the_environment_overrides_a_timing),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(timing, NULL, NULL, tests);
