/*
 * Tests of a LevelDB whose directory lacks the files that the last edit of its manifest names.  LevelDB writes an edit
 * before it syncs the directory, so a power cut can leave the edit and take the names of its new files.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/kv/ldb_recover.h"

#include "tests/support/crash.h"
#include "tests/support/fake_disk.h"
#include "tests/support/harm.h"
#include "tests/support/kv_open.h"

static char before[96]; /* the files before the last edit */

static void
copy_before(void)
{
	(void)snprintf(before, sizeof(before), "%s/before", harm.base);
	crash_remove(before);
	CU_ASSERT_EQUAL_FATAL(crash_copy_whole(harm.made, before), 0);
}

/* Write the data in memory to a table, with one edit that begins a new log. */
static void
flush(struct kv *kv)
{
	kv->ops->compact(kv, SLICE("\xff\xff"), SLICE("\xff\xff"));
}

/* Return the name of a file of @in that ends with @end and that @other lacks; "": there is none */
static const char *
find_extra(const char *in, const char *other, const char *end)
{
	static char name[256];
	DIR *d = opendir(in);
	int fd = open(other, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(d != NULL && fd >= 0);
	name[0] = '\0';
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (slice_ends(slice_from(e->d_name), slice_from(end)) &&
		    faccessat(fd, e->d_name, F_OK, 0) != 0) {
			(void)snprintf(name, sizeof(name), "%s", e->d_name);
		}
	}
	(void)close(fd);
	(void)closedir(d);
	return name;
}

/* Remove the files of the copy that end with @end and that are newer than @before.  Return: how many */
static int
remove_new(const char *end)
{
	const char *name;
	char path[512];
	int n = 0;

	for (; *(name = find_extra(harm.copy, before, end)) != '\0'; n++) {
		(void)snprintf(path, sizeof(path), "%s/%s", harm.copy, name);
		CU_ASSERT_EQUAL_FATAL(unlink(path), 0);
	}
	return n;
}

/* Give the files that end with @end and that LevelDB has removed since @before back to the copy.  Return: how many */
static int
restore_old(const char *end)
{
	const char *name;
	char from[512];
	char to[512];
	int n = 0;

	for (; *(name = find_extra(before, harm.copy, end)) != '\0'; n++) {
		(void)snprintf(from, sizeof(from), "%s/%s", before, name);
		(void)snprintf(to, sizeof(to), "%s/%s", harm.copy, name);
		CU_ASSERT_EQUAL_FATAL(rename(from, to), 0);
	}
	return n;
}

/* Make @n commits, and write them to a table.  Return: the database, open; the copy has all files from after the edit */
static struct kv *
make_flushed(unsigned n, bool durable)
{
	struct kv *kv = harm_make(n, 10, durable);

	copy_before();
	flush(kv);
	harm_copy();
	return kv;
}

/* Make @n commits. The copy has the edit and the log from before it, but not its new log and table. */
static void
make_unnamed(unsigned n, bool durable)
{
	struct kv *kv = make_flushed(n, durable);

	kv->ops->close(kv);
	CU_ASSERT_EQUAL(remove_new(".ldb"), 1);
	CU_ASSERT_EQUAL(remove_new(".log"), 1);
	CU_ASSERT_EQUAL(restore_old(".log"), 1);
}

static bool
says(const char *words)
{
	return harm.c.error.message != NULL && strstr(harm.c.error.message, words) != NULL;
}

/* Set @path to the manifest of the copy.  Return: its size */
static off_t
length_of_manifest(char path[512])
{
	struct stat st;
	DIR *d = opendir(harm.copy);

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (strncmp(e->d_name, "MANIFEST-", 9) == 0) {
			(void)snprintf(path, 512, "%s/%s", harm.copy, e->d_name);
		}
	}
	(void)closedir(d);
	CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
	return st.st_size;
}

/* ------------------------------------------------------------ a table from a log */

static void
an_edit_without_its_new_log_and_table_is_cut_off(void)
{
	make_unnamed(5, true);
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
	CU_ASSERT_EQUAL(harm.c.error.code, ERR_NONE);
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
}

