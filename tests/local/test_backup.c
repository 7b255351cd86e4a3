/* Backups are files and exist as long as these; test_jobs.c has jobs that wait or fail. */
#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include "store/local/archive/archive.h"
#include "store/model/arn.h"

#include "tests/local/backup_fixture.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

static void
a_backup_outlasts_a_restart_and_its_table(void)
{
	backup_fixture_fill();
	const char *arn = backup_fixture_backup();

	CU_ASSERT_EQUAL(backup_fixture_delete_table("tab"), 0);
	backup_fixture_restart();
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	backup_fixture_wait("again", TABLE_ACTIVE);
	CU_ASSERT_TRUE(backup_fixture_has("again"));
}

static const struct schema *
schema_of(const char *table)
{
	static const struct schema none;
	struct describe_table_in in = {.table = slice_from(table)};
	struct describe_table_out out = {.table = {.schema = &none}};
	int r = engine_describe_table(backup_fixture.e, &backup_fixture.c, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	return out.table.schema;
}

static void
a_restored_table_keeps_a_record_of_its_source(void)
{
	struct describe_backup_out source = {0};

	backup_fixture_fill();
	const char *arn = backup_fixture_backup();

	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	backup_fixture_wait("again", TABLE_ACTIVE);
	CU_ASSERT_EQUAL(backup_fixture_describe(arn, &source), 0);
	backup_fixture_restart();
	const struct restored *r = &schema_of("again")->restored;

	CU_ASSERT_TRUE(slice_is(r->table, "tab"));
	CU_ASSERT_TRUE(slice_eq(r->backup, source.backup.id));
	CU_ASSERT_EQUAL(r->at_ms, 1700000000000);
	CU_ASSERT_FALSE(schema_of("again")->creating);
}

static void
ids_of_tables_are_unique(void)
{
	backup_fixture_fill();
	struct slice first = schema_of("tab")->uuid;

	CU_ASSERT_EQUAL(first.len, strlen("115db1e2-3385-44d1-bb9f-6e7e33a3fdf9"));
	backup_fixture_restart();
	CU_ASSERT_TRUE(slice_eq(schema_of("tab")->uuid, first));
	CU_ASSERT_EQUAL(backup_fixture_delete_table("tab"), 0);
	backup_fixture_fill();
	CU_ASSERT_FALSE(slice_eq(schema_of("tab")->uuid, first));
}

/* Source: Developer Guide, "Restoring a table from a backup" */
static void
settings_outside_the_definition_are_not_restored(void)
{
	struct update_continuous_backups_in on = {SLICE("tab"), true, true, 7};
	struct update_continuous_backups_out set;
	struct describe_continuous_backups_out out = {0};
	struct describe_continuous_backups_in in = {SLICE("again")};

	backup_fixture_fill();
	CU_ASSERT_EQUAL(
		engine_update_continuous_backups(backup_fixture.e, &backup_fixture.c, &on, &set),
		0);
	const char *arn = backup_fixture_backup();

	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	backup_fixture_wait("again", TABLE_ACTIVE);
	CU_ASSERT_EQUAL(
		engine_describe_continuous_backups(backup_fixture.e, &backup_fixture.c, &in, &out),
		0);
	CU_ASSERT_FALSE(out.recovery.enabled);
}

/* A restore that fails leaves no table. */
static void
expect_no_restore(const char *arn)
{
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	backup_fixture_wait("again", -1);
	CU_ASSERT_EQUAL(backup_fixture_state("tab"), TABLE_ACTIVE);
}

static void
a_damaged_file_is_not_restored(void)
{
	backup_fixture_fill();
	const char *arn = backup_fixture_backup();
	const char *path = backup_fixture_file(arn);
	struct stat st = {0};

	CU_ASSERT_EQUAL(stat(path, &st), 0);
	/* zlib ignores data after the end of its stream. */
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	CU_ASSERT_EQUAL(write(fd, "more", 4), 4);
	(void)close(fd);
	expect_no_restore(arn);
	CU_ASSERT_EQUAL(truncate(path, st.st_size - 9), 0);
	expect_no_restore(arn);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	CU_ASSERT_TRUE(fd >= 0);
	expect_no_restore(arn);
	/* The right number of items, but another size and not compressed. */
	CU_ASSERT_TRUE(dprintf(fd, "{\"Item\":{\"pk\":{\"S\":\"%s\"}}}\n", "a") > 0);
	CU_ASSERT_TRUE(dprintf(fd, "{\"Item\":{\"pk\":{\"S\":\"%s\"}}}\n", "b") > 0);
	(void)close(fd);
	expect_no_restore(arn);
	CU_ASSERT_EQUAL(unlink(path), 0);
	expect_no_restore(arn);
}

/* Replace the file of the backup by one that is compressed with @mode "wb" and not compressed with "wbT". */
static void
write_file(const char *path, const char *mode, const char *text)
{
	gzFile gz = gzopen(path, mode);

	CU_ASSERT_TRUE_FATAL(gz != NULL);
	CU_ASSERT_TRUE(gzputs(gz, text) > 0);
	CU_ASSERT_EQUAL(gzclose(gz), Z_OK);
}

/* Records of old stores do not have the size of the file, so only its items can be checked. */
static void
a_file_with_other_or_bad_items_is_not_restored(void)
{
#define ITEM(id) "{\"Item\":{\"pk\":{\"S\":\"" id "\"}}}\n"
	static const char *const texts[] = {
		ITEM("a"),
		ITEM("a") ITEM("b") ITEM("c"),
		ITEM("a") ITEM("b") "?",
		ITEM("a") "{\"pk\":{\"S\":\"b\"}}\n",
		ITEM("a") "{\"Item\":{\"pk\":{\"N\":\"1\"}}}\n" ITEM("b"),
	};
	struct call *c = &backup_fixture.c;
	struct slice table;
	struct slice id;
	struct archive a;

	backup_fixture_fill();
	const char *arn = backup_fixture_backup();
	const char *path = backup_fixture_file(arn);

	CU_ASSERT_TRUE_FATAL(arn_read(slice_from(arn), "/backup/", &table, &id));
	CU_ASSERT_EQUAL_FATAL(archive_find(backup_fixture_local(), c, id, &a), 0);
	a.file_bytes = 0;
	CU_ASSERT_EQUAL(archive_write(backup_fixture_local(), c, &a), 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		write_file(path, "wb", texts[i]);
		expect_no_restore(arn);
	}
	/* The right items, but not compressed. */
	write_file(path, "wbT", ITEM("a") ITEM("b"));
	expect_no_restore(arn);
	write_file(path, "wb", ITEM("a") ITEM("b"));
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	backup_fixture_wait("again", TABLE_ACTIVE);
#undef ITEM
}

/* Somebody who can write to the folder can neither block a restore nor make it read another file. */
static void
only_regular_files_are_restored(void)
{
	backup_fixture_fill();
	const char *arn = backup_fixture_backup();
	const char *path = backup_fixture_file(arn);
	char kept[256];

	(void)snprintf(kept, sizeof(kept), "%s.kept", path);
	CU_ASSERT_EQUAL(rename(path, kept), 0);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	expect_no_restore(arn);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(symlink(kept, path), 0);
	expect_no_restore(arn);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	expect_no_restore(arn);
	CU_ASSERT_EQUAL(rmdir(path), 0);
	CU_ASSERT_EQUAL(rename(kept, path), 0);
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	backup_fixture_wait("again", TABLE_ACTIVE);
}

static void
no_backup_is_created_where_no_file_can_be_written(void)
{
	struct create_backup_out out = {0};
	char path[160];

	backup_fixture_fill();
	(void)snprintf(path, sizeof(path), "%s/backups", backup_fixture.dir);
	CU_ASSERT_EQUAL(symlink("/nowhere/at/all", path), 0);
	CU_ASSERT_EQUAL(backup_fixture_create(&out), -ERR_IO);
	CU_ASSERT_TRUE(strstr(backup_fixture.c.error.message, "not behind a symbolic link") !=
		       NULL);
	CU_ASSERT_EQUAL(backup_fixture_listed(), 0);
}

static void
a_backup_that_is_deleted_leaves_no_file(void)
{
	struct stat st;

	backup_fixture_fill();
	const char *arn = backup_fixture_backup();
	const char *path = backup_fixture_file(arn);

	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(backup_fixture_delete(arn), 0);
	CU_ASSERT_TRUE(stat(path, &st) < 0);
	CU_ASSERT_EQUAL(backup_fixture_delete(arn), -ERR_BACKUP_NOT_FOUND);
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), -ERR_BACKUP_NOT_FOUND);
}

