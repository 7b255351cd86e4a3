/*
 * A LevelDB whose files are damaged: each test makes one, copies it, does harm
 * to the copy, opens it, and looks which of the commits are there.
 *
 * Commit number i puts the key "i" and the key "all", whose value is i: so what
 * is there can be no prefix by chance.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "store/kv/kv.h"

#include "tests/support/crash.h"
#include "tests/support/unit.h"

enum { COMMITS_MAX = 128, LOGS_MAX = 4, LDB_BLOCK = 32768 };

/* Outcomes beside the number of commits that are there. */
enum { REFUSED = -1, NO_PREFIX = -2 };

static struct call c;
static char base[UNIT_FOLDER_BYTES];
static char made[64]; /* the directory that was made */
static char copy[64];

/* The logs that were made, oldest first, and where in the newest each commit ends. */
static struct {
	char name[32];
	off_t size;
} logs[LOGS_MAX];
static size_t n_logs;
static off_t ends[COMMITS_MAX];

static void
setup(void)
{
	call_open(&c, 0, 64 << 20);
	unit_make_folder(base, "recover");
	(void)snprintf(made, sizeof(made), "%s/made", base);
	(void)snprintf(copy, sizeof(copy), "%s/copy", base);
}

static void
teardown(void)
{
	crash_remove(base);
	call_close(&c);
}

/* ------------------------------------------------------------ what is made */

static int
compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void
find_logs(void)
{
	DIR *d = opendir(made);

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	n_logs = 0;
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		struct stat st;

		if (slice_ends(slice_from(e->d_name), SLICE(".log")) && n_logs < LOGS_MAX &&
		    fstatat(dirfd(d), e->d_name, &st, 0) == 0) {
			(void)snprintf(logs[n_logs].name, sizeof(logs->name), "%.31s", e->d_name);
			logs[n_logs++].size = st.st_size;
		}
	}
	(void)closedir(d);
	qsort(logs, n_logs, sizeof(*logs), compare_names);
}

static int
commit(struct kv *kv, unsigned i, size_t bytes, bool durable)
{
	char number[16];
	struct slice key = slice_of(number, (size_t)snprintf(number, sizeof(number), "%u", i));
	struct slice value = slice_of(arena_new(&c.arena, char, bytes), bytes);
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

	memset((char *)value.at, (int)i + 1, bytes);
	b->ops->put(b, key, value);
	b->ops->put(b, SLICE("all"), key);
	return kv_commit(kv, &c, b, durable);
}

/* @n commits with values of @bytes each. */
static struct kv *
make(unsigned n, size_t bytes, bool durable)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(&c, made, true, &kv);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	for (unsigned i = 0; i < n; i++) {
		r = commit(kv, i, bytes, durable);
		CU_ASSERT_EQUAL(r, 0);
		find_logs();
		ends[i] = logs[n_logs - 1].size;
	}
	return kv;
}

/* ------------------------------------------------------------ harm */

static void
fresh_copy(void)
{
	crash_remove(copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy_whole(made, copy), 0);
}

static int
open_in_copy(const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", copy, name);
	int fd = open(path, O_RDWR | O_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	return fd;
}

static void
cut(const char *name, off_t size)
{
	int fd = open_in_copy(name);

	CU_ASSERT_EQUAL(ftruncate(fd, size), 0);
	(void)close(fd);
}

static void
zero(const char *name, off_t from, off_t bytes)
{
	int fd = open_in_copy(name);
	char zeros[4096] = {0};

	CU_ASSERT_EQUAL(pwrite(fd, zeros, (size_t)bytes, from), bytes);
	(void)close(fd);
}

static void
flip(const char *name, off_t at)
{
	int fd = open_in_copy(name);
	char byte;

	CU_ASSERT_EQUAL(pread(fd, &byte, 1, at), 1);
	byte = (char)(byte ^ 0x40);
	CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, at), 1);
	(void)close(fd);
}

/* ------------------------------------------------------------ what is there */

static bool
there(struct kv *kv, unsigned i)
{
	char key[16];
	struct buf value;

	(void)snprintf(key, sizeof(key), "%u", i);
	buf_init(&value, &c.arena);
	return kv_get(kv, &c, NULL, slice_from(key), &value) == 0;
}

