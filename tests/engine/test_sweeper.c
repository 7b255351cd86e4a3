/* Tests of the thread that sweeps expired items: when it calls, continues and ends; with a fake engine. */
#include <pthread.h>
#include <stdlib.h>

#include "store/base/core/buf.h"
#include "store/base/core/cleanup.h"
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
} made;

static int
made_sweep(struct engine *e, struct call *own, const struct op_in *in, struct op_out *out)
{
	(void)e;
	lock_scope(&made.lock);
	made.calls++;
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
	made.calls = made.firsts = made.failures = 0;
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

static void
stop(struct sweeper *s)
{
	sweeper_stop(s);
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
an_interval_of_0_means_never_until_it_is_changed(void)
{
	struct sweeper *s = start(0, 1, false);

	sweeper_every(s, 1000000000);
	sweeper_every(s, 0);
	CU_ASSERT_EQUAL(made.calls, 0);
	sweeper_every(s, 1);
	wait_for(&made.calls, 2);
	stop(s);
}

/* It stops during the longest pause and during a sweep that never ends. */
static void
the_sweeper_stops_at_once(void)
{
	struct sweeper *s = start(UINT32_MAX * 1000ULL, 1, false);

	stop(s);
	CU_ASSERT_EQUAL(made.calls, 0);
	s = start(1, 0, false);
	wait_for(&made.calls, 10);
	stop(s);
	CU_ASSERT_EQUAL(made.firsts, 1);
	s = start(1, 0, false);
	wait_for(&made.calls, 3);
	sweeper_every(s, 0);
	stop(s);
	CU_ASSERT_EQUAL(made.firsts, 1);
	sweeper_stop(NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_sweep_continues_after_each_page_and_then_begins_again),
	UNIT_TEST(a_failed_sweep_is_reported_and_begins_again),
	UNIT_TEST(an_interval_of_0_means_never_until_it_is_changed),
	UNIT_TEST(the_sweeper_stops_at_once),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sweeper, setup, teardown, tests);
