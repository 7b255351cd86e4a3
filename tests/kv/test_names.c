/* Tests of when the directory of a database is synced. */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/kv/ldb_durable.h"

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

static char top[UNIT_FOLDER_BYTES];
static int dir = -1;
static uint64_t names;

static void
setup(void)
{
	unit_make_folder(top, "names");
	dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	names = 0;
}

static void
teardown(void)
{
	(void)close(dir);
	folder_remove(top);
}

static void
make(const char *name)
{
	cleanup(cleanup_fd) int fd = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL_FATAL(write(fd, name, 1), 1);
}

/* Sync until a new change would get a later time than the last one. */
static void
settle(void)
{
	unsigned tries = 0;

	while (ldb_names_sync(dir, &names) != 0 && wait_again(&tries)) {
	}
	CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 0);
}

static void
nothing_is_known_at_first(void)
{
	CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 1);
}

static void
a_created_or_removed_name_is_synced(void)
{
	settle();
	make("1");
	CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 1);
	settle();
	CU_ASSERT_EQUAL(renameat(dir, "1", dir, "2"), 0);
	CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 1);
	settle();
	CU_ASSERT_EQUAL(unlinkat(dir, "2", 0), 0);
	CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 1);
}

static void
a_change_at_the_time_of_the_last_sync_is_synced(void)
{
	for (int i = 0; i < 100; i++) {
		CU_ASSERT_EQUAL(unlinkat(dir, "1", 0), i == 0 ? -1 : 0);
		make("1");
		CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 1);
	}
}

static int64_t
seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec;
}

/* Sync the directory with the mtime @second.  Return: whether another sync finds it unchanged */
static bool
settles(int64_t second)
{
	const struct timespec times[2] = {{.tv_sec = second}, {.tv_sec = second}};

	names = 0;
	CU_ASSERT_EQUAL(futimens(dir, times), 0);
	CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 1);
	return ldb_names_sync(dir, &names) == 0;
}

/* Some file systems keep the time of a change in whole seconds, or in even ones. */
static void
a_change_in_the_seconds_of_the_last_sync_is_synced(void)
{
	enum { TICK = 2 };
	int64_t second = seconds();

	CU_ASSERT_TRUE(!settles(second) || seconds() >= second + TICK);
	CU_ASSERT_TRUE(settles(second - TICK));
}

static void
written_bytes_do_not_change_the_names(void)
{
	make("1");
	settle();
	make("1");
	CU_ASSERT_EQUAL(ldb_names_sync(dir, &names), 0);
}

static void
a_failed_sync_is_reported(void)
{
	CU_ASSERT_EQUAL(ldb_names_sync(-1, &names), -1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(nothing_is_known_at_first),
	UNIT_TEST(a_created_or_removed_name_is_synced),
	UNIT_TEST(a_change_at_the_time_of_the_last_sync_is_synced),
	UNIT_TEST(a_change_in_the_seconds_of_the_last_sync_is_synced),
	UNIT_TEST(written_bytes_do_not_change_the_names),
	UNIT_TEST(a_failed_sync_is_reported),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(names, setup, teardown, tests);
