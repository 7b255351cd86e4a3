/* Tests of threads: they block signals, wait with a timeout, and can be joined as a group. */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"

#include "tests/support/unit.h"

static void *
read_mask(void *arg)
{
	(void)pthread_sigmask(SIG_SETMASK, NULL, arg);
	return NULL;
}

static void
a_thread_blocks_all_signals(void)
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
a_wait_ends_at_its_timeout_or_by_a_signal(void)
{
	struct rendezvous r = {.there = false};
	pthread_t thread;

	(void)pthread_mutex_init(&r.lock, NULL);
	thread_cond_init(&r.met);
	(void)pthread_mutex_lock(&r.lock);
	uint64_t until = clock_steady_ns() + NS_PER_MS;

	/* Earlier wake-ups may be spurious. */
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

/* A group of threads that are not joined one by one. */
struct group {
	pthread_mutex_t lock;
	pthread_cond_t gone;
	pthread_key_t key; /* its destructor stands in for what a library does when a thread ends */
	unsigned threads;
	struct thread_last last;
	atomic_uint destroyed;
};

static void
destroy_late(void *arg)
{
	struct group *g = arg;

	for (int i = 0; i < 1000; i++) {
		(void)sched_yield();
	}
	atomic_fetch_add(&g->destroyed, 1);
}

static void *
end_by_itself(void *arg)
{
	struct group *g = arg;

	(void)pthread_setspecific(g->key, g);
	(void)pthread_mutex_lock(&g->lock);
	g->threads--;
	struct thread_last before = thread_succeed(&g->last);

	(void)pthread_cond_signal(&g->gone);
	(void)pthread_mutex_unlock(&g->lock);
	thread_join_last(before);
	return NULL;
}

static void
the_end_of_the_last_thread_joins_the_whole_group(void)
{
	enum { N = 8 };
	struct group g = {.threads = N};
	pthread_t thread;

	(void)pthread_mutex_init(&g.lock, NULL);
	thread_cond_init(&g.gone);
	CU_ASSERT_EQUAL_FATAL(pthread_key_create(&g.key, destroy_late), 0);
	thread_join_last(g.last);
	for (int i = 0; i < N; i++) {
		CU_ASSERT_EQUAL_FATAL(thread_start(&thread, end_by_itself, &g), 0);
	}
	(void)pthread_mutex_lock(&g.lock);
	while (g.threads > 0) {
		(void)pthread_cond_wait(&g.gone, &g.lock);
	}
	(void)pthread_mutex_unlock(&g.lock);
	thread_join_last(g.last);
	CU_ASSERT_EQUAL(atomic_load(&g.destroyed), N);
	(void)pthread_key_delete(g.key);
	(void)pthread_cond_destroy(&g.gone);
	(void)pthread_mutex_destroy(&g.lock);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_thread_blocks_all_signals),
	UNIT_TEST(a_wait_ends_at_its_timeout_or_by_a_signal),
	UNIT_TEST(the_end_of_the_last_thread_joins_the_whole_group),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(thread, NULL, NULL, tests);
