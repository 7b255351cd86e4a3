/* Tests of the detection of threads that open one file after another, with a simulated clock. */
#include "fs/core/scanners.h"

#include "tests/support/unit.h"

static struct scanners s;

static void
setup(void)
{
	s = (struct scanners){.lock = PTHREAD_MUTEX_INITIALIZER};
}

/* Return how many of @n opens by @thread, @every_ms apart, count as a scan. */
static unsigned
scans(pid_t thread, unsigned n, uint64_t *now_ms, uint64_t every_ms)
{
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++) {
		found += scanners_opens(&s, thread, *now_ms);
		*now_ms += every_ms;
	}
	return found;
}

static void
opening_one_file_after_another_is_a_scan(void)
{
	uint64_t now = 1000;

	CU_ASSERT_EQUAL(scans(1, SCANNERS_OPENS, &now, 1), 0);
	CU_ASSERT_EQUAL(scans(1, 100, &now, SCANNERS_WITHIN_MS), 100);
	now++;
	CU_ASSERT_EQUAL(scans(1, SCANNERS_OPENS, &now, 1), 0);
}

static void
each_thread_is_counted_separately(void)
{
	uint64_t now = 1000;

	CU_ASSERT_EQUAL(scans(2, SCANNERS_OPENS + 5, &now, 1), 5);
	CU_ASSERT_EQUAL(scans(3, SCANNERS_OPENS, &now, 1), 0);
	CU_ASSERT_EQUAL(scans(2, 1, &now, 1), 1);
	/* A new thread replaces another one. */
	CU_ASSERT_EQUAL(scans(2 + SCANNERS_MAX, 1, &now, 1), 0);
	CU_ASSERT_EQUAL(scans(2, 1, &now, 1), 0);
}

static void
thread_0_is_never_a_scanner(void)
{
	uint64_t now = 1000;

	CU_ASSERT_EQUAL(scans(0, 10 * SCANNERS_OPENS, &now, 0), 0);
}

static void
teardown(void)
{
	(void)pthread_mutex_destroy(&s.lock);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(opening_one_file_after_another_is_a_scan),
	UNIT_TEST(each_thread_is_counted_separately),
	UNIT_TEST(thread_0_is_never_a_scanner),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(scanners, setup, teardown, tests);
