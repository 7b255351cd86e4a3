/* Tests of temporary directories: a process removes its own, and after a kill the next process removes it. */
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "store/base/system/folder.h"
#include "store/base/system/temporary.h"

#include "tests/support/unit.h"

static char dir[] = "/tmp/itemfs-temporary-XXXXXX";

static int no_locks; /* an errno; 0: locks work */

/* This function replaces the C library's and can simulate a file system without locks. */
int
flock(int fd, int how)
{
	if (no_locks != 0) {
		errno = no_locks;
		return -1;
	}
	return (int)syscall(SYS_flock, fd, how);
}

static void
setup(void)
{
	no_locks = 0;
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
}

static void
teardown(void)
{
	folder_remove(dir);
	memset(dir + sizeof(dir) - 7, 'X', 6);
}

static bool
is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && (st.st_mode & 0777) == 0700;
}

static void
a_temporary_directory_is_private_and_removed(void)
{
	struct temporary t;

	CU_ASSERT_TRUE_FATAL(temporary_make(dir, "one-", &t));
	char *path = strdup(t.path);

	CU_ASSERT_TRUE(is_there(path));
	CU_ASSERT_EQUAL(mkdirat(t.fd, "something", 0700), 0);
	temporary_remove(&t);
	CU_ASSERT_FALSE(is_there(path));
	CU_ASSERT_PTR_NULL(t.path);
	CU_ASSERT_EQUAL(t.fd, -1);
	temporary_remove(&t);
	free(path);
}

/* Make a temporary directory whose process is killed; @path gets its name. */
static void
make_and_be_killed(const char *prefix, char path[128])
{
	struct temporary t;
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	pid_t child = fork();

	if (child == 0) {
		if (temporary_make(dir, prefix, &t) && mkdirat(t.fd, "something", 0700) == 0 &&
		    write(ends[1], t.path, strlen(t.path) + 1) > 0) {
			(void)raise(SIGKILL);
		}
		_exit(1);
	}
	CU_ASSERT_EQUAL_FATAL(waitpid(child, NULL, 0), child);
	(void)close(ends[1]);
	CU_ASSERT_TRUE_FATAL(read(ends[0], path, 128) > 0);
	(void)close(ends[0]);
	CU_ASSERT_TRUE(is_there(path));
}

static void
a_leftover_directory_is_removed_by_the_next_process(void)
{
	struct temporary used;
	struct temporary t;
	char left[128];
	char other[128];

	make_and_be_killed("one-", left);
	make_and_be_killed("two-", other);
	CU_ASSERT_TRUE_FATAL(temporary_make(dir, "one-", &used));
	CU_ASSERT_FALSE(is_there(left));
	CU_ASSERT_TRUE(is_there(other));
	CU_ASSERT_TRUE_FATAL(temporary_make(dir, "one-", &t));
	CU_ASSERT_TRUE(is_there(used.path));
	temporary_remove(&t);
	temporary_remove(&used);
}

static void
path_of(char path[128], const char *name)
{
	(void)snprintf(path, 128, "%s/%s", dir, name);
}

static bool
is_left(const char *name, mode_t mode)
{
	char path[128];
	struct temporary t;

	path_of(path, name);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	CU_ASSERT_EQUAL(chmod(path, mode), 0);
	CU_ASSERT_TRUE(temporary_make(dir, "one-", &t));
	temporary_remove(&t);
	return access(path, F_OK) == 0;
}

/* The name only begins like ours, or the mode or owner differs from those that we set. */
static void
directories_of_others_stay(void)
{
	CU_ASSERT_FALSE(is_left("one-abcdef", 0700));
	CU_ASSERT_TRUE(is_left("one-", 0700));
	CU_ASSERT_TRUE(is_left("one-abcde", 0700));
	CU_ASSERT_TRUE(is_left("one-abcdefg", 0700));
	CU_ASSERT_TRUE(is_left("one-of-my-own", 0700));
	CU_ASSERT_TRUE(is_left("one-abcdeg", 0755));
	CU_ASSERT_TRUE(is_left("one-abcdeh", 0500));
	if (geteuid() == 0) {
		char path[128];

		path_of(path, "one-abcdei");
		CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
		CU_ASSERT_EQUAL(chown(path, 65533, 65533), 0);
		CU_ASSERT_TRUE(is_left("one-other", 0700));
		CU_ASSERT_EQUAL(access(path, F_OK), 0);
	}
}

/*
 * Without locks the owner of a directory is unknown: nothing is removed, and nothing is made that another process
 * could remove.
 */
static void
without_locks_no_directory_is_made_or_removed(void)
{
	static const int errors[] = {ENOLCK, EBADF, EOPNOTSUPP, EINTR};
	struct temporary t;
	char left[128];

	make_and_be_killed("one-", left);
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		no_locks = errors[i];
		CU_ASSERT_FALSE(temporary_make(dir, "one-", &t));
		CU_ASSERT_EQUAL(errno, errors[i]);
		CU_ASSERT_PTR_NULL(t.path);
		CU_ASSERT_TRUE(is_there(left));
	}
	no_locks = 0;
	CU_ASSERT_TRUE_FATAL(temporary_make(dir, "one-", &t));
	CU_ASSERT_FALSE(is_there(left));
	temporary_remove(&t);
	/* Directories made without a lock are gone, too. */
	CU_ASSERT_EQUAL(rmdir(dir), 0);
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
}

static void
a_directory_that_cannot_be_made_is_an_error(void)
{
	struct temporary t;

	CU_ASSERT_FALSE(temporary_make("/nowhere/at/all", "one-", &t));
	CU_ASSERT_PTR_NULL(t.path);
	CU_ASSERT_EQUAL(t.fd, -1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_temporary_directory_is_private_and_removed),
	UNIT_TEST(a_leftover_directory_is_removed_by_the_next_process),
	UNIT_TEST(directories_of_others_stay),
	UNIT_TEST(without_locks_no_directory_is_made_or_removed),
	UNIT_TEST(a_directory_that_cannot_be_made_is_an_error),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(temporary, setup, teardown, tests);
