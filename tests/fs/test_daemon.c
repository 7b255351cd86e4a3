/* Tests of the daemon and the process that waits for it. */
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "fs/daemon/daemon.h"

#include "tests/support/unit.h"

/* True: a daemon's parent dies before the daemon can ask for the signal. */
static bool parent_dies;

/* This function replaces the C library's. */
int
prctl(int option, ...)
{
	unsigned long args[4];
	va_list list;

	va_start(list, option);
	for (size_t i = 0; i < 4; i++) {
		args[i] = va_arg(list, unsigned long);
	}
	va_end(list);
	if (parent_dies && option == PR_SET_PDEATHSIG) {
		pid_t parent = getppid();

		(void)kill(parent, SIGKILL);
		while (getppid() == parent) {
			(void)usleep(1000);
		}
	}
	return (int)syscall(SYS_prctl, option, args[0], args[1], args[2], args[3]);
}

static void
a_daemon_ends_if_its_parent_has_already_died(void)
{
	int ends[2];
	char said;

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	pid_t parent = fork();

	CU_ASSERT_TRUE_FATAL(parent >= 0);
	if (parent == 0) {
		(void)dup2(ends[1], STDOUT_FILENO);
		parent_dies = true;
		(void)daemon_fork(-1);
		_exit(write(STDOUT_FILENO, "1", 1) == 1 ? 0 : 1);
	}
	(void)close(ends[1]);
	/* The pipe ends when the daemon ends. */
	CU_ASSERT_EQUAL(read(ends[0], &said, 1), 0);
	(void)close(ends[0]);
	CU_ASSERT_EQUAL(waitpid(parent, NULL, 0), parent);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_daemon_ends_if_its_parent_has_already_died),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(daemon, NULL, NULL, tests);
