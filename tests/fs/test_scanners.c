/* Who opens one file after another; time is made up. */
#include "fs/core/scanners.h"

#include "tests/support/unit.h"

static struct scanners s;

static void
setup(void)
{
	scanners_init(&s);
}

/* How many of @n opens of @thread, @every_ms apart, are those of a scan. */
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
one_after_another_is_a_scan(void)
{
	uint64_t now = 1000;

	CU_ASSERT_EQUAL(scans(1, SCANNERS_OPENS, &now, 1), 0);
	CU_ASSERT_EQUAL(scans(1, 100, &now, SCANNERS_WITHIN_MS), 100);
	now++;
	CU_ASSERT_EQUAL(scans(1, SCANNERS_OPENS, &now, 1), 0);
}

static void
each_thread_has_its_own(void)
{
	uint64_t now = 1000;

	CU_ASSERT_EQUAL(scans(2, SCANNERS_OPENS + 5, &now, 1), 5);
	CU_ASSERT_EQUAL(scans(3, SCANNERS_OPENS, &now, 1), 0);
	CU_ASSERT_EQUAL(scans(2, 1, &now, 1), 1);
	/* One takes another's place. */
	CU_ASSERT_EQUAL(scans(2 + SCANNERS_MAX, 1, &now, 1), 0);
	CU_ASSERT_EQUAL(scans(2, 1, &now, 1), 0);
}

static void
nobody_is_none(void)
{
	uint64_t now = 1000;

	CU_ASSERT_EQUAL(scans(0, 10 * SCANNERS_OPENS, &now, 0), 0);
}

static void
teardown(void)
{
	scanners_release(&s);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(one_after_another_is_a_scan),
	UNIT_TEST(each_thread_has_its_own),
	UNIT_TEST(nobody_is_none),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(scanners, setup, teardown, tests);
