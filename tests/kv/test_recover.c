/* Tests of a LevelDB with one log, or a table, that a crash or something else has damaged. */
#include <fcntl.h>

#include "tests/support/crash.h"
#include "tests/support/harm.h"
#include "tests/support/kv_open.h"

/* ------------------------------------------------------------ crashes */

static void
a_log_truncated_anywhere_gives_a_prefix(void)
{
	enum { N = 12 };
	struct kv *kv = harm_make(N, 10, true);
	off_t size = harm.logs[0].size;

	kv->ops->close(kv);
	for (off_t at = 0; at < size; at++) {
		harm_copy();
		harm_cut(harm.logs[0].name, at);
		harm_expect(harm_survivors(N), harm_ended_by(at, N), at);
		harm_copy();
		harm_cut(harm.logs[0].name, at);
		harm_cut(harm.logs[0].name, size); /* the rest is zeros */
		harm_expect(harm_survivors(N), harm_ended_by(at, N), at);
	}
	CU_ASSERT_EQUAL(harm.n_logs, 1);
}

/* The first part of the commit, in one block, is valid and has the mark, which covers only what was before it. */
static void
a_torn_synced_commit_ends_the_prefix(void)
{
	struct kv *kv = harm_make(3, 40000, true);

	kv->ops->close(kv);
	harm_copy();
	harm_cut(harm.logs[0].name, harm.ends[2] - 100);
	harm_expect(harm_survivors(3), 2, harm.ends[2] - 100);
}

/* A block was not yet written, but later ones were. */
static void
a_hole_in_unsynced_commits_ends_the_prefix(void)
{
	enum { N = 40, PAGE = 4096 };
	struct kv *kv = harm_make(N, 3000, false);

	kv->ops->close(kv);
	for (off_t at = 0; at + PAGE < harm.logs[0].size; at += PAGE) {
		harm_copy();
		harm_zero(harm.logs[0].name, at, PAGE);
		harm_expect(harm_survivors(N), harm_ended_by(at, N), at);
		harm_expect(harm_survivors(N), harm_ended_by(at, N), at); /* and again */
	}
}

/* Each record fills a block: LevelDB does not even report zeros between them as damage. */
static void
a_hole_between_records_ends_the_prefix(void)
{
	enum { N = 8, HEADS = 7 + 12 + 1 + 1 + 1 + 3 + 1 + 1 + 3 + 1 + 1 };
	struct kv *kv = harm_make(N, HARM_BLOCK - HEADS, false);

	kv->ops->close(kv);
	for (unsigned i = 0; i < N; i++) {
		CU_ASSERT_EQUAL(harm.ends[i], (off_t)(i + 1) * HARM_BLOCK);
	}
	harm_copy();
	for (off_t at = harm.ends[2]; at < harm.ends[3]; at += 4096) {
		harm_zero(harm.logs[0].name, at, 4096);
	}
	harm_expect(harm_survivors(N), 3, harm.ends[2]);
}

/* ------------------------------------------------------------ other damage */

static void
damage_before_a_synced_commit_is_refused(void)
{
	enum { N = 12 };
	struct kv *kv = harm_make(N, 10, true);

	kv->ops->close(kv);
	for (off_t at = 0; at < harm.logs[0].size; at++) {
		harm_copy();
		harm_flip(harm.logs[0].name, at);
		/* Damage in the last commit looks like a crash. */
		harm_expect(harm_survivors(N), at < harm.ends[N - 2] ? HARM_REFUSED : N - 1, at);
	}
}

static void
a_hole_in_synced_commits_is_refused(void)
{
	enum { N = 40, PAGE = 4096 };
	struct kv *kv = harm_make(N, 3000, true);

	kv->ops->close(kv);
	for (off_t at = 0; at + PAGE < harm.logs[0].size; at += PAGE) {
		bool last = at + PAGE > harm.ends[N - 2];

		harm_copy();
		harm_zero(harm.logs[0].name, at, PAGE);
		harm_expect(harm_survivors(N), last ? harm_ended_by(at, N) : HARM_REFUSED, at);
	}
}

static void
the_command_advised_by_a_refusal_gives_the_prefix(void)
{
	enum { N = 12 };
	struct kv *kv = harm_make(N, 10, true);

	kv->ops->close(kv);
	harm_copy();
	harm_flip(harm.logs[0].name, harm.ends[4] + 10);
	harm_expect(harm_survivors(N), HARM_REFUSED, harm.ends[4] + 10);
	CU_ASSERT_PTR_NOT_NULL(strstr(harm.c.error.message, "itemctl check"));
	harm_obey();
	harm_expect(harm_survivors(N), 5, harm.ends[4]);
}

static void
damage_in_synced_commits_before_unsynced_ones_is_refused(void)
{
	enum { N = 12 };
	struct kv *kv = harm_make(N - 1, 10, false);

	CU_ASSERT_EQUAL(harm_commit(kv, N - 1, 10, true), 0);
	CU_ASSERT_EQUAL(harm_commit(kv, N, 10, false), 0);
	CU_ASSERT_EQUAL(harm_commit(kv, N + 1, 10, false), 0);
	kv->ops->close(kv);
	harm_copy();
	harm_flip(harm.logs[0].name, harm.ends[3] + 10);
	harm_expect(harm_survivors(N + 2), HARM_REFUSED, harm.ends[3]);
	harm_copy();
	harm_flip(harm.logs[0].name, harm.ends[N - 2] + 10); /* the synced one */
	harm_expect(harm_survivors(N + 2), HARM_REFUSED, harm.ends[N - 2]);
}

