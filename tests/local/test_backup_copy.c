/* Copying backups: a damaged or incomplete backup is reported; other failures are not taken for damage. */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/local/archive/archive.h"
#include "store/local/archive/store_backup.h"
#include "store/local/records/keyspace.h"

#include "tests/local/backup_fixture.h"
#include "tests/support/items.h"
#include "tests/support/unit.h"

/* A backup of "tab", its record as a snapshot contains it, and a folder to copy it to. */
static struct fixture {
	const char *arn;
	const char *path;
	const char *name;
	char to[200];
	struct buf key;
	struct buf value;
	struct archive_copying cp;
} sc;

static int
go_on(void *arg, struct call *c, uint64_t bytes)
{
	(void)arg;
	(void)c;
	(void)bytes;
	return 0;
}

static void
setup(void)
{
	struct archive a = {0};

	backup_fixture_open();
	backup_fixture_fill();
	sc.arn = backup_fixture_backup();
	sc.path = backup_fixture_file(sc.arn);
	sc.name = strrchr(sc.path, '/') + 1;
	buf_init(&sc.key, &backup_fixture.c.arena);
	buf_init(&sc.value, &backup_fixture.c.arena);
	struct slice id = archive_file(slice_from(sc.name));

	CU_ASSERT_EQUAL_FATAL(archive_find(backup_fixture_local(), &backup_fixture.c, id, &a), 0);
	buf_slice(&sc.key, keyspace_name(sc.key.arena, KEYSPACE_ARCHIVE, id));
	archive_encode(&sc.value, &a);
	(void)snprintf(sc.to, sizeof(sc.to), "%s.copies", backup_fixture.dir);
	CU_ASSERT_EQUAL_FATAL(mkdir(sc.to, 0700), 0);
	sc.cp = (struct archive_copying){
		.local = backup_fixture_local(),
		.from = -1,
		.to = open(sc.to, O_RDONLY | O_CLOEXEC),
		.step = go_on,
	};
	CU_ASSERT_EQUAL_FATAL(
		archive_folder(backup_fixture_local(), &backup_fixture.c, false, &sc.cp.from), 0);
}

static void
teardown(void)
{
	(void)close(sc.cp.from);
	(void)close(sc.cp.to);
	backup_fixture_close();
}

static int
copy(void)
{
	backup_fixture.c.error = (struct error){0};
	sc.cp.n_broken = 0;
	return archive_copy(&sc.cp, &backup_fixture.c, buf_view(&sc.key), buf_view(&sc.value));
}

static bool
is_copied(void)
{
	return faccessat(sc.cp.to, sc.name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void
expect_broken(const char *why)
{
	CU_ASSERT_EQUAL(copy(), 0);
	CU_ASSERT_EQUAL_FATAL(sc.cp.n_broken, 1);
	CU_ASSERT_TRUE(slice_ends(sc.cp.broken[0], slice_from(why)));
	CU_ASSERT_FALSE(is_copied());
}

/* ------------------------------------------------------------ complete backups */

static void
a_complete_backup_is_copied(void)
{
	struct stat a = {0};
	struct stat b = {0};

	CU_ASSERT_EQUAL(copy(), 1);
	CU_ASSERT_EQUAL(sc.cp.n_broken, 0);
	CU_ASSERT_EQUAL(stat(sc.path, &a), 0);
	CU_ASSERT_EQUAL(fstatat(sc.cp.to, sc.name, &b, AT_SYMLINK_NOFOLLOW), 0);
	CU_ASSERT_EQUAL(a.st_size, b.st_size);
	CU_ASSERT_EQUAL(sc.cp.bytes, (uint64_t)a.st_size);
}

static void
other_records_are_copied_without_a_file(void)
{
	CU_ASSERT_EQUAL(unlink(sc.path), 0);
	CU_ASSERT_EQUAL(archive_copy(&sc.cp, &backup_fixture.c, SLICE("t1"), buf_view(&sc.value)),
			1);
	sc.value.at[0] = ARCHIVE_FAILED;
	CU_ASSERT_EQUAL(copy(), 1);
	CU_ASSERT_EQUAL(sc.cp.n_broken, 0);
}

static void
a_backup_deleted_during_the_copy_is_not_broken(void)
{
	CU_ASSERT_EQUAL(backup_fixture_delete(sc.arn), 0);
	CU_ASSERT_EQUAL(copy(), 0);
	CU_ASSERT_EQUAL(sc.cp.n_broken, 0);
}

/* ------------------------------------------------------------ broken backups */

static off_t
size(void)
{
	struct stat st = {0};

	CU_ASSERT_EQUAL(stat(sc.path, &st), 0);
	return st.st_size;
}

static void
put_byte(off_t at, char byte)
{
	int fd = open(sc.path, O_WRONLY | O_CLOEXEC);

	CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, at), 1);
	(void)close(fd);
}

/* Change each byte that gzip's checksum covers, and the checksum itself. */
static void
any_changed_byte_is_detected(void)
{
	enum { HEAD = 10 };
	char bytes[1024];
	int fd = open(sc.path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, bytes, sizeof(bytes));

	(void)close(fd);
	CU_ASSERT_EQUAL(n, size());
	for (off_t i = HEAD; i < n; i++) {
		put_byte(i, (char)(bytes[i] ^ 1));
		expect_broken(": its file is damaged or cut short");
		put_byte(i, bytes[i]);
	}
	CU_ASSERT_EQUAL(copy(), 1);
}

