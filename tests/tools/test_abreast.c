#include <stdatomic.h>

#include "tools/abreast.h"

#include "tests/support/unit.h"

enum { N = 500 };

static struct {
	atomic_int times[N];
	size_t last; /* that may go on */
} work;

static void
setup(void)
{
	for (size_t i = 0; i < N; i++) {
		work.times[i] = 0;
	}
	work.last = N;
}

static void
teardown(void)
{
}

static bool
do_one(void *arg, size_t i)
{
	CU_ASSERT_PTR_EQUAL(arg, &work);
	work.times[i]++;
	return i < work.last;
}

static size_t
done(size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		n += work.times[i] == 1;
	}
	return n;
}

static void
each_is_done_once(void)
{
	static const unsigned jobs[] = {0, 1, 2, 8, 1000};

	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		setup();
		abreast(N, jobs[i], do_one, &work);
		CU_ASSERT_EQUAL(done(0, N), N);
	}
	abreast(0, 8, do_one, &work);
	CU_ASSERT_EQUAL(done(0, N), N);
}

static void
what_comes_before_a_failure_is_done(void)
{
	work.last = 300;
	abreast(N, 8, do_one, &work);
	CU_ASSERT_EQUAL(done(0, 301), 301);
}

static void
one_job_stops_at_once(void)
{
	work.last = 300;
	abreast(N, 1, do_one, &work);
	CU_ASSERT_EQUAL(done(0, 301), 301);
	CU_ASSERT_EQUAL(done(301, N), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(each_is_done_once),
	UNIT_TEST(what_comes_before_a_failure_is_done),
	UNIT_TEST(one_job_stops_at_once),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(abreast, setup, teardown, tests);
