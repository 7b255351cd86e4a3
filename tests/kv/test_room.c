/* Tests of the free space checks, with a fake disk and sparse logs: they do not depend on the real disk. */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/kv/kv.h"
#include "store/kv/ldb_room.h"

#include "tests/support/fake_disk.h"
#include "tests/support/unit.h"

#define MB (UINT64_C(1) << 20)

enum { DISK_MB = 1000, LEFT_MB = 500 };

static struct call c;
static char top[UNIT_FOLDER_BYTES];
static int dir = -1;

static void
setup(void)
{
	call_open(&c, 0, 1 << 20);
	unit_make_folder(top, "room");
	dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fake_disk_set(DISK_MB * MB, LEFT_MB * MB);
}

static void
teardown(void)
{
	fake_disk_end();
	call_close(&c);
	(void)close(dir);
	folder_remove(top);
}

/* Make a sparse log of @mb megabytes.  Return: true if that worked */
static bool
log_of(uint64_t mb)
{
	cleanup(cleanup_fd) int fd =
		openat(dir, "000007.log", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	return fd >= 0 && ftruncate(fd, (off_t)(mb * MB)) == 0;
}

static struct ldb_room
new_room(void)
{
	return (struct ldb_room){.name = "DIR", .dir = dir};
}

static void
an_empty_database_has_room(void)
{
	struct ldb_room room = new_room();

	CU_ASSERT_EQUAL(ldb_room_to_open(&c, "DIR", dir), 0);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), 0);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, false, 1000), 0);
	CU_ASSERT_EQUAL(ldb_room_to_compact(&room, &c), 0);
}

static void
a_log_that_does_not_fit_twice_refuses_everything(void)
{
	struct ldb_room room = new_room();

	CU_ASSERT_FATAL(log_of(LEFT_MB - 50));
	CU_ASSERT_EQUAL(ldb_room_to_open(&c, "DIR", dir), -ERR_NO_SPACE);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), -ERR_NO_SPACE);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, false, 1000), -ERR_NO_SPACE);
	CU_ASSERT_EQUAL(ldb_room_to_compact(&room, &c), -ERR_NO_SPACE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "MB must be free on the disk of DIR"));
}

/* The new space is noticed without a delay and without reopening the database. */
static void
freed_space_is_noticed_at_once(void)
{
	struct ldb_room room = new_room();

	CU_ASSERT_FATAL(log_of(LEFT_MB - 50));
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), -ERR_NO_SPACE);
	CU_ASSERT_FATAL(log_of(1));
	room.files_ms = 1; /* long ago */
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), 0);
}

/* Deletes still work when nothing can be added any more. */
static void
deletes_need_less_space_than_puts(void)
{
	struct ldb_room room = new_room();

	fake_disk_set(DISK_MB * MB, 32 * MB); /* half of the margin */
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), -ERR_NO_SPACE);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, false, 1000), 0);
	CU_ASSERT_EQUAL(ldb_room_to_compact(&room, &c), 0);
	fake_disk_set(DISK_MB * MB, 12 * MB);
	room.disk_ms = 0; /* the next check is due */
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, false, 1000), -ERR_NO_SPACE);
	CU_ASSERT_EQUAL(ldb_room_to_open(&c, "DIR", dir), 0);
	fake_disk_set(DISK_MB * MB, 4 * MB);
	CU_ASSERT_EQUAL(ldb_room_to_open(&c, "DIR", dir), -ERR_NO_SPACE);
}

/* Others may write much faster than the store does. */
static void
a_small_disk_that_others_fill_is_noticed_at_once(void)
{
	struct ldb_room room = new_room();

	fake_disk_set(16 * MB, 4 * MB);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, false, 1000), 0);
	fake_disk_set(16 * MB, 0);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, false, 1000), -ERR_NO_SPACE);
}

/* Committed bytes count as log until the next check, and reduce the free space. */
static void
committed_bytes_count(void)
{
	struct ldb_room room = new_room();

	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), 0);
	uint64_t disk_ms = room.disk_ms = UINT64_MAX / 2 /* no check is due by time */;

	ldb_room_committed(&room, 1000);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), 0);
	CU_ASSERT_EQUAL(room.disk_ms, disk_ms);
	ldb_room_committed(&room, room.free / 2);
	CU_ASSERT_EQUAL(ldb_room_to_commit(&room, &c, true, 0), 0);
	CU_ASSERT_NOT_EQUAL(room.disk_ms, disk_ms);
	CU_ASSERT_EQUAL(room.since_disk, 0);
	CU_ASSERT_EQUAL(room.since_files, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_empty_database_has_room),
	UNIT_TEST(a_log_that_does_not_fit_twice_refuses_everything),
	UNIT_TEST(freed_space_is_noticed_at_once),
	UNIT_TEST(deletes_need_less_space_than_puts),
	UNIT_TEST(a_small_disk_that_others_fill_is_noticed_at_once),
	UNIT_TEST(committed_bytes_count),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(room, setup, teardown, tests);
