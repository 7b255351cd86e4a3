/*
 * Tests of a LevelDB with a changed bit in a table file: a reader gets all keys or an error with the command that names
 * the file, kv_check() always names the file, and the process continues.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/kv/kv.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_table.h"

#include "tests/support/crash.h"
#include "tests/support/kv_open.h"
#include "tests/support/unit.h"

enum { KEYS = 200, FOOT_BYTES = 48 };

static struct call c;
static char base[UNIT_FOLDER_BYTES];
static char dir[64];
static char name[32];  /* name of the only table file */
static char path[128]; /* its path */
static off_t size;

static void
reset(void)
{
	call_clear(&c);
	c.error = (struct error){0};
}

static void
find_table(void)
{
	DIR *d = opendir(dir);
	struct stat st;

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (slice_ends(slice_from(e->d_name), SLICE(".ldb"))) {
			(void)snprintf(name, sizeof(name), "%.31s", e->d_name);
		}
	}
	(void)closedir(d);
	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
	size = st.st_size;
}

/* Make a table with several blocks: some that Snappy compresses, and some that it does not. */
static void
setup(void)
{
	struct kv *kv = NULL;
	char key[16];
	char value[128];
	unsigned seed = 1;

	call_open(&c, 0, 64 << 20);
	unit_make_folder(base, "table");
	(void)snprintf(dir, sizeof(dir), "%s/db", base);
	if (kv_leveldb_open(&c, dir, true, &kv) != 0) {
		abort();
	}
	struct kv_batch *b = kv->ops->batch_new(kv);

	for (int i = 0; i < KEYS; i++) {
		for (size_t at = 0; at < sizeof(value); at++) {
			value[at] = (char)(i < KEYS / 2 ? 'x' : rand_r(&seed));
		}
		(void)snprintf(key, sizeof(key), "%04d", i);
		b->ops->put(b, slice_from(key), slice_of(value, sizeof(value)));
	}
	if (kv_commit(kv, &c, b, true) != 0) {
		abort();
	}
	kv_batch_free(b);
	kv->ops->compact(kv, SLICE("0"), SLICE("9"));
	kv->ops->close(kv);
	find_table();
}

static void
teardown(void)
{
	crash_remove(base);
	call_close(&c);
}

static void
flip(off_t at, char bits)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	char byte;

	CU_ASSERT_EQUAL_FATAL(pread(fd, &byte, 1, at), 1);
	byte = (char)(byte ^ bits);
	CU_ASSERT_EQUAL_FATAL(pwrite(fd, &byte, 1, at), 1);
	(void)close(fd);
}

/* Return: the number of keys, or an error */
static int
read_keys(struct kv *kv)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, NULL);
	int n = 0;

	for (kv_cursor_seek(cur, SLICE("")); kv_cursor_valid(cur); kv_cursor_next(cur)) {
		n++;
	}
	return kv_cursor_end(cur, &c, n);
}

static struct buf told; /* a line for each damaged file, in the memory of the call */

static void
tell(void *arg, const char *what)
{
	(void)arg;
	buf_str(&told, what);
	buf_char(&told, '\n');
}

/* Return: the number of damaged files, or an error */
static int
check_files(struct kv *kv)
{
	uint64_t after = 0;
	int n = 0;
	int r;

	buf_init(&told, &c.arena);
	do {
		r = kv_check(kv, &c, &after, 1, tell, NULL);
	} while (r == 1);
	for (size_t i = 0; i < told.len; i++) {
		n += told.at[i] == '\n';
	}
	buf_char(&told, '\0');
	return r < 0 ? r : n;
}

static void
expect_named(off_t at)
{
	if (strstr(c.error.message, path) == NULL) {
		printf("\nbyte %lld: %s", (long long)at, c.error.message);
	}
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, path));
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "restore a backup"));
}

static void
expect_command(off_t at)
{
	char end[256];

	(void)snprintf(end, sizeof(end),
		       ": a table file in %s is damaged, and \"itemctl -s %s check\" names it: "
		       "restore a backup",
		       dir, base);
	if (!slice_ends(slice_from(c.error.message), slice_from(end))) {
		printf("\nbyte %lld: %s", (long long)at, c.error.message);
		CU_FAIL("the message has no command");
	}
}

