/*
 * Tests of the thread that sweeps expired items: when it calls, continues and ends; with a fake engine.
 *
 * The tests of times have a fake clock, too: the linker replaces the functions that the sweeper calls to wait, so a test
 * knows how long the thread would wait, and moves the clock.
 */
#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/engine/sweeper.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* The calls and answers of the fake engine. */
static struct {
	struct engine engine;
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t asked;
	unsigned calls;
	unsigned firsts; /* calls without a key to continue at */
	unsigned pages;  /* pages of a sweep; 0: it never ends */
	uint64_t now_ms; /* of the last call */
	bool fails;
	unsigned failures; /* reported */

	atomic_bool has_clock;      /* the fake one */
	_Atomic uint64_t steady_ms; /* its time */
	_Atomic uint64_t page_ms;   /* how long a page takes */
	unsigned waits;             /* how often the sweeper began to wait */
	uint64_t until_ms;          /* of the last one: its end; NEVER */
	pthread_cond_t *waits_for;
	pthread_mutex_t *waits_with;
} made;

enum { BEGIN_MS = 1000000 };

#define NEVER UINT64_MAX

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */

uint64_t __real_clock_steady_ms(void);
uint64_t __wrap_clock_steady_ms(void);
bool __real_thread_cond_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t steady_ns);
bool __wrap_thread_cond_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t steady_ns);
int __real_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock);

/* Notes a wait of the sweeper, and waits until the test moves the clock or the sweeper's owner signals. */
static int
made_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_ms)
{
	(void)pthread_mutex_lock(&made.lock);
	made.waits++;
	made.until_ms = until_ms;
	made.waits_for = cond;
	made.waits_with = lock;
	(void)pthread_cond_broadcast(&made.asked);
	(void)pthread_mutex_unlock(&made.lock);
	return __real_pthread_cond_wait(cond, lock);
}

uint64_t
__wrap_clock_steady_ms(void)
{
	return made.has_clock ? made.steady_ms : __real_clock_steady_ms();
}

bool
__wrap_thread_cond_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t steady_ns)
{
	if (!made.has_clock) {
		return __real_thread_cond_until(cond, lock, steady_ns);
	}
	return steady_ns / NS_PER_MS > made.steady_ms &&
	       made_wait(cond, lock, steady_ns / NS_PER_MS) == 0;
}

int
__wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock)
{
	return made.has_clock && cond != &made.asked ? made_wait(cond, lock, NEVER)
						     : __real_pthread_cond_wait(cond, lock);
}

/* NOLINTEND(bugprone-reserved-identifier) */

static int
made_sweep(struct engine *e, struct call *own, const struct op_in *in, struct op_out *out)
{
	(void)e;
	lock_scope(&made.lock);
	made.calls++;
	made.steady_ms += made.page_ms;
	made.firsts += in->sweep.next.len == 0;
	made.now_ms = own->now_ms;
	(void)pthread_cond_broadcast(&made.asked);
	if (made.fails) {
		return call_fail(own, ERR_IO, "made up");
	}
	if (made.pages == 0 || in->sweep.next.len + 1 < made.pages) {
		struct buf next;

		buf_init(&next, &own->arena);
		buf_slice(&next, in->sweep.next);
		buf_char(&next, '+');
		out->sweep.next = buf_view(&next);
	}
	return 0;
}

static const struct engine_ops made_ops = {.execute = made_sweep};

static void
count_failure(const struct error *e)
{
	lock_scope(&made.lock);
	made.failures += strcmp(e->message, "made up") == 0;
	(void)pthread_cond_broadcast(&made.asked);
}

static struct sweeper *
start(uint64_t every_ms, unsigned pages, bool fails)
{
	struct sweeper *s = NULL;

	made.engine.ops = &made_ops;
	made.calls = made.firsts = made.failures = made.waits = 0;
	made.steady_ms = BEGIN_MS;
	made.pages = pages;
	made.fails = fails;
	(void)pthread_mutex_init(&made.lock, NULL);
	(void)pthread_cond_init(&made.asked, NULL);
	int r = sweeper_start(&c, &made.engine, every_ms, count_failure, &s);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return s;
}

static void
wait_for(const unsigned *counter, unsigned n)
{
	lock_scope(&made.lock);
	while (*counter < n) {
		(void)pthread_cond_wait(&made.asked, &made.lock);
	}
}

/* Like start(), with the fake clock; returns when the sweeper waits. */
static struct sweeper *
start_with_clock(uint64_t every_ms, unsigned pages, unsigned page_ms)
{
	made.has_clock = true;
	made.page_ms = page_ms;
	struct sweeper *s = start(every_ms, pages, false);

	wait_for(&made.waits, 1);
	return s;
}

/* Moves the fake clock by @ms, waits until the sweeper waits again; Return: for how long, or NEVER */
static uint64_t
advance(uint64_t ms)
{
	unsigned waits = made.waits;

	(void)pthread_mutex_lock(made.waits_with);
	made.steady_ms += ms;
	(void)pthread_cond_signal(made.waits_for);
	(void)pthread_mutex_unlock(made.waits_with);
	wait_for(&made.waits, waits + 1);
	return made.until_ms == NEVER ? NEVER : made.until_ms - made.steady_ms;
}

static void
stop(struct sweeper *s)
{
	sweeper_stop(s);
	made.has_clock = false;
	made.page_ms = 0;
	(void)pthread_cond_destroy(&made.asked);
	(void)pthread_mutex_destroy(&made.lock);
}