/* The batches in the old log were not synced, and the power cut has taken a part of them, too. */
static void
the_log_from_before_is_cut_at_its_damage(void)
{
	make_unnamed(5, false);
	harm_cut(harm.logs[0].name, harm.ends[2] + 3);
	harm_expect(harm_survivors(5), 3, harm.ends[2] + 3);
}

/* A synced batch has made the name of the new log durable. */
static void
an_edit_without_its_table_is_cut_off_and_its_log_is_kept(void)
{
	struct kv *kv = make_flushed(5, true);

	CU_ASSERT_EQUAL(harm_commit(kv, 5, 10, true), 0);
	harm_copy();
	kv->ops->close(kv);
	CU_ASSERT_EQUAL(remove_new(".ldb"), 1);
	CU_ASSERT_EQUAL(restore_old(".log"), 1);
	CU_ASSERT_EQUAL(harm_survivors(6), 6);
	CU_ASSERT_EQUAL(harm_survivors(6), 6);
}

/*
 * There was nothing in memory, so the edit only begins a new log. No table shows whether that log had synced batches
 * and was removed.
 */
static void
an_edit_that_adds_no_table_is_kept_without_its_log(void)
{
	struct kv *kv = make_flushed(5, true);

	copy_before();
	flush(kv);
	harm_copy();
	kv->ops->close(kv);
	CU_ASSERT_EQUAL(remove_new(".ldb"), 0);
	CU_ASSERT_EQUAL(remove_new(".log"), 1);
	CU_ASSERT_EQUAL(restore_old(".log"), 1);
	CU_ASSERT_EQUAL(harm_survivors(5), HARM_REFUSED);
	CU_ASSERT_TRUE(says(".log is missing"));
	harm_obey();
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
}

/* LevelDB writes another edit only when the names of this one are on disk. */
static void
an_edit_with_bytes_after_it_is_kept(void)
{
	char manifest[512];

	make_unnamed(5, true);
	CU_ASSERT_EQUAL(truncate(manifest, length_of_manifest(manifest) + 20), 0);
	CU_ASSERT_EQUAL(harm_survivors(5), HARM_REFUSED);
	CU_ASSERT_TRUE(says(".log is missing"));
}

/* Keep the new table of the copy, but damage it.  Its path: @path */
static void
damage_new_table(char path[512])
{
	(void)snprintf(path, 512, "%s/%s", harm.copy, find_extra(harm.copy, before, ".ldb"));
	CU_ASSERT_EQUAL(truncate(path, 10), 0);
}

/* LevelDB syncs a table before it writes the edit, so a power cut takes only its name. */
static void
an_edit_with_a_damaged_table_is_kept(void)
{
	struct kv *kv = make_flushed(5, true);
	char path[512];

	kv->ops->close(kv);
	damage_new_table(path);
	CU_ASSERT_EQUAL(restore_old(".log"), 1);
	CU_ASSERT_EQUAL(harm_survivors(5), HARM_REFUSED);
	CU_ASSERT_TRUE(says(".ldb is damaged"));
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
}

/* A folder in the place of a table cannot be read. */
static void
an_edit_with_an_unreadable_table_is_kept(void)
{
	struct kv *kv = make_flushed(5, true);
	char path[512];

	kv->ops->close(kv);
	damage_new_table(path);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	CU_ASSERT_EQUAL(restore_old(".log"), 1);
	CU_ASSERT_EQUAL(harm_survivors(5), HARM_REFUSED);
	CU_ASSERT_EQUAL(rmdir(path), 0);
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
}

static void
the_message_names_a_copy_of_a_store_in_use(void)
{
	FILE *log = tmpfile();
	int stderr_before = dup(STDERR_FILENO);
	char line[2048] = "";

	CU_ASSERT_PTR_NOT_NULL_FATAL(log);
	make_unnamed(5, true);
	(void)dup2(fileno(log), STDERR_FILENO);
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
	(void)dup2(stderr_before, STDERR_FILENO);
	CU_ASSERT_TRUE(pread(fileno(log), line, sizeof(line) - 1, 0) > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "an edit whose new files are missing"));
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "if this is a copy of a store that was in use, writes "
					    "may be missing: make copies with itemctl backup"));
	(void)fclose(log);
	(void)close(stderr_before);
}

