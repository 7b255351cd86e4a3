/* Tests of a database on a disk that fake_disk reports as read-only: it is read through a copy of its logs. */
#include <fcntl.h>
#include <limits.h>

#include "store/base/system/folder.h"
#include "store/kv/kv.h"

#include "tests/support/crash.h"
#include "tests/support/fake_disk.h"
#include "tests/support/kv_open.h"
#include "tests/support/read_file.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

enum {
	SESSIONS = 4, /* number of level-0 tables that triggers a compaction */
	KEYS = 6000,  /* keys per session */
	VALUE_BYTES = 1000,
	BATCH_KEYS = 100,
	KEY_BYTES = 16,
};

/* Lines of LevelDB's info log about a compaction: "Compacted 4@0 + 0@1 files => N bytes", or an error. */
#define COMPACTED "Compacted 4@0"
#define COMPACTION_FAILED "Compaction error"

static struct call c;
static char top[] = "/tmp/itemfs-shadow-test-XXXXXX";
static char dir[sizeof(top) + 8];

static void
setup(void)
{
	call_open(&c, 0, 256 << 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
	(void)snprintf(dir, sizeof(dir), "%s/db", top);
}

static void
teardown(void)
{
	fake_disk_end();
	folder_remove(top);
	memset(top + sizeof(top) - 7, 'X', 6);
	call_close(&c);
}

static struct kv *
open_kv(void)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(&c, dir, true, &kv);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return kv;
}

/* Fill @value with bytes that cannot be compressed. */
static struct slice
random_value(char value[VALUE_BYTES])
{
	static uint64_t state = 88172645463325252U;

	for (size_t i = 0; i < VALUE_BYTES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		value[i] = (char)state;
	}
	return slice_of(value, VALUE_BYTES);
}

/* Put every SESSIONS-th key from @first on: key ranges of sessions overlap, but no key is written twice. */
static void
put_session(struct kv *kv, unsigned first, unsigned keys)
{
	char key[KEY_BYTES];
	char value[VALUE_BYTES];

	for (unsigned i = 0; i < keys;) {
		cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

		for (unsigned end = i + BATCH_KEYS; i < end && i < keys; i++) {
			(void)snprintf(key, sizeof(key), "%08u", i * SESSIONS + first);
			b->ops->put(b, slice_from(key), random_value(value));
		}
		CU_ASSERT_EQUAL_FATAL(kv_commit(kv, &c, b, false), 0);
	}
}

static void
write_session(unsigned first, unsigned keys)
{
	struct kv *kv = open_kv();

	put_session(kv, first, keys);
	kv->ops->close(kv);
}

/* Write a session and kill it; the next one replays its log into a table. */
static void
kill_session(unsigned first, unsigned keys)
{
	struct kv *kv = open_kv();
	char killed[sizeof(dir) + 8];

	(void)snprintf(killed, sizeof(killed), "%s.killed", dir);
	put_session(kv, first, keys);
	CU_ASSERT_EQUAL_FATAL(crash_copy_whole(dir, killed), 0);
	kv->ops->close(kv);
	crash_remove(dir);
	CU_ASSERT_EQUAL_FATAL(rename(killed, dir), 0);
}

static unsigned
count_keys(struct kv *kv)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, NULL);
	unsigned n = 0;

	for (kv_cursor_seek(cur, SLICE("")); kv_cursor_valid(cur); kv_cursor_next(cur)) {
		n++;
	}
	CU_ASSERT_EQUAL(kv_cursor_status(cur, &c), 0);
	return n;
}

/* Lock the database's LOCK as LevelDB does.  Return: a descriptor that keeps it; -1: it is taken. */
static int
lock_as_leveldb(void)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char path[sizeof(dir) + 8];

	(void)snprintf(path, sizeof(path), "%s/LOCK", dir);
	int fd = open(path, O_RDWR | O_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	if (fcntl(fd, F_OFD_SETLK, &whole) == 0) {
		return fd;
	}
	(void)close(fd);
	return -1;
}