/* The copy is opened: how many commits does it have? */
static int
survivors(unsigned of)
{
	struct kv *kv = NULL;
	struct buf all;
	unsigned n = 0;
	char last[16] = "";

	c.error = (struct error){0};
	int r = kv_leveldb_open(&c, copy, false, &kv);

	if (r != 0) {
		CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
		return REFUSED;
	}
	while (n < of && there(kv, n)) {
		n++;
	}
	for (unsigned i = n; i < of; i++) {
		if (there(kv, i)) {
			n = of + 1;
		}
	}
	buf_init(&all, &c.arena);
	if (n > 0) {
		(void)snprintf(last, sizeof(last), "%u", n - 1);
	}
	(void)kv_get(kv, &c, NULL, SLICE("all"), &all);
	kv->ops->close(kv);
	return slice_is(buf_view(&all), last) ? (int)n : NO_PREFIX;
}

/* How many of @n commits end at or before @at in the newest log? */
static int
ended_by(off_t at, unsigned n)
{
	unsigned i = 0;

	while (i < n && ends[i] <= at) {
		i++;
	}
	return (int)i;
}

static void
expect(int is, int want, off_t at)
{
	if (is != want) {
		printf("\nharm at byte %lld: %d, not %d (%s)", (long long)at, is, want,
		       is == REFUSED ? c.error.message : "opened");
	}
	CU_ASSERT_EQUAL(is, want);
}

/* ------------------------------------------------------------ crashes */

static void
a_log_that_ends_anywhere_gives_a_prefix(void)
{
	enum { N = 12 };
	struct kv *kv = make(N, 10, true);
	off_t size = logs[0].size;

	kv->ops->close(kv);
	for (off_t at = 0; at < size; at++) {
		fresh_copy();
		cut(logs[0].name, at);
		expect(survivors(N), ended_by(at, N), at);
		fresh_copy();
		cut(logs[0].name, at);
		cut(logs[0].name, size); /* the rest is zeros */
		expect(survivors(N), ended_by(at, N), at);
	}
	CU_ASSERT_EQUAL(n_logs, 1);
}

/* Its first part, in one block, is sound and carries the mark: of what was before it. */
static void
a_durable_commit_that_is_torn_ends_the_prefix(void)
{
	struct kv *kv = make(3, 40000, true);

	kv->ops->close(kv);
	fresh_copy();
	cut(logs[0].name, ends[2] - 100);
	expect(survivors(3), 2, ends[2] - 100);
}

/* Some block was not yet written, later ones were. */
static void
a_hole_in_what_was_not_synced_ends_the_prefix(void)
{
	enum { N = 40, PAGE = 4096 };
	struct kv *kv = make(N, 3000, false);

	kv->ops->close(kv);
	for (off_t at = 0; at + PAGE < logs[0].size; at += PAGE) {
		fresh_copy();
		zero(logs[0].name, at, PAGE);
		expect(survivors(N), ended_by(at, N), at);
		expect(survivors(N), ended_by(at, N), at); /* and so it stays */
	}
}

/* Records that fill a block each: LevelDB does not even call zeros between them damage. */
static void
a_hole_between_records_is_no_less_a_hole(void)
{
	enum { N = 8, HEADS = 7 + 12 + 1 + 1 + 1 + 3 + 1 + 1 + 3 + 1 + 1 };
	struct kv *kv = make(N, LDB_BLOCK - HEADS, false);

	kv->ops->close(kv);
	for (unsigned i = 0; i < N; i++) {
		CU_ASSERT_EQUAL(ends[i], (off_t)(i + 1) * LDB_BLOCK);
	}
	fresh_copy();
	for (off_t at = ends[2]; at < ends[3]; at += 4096) {
		zero(logs[0].name, at, 4096);
	}
	expect(survivors(N), 3, ends[2]);
}

/* ------------------------------------------------------------ no crashes */

static void
damage_before_a_durable_commit_is_refused(void)
{
	enum { N = 12 };
	struct kv *kv = make(N, 10, true);

	kv->ops->close(kv);
	for (off_t at = 0; at < logs[0].size; at++) {
		fresh_copy();
		flip(logs[0].name, at);
		/* Damage in the last one looks like a crash. */
		expect(survivors(N), at < ends[N - 2] ? REFUSED : N - 1, at);
	}
}

static void
a_hole_in_what_was_synced_is_refused(void)
{
	enum { N = 40, PAGE = 4096 };
	struct kv *kv = make(N, 3000, true);

	kv->ops->close(kv);
	for (off_t at = 0; at + PAGE < logs[0].size; at += PAGE) {
		bool last = at + PAGE > ends[N - 2];

		fresh_copy();
		zero(logs[0].name, at, PAGE);
		expect(survivors(N), last ? ended_by(at, N) : REFUSED, at);
	}
}