/* ------------------------------------------------------------ a table from tables */

static void
make_compacted(void)
{
	struct kv *kv = make_flushed(3, true);

	for (unsigned i = 3; i < 6; i++) {
		CU_ASSERT_EQUAL(harm_commit(kv, i, 10, true), 0);
	}
	flush(kv);
	copy_before();
	kv->ops->compact(kv, SLICE("0"), SLICE("b"));
	harm_copy();
	kv->ops->close(kv);
	CU_ASSERT_EQUAL(remove_new(".ldb"), 1);
}

static void
a_compaction_without_its_table_is_undone(void)
{
	make_compacted();
	CU_ASSERT_EQUAL(restore_old(".ldb"), 2);
	CU_ASSERT_EQUAL(harm_survivors(6), 6);
	CU_ASSERT_EQUAL(harm_survivors(6), 6);
}

static void
a_compaction_is_not_undone_without_all_tables_from_before(void)
{
	char path[512];
	char manifest[512];

	make_compacted();
	(void)snprintf(path, sizeof(path), "%s/%s", before, find_extra(before, harm.copy, ".ldb"));
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(restore_old(".ldb"), 1);

	off_t size = length_of_manifest(manifest);

	CU_ASSERT_EQUAL(harm_survivors(6), HARM_REFUSED);
	CU_ASSERT_TRUE(says(".ldb is missing"));
	CU_ASSERT_EQUAL(length_of_manifest(manifest), size);
}

/* ------------------------------------------------------------ files that were removed later */

/* The table was created after the log, so the log was there, with synced batches. */
static void
a_log_that_was_removed_after_its_table_is_refused(void)
{
	struct kv *kv = make_flushed(5, true);
	char manifest[512];

	CU_ASSERT_EQUAL(harm_commit(kv, 5, 10, true), 0);
	harm_copy();
	kv->ops->close(kv);
	CU_ASSERT_EQUAL(remove_new(".log"), 1);
	CU_ASSERT_EQUAL(restore_old(".log"), 1);

	off_t size = length_of_manifest(manifest);

	CU_ASSERT_EQUAL(harm_survivors(6), HARM_REFUSED);
	CU_ASSERT_TRUE(says(".log is missing: the newest writes were in it"));
	CU_ASSERT_EQUAL(length_of_manifest(manifest), size);
}

/* LevelDB has removed the old log, so the edit was on disk. */
static void
missing_files_are_refused_without_the_log_from_before(void)
{
	struct kv *kv = make_flushed(5, true);

	kv->ops->close(kv);
	CU_ASSERT_EQUAL(remove_new(".ldb"), 1);
	CU_ASSERT_EQUAL(harm_survivors(5), HARM_REFUSED);
	CU_ASSERT_TRUE(says(".ldb is missing"));
	CU_ASSERT_EQUAL(remove_new(".log"), 1);
	CU_ASSERT_EQUAL(harm_survivors(5), HARM_REFUSED);
	CU_ASSERT_TRUE(says(".log is missing: the newest writes were in it"));
}

/* ------------------------------------------------------------ a read-only disk */

static void
count(void *arg, const char *what)
{
	(void)what;
	++*(int *)arg;
}

/* Read the copy as on a read-only disk.  Return: the number of files that a check finds damaged, or an error */
static int
check_read_only(void)
{
	struct kv *kv = NULL;
	uint64_t after = 0;
	int n = 0;

	harm.c.error = (struct error){0};
	fake_disk_read_only();
	int r = kv_leveldb_open(&harm.c, harm.copy, false, &kv);

	if (r == 0) {
		r = kv_check(kv, &harm.c, &after, UINT64_MAX, count, &n);
		kv->ops->close(kv);
	}
	fake_disk_end();
	return r < 0 ? r : n;
}