static void
a_file_that_is_too_short_or_too_long_is_broken(void)
{
	static const unsigned char nothing[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3,
						3,    0,    0, 0, 0, 0, 0, 0, 0, 0};
	off_t whole = size();

	put_byte(size(), 'x');
	expect_broken(": its file is damaged or cut short");
	/* An empty gzip member at the end is valid, but was not written. */
	CU_ASSERT_EQUAL(truncate(sc.path, whole), 0);
	for (size_t i = 0; i < sizeof(nothing); i++) {
		put_byte(size(), (char)nothing[i]);
	}
	expect_broken(": its file does not have the bytes that were written");
	for (off_t n = whole - 1; n > 2; n--) {
		CU_ASSERT_EQUAL(truncate(sc.path, n), 0);
		expect_broken(": its file is damaged or cut short");
	}
	CU_ASSERT_EQUAL(truncate(sc.path, 0), 0);
	expect_broken(": its file is not compressed");
	CU_ASSERT_EQUAL(unlink(sc.path), 0);
	expect_broken(": its file is missing");
	(void)close(sc.cp.from);
	sc.cp.from = -1;
	expect_broken(": its file is missing");
}

/* A complete file, but of a table with other items. */
static void
the_file_of_another_backup_is_refused(void)
{
	struct put_item_in in = {.write = {.table = SLICE("tab"),
					   .item = item_of(&backup_fixture.c, "{\"pk\":\"c\"}")}};
	struct put_item_out out;

	CU_ASSERT_EQUAL(engine_put_item(backup_fixture.e, &backup_fixture.c, &in, &out), 0);
	const char *other = backup_fixture_file(backup_fixture_backup());

	CU_ASSERT_EQUAL(rename(other, sc.path), 0);
	expect_broken(": its file does not have the items that were written");
}

static void
only_regular_files_are_copied(void)
{
	char kept[256];

	(void)snprintf(kept, sizeof(kept), "%s.kept", sc.path);
	CU_ASSERT_EQUAL(rename(sc.path, kept), 0);
	CU_ASSERT_EQUAL(mkfifo(sc.path, 0600), 0);
	expect_broken(": its file is not a regular file");
	CU_ASSERT_EQUAL(unlink(sc.path), 0);
	CU_ASSERT_EQUAL(symlink(kept, sc.path), 0);
	expect_broken(": its file is not a regular file");
}

/* Anybody may have written the record, and the record names the file to read and write. */
static void
no_name_leads_elsewhere(void)
{
	buf_clear(&sc.key);
	buf_slice(&sc.key, keyspace_name(sc.key.arena, KEYSPACE_ARCHIVE,
					 SLICE("../01700000000000-00000001")));
	expect_broken("the record of the backup ../01700000000000-00000001 is damaged");
}

static void
a_damaged_record_is_reported_and_skipped(void)
{
	sc.value.len = 12;
	expect_broken("is damaged");
}

static void
the_message_names_the_backup_and_its_table(void)
{
	CU_ASSERT_EQUAL(unlink(sc.path), 0);
	expect_broken("");
	CU_ASSERT_TRUE(slice_starts(sc.cp.broken[0], SLICE("daily of the table tab (arn:")));
	CU_ASSERT_PTR_NOT_NULL(strstr(sc.cp.broken[0].at, sc.arn));
}

/* ------------------------------------------------------------ failures */

static int
stop(void *arg, struct call *c, uint64_t bytes)
{
	(void)arg;
	return call_fail(c, ERR_BUSY, "stopped after %d", bytes > 0);
}

static void
the_caller_can_stop_it_at_each_step(void)
{
	sc.cp.step = stop;
	CU_ASSERT_EQUAL(copy(), -ERR_BUSY);
	CU_ASSERT_STRING_EQUAL(backup_fixture.c.error.message, "stopped after 1");
	CU_ASSERT_EQUAL(sc.cp.n_broken, 0);
}

static void
a_backup_is_not_broken_because_its_copy_cannot_be_written(void)
{
	(void)close(sc.cp.to);
	sc.cp.to = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CU_ASSERT_EQUAL(copy(), -ERR_IO);
	CU_ASSERT_PTR_NOT_NULL(strstr(backup_fixture.c.error.message, ".json.gz: Not a directory"));
	CU_ASSERT_EQUAL(sc.cp.n_broken, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_complete_backup_is_copied),
	UNIT_TEST(other_records_are_copied_without_a_file),
	UNIT_TEST(a_backup_deleted_during_the_copy_is_not_broken),
	UNIT_TEST(any_changed_byte_is_detected),
	UNIT_TEST(a_file_that_is_too_short_or_too_long_is_broken),
	UNIT_TEST(the_file_of_another_backup_is_refused),
	UNIT_TEST(only_regular_files_are_copied),
	UNIT_TEST(no_name_leads_elsewhere),
	UNIT_TEST(a_damaged_record_is_reported_and_skipped),
	UNIT_TEST(the_message_names_the_backup_and_its_table),
	UNIT_TEST(the_caller_can_stop_it_at_each_step),
	UNIT_TEST(a_backup_is_not_broken_because_its_copy_cannot_be_written),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(backup_copy, setup, teardown, tests);