static void
files_of_backups_have_unique_names(void)
{
	static const char *const others[] = {
		"",
		".json.gz",
		"1.json.gz",
		"1-.json.gz",
		"-1.json.gz",
		"1-g.json.gz",
		"1-F.json.gz",
		"1-1.json",
		"1-1.json.gz.new",
		"notes.json.gz",
		"1-1-1.json.gz",
	};

	CU_ASSERT_TRUE(slice_is(archive_file(SLICE("01700000000000-0000af09.json.gz")),
				"01700000000000-0000af09"));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		CU_ASSERT_EQUAL(archive_file(slice_from(others[i])).len, 0);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_backup_outlasts_a_restart_and_its_table),
	UNIT_TEST(a_restored_table_keeps_a_record_of_its_source),
	UNIT_TEST(ids_of_tables_are_unique),
	UNIT_TEST(settings_outside_the_definition_are_not_restored),
	UNIT_TEST(a_damaged_file_is_not_restored),
	UNIT_TEST(a_file_with_other_or_bad_items_is_not_restored),
	UNIT_TEST(only_regular_files_are_restored),
	UNIT_TEST(no_backup_is_created_where_no_file_can_be_written),
	UNIT_TEST(a_backup_that_is_deleted_leaves_no_file),
	UNIT_TEST(files_of_backups_have_unique_names),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(backup, backup_fixture_open, backup_fixture_close, tests);
