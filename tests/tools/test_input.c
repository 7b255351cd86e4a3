#include <signal.h>
#include <sys/time.h>

#include "store/base/core/clock.h"

#include "tools/system/input.h"

#include "tests/support/unit.h"

enum { PATIENCE_MS = 100 };

static struct call c;
static int before;
static int ends[2];

/* Standard input becomes a pipe, whose other end stays open. */
static void
setup(void)
{
	call_open(&c, 0, 1 << 24);
	before = dup(STDIN_FILENO);
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	(void)dup2(ends[0], STDIN_FILENO);
	(void)close(ends[0]);
}

static void
teardown(void)
{
	(void)dup2(before, STDIN_FILENO);
	(void)close(before);
	(void)close(ends[1]);
	call_close(&c);
}

static void
ignore(int signal_no)
{
	(void)signal_no;
}

static void
reads_what_the_pipe_has(void)
{
	struct input_ahead ahead;

	CU_ASSERT_EQUAL(write(ends[1], "abc", 3), 3);
	CU_ASSERT_EQUAL(input_ahead(&c, PATIENCE_MS, &ahead), 0);
	CU_ASSERT_TRUE(slice_is(ahead.bytes, "abc") && !ahead.whole);
}

/* A signal ends poll(2); the pipe is still empty. */
static void
does_not_wait_without_limit_after_a_signal(void)
{
	struct sigaction action = {.sa_handler = ignore};
	struct sigaction old;
	struct itimerval once = {.it_value = {.tv_usec = 20 * 1000}};
	struct input_ahead ahead;
	uint64_t began = clock_steady_ms();

	(void)sigaction(SIGALRM, &action, &old);
	(void)setitimer(ITIMER_REAL, &once, NULL);
	CU_ASSERT_EQUAL(input_ahead(&c, PATIENCE_MS, &ahead), 0);
	CU_ASSERT_EQUAL(ahead.bytes.len, 0);
	CU_ASSERT_TRUE(clock_steady_ms() - began >= PATIENCE_MS);
	(void)sigaction(SIGALRM, &old, NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_what_the_pipe_has),
	UNIT_TEST(does_not_wait_without_limit_after_a_signal),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(input, setup, teardown, tests);
