#include <time.h>

#include "store/base/core/clock.h"

#include "tests/support/unit.h"

/* time() drops the fraction and may lag clock_gettime() by a tick. */
enum { SECOND_MS = 1000, APART_MS = 2 * SECOND_MS };

static void
gives_unix_time_in_milliseconds(void)
{
	uint64_t before = (uint64_t)time(NULL) * SECOND_MS;
	uint64_t now = clock_now_ms();
	uint64_t after = (uint64_t)time(NULL) * SECOND_MS;

	CU_ASSERT_TRUE(now + APART_MS >= before && now <= after + APART_MS);
}

static void
never_goes_back(void)
{
	struct timespec nap = {.tv_nsec = 2000000};
	uint64_t before = clock_steady_ms();

	(void)nanosleep(&nap, NULL);
	CU_ASSERT_TRUE(clock_steady_ms() > before);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_unix_time_in_milliseconds),
	UNIT_TEST(never_goes_back),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(clock, NULL, NULL, tests);