static void
what_a_refusal_advises_gives_the_prefix(void)
{
	enum { N = 12 };
	struct kv *kv = make(N, 10, true);
	char command[160];

	kv->ops->close(kv);
	fresh_copy();
	flip(logs[0].name, ends[4] + 10);
	expect(survivors(N), REFUSED, ends[4] + 10);
	(void)snprintf(command, sizeof(command), "\"truncate -s %lld %s/%s\"", (long long)ends[4],
		       copy, logs[0].name);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, command));
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "itemctl check"));
	cut(logs[0].name, ends[4]);
	expect(survivors(N), 5, ends[4]);
}

/* With its attributes, which a copy does not have. */
static int
shortened(off_t to, unsigned of)
{
	char path[128];
	char whole[128];

	/* Opening reads the log back, so each time it is another one. */
	crash_remove(copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy_whole(made, copy), 0);
	(void)snprintf(path, sizeof(path), "%s/%s", copy, logs[0].name);
	(void)snprintf(whole, sizeof(whole), "%s/%s", made, logs[0].name);
	char digits[32];
	ssize_t n = getxattr(whole, "user.itemfs.durable", digits, sizeof(digits));

	CU_ASSERT_TRUE_FATAL(n > 0);
	CU_ASSERT_EQUAL(setxattr(path, "user.itemfs.durable", digits, (size_t)n, 0), 0);
	cut(logs[0].name, to);
	return survivors(of);
}

static bool
has_attributes(void)
{
	if (setxattr(base, "user.itemfs.test", "", 0, 0) == 0) {
		return true;
	}
	(void)printf("\nin part: there are no extended attributes here\n");
	return false;
}

/* Nothing follows that would say so, but it is written down how much was there. */
static void
a_log_that_lost_what_was_synced_is_refused(void)
{
	enum { N = 5 };
	struct kv *kv = make(N, 10, true);
	char command[512];

	kv->ops->close(kv);
	if (!has_attributes()) {
		return;
	}
	for (int i = 0; i < N; i++) {
		expect(shortened(i == 0 ? 0 : ends[i - 1], N), REFUSED, i);
		expect(shortened(ends[i] - 1, N), REFUSED, ends[i] - 1);
	}
	expect(shortened(0, N), REFUSED, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "is cut short"));
	(void)snprintf(command, sizeof(command), "\"head -c 0 %s/%s >%s/rest && mv %s/rest %s/%s\"",
		       copy, logs[0].name, copy, copy, copy, logs[0].name);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, command));
	expect(shortened(ends[N - 1], N), N, ends[N - 1]);
}

/* What a process that stopped had noted is no more than was synced. */
static void
what_was_not_synced_may_be_gone(void)
{
	enum { N = 6 };
	struct kv *kv = make(3, 10, true);

	for (unsigned i = 3; i < N; i++) {
		CU_ASSERT_EQUAL(commit(kv, i, 10, false), 0);
	}
	if (has_attributes()) {
		expect(shortened(ends[2], N), 3, ends[2]);
		expect(shortened(ends[2] + 1, N), 3, ends[2] + 1);
		expect(shortened(0, N), REFUSED, 0);
	}
	kv->ops->close(kv);
}

static void
what_was_synced_before_relaxed_commits_is_known_to_be(void)
{
	enum { N = 12 };
	struct kv *kv = make(N - 1, 10, false);

	CU_ASSERT_EQUAL(commit(kv, N - 1, 10, true), 0);
	CU_ASSERT_EQUAL(commit(kv, N, 10, false), 0);
	CU_ASSERT_EQUAL(commit(kv, N + 1, 10, false), 0);
	kv->ops->close(kv);
	fresh_copy();
	flip(logs[0].name, ends[3] + 10);
	expect(survivors(N + 2), REFUSED, ends[3]);
	fresh_copy();
	flip(logs[0].name, ends[N - 2] + 10); /* the durable one */
	expect(survivors(N + 2), REFUSED, ends[N - 2]);
}

/* ------------------------------------------------------------ several logs */

enum { LARGE = 70 }; /* of a megabyte each: they fill a log and begin the next */

