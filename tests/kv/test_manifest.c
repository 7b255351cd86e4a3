/*
 * Tests of a LevelDB with a damaged manifest.  Each test makes a database whose manifest has several edits, copies
 * it, changes the copy and opens it.  The copy must have all keys, or be refused with a message that names the
 * manifest or a missing file; the files on disk stay unchanged.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/kv/kv.h"

#include "tests/support/crash.h"
#include "tests/support/kv_open.h"
#include "tests/support/unit.h"

enum { KEYS = 6, NAME_BYTES = 32 };

static struct call c;
static char base[UNIT_FOLDER_BYTES];
static char made[64];
static char copy[64];
static char manifest[NAME_BYTES]; /* name of the manifest */
static char log_name[NAME_BYTES];
static off_t size; /* size of the manifest */

static void
find_file(const char *with, char name[NAME_BYTES])
{
	DIR *d = opendir(made);

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (strstr(e->d_name, with) != NULL) {
			(void)snprintf(name, NAME_BYTES, "%.31s", e->d_name);
		}
	}
	(void)closedir(d);
}

static int
put(struct kv *kv, int i)
{
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);
	char key[16];

	(void)snprintf(key, sizeof(key), "%d", i);
	b->ops->put(b, slice_from(key), SLICE("value"));
	return kv_commit(kv, &c, b, true);
}

static const char *
path_of(const char *dir, const char *name)
{
	static char path[160];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* Make a database with a table file for each key but the last, which is in the log. */
static void
setup(void)
{
	struct kv *kv = NULL;
	struct stat st;

	call_open(&c, 0, 64 << 20);
	unit_make_folder(base, "manifest");
	(void)snprintf(made, sizeof(made), "%s/made", base);
	(void)snprintf(copy, sizeof(copy), "%s/copy", base);
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, made, true, &kv), 0);
	for (int i = 0; i < KEYS; i++) {
		CU_ASSERT_EQUAL(put(kv, i), 0);
		if (i < KEYS - 1) {
			kv->ops->compact(kv, SLICE("0"), SLICE("9"));
		}
	}
	kv->ops->close(kv);
	find_file("MANIFEST-", manifest);
	find_file(".log", log_name);
	CU_ASSERT_EQUAL_FATAL(stat(path_of(made, manifest), &st), 0);
	size = st.st_size;
}

static void
teardown(void)
{
	crash_remove(base);
	call_close(&c);
}

static void
fresh_copy(void)
{
	call_clear(&c);
	c.error = (struct error){0};
	crash_remove(copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy_whole(made, copy), 0);
}

static void
flip(off_t at, char bits)
{
	int fd = open(path_of(copy, manifest), O_RDWR | O_CLOEXEC);
	char byte;

	CU_ASSERT_EQUAL_FATAL(pread(fd, &byte, 1, at), 1);
	byte = (char)(byte ^ bits);
	CU_ASSERT_EQUAL_FATAL(pwrite(fd, &byte, 1, at), 1);
	(void)close(fd);
}

static void
add(const char *bytes, size_t n)
{
	int fd = open(path_of(copy, manifest), O_WRONLY | O_APPEND | O_CLOEXEC);

	CU_ASSERT_EQUAL_FATAL(write(fd, bytes, n), (ssize_t)n);
	(void)close(fd);
}

static int
count_keys(struct kv *kv)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, NULL);
	int n = 0;

	for (kv_cursor_seek(cur, SLICE("")); kv_cursor_valid(cur); kv_cursor_next(cur)) {
		n++;
	}
	return kv_cursor_end(cur, &c, n);
}

/* Open the copy.  Return: the number of keys, or the error */
static int
look(void)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(&c, copy, false, &kv);

	if (r == 0) {
		r = count_keys(kv);
		kv->ops->close(kv);
	}
	return r;
}

static bool
says(const char *words)
{
	return strstr(c.error.message, words) != NULL;
}

/* The log holds a synced key: no advice may suggest to truncate it, and it must not have been truncated. */
static void
expect_refused(off_t at)
{
	struct stat before;
	struct stat after;

	bool named = says(manifest) || says(".ldb is missing");

	if (!named || says("truncate") || says("touch")) {
		printf("\nbyte %lld: %s", (long long)at, c.error.message);
	}
	CU_ASSERT_TRUE(named);
	CU_ASSERT_TRUE(says("estore a backup"));
	CU_ASSERT_FALSE(says("truncate"));
	CU_ASSERT_FALSE(says("touch"));
	CU_ASSERT_EQUAL(stat(path_of(made, log_name), &before), 0);
	CU_ASSERT_EQUAL(stat(path_of(copy, log_name), &after), 0);
	CU_ASSERT_EQUAL(before.st_size, after.st_size);
}

static void
a_bit_changed_anywhere_is_refused(void)
{
	for (off_t at = 0; at < size; at++) {
		fresh_copy();
		flip(at, (char)(1 << at % 8));
		CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
		expect_refused(at);
	}
}

/* Without its last edit the manifest names a deleted table file: the message names that file. */
static void
a_manifest_truncated_anywhere_is_refused(void)
{
	for (off_t at = 0; at < size; at++) {
		fresh_copy();
		CU_ASSERT_EQUAL_FATAL(truncate(path_of(copy, manifest), at), 0);
		CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
		expect_refused(at);
	}
}

