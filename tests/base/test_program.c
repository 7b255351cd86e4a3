/* Tests of running another program within limits: its output, its end, and truncation. */
#include <signal.h>

#include "store/base/core/clock.h"
#include "store/base/system/program.h"

#include "tests/support/unit.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

enum { LONG_MS = 600 * 1000, MOST = 1000 };

static struct program_result got;

static void
run(const char *command, unsigned ms)
{
	const char *const argv[] = {"sh", "-c", command, NULL};

	program_run(&c, argv, MOST, ms, &got);
}

static void
output_and_error_output_are_separate(void)
{
	run("echo out; echo err >&2; read nothing || echo none", LONG_MS);
	CU_ASSERT_EQUAL(got.end, PROGRAM_DONE);
	CU_ASSERT_TRUE(slice_is(got.out, "out\nnone\n"));
	CU_ASSERT_TRUE(slice_is(got.err, "err\n"));
}

static void
a_failure_has_an_exit_status(void)
{
	run("exit 7", LONG_MS);
	CU_ASSERT_EQUAL(got.end, PROGRAM_FAILED);
	CU_ASSERT_EQUAL(got.status, 7);
	run("kill -TERM $$", LONG_MS);
	CU_ASSERT_EQUAL(got.end, PROGRAM_FAILED);
	CU_ASSERT_EQUAL(got.status, 128 + SIGTERM);
}

static void
a_program_that_does_not_exist_is_missing(void)
{
	const char *const argv[] = {"nothing-of-this-name", NULL};

	program_run(&c, argv, MOST, LONG_MS, &got);
	CU_ASSERT_EQUAL(got.end, PROGRAM_MISSING);
}

static void
too_much_output_is_cut_off(void)
{
	run("yes", LONG_MS);
	CU_ASSERT_EQUAL(got.end, PROGRAM_TOO_LONG);
	run("yes >&2 & i=0; while [ $i -lt 9 ]; do i=$((i + 1)); done; kill $!; echo fine",
	    LONG_MS);
	CU_ASSERT_EQUAL(got.end, PROGRAM_DONE);
	CU_ASSERT_TRUE(slice_is(got.out, "fine\n"));
	CU_ASSERT_TRUE(got.err.len <= 16 * 1024);
}

/* The program hangs with the pipes open, and with them closed. */
static void
a_program_that_hangs_is_killed(void)
{
	uint64_t begun = clock_steady_ms();

	run("sleep 600; echo", 100);
	CU_ASSERT_EQUAL(got.end, PROGRAM_HUNG);
	run("exec >&- 2>&-; sleep 600", 100);
	CU_ASSERT_EQUAL(got.end, PROGRAM_HUNG);
	CU_ASSERT_TRUE(clock_steady_ms() < begun + 300 * 1000);
}

static bool
yes(const void *arg)
{
	(void)arg;
	return true;
}

static void
a_program_is_killed_when_the_caller_gives_up(void)
{
	c.given_up = yes;
	run("sleep 600", LONG_MS);
	c.given_up = NULL;
	CU_ASSERT_EQUAL(got.end, PROGRAM_HUNG);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(output_and_error_output_are_separate),
	UNIT_TEST(a_failure_has_an_exit_status),
	UNIT_TEST(a_program_that_does_not_exist_is_missing),
	UNIT_TEST(too_much_output_is_cut_off),
	UNIT_TEST(a_program_that_hangs_is_killed),
	UNIT_TEST(a_program_is_killed_when_the_caller_gives_up),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(program, setup, teardown, tests);
