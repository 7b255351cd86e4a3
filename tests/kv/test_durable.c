/* Tests of the note on a log that records how much of it is on disk. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/support/crash.h"
#include "tests/support/harm.h"

/* Cut the copy of the log, with its note, which crash_copy() does not copy.  Return: as harm_survivors() */
static int
shortened(off_t to, unsigned of)
{
	/* Opening replays the log and starts a new one, so each try needs a fresh copy. */
	harm_copy();
	harm_note(harm.copy, harm.logs[0].name, -1);
	harm_cut(harm.logs[0].name, to);
	return harm_survivors(of);
}

static bool
said(const char *text)
{
	return strstr(harm.c.error.message, text) != NULL;
}

/* No later record shows the loss, but the note has the length that was synced. */
static void
a_log_that_lost_synced_bytes_is_refused(void)
{
	enum { N = 5 };
	struct kv *kv = harm_make(N, 10, true);

	kv->ops->close(kv);
	if (!harm_has_notes()) {
		return;
	}
	for (int i = 0; i < N; i++) {
		harm_expect(shortened(i == 0 ? 0 : harm.ends[i - 1], N), HARM_REFUSED, i);
		CU_ASSERT_TRUE(said("is cut short"));
		CU_ASSERT_TRUE(said("which keeps all writes in the file"));
		harm_expect(shortened(harm.ends[i] - 1, N), HARM_REFUSED, harm.ends[i] - 1);
		CU_ASSERT_TRUE(said("is damaged"));
		CU_ASSERT_TRUE(said("discard all writes from there on"));
	}
	CU_ASSERT_TRUE(said("If this is a copy of a store that was in use"));
	harm_expect(shortened(harm.ends[N - 1], N), N, harm.ends[N - 1]);
}

static void
the_advised_command_opens_the_rest(void)
{
	enum { N = 5, MODE = 0640 };
	struct kv *kv = harm_make(N, 10, true);
	char path[128];
	struct stat st;

	kv->ops->close(kv);
	if (!harm_has_notes()) {
		return;
	}
	harm_expect(shortened(harm.ends[2], N), HARM_REFUSED, harm.ends[2]);
	harm_obey();
	harm_expect(harm_survivors(N), 3, harm.ends[2]);
	harm_expect(shortened(harm.ends[2] + 1, N), HARM_REFUSED, harm.ends[2] + 1);
	(void)snprintf(path, sizeof(path), "%s/%s", harm.copy, harm.logs[0].name);
	CU_ASSERT_EQUAL(chmod(path, MODE), 0);
	harm_obey();
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 0777, MODE);
	harm_expect(harm_survivors(N), 3, harm.ends[2] + 1);
}

/* Users paste the command into a shell. */
static void
a_path_with_blanks_is_advised_in_quotes(void)
{
	struct kv *kv = harm_make(3, 10, true);

	kv->ops->close(kv);
	if (!harm_has_notes()) {
		return;
	}
	(void)snprintf(harm.copy, sizeof(harm.copy), "%s/a copy; exit 1", harm.base);
	harm_expect(shortened(harm.ends[0], 3), HARM_REFUSED, harm.ends[0]);
	harm_obey();
	harm_expect(harm_survivors(3), 1, harm.ends[0]);
}

/* The note of a stopped process never exceeds what was synced. */
static void
unsynced_commits_may_be_lost(void)
{
	enum { N = 6 };
	struct kv *kv = harm_make(3, 10, true);

	for (unsigned i = 3; i < N; i++) {
		CU_ASSERT_EQUAL(harm_commit(kv, i, 10, false), 0);
	}
	if (harm_has_notes()) {
		harm_expect(shortened(harm.ends[2], N), 3, harm.ends[2]);
		harm_expect(shortened(harm.ends[2] + 1, N), 3, harm.ends[2] + 1);
		harm_expect(shortened(0, N), HARM_REFUSED, 0);
	}
	kv->ops->close(kv);
}

/* Make the directory entries look one second old, so that the result does not depend on the resolution of the clock. */
static void
names_are_old(void)
{
	struct timespec now;
	struct timespec times[2];

	(void)clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec--;
	times[0] = times[1] = now;
	CU_ASSERT_EQUAL(utimensat(AT_FDCWD, harm.made, times, 0), 0);
}

/*
 * Make two commits in a child process, the first @unsynced of them unsynced, and kill it.  If both are unsynced, an
 * empty synced commit follows.
 */
static void
commit_and_be_killed(unsigned unsynced)
{
	pid_t child = fork();

	if (child == 0) {
		struct kv *kv = harm_make(0, 0, true);

		names_are_old();
		for (unsigned i = 0; i < 2; i++) {
			(void)!harm_commit(kv, i, 10, i >= unsynced);
		}
		if (unsynced == 2) {
			(void)!kv_commit(kv, &harm.c, kv->ops->batch_new(kv), true);
		}
		(void)raise(SIGKILL);
	}
	CU_ASSERT_EQUAL_FATAL(waitpid(child, NULL, 0), child);
	harm_find_logs();
	CU_ASSERT_EQUAL_FATAL(harm.n_logs, 1);
}

static void
the_first_sync_of_a_log_is_noted_even_by_a_killed_process(void)
{
	for (unsigned unsynced = 0; unsynced <= 2; unsynced++) {
		commit_and_be_killed(unsynced);
		if (harm_has_notes()) {
			CU_ASSERT_TRUE(harm_noted(harm.logs[0].name) > 0);
			harm_expect(shortened(0, 2), HARM_REFUSED, 0);
			harm_expect(shortened(harm.logs[0].size, 2), 2, unsynced);
		}
		crash_remove(harm.made);
	}
}

/* A copy of a log in the same directory is not one of LevelDB's files. */
static void
only_a_log_gets_the_note(void)
{
	static const char *const others[] = {"999999-copy.log", "9999999x.log", "-999999.log",
					     " 9999999.log", ".log"};
	struct kv *kv = harm_make(0, 0, true);
	char path[128];

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", harm.made, others[i]);
		(void)close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	}
	CU_ASSERT_EQUAL(harm_commit(kv, 0, 10, true), 0);
	kv->ops->close(kv);
	for (size_t i = 0; harm_has_notes() && i < sizeof(others) / sizeof(*others); i++) {
		CU_ASSERT_EQUAL(harm_noted(others[i]), -1);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", harm.made, others[i]);
		CU_ASSERT_EQUAL(unlink(path), 0);
	}
	harm_find_logs();
	CU_ASSERT_TRUE(!harm_has_notes() || harm_noted(harm.logs[0].name) > 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_log_that_lost_synced_bytes_is_refused),
	UNIT_TEST(the_advised_command_opens_the_rest),
	UNIT_TEST(a_path_with_blanks_is_advised_in_quotes),
	UNIT_TEST(unsynced_commits_may_be_lost),
	UNIT_TEST(the_first_sync_of_a_log_is_noted_even_by_a_killed_process),
	UNIT_TEST(only_a_log_gets_the_note),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(durable, harm_setup, harm_teardown, tests);
