/* A thread that is started here gets no signals. */
#include <signal.h>

#include "store/base/clock.h"
#include "store/base/thread.h"

#include "tests/support/unit.h"

static void *
read_mask(void *arg)
{
	(void)pthread_sigmask(SIG_SETMASK, NULL, arg);
	return NULL;
}

static void
no_signal_is_for_it(void)
{
	sigset_t before;
	sigset_t after;
	sigset_t there;
	pthread_t thread;

	(void)sigemptyset(&there);
	(void)pthread_sigmask(SIG_SETMASK, NULL, &before);
	CU_ASSERT_EQUAL(thread_start(&thread, read_mask, &there), 0);
	(void)pthread_join(thread, NULL);
	(void)pthread_sigmask(SIG_SETMASK, NULL, &after);
	CU_ASSERT_EQUAL(sigismember(&there, SIGTERM), 1);
	CU_ASSERT_EQUAL(sigismember(&there, SIGINT), 1);
	CU_ASSERT_EQUAL(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
}

struct rendezvous {
	pthread_mutex_t lock;
	pthread_cond_t met;
	bool there;
};

static void *
arrive(void *arg)
{
	struct rendezvous *r = arg;

	(void)pthread_mutex_lock(&r->lock);
	r->there = true;
	(void)pthread_cond_signal(&r->met);
	(void)pthread_mutex_unlock(&r->lock);
	return NULL;
}

static void
a_wait_ends_when_its_time_has_passed_or_by_a_signal(void)
{
	struct rendezvous r = {.there = false};
	pthread_t thread;

	(void)pthread_mutex_init(&r.lock, NULL);
	thread_cond_init(&r.met);
	(void)pthread_mutex_lock(&r.lock);
	uint64_t until = clock_steady_ns() + NS_PER_MS;

	/* It may wake for no reason before. */
	while (thread_cond_until(&r.met, &r.lock, until)) {
	}
	CU_ASSERT_TRUE(clock_steady_ns() >= until);
	CU_ASSERT_EQUAL(thread_start(&thread, arrive, &r), 0);
	while (!r.there) {
		CU_ASSERT_TRUE(thread_cond_until(&r.met, &r.lock, THREAD_FOR_EVER));
	}
	(void)pthread_mutex_unlock(&r.lock);
	(void)pthread_join(thread, NULL);
	(void)pthread_cond_destroy(&r.met);
	(void)pthread_mutex_destroy(&r.lock);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(no_signal_is_for_it),
	UNIT_TEST(a_wait_ends_when_its_time_has_passed_or_by_a_signal),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(thread, NULL, NULL, tests);