/* Read and check the database, in which byte @at of the table was changed. */
static void
look(off_t at)
{
	struct kv *kv = NULL;

	reset();
	int r = kv_leveldb_open(&c, dir, false, &kv);

	if (r == 0) {
		r = read_keys(kv);
		CU_ASSERT_TRUE(r == KEYS || r == -ERR_CORRUPT);
		if (r < 0) {
			expect_command(at);
		}
		reset();
		CU_ASSERT_EQUAL(check_files(kv), 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(told.at, path));
		kv->ops->close(kv);
		return;
	}
	CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
	expect_named(at);
}

static void
any_changed_bit_is_an_error_with_the_command(void)
{
	for (off_t at = 0; at < size; at += at < size - 1000 ? 97 : 1) {
		char bits = (char)(1 << at % 8);

		flip(at, bits);
		look(at);
		flip(at, bits);
	}
}

/* LevelDB would allocate the size that the footer demands; the footer must be checked before. */
static void
a_changed_footer_is_refused_or_harmless(void)
{
	for (off_t at = size - FOOT_BYTES; at < size; at++) {
		for (int bit = 0; bit < 8; bit++) {
			flip(at, (char)(1 << bit));
			look(at);
			flip(at, (char)(1 << bit));
		}
		flip(at, (char)0xff);
		look(at);
		flip(at, (char)0xff);
	}
}

static void
a_truncated_or_missing_file_is_refused(void)
{
	struct kv *kv = NULL;
	char other[160];

	(void)snprintf(other, sizeof(other), "%s.kept", path);
	CU_ASSERT_EQUAL(rename(path, other), 0);
	reset();
	CU_ASSERT_EQUAL(kv_leveldb_open(&c, dir, false, &kv), -ERR_CORRUPT);
	expect_named(0);
	CU_ASSERT_EQUAL(rename(other, path), 0);
	CU_ASSERT_EQUAL(truncate(path, size - 1), 0);
	look(size - 1);
	CU_ASSERT_EQUAL(truncate(path, size), 0);
	look(size - 1); /* a byte of the magic number is wrong now */
}

/* ------------------------------------------------------------ two files */

/* Make a second table file, with keys after those of the first; @other gets its path. */
static void
make_second(char *other, size_t bytes)
{
	struct kv *kv = NULL;
	char first[sizeof(path)];
	char kept[64];

	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, dir, false, &kv), 0);
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

	b->ops->put(b, SLICE("x"), SLICE("value"));
	CU_ASSERT_EQUAL(kv_commit(kv, &c, b, true), 0);
	kv->ops->compact(kv, SLICE("x"), SLICE("y"));
	kv->ops->close(kv);
	memcpy(first, path, sizeof(path));
	(void)snprintf(kept, sizeof(kept), "%s/kept", base);
	CU_ASSERT_EQUAL_FATAL(rename(first, kept), 0);
	find_table();
	(void)snprintf(other, bytes, "%s", path);
	CU_ASSERT_EQUAL_FATAL(rename(kept, first), 0);
	memcpy(path, first, sizeof(path));
	CU_ASSERT_STRING_NOT_EQUAL(other, path);
}

/* Damage a byte in the keys of the first block. */
static void
harm(const char *file)
{
	int fd = open(file, O_RDWR | O_CLOEXEC);
	char byte = '\xff';

	CU_ASSERT_EQUAL_FATAL(pwrite(fd, &byte, 1, 2), 1);
	(void)close(fd);
}

static void
each_damaged_file_is_named(void)
{
	struct kv *kv = NULL;
	char other[128];

	reset();
	make_second(other, sizeof(other));
	harm(path);
	harm(other);
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, dir, false, &kv), 0);
	CU_ASSERT_EQUAL(check_files(kv), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(told.at, path));
	CU_ASSERT_PTR_NOT_NULL(strstr(told.at, other));
	kv->ops->close(kv);
	/* The same holds if LevelDB cannot open them. */
	CU_ASSERT_EQUAL(truncate(other, 10), 0);
	CU_ASSERT_EQUAL(truncate(path, 10), 0);
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, dir, false, &kv), -ERR_CORRUPT);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, path));
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, other));
}