/* A power cut while the next edit is written leaves this. */
static void
a_torn_end_is_accepted(void)
{
	char part[] = "\x12\x34\x56\x78\x40\x00\x01torn";

	for (size_t n = 1; n < sizeof(part); n++) {
		fresh_copy();
		add(part, n);
		CU_ASSERT_EQUAL(look(), KEYS);
	}
	memset(part, 0, sizeof(part));
	fresh_copy();
	add(part, sizeof(part));
	CU_ASSERT_EQUAL(look(), KEYS);
}

/* A power cut can leave the length of the next edit without all of its bytes. */
static void
a_last_edit_with_lost_bytes_is_cut_off(void)
{
	static const char whole[] = "\x12\x34\x56\x78\x04\x00\x01lost";
	static const char zeros[] = "\x12\x34\x56\x78\x40\x00\x01torn\0\0\0\0\0\0\0\0";
	char other[3000] = {0};

	memset(other, '~', sizeof(other));
	memcpy(other, zeros, sizeof(zeros) - 1);
	fresh_copy();
	add(whole, sizeof(whole) - 1);
	CU_ASSERT_EQUAL(look(), KEYS);
	CU_ASSERT_EQUAL(look(), KEYS);
	fresh_copy();
	add(zeros, sizeof(zeros) - 1);
	add(other + 2000, 64);
	CU_ASSERT_EQUAL(look(), KEYS);
	fresh_copy();
	add(other, sizeof(other));
	CU_ASSERT_EQUAL(look(), KEYS);
}

static off_t
length_of(const char *name)
{
	struct stat st;

	CU_ASSERT_EQUAL_FATAL(stat(path_of(copy, name), &st), 0);
	return st.st_size;
}

/* The edit was on disk: LevelDB has removed files that only earlier edits need. */
static void
lost_bytes_are_damage_when_a_file_is_missing(void)
{
	static const char whole[] = "\x12\x34\x56\x78\x04\x00\x01lost";
	char table[NAME_BYTES];

	find_file(".ldb", table);
	fresh_copy();
	add(whole, sizeof(whole) - 1);
	CU_ASSERT_EQUAL(unlink(path_of(copy, table)), 0);
	CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says(manifest) && says("is damaged at byte"));
	CU_ASSERT_EQUAL(length_of(manifest), size + (off_t)sizeof(whole) - 1);
	fresh_copy();
	add(whole, sizeof(whole) - 1);
	CU_ASSERT_EQUAL(unlink(path_of(copy, log_name)), 0);
	CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says(manifest) && says("is damaged at byte"));
}

static void
more_trailing_bytes_than_an_edit_are_damage(void)
{
	char other[4096];

	memset(other, '~', sizeof(other));
	fresh_copy();
	for (size_t n = 0; n < 1 << 20; n += sizeof(other)) {
		add(other, sizeof(other));
	}
	add(other, 1);
	CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says("is damaged at byte"));
}

static void
a_torn_edit_before_a_valid_one_is_damage(void)
{
	char length[] = "\xff\xff";
	int fd;

	fresh_copy();
	fd = open(path_of(copy, manifest), O_WRONLY | O_CLOEXEC);
	CU_ASSERT_EQUAL(pwrite(fd, length, 2, 4), 2);
	(void)close(fd);
	CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says("is damaged at byte 0"));
}

static void
a_missing_manifest_is_named(void)
{
	fresh_copy();
	CU_ASSERT_EQUAL(unlink(path_of(copy, manifest)), 0);
	CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says(manifest) && says("is missing"));
	fresh_copy();
	CU_ASSERT_EQUAL(truncate(path_of(copy, "CURRENT"), 0), 0);
	CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says("CURRENT is damaged"));
}

static void
ignore(void *arg, const char *what)
{
	(void)arg;
	(void)what;
}

/* This holds after opening, and also without LevelDB's empty lock file. */
static void
a_check_fails_when_the_manifest_cannot_be_read(void)
{
	struct kv *kv = NULL;
	uint64_t after = 0;

	fresh_copy();
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, copy, false, &kv), 0);
	find_file("MANIFEST-", manifest);
	CU_ASSERT_EQUAL(kv_check(kv, &c, &after, 1, ignore, NULL), 1);
	CU_ASSERT_EQUAL(truncate(path_of(copy, "CURRENT"), 1), 0);
	CU_ASSERT_EQUAL(kv_check(kv, &c, &after, 1, ignore, NULL), -ERR_CORRUPT);
	CU_ASSERT_TRUE(says("CURRENT is damaged"));
	kv->ops->close(kv);
	fresh_copy();
	CU_ASSERT_EQUAL(unlink(path_of(copy, "LOCK")), 0);
	flip(0, 1);
	CU_ASSERT_EQUAL(look(), -ERR_CORRUPT);
	expect_refused(0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_bit_changed_anywhere_is_refused),
	UNIT_TEST(a_manifest_truncated_anywhere_is_refused),
	UNIT_TEST(a_torn_end_is_accepted),
	UNIT_TEST(a_last_edit_with_lost_bytes_is_cut_off),
	UNIT_TEST(lost_bytes_are_damage_when_a_file_is_missing),
	UNIT_TEST(more_trailing_bytes_than_an_edit_are_damage),
	UNIT_TEST(a_torn_edit_before_a_valid_one_is_damage),
	UNIT_TEST(a_missing_manifest_is_named),
	UNIT_TEST(a_check_fails_when_the_manifest_cannot_be_read),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(manifest, setup, teardown, tests);
