#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/base/clock.h"

#include "tools/stop.h"

#include "tests/support/unit.h"

enum { PAUSE_MS = 250, AT_ONCE_MS = 200 };

/* Shared with the process that gets the signals. */
struct times {
	uint64_t first;  /* before it got the first one */
	uint64_t second; /* when it had the second one */
};

static struct times *times;

static void
setup(void)
{
	times = mmap(NULL, sizeof(*times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	CU_ASSERT_NOT_EQUAL_FATAL(times, MAP_FAILED);
}

static void
teardown(void)
{
	(void)munmap(times, sizeof(*times));
}

/* What becomes of a process that gets @first, and @pause_ms later @second: its status. */
static int
end_of(int first, int second, uint64_t pause_ms)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		stop_listen();
		times->second = UINT64_MAX;
		times->first = clock_steady_ms();
		(void)raise(first);
		for (uint64_t got = clock_steady_ms(); clock_steady_ms() < got + pause_ms;) {
		}
		(void)raise(second);
		times->second = clock_steady_ms();
		_exit(stop_asked() == first ? 0 : 1);
	}
	CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
	return status;
}

/* As end_of(), without a pause: a process that was kept from running between them tells nothing. */
static int
end_of_both(int first, int second)
{
	unsigned tries = 0;
	int status;

	do {
		status = end_of(first, second, 0);
	} while (times->second >= times->first + AT_ONCE_MS && ++tries < 100);
	return status;
}

static void
a_signal_that_comes_twice_at_once_is_one(void)
{
	CU_ASSERT_EQUAL(end_of_both(SIGINT, SIGINT), 0);
	CU_ASSERT_EQUAL(end_of_both(SIGTERM, SIGTERM), 0);
	CU_ASSERT_EQUAL(end_of_both(SIGINT, SIGTERM), 0);
}

static void
one_that_comes_later_ends_the_process(void)
{
	int status = end_of(SIGINT, SIGINT, PAUSE_MS);

	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	status = end_of(SIGINT, SIGTERM, PAUSE_MS);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_signal_that_comes_twice_at_once_is_one),
	UNIT_TEST(one_that_comes_later_ends_the_process),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stop, setup, teardown, tests);
