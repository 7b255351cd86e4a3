/* Several logs of a LevelDB, of which one is damaged, missing, or another's. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/support/crash.h"
#include "tests/support/harm.h"

enum { LARGE = 70 }; /* of a megabyte each: they fill a log and begin the next */

/* Damage in the first of two logs, whose last commit is durable or not. */
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

/* Two logs as a killed process leaves them, none of which was synced. */
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

/* All logs are synced before one is noted, and no mark says so here. */
static void
a_note_on_a_later_log_says_that_the_earlier_was_synced(void)
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

/* What is wrong is what was before the log that is sound: it is not the later one that is cut short. */
static void
a_gap_before_a_log_is_told_of_both(void)
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
logs_that_were_swapped_are_not_cut(void)
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
	CU_ASSERT_TRUE(said("does not continue what MANIFEST"));
	CU_ASSERT_FALSE(said("truncate"));
	CU_ASSERT_EQUAL(rename(path[1], path[2]), 0);
	CU_ASSERT_EQUAL(rename(path[0], path[1]), 0);
	CU_ASSERT_EQUAL(rename(path[2], path[0]), 0);
	harm_expect(harm_survivors(LARGE), LARGE, 0);
}

/* What was written before is in tables, and a later log goes on from there. */
static void
a_log_that_is_gone_is_missed(void)
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

/* It is there as soon as the manifest names it: no crash loses it. */
static void
the_only_log_is_missed_and_what_is_advised_opens_the_rest(void)
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

/* LevelDB has made tables of it and would delete it next: its batches are not read from it. */
static void
a_log_that_is_no_longer_needed_may_be_damaged(void)
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
	UNIT_TEST(the_only_log_is_missed_and_what_is_advised_opens_the_rest),
	UNIT_TEST(damage_in_an_older_log_ends_the_prefix_there),
	UNIT_TEST(damage_in_an_older_log_is_refused_when_it_was_synced),
	UNIT_TEST(a_note_on_a_later_log_says_that_the_earlier_was_synced),
	UNIT_TEST(a_gap_before_a_log_is_told_of_both),
	UNIT_TEST(logs_that_were_swapped_are_not_cut),
	UNIT_TEST(a_log_that_is_gone_is_missed),
	UNIT_TEST(a_log_that_is_no_longer_needed_may_be_damaged),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(logs, harm_setup, harm_teardown, tests);
