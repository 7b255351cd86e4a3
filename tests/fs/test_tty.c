/*
 * Tests of terminals that must not be written to, because they are not the terminal of this session;
 * tests/mount/unstored.sh tests those that may be written to.
 */
#include <fcntl.h>
#include <inttypes.h>

#include "store/base/system/process.h"

#include "fs/saved/tty.h"

#include "tests/support/unit.h"

static int master;
static char path[64];

static void
setup(void)
{
	master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	CU_ASSERT_TRUE_FATAL(master >= 0);
	CU_ASSERT_EQUAL_FATAL(grantpt(master), 0);
	CU_ASSERT_EQUAL_FATAL(unlockpt(master), 0);
	CU_ASSERT_EQUAL_FATAL(ptsname_r(master, path, sizeof(path)), 0);
}

static void
teardown(void)
{
	(void)close(master);
}

/* Return true if the terminal shows anything. */
static bool
shows(void)
{
	char byte;

	return read(master, &byte, 1) > 0;
}

static void
writes_to_no_terminal_of_another_session(void)
{
	char name[128];
	dev_t terminal;
	uint64_t started;

	CU_ASSERT_TRUE_FATAL(process_terminal(getpid(), &terminal, &started));
	(void)snprintf(name, sizeof(name), "%d %" PRIu64 " %s", getpid(), started, path);
	tty_write(name, SLICE("text"));
	CU_ASSERT_FALSE(shows());
	(void)snprintf(name, sizeof(name), "%d 1 %s", getpid(), path);
	tty_write(name, SLICE("text"));
	CU_ASSERT_FALSE(shows());
}

static void
writes_only_to_terminals(void)
{
	static const char *const names[] = {
		"", "1", "1 2", "1 2 ", "x", "1 x /dev/tty", "1 2 /dev/null", "-1 2 /nonexistent"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		tty_write(names[i], SLICE("text"));
	}
	CU_ASSERT_FALSE(shows());
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_to_no_terminal_of_another_session),
	UNIT_TEST(writes_only_to_terminals),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(tty, setup, teardown, tests);