/* Damage in the first of two logs, whose last commit is durable or not. */
static void
harm_first_of_two(bool durable, int want)
{
	off_t at = 10 << 20;

	crash_hold_tables(true);

	struct kv *kv = make(LARGE, 1 << 20, false);

	CU_ASSERT_EQUAL(commit(kv, LARGE, 10, durable), 0);
	CU_ASSERT_EQUAL_FATAL(n_logs, 2);
	fresh_copy();
	crash_hold_tables(false);
	kv->ops->close(kv);
	flip(logs[0].name, at);
	expect(survivors(LARGE + 1), want, at);
}

static void
damage_in_an_older_log_ends_the_prefix_there(void)
{
	harm_first_of_two(false, 9);
}

static void
damage_in_an_older_log_is_refused_when_it_was_synced(void)
{
	harm_first_of_two(true, REFUSED);
}

/* What was written before is in tables, and a later log goes on from there. */
static void
a_log_that_is_gone_is_missed(void)
{
	char path[128];

	crash_hold_tables(true);

	struct kv *kv = make(LARGE, 1 << 20, false);

	CU_ASSERT_EQUAL(commit(kv, LARGE, 10, true), 0);
	fresh_copy();
	crash_hold_tables(false);
	kv->ops->close(kv);
	(void)snprintf(path, sizeof(path), "%s/%s", copy, logs[0].name);
	CU_ASSERT_EQUAL(truncate(path, 0), 0);
	expect(survivors(LARGE + 1), REFUSED, 0);
	CU_ASSERT_EQUAL(unlink(path), 0);
	expect(survivors(LARGE + 1), REFUSED, 0);
	cut(logs[1].name, 0);
	expect(survivors(LARGE + 1), REFUSED, 0);
}

/* It is there as soon as the manifest names it: no crash loses it. */
static void
the_only_log_is_missed_and_what_is_advised_opens_the_rest(void)
{
	struct kv *kv = make(4, 10, true);
	char path[128];
	char advice[160];

	kv->ops->close(kv);
	fresh_copy();
	(void)snprintf(path, sizeof(path), "%s/%s", copy, logs[0].name);
	(void)snprintf(advice, sizeof(advice), "\"touch %s\"", path);
	CU_ASSERT_EQUAL(unlink(path), 0);
	expect(survivors(4), REFUSED, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, advice));
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	(void)close(fd);
	expect(survivors(4), 0, 0);
	expect(survivors(4), 0, 0);
}

/* LevelDB has made tables of it and would delete it next: its batches are not read from it. */
static void
a_log_that_is_no_longer_needed_may_be_damaged(void)
{
	struct kv *kv = make(4, 10, true);
	char path[128];
	char kept[128];

	fresh_copy();
	(void)snprintf(kept, sizeof(kept), "%s/%s", copy, logs[0].name);
	(void)snprintf(path, sizeof(path), "%s/%s", made, logs[0].name);
	kv->ops->compact(kv, SLICE("0"), SLICE("b"));
	CU_ASSERT_EQUAL(commit(kv, 4, 10, true), 0);
	flip(logs[0].name, 10);
	CU_ASSERT_EQUAL(access(path, F_OK), -1);
	CU_ASSERT_EQUAL(rename(kept, path), 0);
	fresh_copy();
	kv->ops->close(kv);
	expect(survivors(5), 5, 10);
}

/*
 * The process was killed with commits that were not synced; the next one opens, and the machine stops at its first durable
 * commit, when its log is on disk and the name of its manifest is not.
 */
static void
the_manifest_lasts_before_a_durable_commit_builds_on_it(void)
{
	for (unsigned relaxed = 0; relaxed < 2; relaxed++) {
		struct kv *kv = make(3, 10, false);
		char killed[64];
		char from[128];
		char to[128];

		(void)snprintf(killed, sizeof(killed), "%s/killed", base);
		crash_remove(copy);
		CU_ASSERT_EQUAL_FATAL(crash_copy(made, copy), 0);
		CU_ASSERT_EQUAL_FATAL(crash_copy_whole(made, killed), 0);
		kv->ops->close(kv);
		crash_remove(made);
		CU_ASSERT_EQUAL_FATAL(rename(killed, made), 0);
		CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, made, false, &kv), 0);
		for (unsigned i = 0; i < relaxed; i++) {
			CU_ASSERT_EQUAL(commit(kv, 3, 10, false), 0);
		}
		crash_fail_names(true);
		CU_ASSERT_EQUAL(commit(kv, 4, 10, true), -ERR_IO);
		crash_fail_names(false);
		kv->ops->close(kv);
		find_logs();
		CU_ASSERT_EQUAL_FATAL(n_logs, 1);
		(void)snprintf(from, sizeof(from), "%s/%s", made, logs[0].name);
		(void)snprintf(to, sizeof(to), "%s/%s", copy, logs[0].name);
		CU_ASSERT_EQUAL_FATAL(rename(from, to), 0);
		expect(survivors(5), 0, relaxed);
		crash_remove(made);
	}
}