static void
damaged_blocks_are_counted(void)
{
	struct kv *kv = NULL;

	reset();
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, dir, false, &kv), 0);
	flip(2, 1);
	CU_ASSERT_EQUAL(check_files(kv), 1);
	CU_ASSERT_PTR_NULL(strstr(told.at, "other"));
	flip(size / 2, 1);
	CU_ASSERT_EQUAL(check_files(kv), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(told.at, "is damaged at byte 0 and in 1 other block\n"));
	flip(size * 3 / 4, 1);
	CU_ASSERT_EQUAL(check_files(kv), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(told.at, "is damaged at byte 0 and in 2 other blocks\n"));
	kv->ops->close(kv);
	flip(2, 1);
	flip(size / 2, 1);
	flip(size * 3 / 4, 1);
}

/* ------------------------------------------------------------ hostile files */

/* Write offset and size of a block as varints.  Return: the position after them */
static char *
put_handle(char *at, uint64_t place, uint64_t bytes)
{
	const uint64_t v[] = {place, bytes};

	for (int i = 0; i < 2; i++) {
		uint64_t n = v[i];

		for (; n >= 128; n >>= 7) {
			*at++ = (char)(n | 128);
		}
		*at++ = (char)n;
	}
	return at;
}

/* A sparse gigabyte, with a footer that calls it the index. */
static void
an_impossible_block_size_is_damage(void)
{
	enum { TAIL = 5 };
	const uint64_t large = 1 << 30;
	const uint64_t bytes = 1 + TAIL + large + TAIL + FOOT_BYTES;
	char foot[FOOT_BYTES] = {0};
	struct ldb_table_damage damage = {0};
	int fd = open(path, O_RDWR | O_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(pread(fd, foot, FOOT_BYTES, size - FOOT_BYTES), FOOT_BYTES);
	memset(foot, 0, FOOT_BYTES - 8);
	(void)put_handle(put_handle(foot, 0, 1), 1 + TAIL, large);
	CU_ASSERT_EQUAL(ftruncate(fd, (off_t)bytes), 0);
	CU_ASSERT_EQUAL(pwrite(fd, foot, FOOT_BYTES, (off_t)bytes - FOOT_BYTES), FOOT_BYTES);
	CU_ASSERT_EQUAL(ldb_table_foot(fd, bytes, &damage), LDB_TABLE_DAMAGED);
	CU_ASSERT_EQUAL(damage.place, (off_t)bytes - FOOT_BYTES);
	(void)close(fd);
}

/* A database that cannot be opened cannot be checked. */
static void
damage_at_open_is_an_error_with_the_command_to_restore(void)
{
	CU_ASSERT_EQUAL(ldb_fail(&c, NULL, "Corruption: bad record"), -ERR_CORRUPT);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "Corruption: bad record: restore a backup with \"itemctl -s "
			       "./restored restore BACKUP\"");
	reset();
}

static void
a_valid_file_has_no_damage(void)
{
	struct kv *kv = NULL;

	reset();
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, dir, false, &kv), 0);
	CU_ASSERT_EQUAL(read_keys(kv), KEYS);
	CU_ASSERT_EQUAL(check_files(kv), 0);
	kv->ops->close(kv);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(any_changed_bit_is_an_error_with_the_command),
	UNIT_TEST(a_changed_footer_is_refused_or_harmless),
	UNIT_TEST(a_truncated_or_missing_file_is_refused),
	UNIT_TEST(damaged_blocks_are_counted),
	UNIT_TEST(each_damaged_file_is_named),
	UNIT_TEST(an_impossible_block_size_is_damage),
	UNIT_TEST(damage_at_open_is_an_error_with_the_command_to_restore),
	UNIT_TEST(a_valid_file_has_no_damage),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(table, setup, teardown, tests);