static void
a_read_only_disk_keeps_the_edit_and_a_check_ignores_it(void)
{
	char manifest[512];

	make_unnamed(5, true);

	off_t size = length_of_manifest(manifest);

	CU_ASSERT_EQUAL(check_read_only(), 0);
	CU_ASSERT_EQUAL(length_of_manifest(manifest), size);
	fake_disk_read_only();
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
	fake_disk_end();
	CU_ASSERT_EQUAL(length_of_manifest(manifest), size);
	CU_ASSERT_EQUAL(harm_survivors(5), 5);
}

static void
a_check_of_a_read_only_disk_reads_the_tables_in_use(void)
{
	char path[512];

	make_compacted();
	CU_ASSERT_EQUAL(restore_old(".ldb"), 2);
	CU_ASSERT_EQUAL(check_read_only(), 0);
	(void)snprintf(path, sizeof(path), "%s/%s", harm.copy,
		       find_extra(harm.copy, harm.made, ".ldb"));
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	CU_ASSERT_EQUAL(pwrite(fd, "?", 1, 0), 1);
	(void)close(fd);
	CU_ASSERT_EQUAL(check_read_only(), 1);
}

static void
a_removed_log_is_refused_on_a_read_only_disk(void)
{
	struct kv *kv = make_flushed(5, true);

	kv->ops->close(kv);
	CU_ASSERT_EQUAL(remove_new(".log"), 1);
	CU_ASSERT_EQUAL(restore_old(".log"), 1);
	CU_ASSERT_EQUAL(check_read_only(), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says(".log is missing: the newest writes were in it"));
}

/* ------------------------------------------------------------ another power cut */

/* Otherwise the edit could come back when LevelDB has given the numbers of its files to others. */
static void
the_cut_is_synced_before_leveldb_opens(void)
{
	cleanup(cleanup_fd) int lock = -1;
	char manifest[512];

	make_unnamed(5, true);

	off_t size = length_of_manifest(manifest);

	CU_ASSERT_EQUAL_FATAL(ldb_recover_lock(&harm.c, AT_FDCWD, harm.copy, harm.copy, &lock), 0);
	CU_ASSERT_EQUAL(fsync(lock), 0);
	CU_ASSERT_FALSE(crash_lasts(manifest));
	CU_ASSERT_EQUAL(ldb_recover(&harm.c, harm.copy, lock, -1), 0);
	CU_ASSERT_TRUE(length_of_manifest(manifest) < size);
	CU_ASSERT_TRUE(crash_lasts(manifest));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_edit_without_its_new_log_and_table_is_cut_off),
	UNIT_TEST(the_log_from_before_is_cut_at_its_damage),
	UNIT_TEST(an_edit_without_its_table_is_cut_off_and_its_log_is_kept),
	UNIT_TEST(an_edit_that_adds_no_table_is_kept_without_its_log),
	UNIT_TEST(an_edit_with_bytes_after_it_is_kept),
	UNIT_TEST(an_edit_with_a_damaged_table_is_kept),
	UNIT_TEST(an_edit_with_an_unreadable_table_is_kept),
	UNIT_TEST(the_message_names_a_copy_of_a_store_in_use),
	UNIT_TEST(a_compaction_without_its_table_is_undone),
	UNIT_TEST(a_compaction_is_not_undone_without_all_tables_from_before),
	UNIT_TEST(a_log_that_was_removed_after_its_table_is_refused),
	UNIT_TEST(missing_files_are_refused_without_the_log_from_before),
	UNIT_TEST(a_read_only_disk_keeps_the_edit_and_a_check_ignores_it),
	UNIT_TEST(a_check_of_a_read_only_disk_reads_the_tables_in_use),
	UNIT_TEST(a_removed_log_is_refused_on_a_read_only_disk),
	UNIT_TEST(the_cut_is_synced_before_leveldb_opens),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(edits, harm_setup, harm_teardown, tests);