/* ------------------------------------------------------------ tables */

static void
find_table(char *name, size_t bytes)
{
	DIR *d = opendir(copy);

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (slice_ends(slice_from(e->d_name), SLICE(".ldb"))) {
			(void)snprintf(name, bytes, "%.31s", e->d_name);
		}
	}
	(void)closedir(d);
}

/* Without paranoid_checks a compaction gives what is damaged a checksum that is right. */
static void
a_damaged_table_is_an_error_and_stays_one(void)
{
	enum { N = 40 };
	struct kv *kv = make(N, 3000, true);
	char name[32] = "";
	struct buf value;

	kv->ops->compact(kv, SLICE("0"), SLICE("b"));
	kv->ops->close(kv);
	fresh_copy();
	find_table(name, sizeof(name));
	flip(name, 100); /* of the first keys, which Snappy leaves readable */
	buf_init(&value, &c.arena);
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, copy, false, &kv), 0);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("0"), &value), -ERR_CORRUPT);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("all"), &value), 0);
	CU_ASSERT_EQUAL(commit(kv, 0, 1, false), 0);
	CU_ASSERT_EQUAL(commit(kv, N, 1, false), 0);
	kv->ops->compact(kv, SLICE("0"), SLICE("b"));
	CU_ASSERT_EQUAL(commit(kv, N, 1, false), -ERR_CORRUPT);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("1"), &value), -ERR_CORRUPT);
	kv->ops->close(kv);
}

static void
a_close_makes_relaxed_commits_durable(void)
{
	struct kv *kv = make(3, 10, false);

	crash_remove(copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy(made, copy), 0);
	CU_ASSERT_EQUAL(survivors(3), 0);
	kv->ops->close(kv);
	crash_remove(copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy(made, copy), 0);
	CU_ASSERT_EQUAL(survivors(3), 3);
}

/* Whoever opens the store next would wait for it. */
static void
a_close_after_much_leaves_nothing_to_read_back(void)
{
	struct kv *kv = make(4, 1 << 20, false);

	CU_ASSERT_TRUE(logs[0].size > 4 << 20);
	kv->ops->close(kv);
	find_logs();
	CU_ASSERT_EQUAL_FATAL(n_logs, 1);
	CU_ASSERT_EQUAL(logs[0].size, 0);
	fresh_copy();
	expect(survivors(4), 4, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_close_after_much_leaves_nothing_to_read_back),
	UNIT_TEST(a_close_makes_relaxed_commits_durable),
	UNIT_TEST(the_only_log_is_missed_and_what_is_advised_opens_the_rest),
	UNIT_TEST(a_log_that_ends_anywhere_gives_a_prefix),
	UNIT_TEST(a_durable_commit_that_is_torn_ends_the_prefix),
	UNIT_TEST(a_hole_in_what_was_not_synced_ends_the_prefix),
	UNIT_TEST(a_hole_between_records_is_no_less_a_hole),
	UNIT_TEST(damage_before_a_durable_commit_is_refused),
	UNIT_TEST(a_hole_in_what_was_synced_is_refused),
	UNIT_TEST(what_a_refusal_advises_gives_the_prefix),
	UNIT_TEST(a_log_that_lost_what_was_synced_is_refused),
	UNIT_TEST(what_was_not_synced_may_be_gone),
	UNIT_TEST(what_was_synced_before_relaxed_commits_is_known_to_be),
	UNIT_TEST(damage_in_an_older_log_ends_the_prefix_there),
	UNIT_TEST(damage_in_an_older_log_is_refused_when_it_was_synced),
	UNIT_TEST(a_log_that_is_gone_is_missed),
	UNIT_TEST(a_log_that_is_no_longer_needed_may_be_damaged),
	UNIT_TEST(the_manifest_lasts_before_a_durable_commit_builds_on_it),
	UNIT_TEST(a_damaged_table_is_an_error_and_stays_one),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(recover, setup, teardown, tests);
