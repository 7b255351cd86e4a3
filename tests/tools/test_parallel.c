#include <stdatomic.h>

#include "tools/write/parallel.h"

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

enum { N = 500 };

static struct {
	atomic_int times[N];
	atomic_int at_once;
	atomic_int most_at_once;
	int parts;     /* responses to each request that leave a rest */
	int failures;  /* of each request before it succeeds */
	enum err code; /* of these failures */
	size_t bad;    /* number of the request that never succeeds */
	bool late;     /* the bad one gets its response only after the first one was sent */
} work;

static struct call c;
static struct parallel p;
static bool done[N];

static void
setup(void)
{
	for (size_t i = 0; i < N; i++) {
		work.times[i] = 0;
		done[i] = false;
	}
	work.at_once = 0;
	work.most_at_once = 0;
	work.parts = 0;
	work.failures = 0;
	work.code = ERR_THROTTLED;
	work.bad = N;
	work.late = false;
	p = (struct parallel){.foreign = true};
	call_open(&c, 0, 1 << 24);
}

static void
teardown(void)
{
	call_close(&c);
	(void)unsetenv("ITEMFS_PATIENCE"); /* NOLINT(concurrency-mt-unsafe): no thread runs */
}

static int
send_one(void *arg, size_t i, struct call *own)
{
	int at_once = ++work.at_once;
	int time = ++work.times[i];
	unsigned tries = 0;

	CU_ASSERT_PTR_EQUAL(arg, &work);
	if (at_once > work.most_at_once) {
		work.most_at_once = at_once;
	}
	while (work.late && i == work.bad && work.times[0] == 0 && wait_again(&tries)) {
	}
	work.at_once--;
	if (i == work.bad || time <= work.failures) {
		return call_fail(own, i == work.bad ? ERR_VALIDATION : work.code, "number %zu", i);
	}
	return time <= work.failures + work.parts ? PARALLEL_PART : 0;
}

static size_t
count_done(void)
{
	size_t n = 0;

	for (size_t i = 0; i < N; i++) {
		n += done[i];
	}
	return n;
}

static int
run(size_t n)
{
	call_close(&c);
	return parallel_run(&p, &c, n, send_one, &work, done);
}

static void
sends_each_request_once(void)
{
	static const unsigned most[] = {0, 1, 2, 64};

	for (size_t i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
		call_close(&c);
		setup();
		p.most = most[i];
		CU_ASSERT_EQUAL(run(N), 0);
		CU_ASSERT_EQUAL(count_done(), N);
		for (size_t j = 0; j < N; j++) {
			CU_ASSERT_EQUAL(work.times[j], 1);
		}
		CU_ASSERT_TRUE(work.most_at_once <= (int)(most[i] == 0 ? PARALLEL_MOST : most[i]));
	}
	CU_ASSERT_EQUAL(run(0), 0);
}

static void
widens_while_the_server_keeps_up(void)
{
	CU_ASSERT_EQUAL(run(N), 0);
	CU_ASSERT_EQUAL(p.width, PARALLEL_MOST);
	CU_ASSERT_FALSE(p.throttled);
}

static void
narrows_when_throttled_and_retries(void)
{
	work.failures = 2;
	work.parts = 1;
	CU_ASSERT_EQUAL(run(40), 0);
	for (size_t i = 0; i < 40; i++) {
		CU_ASSERT_EQUAL(work.times[i], 4);
	}
	CU_ASSERT_TRUE(p.throttled);
	CU_ASSERT_TRUE(p.width < PARALLEL_FIRST);
}

static void
retries_after_a_failure_unless_forbidden(void)
{
	work.failures = 1;
	work.code = ERR_IO;
	CU_ASSERT_EQUAL(run(10), 0);
	call_close(&c);
	setup();
	work.failures = 1;
	work.code = ERR_IO;
	p.once = true;
	CU_ASSERT_EQUAL(run(10), -ERR_IO);
	call_close(&c);
	setup();
	work.failures = 1;
	p.once = true;
	CU_ASSERT_EQUAL(run(10), 0);
}

static void
ends_at_a_permanent_failure(void)
{
	work.bad = 100;
	CU_ASSERT_EQUAL(run(N), -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message, "number 100");
	CU_ASSERT_FALSE(done[100]);
	CU_ASSERT_EQUAL(work.times[100], 1);
	call_close(&c);
	setup();
	work.bad = 100;
	p.most = 1;
	CU_ASSERT_EQUAL(run(N), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(count_done(), 100);
	CU_ASSERT_EQUAL(work.times[101], 0);
}

static void
completes_the_requests_before_a_failure(void)
{
	for (int i = 0; i < 5; i++) {
		call_close(&c);
		setup();
		work.bad = 5;
		work.late = true;
		work.failures = 1; /* throttled: the requests before it pause when it fails */
		CU_ASSERT_EQUAL(run(N), -ERR_VALIDATION);
		CU_ASSERT_STRING_EQUAL(c.error.message, "number 5");
		for (size_t j = 0; j < work.bad; j++) {
			CU_ASSERT_TRUE(done[j]);
		}
	}
}

static void
ends_without_progress_for_too_long(void)
{
	(void)setenv("ITEMFS_PATIENCE", "0", 1); /* NOLINT(concurrency-mt-unsafe): no thread runs */
	work.failures = 1000000;
	CU_ASSERT_EQUAL(run(3), -ERR_THROTTLED);
	CU_ASSERT_EQUAL(count_done(), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "no progress for 0 s: number"));
}

static void
sends_one_at_a_time_to_a_local_store(void)
{
	p.foreign = false;
	work.failures = 1; /* throttled */
	CU_ASSERT_EQUAL(run(3), 0);
	CU_ASSERT_EQUAL(work.most_at_once, 1);
	call_close(&c);
	setup();
	p.foreign = false;
	work.failures = 1;
	work.code = ERR_IO;
	CU_ASSERT_EQUAL(run(N), -ERR_IO);
	CU_ASSERT_EQUAL(work.times[0], 1);
	CU_ASSERT_EQUAL(work.times[1], 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(sends_each_request_once),
	UNIT_TEST(widens_while_the_server_keeps_up),
	UNIT_TEST(narrows_when_throttled_and_retries),
	UNIT_TEST(retries_after_a_failure_unless_forbidden),
	UNIT_TEST(ends_at_a_permanent_failure),
	UNIT_TEST(completes_the_requests_before_a_failure),
	UNIT_TEST(ends_without_progress_for_too_long),
	UNIT_TEST(sends_one_at_a_time_to_a_local_store),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(parallel, setup, teardown, tests);
