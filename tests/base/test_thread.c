/* A thread that is started here gets no signals. */
#include <signal.h>

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

static CU_TestInfo tests[] = {
	UNIT_TEST(no_signal_is_for_it),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(thread, NULL, NULL, tests);