/*
 * A process was killed with unsynced commits.  The next process opens the database, and the machine stops at its
 * first synced commit, when its log is on disk, but the name of its manifest is not.
 */
static void
the_manifest_is_synced_before_a_synced_commit_depends_on_it(void)
{
	for (unsigned unsynced = 0; unsynced < 2; unsynced++) {
		struct kv *kv = harm_make(3, 10, false);
		char killed[64];
		char from[128];
		char to[128];

		(void)snprintf(killed, sizeof(killed), "%s/killed", harm.base);
		crash_remove(harm.copy);
		CU_ASSERT_EQUAL_FATAL(crash_copy(harm.made, harm.copy), 0);
		CU_ASSERT_EQUAL_FATAL(crash_copy_whole(harm.made, killed), 0);
		kv->ops->close(kv);
		crash_remove(harm.made);
		CU_ASSERT_EQUAL_FATAL(rename(killed, harm.made), 0);
		CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&harm.c, harm.made, false, &kv), 0);
		for (unsigned i = 0; i < unsynced; i++) {
			CU_ASSERT_EQUAL(harm_commit(kv, 3, 10, false), 0);
		}
		crash_fail_names(true);
		CU_ASSERT_EQUAL(harm_commit(kv, 4, 10, true), -ERR_IO);
		crash_fail_names(false);
		kv->ops->close(kv);
		harm_find_logs();
		CU_ASSERT_EQUAL_FATAL(harm.n_logs, 1);
		(void)snprintf(from, sizeof(from), "%s/%s", harm.made, harm.logs[0].name);
		(void)snprintf(to, sizeof(to), "%s/%s", harm.copy, harm.logs[0].name);
		CU_ASSERT_EQUAL_FATAL(rename(from, to), 0);
		harm_expect(harm_survivors(5), 0, unsynced);
		crash_remove(harm.made);
	}
}

/* ------------------------------------------------------------ tables */

static void
find_table(char *name, size_t bytes)
{
	DIR *d = opendir(harm.copy);

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (slice_ends(slice_from(e->d_name), SLICE(".ldb"))) {
			(void)snprintf(name, bytes, "%.31s", e->d_name);
		}
	}
	(void)closedir(d);
}

/* Without paranoid_checks a compaction writes damaged data with a correct checksum. */
static void
a_damaged_table_stays_an_error_after_compaction(void)
{
	enum { N = 40 };
	struct kv *kv = harm_make(N, 3000, true);
	char name[32] = "";
	struct buf value;

	kv->ops->compact(kv, SLICE("0"), SLICE("b"));
	kv->ops->close(kv);
	harm_copy();
	find_table(name, sizeof(name));
	harm_flip(name, 100); /* in the first keys, which Snappy leaves readable */
	buf_init(&value, &harm.c.arena);
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&harm.c, harm.copy, false, &kv), 0);
	CU_ASSERT_EQUAL(kv_get(kv, &harm.c, NULL, SLICE("0"), &value), -ERR_CORRUPT);
	CU_ASSERT_EQUAL(kv_get(kv, &harm.c, NULL, SLICE("all"), &value), 0);
	CU_ASSERT_EQUAL(harm_commit(kv, 0, 1, false), 0);
	CU_ASSERT_EQUAL(harm_commit(kv, N, 1, false), 0);
	kv->ops->compact(kv, SLICE("0"), SLICE("b"));
	CU_ASSERT_EQUAL(harm_commit(kv, N, 1, false), -ERR_CORRUPT);
	CU_ASSERT_EQUAL(kv_get(kv, &harm.c, NULL, SLICE("1"), &value), -ERR_CORRUPT);
	kv->ops->close(kv);
}

static void
a_close_syncs_unsynced_commits(void)
{
	struct kv *kv = harm_make(3, 10, false);

	crash_remove(harm.copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy(harm.made, harm.copy), 0);
	CU_ASSERT_EQUAL(harm_survivors(3), 0);
	kv->ops->close(kv);
	crash_remove(harm.copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy(harm.made, harm.copy), 0);
	CU_ASSERT_EQUAL(harm_survivors(3), 3);
}

/* Otherwise the next process that opens the store would wait for the replay. */
static void
a_close_with_a_large_log_leaves_nothing_to_replay(void)
{
	struct kv *kv = harm_make(4, 1 << 20, false);

	CU_ASSERT_TRUE(harm.logs[0].size > 4 << 20);
	kv->ops->close(kv);
	harm_find_logs();
	CU_ASSERT_EQUAL_FATAL(harm.n_logs, 1);
	CU_ASSERT_EQUAL(harm.logs[0].size, 0);
	harm_copy();
	harm_expect(harm_survivors(4), 4, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_close_with_a_large_log_leaves_nothing_to_replay),
	UNIT_TEST(a_close_syncs_unsynced_commits),
	UNIT_TEST(a_log_truncated_anywhere_gives_a_prefix),
	UNIT_TEST(a_torn_synced_commit_ends_the_prefix),
	UNIT_TEST(a_hole_in_unsynced_commits_ends_the_prefix),
	UNIT_TEST(a_hole_between_records_ends_the_prefix),
	UNIT_TEST(damage_before_a_synced_commit_is_refused),
	UNIT_TEST(a_hole_in_synced_commits_is_refused),
	UNIT_TEST(the_command_advised_by_a_refusal_gives_the_prefix),
	UNIT_TEST(damage_in_synced_commits_before_unsynced_ones_is_refused),
	UNIT_TEST(the_manifest_is_synced_before_a_synced_commit_depends_on_it),
	UNIT_TEST(a_damaged_table_stays_an_error_after_compaction),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(recover, harm_setup, harm_teardown, tests);
