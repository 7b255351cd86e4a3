#include <signal.h>
#include <sys/wait.h>

#include "tools/system/stop.h"

#include "tests/support/unit.h"

enum { AGAIN_MS = 200 }; /* signals within this time count as one */

static uint64_t now_ms;

static uint64_t
tell_ms(void)
{
	return now_ms;
}

/* The status of a process that gets @first, and @pause_ms later @second. */
static int
end_of(int first, int second, uint64_t pause_ms)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		now_ms = 1;
		(void)signal(SIGINT, SIG_DFL);
		(void)signal(SIGTERM, SIG_DFL);
		stop_listen_by(tell_ms);
		(void)raise(first);
		bool early = stop_asked_for_ms((unsigned)pause_ms + 1);

		now_ms += pause_ms;
		bool late = stop_asked_for_ms((unsigned)pause_ms);

		(void)raise(second);
		_exit(stop_asked() == first && late && !early ? 0 : 1);
	}
	CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
	return status;
}

static void
the_same_request_twice_at_once_counts_once(void)
{
	CU_ASSERT_EQUAL(end_of(SIGINT, SIGINT, 0), 0);
	CU_ASSERT_EQUAL(end_of(SIGTERM, SIGTERM, AGAIN_MS), 0);
	CU_ASSERT_EQUAL(end_of(SIGINT, SIGTERM, AGAIN_MS), 0);
}

static void
a_later_signal_ends_the_process(void)
{
	int status = end_of(SIGINT, SIGINT, AGAIN_MS + 1);

	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	status = end_of(SIGINT, SIGTERM, AGAIN_MS + 1);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void
an_ignored_signal_stays_ignored(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		int status = -1;
		pid_t child = fork();

		if (child == 0) {
			(void)signal(signals[i], SIG_IGN);
			stop_listen();
			(void)raise(signals[i]);
			_exit(stop_asked() == 0 ? 0 : 1);
		}
		CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
		CU_ASSERT_EQUAL(status, 0);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_same_request_twice_at_once_counts_once),
	UNIT_TEST(a_later_signal_ends_the_process),
	UNIT_TEST(an_ignored_signal_stays_ignored),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stop, NULL, NULL, tests);
