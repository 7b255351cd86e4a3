/*
 * Copies of a store as a crash during a backup or restore would leave it: each one opens, and either resumes the
 * job or reports its failure.
 */
#include <sys/stat.h>

#include "tests/local/backup_fixture.h"
#include "tests/support/crash.h"
#include "tests/support/items.h"
#include "tests/support/unit.h"

enum { ITEMS = 4000, BATCH = 100, COPIES_MAX = 8 };

static char live[sizeof(backup_fixture.dir)];

static void
fill(void)
{
	backup_fixture_fill();
	for (unsigned i = 0; i < ITEMS; i += BATCH) {
		struct item items[BATCH];
		struct load_items_in in = {SLICE("tab"), items, BATCH};
		struct load_items_out out;

		for (unsigned k = 0; k < BATCH; k++) {
			struct buf json;

			buf_init(&json, &backup_fixture.c.arena);
			buf_fmt(&json, "{\"pk\":\"p%u\",\"v\":\"%0200u\"}", i + k, i);
			buf_char(&json, '\0');
			items[k] = item_of(&backup_fixture.c, json.at);
		}
		CU_ASSERT_EQUAL_FATAL(
			engine_load_items(backup_fixture.e, &backup_fixture.c, &in, &out), 0);
	}
}

/* ------------------------------------------------------------ copies */

static void
copy_path(char *path, size_t size, unsigned n, const char *below)
{
	(void)snprintf(path, size, "%.100s.%u%s", live, n, below);
}

static void
copy_now(unsigned n)
{
	char from[160];
	char to[160];

	copy_path(to, sizeof(to), n, "");
	CU_ASSERT_EQUAL_FATAL(mkdir(to, 0700), 0);
	copy_path(to, sizeof(to), n, "/FORMAT");
	FILE *f = fopen(to, "w");

	CU_ASSERT_TRUE(f != NULL && fputs("itemfs 1\n", f) > 0 && fclose(f) == 0);
	crash_hold_tables(true);
	(void)snprintf(from, sizeof(from), "%.100s/db", live);
	copy_path(to, sizeof(to), n, "/db");
	CU_ASSERT_EQUAL_FATAL(crash_copy(from, to), 0);
	crash_hold_tables(false);
	(void)snprintf(from, sizeof(from), "%.100s/backups", live);
	copy_path(to, sizeof(to), n, "/backups");
	CU_ASSERT_EQUAL_FATAL(crash_copy_lasting(from, to), 0);
}

/* Make copies until done() returns true, and one after that.  Return: their number. */
static unsigned
copy_until(bool (*done)(const char *what), const char *what)
{
	unsigned n = 0;
	bool ended = false;

	memcpy(live, backup_fixture.dir, sizeof(live));
	while (!ended) {
		ended = done(what) || n == COPIES_MAX - 1;
		copy_now(n++);
	}
	return n;
}

static void
open_copy(unsigned n)
{
	engine_close(backup_fixture.e);
	copy_path(backup_fixture.dir, sizeof(backup_fixture.dir), n, "");
	backup_fixture_start();
}

/* ------------------------------------------------------------ checks of a copy */

static size_t
problems(void)
{
	struct slice next = {0};
	size_t n = 0;

	do {
		struct check_out out = {0};
		int r = engine_check(backup_fixture.e, &backup_fixture.c,
				     &(struct check_in){.next = next}, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		n += out.n_problems;
		next = out.next;
	} while (next.len > 0);
	return n;
}

static void
expect_whole(const char *table)
{
	struct describe_table_in in = {.table = slice_from(table)};
	struct describe_table_out out = {0};

	backup_fixture_wait(table, TABLE_ACTIVE);
	CU_ASSERT_TRUE(backup_fixture_has(table));
	CU_ASSERT_EQUAL(engine_describe_table(backup_fixture.e, &backup_fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.table.totals.items, ITEMS + 2);
	CU_ASSERT_EQUAL(problems(), 0);
}

/* Both the directory entry of the backup's file and that of its folder must be synced. */
static void
a_completed_backup_is_synced(void)
{
	char folder[sizeof(backup_fixture.dir) + 16];

	backup_fixture_fill();
	const char *arn = backup_fixture_backup();

	CU_ASSERT_TRUE(crash_lasts(backup_fixture_file(arn)));
	(void)snprintf(folder, sizeof(folder), "%s/backups", backup_fixture.dir);
	CU_ASSERT_TRUE(crash_lasts(folder));
}

static bool
is_active(const char *table)
{
	return backup_fixture_state(table) == TABLE_ACTIVE;
}

static bool
is_written(const char *arn)
{
	struct describe_backup_out out = {0};

	return backup_fixture_describe(arn, &out) == 0 && out.backup.status == ARCHIVE_DONE;
}

static void
a_restore_resumes_from_any_state(void)
{
	fill();
	const char *arn = backup_fixture_backup();

	CU_ASSERT_EQUAL_FATAL(backup_fixture_restore(arn, "again"), 0);
	unsigned copies = copy_until(is_active, "again");

	CU_ASSERT_TRUE(copies > 0);
	for (unsigned i = 0; i < copies; i++) {
		open_copy(i);
		expect_whole("again");
		CU_ASSERT_TRUE(is_written(arn));
	}
}

static void
a_backup_is_whole_or_has_failed(void)
{
	struct create_backup_out made = {0};
	struct describe_backup_out out;
	struct stat st;

	fill();
	CU_ASSERT_EQUAL_FATAL(backup_fixture_create(&made), 0);
	const char *arn = backup_fixture_arn(&made.backup);
	unsigned copies = copy_until(is_written, arn);

	for (unsigned i = 0; i < copies; i++) {
		open_copy(i);
		if (is_written(arn)) {
			CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
			expect_whole("again");
			continue;
		}
		CU_ASSERT_EQUAL(backup_fixture_describe(arn, &out), -ERR_BACKUP_NOT_FOUND);
		CU_ASSERT_TRUE(strstr(backup_fixture.c.error.message, "(it failed: ") != NULL);
		CU_ASSERT_TRUE(stat(backup_fixture_file(arn), &st) < 0);
		CU_ASSERT_TRUE(backup_fixture_has("tab"));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_restore_resumes_from_any_state),
	UNIT_TEST(a_backup_is_whole_or_has_failed),
	UNIT_TEST(a_completed_backup_is_synced),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(crash, backup_fixture_open, backup_fixture_close, tests);
