/* A temporary directory goes with its process; after a kill the next process removes it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/base/system/folder.h"
#include "store/base/system/temporary.h"

#include "tests/support/unit.h"

static char dir[] = "/tmp/itemfs-temporary-XXXXXX";

static int no_locks; /* an errno; 0: there are locks */

/* Found before the C library's: a file system without locks. */
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
it_is_private_and_removed(void)
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

/* The name of one whose process is killed, in @path. */
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
one_that_is_left_over_is_removed_by_the_next(void)
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

/* Its name only begins as ours do, or we would have made it otherwise. */
static void
what_is_somebody_elses_stays(void)
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

/* Whose a directory is cannot be known then: nothing is removed, and nothing made that another process could remove. */
static void
without_locks_none_is_made_or_removed(void)
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
	/* And of what was made without a lock nothing is left. */
	CU_ASSERT_EQUAL(rmdir(dir), 0);
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
}

static void
where_none_can_be_made_there_is_none(void)
{
	struct temporary t;

	CU_ASSERT_FALSE(temporary_make("/nowhere/at/all", "one-", &t));
	CU_ASSERT_PTR_NULL(t.path);
	CU_ASSERT_EQUAL(t.fd, -1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(it_is_private_and_removed),
	UNIT_TEST(one_that_is_left_over_is_removed_by_the_next),
	UNIT_TEST(what_is_somebody_elses_stays),
	UNIT_TEST(without_locks_none_is_made_or_removed),
	UNIT_TEST(where_none_can_be_made_there_is_none),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(temporary, setup, teardown, tests);
