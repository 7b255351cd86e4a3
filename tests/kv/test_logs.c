/* Tests of a LevelDB with several logs, one of which is damaged, missing, or from another database. */
#include <fcntl.h>

#include "tests/support/crash.h"
#include "tests/support/harm.h"

enum { LARGE = 70 }; /* values of a megabyte each, which fill a log and begin the next */

/* Damage the first of two logs; @durable: the last commit was synced. */
static void
damage_first_of_two(bool durable, int want)
{
	off_t at = 10 << 20;

	crash_hold_tables(true);

	struct kv *kv = harm_make(LARGE, 1 << 20, false);

	CU_ASSERT_EQUAL(harm_commit(kv, LARGE, 10, durable), 0);
	CU_ASSERT_EQUAL_FATAL(harm.n_logs, 2);
	harm_copy();
	crash_hold_tables(false);
	kv->ops->close(kv);
	harm_flip(harm.logs[0].name, at);
	harm_expect(harm_survivors(LARGE + 1), want, at);
}

static void
damage_in_an_older_log_ends_the_prefix_there(void)
{
	damage_first_of_two(false, 9);
}

static void
damage_in_an_older_log_is_refused_when_it_was_synced(void)
{
	damage_first_of_two(true, HARM_REFUSED);
}

/* Make two logs as a killed process leaves them, neither of them synced. */
static void
two_logs(void)
{
	crash_hold_tables(true);

	struct kv *kv = harm_make(LARGE, 1 << 20, false);

	CU_ASSERT_EQUAL_FATAL(harm.n_logs, 2);
	harm_copy();
	crash_hold_tables(false);
	kv->ops->close(kv);
}

static bool
said(const char *text)
{
	return strstr(harm.c.error.message, text) != NULL;
}

/* All earlier logs are synced before a log gets a note; in this test no mark in the log says so. */
static void
a_note_on_a_later_log_implies_that_earlier_logs_were_synced(void)
{
	two_logs();
	if (!harm_has_notes()) {
		return;
	}
	harm_note(harm.copy, harm.logs[1].name, 100);
	harm_flip(harm.logs[0].name, 10 << 20);
	harm_expect(harm_survivors(LARGE), HARM_REFUSED, 10 << 20);
	CU_ASSERT_TRUE(said(harm.logs[0].name) && said("is damaged"));
	harm_obey();
	harm_expect(harm_survivors(LARGE), 9, 10 << 20);
}

/* The earlier log is damaged, not the valid later one: the message must not call the later one truncated. */
static void
a_gap_between_logs_is_reported_with_both_names(void)
{
	two_logs();
	if (!harm_has_notes()) {
		return;
	}
	harm_note(harm.copy, harm.logs[1].name, harm.logs[1].size);
	harm_cut(harm.logs[0].name, 0);
	harm_expect(harm_survivors(LARGE), HARM_REFUSED, 0);
	CU_ASSERT_TRUE(said("does not continue"));
	CU_ASSERT_TRUE(said(harm.logs[0].name) && said(harm.logs[1].name));
	harm_obey();
	harm_expect(harm_survivors(LARGE), 0, 0);
}

static void
swapped_logs_are_not_truncated(void)
{
	char path[3][128];

	two_logs();
	if (!harm_has_notes()) {
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		harm_note(harm.copy, harm.logs[i].name, harm.logs[i].size);
		(void)snprintf(path[i], sizeof(path[i]), "%s/%s", harm.copy, harm.logs[i].name);
	}
	(void)snprintf(path[2], sizeof(path[2]), "%s/other", harm.copy);
	CU_ASSERT_EQUAL(rename(path[0], path[2]), 0);
	CU_ASSERT_EQUAL(rename(path[1], path[0]), 0);
	CU_ASSERT_EQUAL(rename(path[2], path[1]), 0);
	harm_expect(harm_survivors(LARGE), HARM_REFUSED, 0);
	CU_ASSERT_TRUE(said("does not continue MANIFEST"));
	CU_ASSERT_FALSE(said("truncate"));
	CU_ASSERT_EQUAL(rename(path[1], path[2]), 0);
	CU_ASSERT_EQUAL(rename(path[0], path[1]), 0);
	CU_ASSERT_EQUAL(rename(path[2], path[0]), 0);
	harm_expect(harm_survivors(LARGE), LARGE, 0);
}