/* Find the copy of this process. */
static bool
find_shadow(char path[PATH_MAX])
{
	cleanup(cleanup_dir) DIR *d = opendir("/proc/self/fd");
	const struct dirent *e;

	/* Only this call uses the stream. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	while (d != NULL && (e = readdir(d)) != NULL) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, path, PATH_MAX - 1);

		path[n < 0 ? 0 : n] = '\0';
		if (strstr(path, "/itemfs-shadow-") != NULL &&
		    strncmp(path, top, strlen(top)) != 0) {
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ locks */

static void
the_original_stays_locked_meanwhile(void)
{
	write_session(0, 1);
	fake_disk_read_only();
	struct kv *kv = open_kv();

	CU_ASSERT_EQUAL(lock_as_leveldb(), -1);
	kv->ops->close(kv);
	cleanup(cleanup_fd) int lock = lock_as_leveldb();

	CU_ASSERT_TRUE(lock >= 0);
}

static void
an_original_with_an_owner_is_busy(void)
{
	struct kv *kv = NULL;

	write_session(0, 1);
	fake_disk_read_only();
	cleanup(cleanup_fd) int lock = lock_as_leveldb();

	CU_ASSERT_TRUE_FATAL(lock >= 0);
	int r = kv_leveldb_open(&c, dir, false, &kv);

	CU_ASSERT_EQUAL(r, -ERR_BUSY);
	if (r == 0) {
		kv->ops->close(kv);
	}
}

/* ------------------------------------------------------------ tables */

static bool
log_says(const char *shadow, const char *what)
{
	char path[PATH_MAX + 8];

	(void)snprintf(path, sizeof(path), "%s/LOG", shadow);
	struct slice text = read_file(&c.arena, path);

	return memmem(text.at, text.len, what, strlen(what)) != NULL;
}

/* Opening the copy makes the fourth table of level 0, which starts a compaction. */
static void
compactions_stop_at_the_first_failure(void)
{
	char shadow[PATH_MAX];
	unsigned tries = 0;

	for (unsigned i = 0; i < SESSIONS; i++) {
		kill_session(i, KEYS);
	}
	fake_disk_read_only();
	struct kv *kv = open_kv();

	CU_ASSERT_TRUE_FATAL(find_shadow(shadow));
	while (!log_says(shadow, COMPACTION_FAILED) && !log_says(shadow, COMPACTED) &&
	       wait_again(&tries)) {
	}
	CU_ASSERT_TRUE(log_says(shadow, COMPACTION_FAILED));
	CU_ASSERT_FALSE(log_says(shadow, COMPACTED));
	CU_ASSERT_EQUAL(count_keys(kv), SESSIONS * KEYS);
	kv->ops->close(kv);
	CU_ASSERT_EQUAL(access(shadow, F_OK), -1);
}

/* No table has been opened yet when the directory is renamed. */
static void
tables_are_read_from_the_original_directory(void)
{
	char other[sizeof(dir) + 8];

	write_session(0, 10);
	write_session(1, 10);
	fake_disk_read_only();
	struct kv *kv = open_kv();

	(void)snprintf(other, sizeof(other), "%s.other", dir);
	CU_ASSERT_EQUAL(rename(dir, other), 0);
	CU_ASSERT_EQUAL(count_keys(kv), 20);
	kv->ops->close(kv);
}

/* Opening the copy writes its log to a table, with the number of a file that the manifest does not name. */
static void
tables_that_the_manifest_does_not_name_stay_as_they_are(void)
{
	enum { FIRST = 3, LAST = 40 };
	char path[PATH_MAX];
	unsigned placed = 0;

	kill_session(0, 10);
	for (unsigned i = FIRST; i < LAST; i++) {
		(void)snprintf(path, sizeof(path), "%s/%06u.ldb", dir, i);
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

		CU_ASSERT_TRUE_FATAL(fd >= 0);
		placed += write(fd, "orphan", 6) == 6;
		(void)close(fd);
	}
	fake_disk_read_only();
	struct kv *kv = open_kv();

	CU_ASSERT_EQUAL(count_keys(kv), 10);
	kv->ops->close(kv);
	for (unsigned i = FIRST; i < LAST; i++) {
		(void)snprintf(path, sizeof(path), "%s/%06u.ldb", dir, i);
		placed -= slice_is(read_file(&c.arena, path), "orphan");
	}
	CU_ASSERT_EQUAL(placed, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_original_stays_locked_meanwhile),
	UNIT_TEST(an_original_with_an_owner_is_busy),
	UNIT_TEST(compactions_stop_at_the_first_failure),
	UNIT_TEST(tables_are_read_from_the_original_directory),
	UNIT_TEST(tables_that_the_manifest_does_not_name_stay_as_they_are),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(shadow, setup, teardown, tests);
