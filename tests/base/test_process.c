/* Tests with lines of /proc: killed threads, and threads that only look like it. */
#include <signal.h>
#include <sys/wait.h>

#include "store/base/system/process.h"

#include "tests/support/unit.h"

/* The fields after the name, up to the pending signals. */
#define STAT(name, state, flags, signals) \
	"24477 (" name ") " state " 24428 24428 29565 0 -1 " flags \
	" 3 6541 0 0 0 0 2 2 20 0 2 0 1667939 92831744 3422 18446744073709551615 94062282534912 " \
	"94062282535253 140732378869872 0 0 " signals " 0 16781318 0 1 0 0 -1 1 0 0 0 0\n"

static const struct {
	const char *stat;
	bool dying;
} lines[] = {
	{STAT("itemfs", "D", "4194368", "256"), true}, /* killed, waiting in the kernel */
	{STAT("itemfs", "Z", "4228364", "0"), true},
	{STAT("itemfs", "X", "0", "0"), true},
	{STAT("itemfs", "D", "4194372", "0"), true}, /* exiting, waiting for a file */
	{STAT("itemfs", "S", "4194368", "768"), true},
	{STAT("itemfs", "D", "4194368", "0"), false},     /* a slow disk */
	{STAT("itemfs", "S", "4194368", "16384"), false}, /* SIGTERM, which it may handle */
	{STAT("itemfs", "T", "4194368", "0"), false},
	{STAT("itemfs", "t", "4194368", "0"), false},
	{STAT(") Z 1 1 1 1 1 4", "S", "4194368", "0"), false},
	{STAT("x) Z (", "S", "4194368", "0"), false},
	{STAT("Z)", "D", "4194368", "256"), true},
	{STAT("", "Z", "4", "0"), true},
	{STAT("a\nb c", "R", "4194368", "0"), false},
	/* malformed lines */
	{"", false},
	{")", false},
	{") ", false},
	{") Z", false},
	{"1 (x) Z 1 1 1 0 -1 4", false},
	{"1 (x)Z 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 256 0", false},
	{"1 x D 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 256 0", false},
};

static void
recognizes_a_dying_thread(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (process_thread_is_dying(lines[i].stat) != lines[i].dying) {
			(void)fprintf(stderr, "\"%s\"\n", lines[i].stat);
			CU_FAIL();
		}
	}
	CU_PASS();
}

static void
no_running_thread_is_dying(void)
{
	CU_ASSERT_FALSE(process_is_dying(getpid()));
	CU_ASSERT_FALSE(process_is_dying(1));
	CU_ASSERT_FALSE(process_is_dying(0));
	CU_ASSERT_FALSE(process_is_dying(-1));

	pid_t child = fork();

	if (child == 0) {
		(void)raise(SIGSTOP);
		_exit(0);
	}
	CU_ASSERT_EQUAL(waitpid(child, NULL, WUNTRACED), child);
	CU_ASSERT_FALSE(process_is_dying(child));
	(void)kill(child, SIGKILL);

	siginfo_t info;

	CU_ASSERT_EQUAL(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	CU_ASSERT_TRUE(process_is_dying(child));
	CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
	CU_ASSERT_FALSE(process_is_dying(child));
}

static void
gives_the_terminal_and_the_start_time(void)
{
	dev_t terminal = 0, again = 1;
	uint64_t started = 0, started_again = 1;

	CU_ASSERT_TRUE(process_terminal(getpid(), &terminal, &started));
	CU_ASSERT_TRUE(process_terminal(getpid(), &again, &started_again));
	CU_ASSERT_TRUE(started > 0);
	CU_ASSERT_EQUAL(started, started_again);
	CU_ASSERT_EQUAL(terminal, again);
	CU_ASSERT_FALSE(process_terminal(0, &terminal, &started));
	CU_ASSERT_FALSE(process_terminal(-1, &terminal, &started));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(recognizes_a_dying_thread),
	UNIT_TEST(no_running_thread_is_dying),
	UNIT_TEST(gives_the_terminal_and_the_start_time),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(process, NULL, NULL, tests);