/* Earlier data is in tables, and a later log continues after the missing one. */
static void
a_missing_log_is_refused(void)
{
	char path[128];

	crash_hold_tables(true);

	struct kv *kv = harm_make(LARGE, 1 << 20, false);

	CU_ASSERT_EQUAL(harm_commit(kv, LARGE, 10, true), 0);
	harm_copy();
	crash_hold_tables(false);
	kv->ops->close(kv);
	(void)snprintf(path, sizeof(path), "%s/%s", harm.copy, harm.logs[0].name);
	CU_ASSERT_EQUAL(truncate(path, 0), 0);
	harm_expect(harm_survivors(LARGE + 1), HARM_REFUSED, 0);
	CU_ASSERT_EQUAL(unlink(path), 0);
	harm_expect(harm_survivors(LARGE + 1), HARM_REFUSED, 0);
	harm_cut(harm.logs[1].name, 0);
	harm_expect(harm_survivors(LARGE + 1), HARM_REFUSED, 0);
}

/*
 * The manifest is new. CURRENT names it after its first edits and the name of the log are on disk, so no crash can lose
 * the log.
 */
static void
a_missing_only_log_is_refused_and_the_advised_command_helps(void)
{
	struct kv *kv = harm_make(4, 10, true);
	char path[128];
	char advice[160];

	kv->ops->close(kv);
	harm_copy();
	(void)snprintf(path, sizeof(path), "%s/%s", harm.copy, harm.logs[0].name);
	(void)snprintf(advice, sizeof(advice), "\"touch %s\"", path);
	CU_ASSERT_EQUAL(unlink(path), 0);
	harm_expect(harm_survivors(4), HARM_REFUSED, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(harm.c.error.message, advice));
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	(void)close(fd);
	harm_expect(harm_survivors(4), 0, 0);
	harm_expect(harm_survivors(4), 0, 0);
}

/* LevelDB has written it to tables and would delete it next, so it is not replayed. */
static void
an_obsolete_log_may_be_damaged(void)
{
	struct kv *kv = harm_make(4, 10, true);
	char path[128];
	char kept[128];

	harm_copy();
	(void)snprintf(kept, sizeof(kept), "%s/%s", harm.copy, harm.logs[0].name);
	(void)snprintf(path, sizeof(path), "%s/%s", harm.made, harm.logs[0].name);
	kv->ops->compact(kv, SLICE("0"), SLICE("b"));
	CU_ASSERT_EQUAL(harm_commit(kv, 4, 10, true), 0);
	harm_flip(harm.logs[0].name, 10);
	CU_ASSERT_EQUAL(access(path, F_OK), -1);
	CU_ASSERT_EQUAL(rename(kept, path), 0);
	harm_copy();
	kv->ops->close(kv);
	harm_expect(harm_survivors(5), 5, 10);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_missing_only_log_is_refused_and_the_advised_command_helps),
	UNIT_TEST(damage_in_an_older_log_ends_the_prefix_there),
	UNIT_TEST(damage_in_an_older_log_is_refused_when_it_was_synced),
	UNIT_TEST(a_note_on_a_later_log_implies_that_earlier_logs_were_synced),
	UNIT_TEST(a_gap_between_logs_is_reported_with_both_names),
	UNIT_TEST(swapped_logs_are_not_truncated),
	UNIT_TEST(a_missing_log_is_refused),
	UNIT_TEST(an_obsolete_log_may_be_damaged),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(logs, harm_setup, harm_teardown, tests);