static void
a_sweep_continues_after_each_page_and_then_begins_again(void)
{
	uint64_t before = clock_now_ms();
	struct sweeper *s = start(1, 3, false);

	wait_for(&made.firsts, 3);
	stop(s);
	CU_ASSERT_TRUE(made.calls >= 7);
	CU_ASSERT_EQUAL((made.calls + 2) / 3, made.firsts);
	CU_ASSERT_TRUE(made.now_ms >= before && made.now_ms <= clock_now_ms());
}

static void
a_failed_sweep_is_reported_and_begins_again(void)
{
	struct sweeper *s = start(1, 3, true);

	wait_for(&made.failures, 2);
	stop(s);
	CU_ASSERT_EQUAL(made.calls, made.firsts);
	CU_ASSERT_EQUAL(made.calls, made.failures);
}

static void
the_first_sweep_is_one_interval_after_the_start(void)
{
	struct sweeper *s = start_with_clock(5000, 1, 0);

	CU_ASSERT_EQUAL(made.until_ms, BEGIN_MS + 5000);
	CU_ASSERT_EQUAL(advance(4999), 1);
	CU_ASSERT_EQUAL(made.calls, 0);
	CU_ASSERT_EQUAL(advance(1), 5000);
	CU_ASSERT_EQUAL(made.calls, 1);
	stop(s);
}

static void
the_interval_begins_at_the_end_of_a_sweep(void)
{
	struct sweeper *s = start_with_clock(5000, 1, 700);

	CU_ASSERT_EQUAL(advance(9000), 5000);
	CU_ASSERT_EQUAL(made.steady_ms, BEGIN_MS + 9700);
	stop(s);
}

static void
a_page_is_followed_by_a_rest_of_four_times_its_time(void)
{
	struct sweeper *s = start_with_clock(5000, 3, 30);

	CU_ASSERT_EQUAL(advance(5000), 120);
	CU_ASSERT_EQUAL(advance(119), 1);
	CU_ASSERT_EQUAL(made.calls, 1);
	CU_ASSERT_EQUAL(advance(1), 120);
	CU_ASSERT_EQUAL(advance(120), 5000);
	CU_ASSERT_EQUAL(made.calls, 3);
	CU_ASSERT_EQUAL(made.firsts, 1);
	stop(s);
}

static void
by_default_sweeps_take_a_hundredth_of_a_processor(void)
{
	static const struct {
		unsigned page_ms;
		uint64_t rest_ms; /* after a sweep of two pages */
	} rests[] = {{0, 2000},    {10, 2000},    {11, 2178}, {303, 59994},
		     {304, 60000}, {9000, 60000}, {0, 2000}};
	struct sweeper *s = start_with_clock(SWEEPER_BY_COST, 2, 0);

	CU_ASSERT_EQUAL(made.until_ms, BEGIN_MS + 2000);
	for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
		made.page_ms = rests[i].page_ms;
		uint64_t rest = advance(60000);

		if (rests[i].page_ms > 0) {
			CU_ASSERT_EQUAL(rest, 4ULL * rests[i].page_ms);
			rest = advance(rest);
		}
		CU_ASSERT_EQUAL(rest, rests[i].rest_ms);
		CU_ASSERT_EQUAL(made.firsts, i + 1);
	}
	stop(s);
}

static void
an_interval_of_0_means_never_until_it_is_changed(void)
{
	struct sweeper *s = start_with_clock(0, 1, 0);

	CU_ASSERT_EQUAL(made.until_ms, NEVER);
	CU_ASSERT_EQUAL(advance(1000000000), NEVER);
	sweeper_every(s, 2000000000);
	wait_for(&made.waits, 3);
	CU_ASSERT_EQUAL(made.until_ms, BEGIN_MS + 2000000000ULL);
	sweeper_every(s, 0);
	wait_for(&made.waits, 4);
	CU_ASSERT_EQUAL(made.until_ms, NEVER);
	CU_ASSERT_EQUAL(made.calls, 0);
	sweeper_every(s, 7);
	wait_for(&made.waits, 5);
	CU_ASSERT_EQUAL(made.calls, 1);
	CU_ASSERT_EQUAL(made.until_ms - made.steady_ms, 7);
	stop(s);
}

static void
an_interval_of_0_ends_a_sweep_between_two_pages(void)
{
	struct sweeper *s = start_with_clock(5000, 0, 30);

	CU_ASSERT_EQUAL(advance(5000), 120);
	sweeper_every(s, 0);
	wait_for(&made.waits, 3);
	CU_ASSERT_EQUAL(made.until_ms, NEVER);
	CU_ASSERT_EQUAL(made.calls, 1);
	stop(s);
}

/* It stops during the longest pause and during a sweep that never ends. */
static void
the_sweeper_stops_at_once(void)
{
	struct sweeper *s = start_with_clock(UINT32_MAX * 1000ULL, 1, 0);

	stop(s);
	CU_ASSERT_EQUAL(made.calls, 0);
	s = start(1, 0, false);
	wait_for(&made.calls, 10);
	stop(s);
	CU_ASSERT_EQUAL(made.firsts, 1);
	sweeper_stop(NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_sweep_continues_after_each_page_and_then_begins_again),
	UNIT_TEST(a_failed_sweep_is_reported_and_begins_again),
	UNIT_TEST(the_first_sweep_is_one_interval_after_the_start),
	UNIT_TEST(the_interval_begins_at_the_end_of_a_sweep),
	UNIT_TEST(a_page_is_followed_by_a_rest_of_four_times_its_time),
	UNIT_TEST(by_default_sweeps_take_a_hundredth_of_a_processor),
	UNIT_TEST(an_interval_of_0_means_never_until_it_is_changed),
	UNIT_TEST(an_interval_of_0_ends_a_sweep_between_two_pages),
	UNIT_TEST(the_sweeper_stops_at_once),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sweeper, setup, teardown, tests);
