/* Times that tests change. */
#include <stdlib.h>

#include "store/base/core/timing.h"

#include "tests/support/unit.h"

static void
is_as_the_table_says(void)
{
	CU_ASSERT_EQUAL(unsetenv("ITEMFS_TIMING"), 0);
	CU_ASSERT_EQUAL(timing_ms(TIMING_HIDDEN), 2000);
}

static void
is_as_the_environment_says(void)
{
	CU_ASSERT_EQUAL(setenv("ITEMFS_TIMING", "hidden=7,hidden=600000", 1), 0);
	CU_ASSERT_EQUAL(timing_ms(TIMING_HIDDEN), 600000);
	CU_ASSERT_EQUAL(setenv("ITEMFS_TIMING", "", 1), 0);
	CU_ASSERT_EQUAL(timing_ms(TIMING_HIDDEN), 2000);
	CU_ASSERT_EQUAL(unsetenv("ITEMFS_TIMING"), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(is_as_the_table_says),
	UNIT_TEST(is_as_the_environment_says),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(timing, NULL, NULL, tests);
