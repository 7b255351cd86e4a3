/*
 * A LevelDB with a bit of a table file changed: a reader gets all keys or an error that names the file,
 * kv_check() names it in any case, and the process goes on.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/kv/kv.h"

#include "tests/support/crash.h"
#include "tests/support/unit.h"

enum { KEYS = 200, FOOT_BYTES = 48 };

static struct call c;
static char base[] = "/tmp/itemfs-table-XXXXXX";
static char dir[64];
static char name[32];  /* of the one table file */
static char path[128]; /* of it */
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

/* Some blocks: values that Snappy packs, and such that it does not. */
static void
setup(void)
{
	struct kv *kv = NULL;
	char key[16];
	char value[128];
	unsigned seed = 1;

	call_open(&c, 0, 64 << 20);
	if (mkdtemp(base) == NULL) {
		abort();
	}
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
	memset(base + sizeof(base) - 7, 'X', 6);
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

/* Return: how many there are, or an error. */
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

static int
check_files(struct kv *kv)
{
	uint64_t after = 0;
	int r;

	do {
		r = kv_check(kv, &c, &after, 1);
	} while (r == 1);
	return r;
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

/* With that bit changed. */
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
			expect_named(at);
		}
		reset();
		r = check_files(kv);
		kv->ops->close(kv);
	}
	CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
	expect_named(at);
}

static void
a_bit_changed_anywhere_is_an_error_that_names_the_file(void)
{
	for (off_t at = 0; at < size; at += at < size - 1000 ? 97 : 1) {
		char bits = (char)(1 << at % 8);

		flip(at, bits);
		look(at);
		flip(at, bits);
	}
}

/* LevelDB reserves the memory that the foot asks for: it must not come to that. */
static void
a_foot_with_any_byte_is_refused_or_harmless(void)
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
a_file_that_is_short_or_missing_is_refused(void)
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
	look(size - 1); /* a byte of the magic is another one now */
}

static void
a_sound_file_is_called_so(void)
{
	struct kv *kv = NULL;

	reset();
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&c, dir, false, &kv), 0);
	CU_ASSERT_EQUAL(read_keys(kv), KEYS);
	CU_ASSERT_EQUAL(check_files(kv), 0);
	kv->ops->close(kv);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_bit_changed_anywhere_is_an_error_that_names_the_file),
	UNIT_TEST(a_foot_with_any_byte_is_refused_or_harmless),
	UNIT_TEST(a_file_that_is_short_or_missing_is_refused),
	UNIT_TEST(a_sound_file_is_called_so),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(table, setup, teardown, tests);
