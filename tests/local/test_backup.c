/* Backups are kept in files, and last as long as they; what was interrupted is not there. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/local/archive.h"
#include "store/local/local.h"
#include "store/local/tables.h"

#include "tests/support/crash.h"
#include "tests/support/items.h"
#include "tests/support/unit.h"

static struct call c;
static char base[] = "/tmp/itemfs-backup-XXXXXX";
static char dir[128];
static struct engine *e;

static void
open_store(void)
{
	c.error = (struct error){0};
	if (local_open(&c, dir, true, &e) != 0) {
		abort();
	}
}

static void
setup(void)
{
	call_open(&c, 1700000000000, 1 << 30);
	if (mkdtemp(base) == NULL) {
		abort();
	}
	(void)snprintf(dir, sizeof(dir), "%s/store", base);
	open_store();
}

static void
teardown(void)
{
	engine_close(e);
	crash_remove(base);
	memset(base + sizeof(base) - 7, 'X', 6);
	call_close(&c);
}

static void
restart(void)
{
	engine_close(e);
	open_store();
}

/* ------------------------------------------------------------ operations */

static struct schema
definition(const char *name)
{
	struct schema s = {.table = slice_from(name)};

	s.key.pk[0] = (struct key_attr){SLICE("pk"), VALUE_S};
	return s;
}

static void
fill(void)
{
	struct schema s = definition("tab");
	struct create_table_out made;
	struct load_items_out loaded;
	struct item items[2];

	CU_ASSERT_EQUAL(engine_create_table(e, &c, &(struct create_table_in){.schema = &s}, &made),
			0);
	items[0] = item_of(&c, "{\"pk\":\"a\",\"v\":[1,{\"w\":null}]}");
	items[1] = item_of(&c, "{\"pk\":\"b\",\"v\":\"\\u0000\\n\"}");
	CU_ASSERT_EQUAL(
		engine_load_items(e, &c, &(struct load_items_in){SLICE("tab"), items, 2}, &loaded),
		0);
}

static const char *
arn_of(const struct archive *a)
{
	struct buf b;

	buf_init(&b, &c.arena);
	buf_fmt(&b, "arn:aws:dynamodb:local:000000000000:table/tab/backup/%.*s", SLICE_ARG(a->id));
	return b.at;
}

static int
create(struct create_backup_out *out)
{
	c.error = (struct error){0};
	return engine_create_backup(e, &c, &(struct create_backup_in){SLICE("tab"), SLICE("daily")},
				    out);
}

static int
describe(const char *arn, struct describe_backup_out *out)
{
	c.error = (struct error){0};
	return engine_describe_backup(e, &c, &(struct describe_backup_in){slice_from(arn)}, out);
}

static void
wait_for_backup(const char *arn)
{
	struct describe_backup_out out = {0};

	for (int i = 0; i < 10000 && describe(arn, &out) == 0; i++) {
		if (out.backup.status == ARCHIVE_DONE) {
			break;
		}
		(void)usleep(1000);
	}
	CU_ASSERT_EQUAL(out.backup.status, ARCHIVE_DONE);
}

static const char *
make_backup(void)
{
	struct create_backup_out out = {0};

	CU_ASSERT_EQUAL(create(&out), 0);
	const char *arn = arn_of(&out.backup);

	wait_for_backup(arn);
	return arn;
}

static int
restore(const char *arn)
{
	struct restore_table_out out;

	c.error = (struct error){0};
	return engine_restore_table(
		e, &c, &(struct restore_table_in){.table = SLICE("again"), .arn = slice_from(arn)},
		&out);
}

/* ACTIVE, or -1 when there is no such table. */
static int
state_of(const char *table)
{
	struct describe_table_out out = {0};

	c.error = (struct error){0};
	int r = engine_describe_table(
		e, &c, &(struct describe_table_in){.table = slice_from(table)}, &out);

	return r == 0 ? (int)out.table.status : -1;
}

static void
wait_for_table(const char *table, int state)
{
	for (int i = 0; i < 10000 && state_of(table) != state; i++) {
		(void)usleep(1000);
	}
	CU_ASSERT_EQUAL(state_of(table), state);
}

static const char *
only_file(void)
{
	struct list_backups_out out = {0};
	int r = engine_list_backups(e, &c, &(struct list_backups_in){0}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.n_backups, 1);
	return out.n_backups == 1 ? archive_path((struct local *)e, &c, out.backups[0].id) : "";
}

/* ------------------------------------------------------------ tests */

static void
a_backup_outlasts_a_restart_and_its_table(void)
{
	struct delete_table_out dropped;
	struct get_item_out got = {0};

	fill();
	const char *arn = make_backup();

	CU_ASSERT_EQUAL(
		engine_delete_table(e, &c, &(struct delete_table_in){SLICE("tab")}, &dropped), 0);
	restart();
	CU_ASSERT_EQUAL(restore(arn), 0);
	wait_for_table("again", TABLE_ACTIVE);
	CU_ASSERT_EQUAL(engine_get_item(e, &c,
					&(struct get_item_in){.table = SLICE("again"),
							      .key = item_of(&c, "{\"pk\":\"b\"}")},
					&got),
			0);
	struct item want = item_of(&c, "{\"pk\":\"b\",\"v\":\"\\u0000\\n\"}");

	CU_ASSERT_TRUE(item_eq(&got.item, &want));
}

static void
what_was_interrupted_is_gone_at_the_next_start(void)
{
	struct archive half = {.id = SLICE("01700000000000-00000009"), .name = SLICE("half")};
	struct schema s = definition("tab");
	struct schema growing = definition("growing");
	struct table_info info;
	struct list_backups_out out = {0};
	struct stat st;

	fill();
	(void)make_backup();
	half.schema = &s;
	CU_ASSERT_EQUAL(archive_write((struct local *)e, &c, &half), 0);
	const char *path = archive_path((struct local *)e, &c, half.id);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_TRUE(fd >= 0);
	(void)close(fd);
	growing.creating = true;
	CU_ASSERT_EQUAL(table_create((struct local *)e, &c, &growing, &info), 0);
	CU_ASSERT_EQUAL(state_of("growing"), TABLE_CREATING);
	restart();
	CU_ASSERT_EQUAL(state_of("growing"), -1);
	CU_ASSERT_EQUAL(state_of("tab"), TABLE_ACTIVE);
	CU_ASSERT_EQUAL(engine_list_backups(e, &c, &(struct list_backups_in){0}, &out), 0);
	CU_ASSERT_EQUAL(out.n_backups, 1);
	CU_ASSERT_TRUE(stat(path, &st) < 0);
}

static void
a_table_that_is_being_made_is_nobody_elses(void)
{
	struct schema growing = definition("growing");
	struct table_info info;
	struct delete_table_out dropped;
	struct put_item_out put;

	growing.creating = true;
	CU_ASSERT_EQUAL(table_create((struct local *)e, &c, &growing, &info), 0);
	CU_ASSERT_EQUAL(
		engine_delete_table(e, &c, &(struct delete_table_in){SLICE("growing")}, &dropped),
		-ERR_TABLE_IN_USE);
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_put_item(e, &c,
					&(struct put_item_in){
						.write = {.table = SLICE("growing"),
							  .item = item_of(&c, "{\"pk\":\"a\"}")}},
					&put),
			-ERR_NO_TABLE);
}

/* A restore that fails leaves no table. */
static void
expect_no_restore(const char *arn)
{
	CU_ASSERT_EQUAL(restore(arn), 0);
	wait_for_table("again", -1);
	CU_ASSERT_EQUAL(state_of("tab"), TABLE_ACTIVE);
}

static void
a_damaged_file_is_not_restored(void)
{
	fill();
	const char *arn = make_backup();
	const char *path = only_file();
	struct stat st = {0};

	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(truncate(path, st.st_size - 9), 0);
	expect_no_restore(arn);
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	CU_ASSERT_TRUE(fd >= 0);
	expect_no_restore(arn);
	/* The right number of items, but not what was written. */
	CU_ASSERT_TRUE(dprintf(fd, "{\"Item\":{\"pk\":{\"S\":\"%s\"}}}\n", "a") > 0);
	CU_ASSERT_TRUE(dprintf(fd, "{\"Item\":{\"pk\":{\"S\":\"%s\"}}}\n", "b") > 0);
	(void)close(fd);
	expect_no_restore(arn);
	CU_ASSERT_EQUAL(unlink(path), 0);
	expect_no_restore(arn);
}

static void
where_no_file_can_be_there_is_no_backup(void)
{
	struct create_backup_out out = {0};
	struct list_backups_out list = {0};
	char path[160];

	fill();
	(void)snprintf(path, sizeof(path), "%s/backups", dir);
	CU_ASSERT_EQUAL(symlink("/nowhere/at/all", path), 0);
	CU_ASSERT_EQUAL(create(&out), 0);
	struct describe_backup_out described;
	const char *arn = arn_of(&out.backup);

	for (int i = 0; i < 10000 && describe(arn, &described) == 0; i++) {
		(void)usleep(1000);
	}
	CU_ASSERT_EQUAL(c.error.code, ERR_BACKUP_NOT_FOUND);
	CU_ASSERT_TRUE(strstr(c.error.message, "(it failed: ") != NULL);
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_list_backups(e, &c, &(struct list_backups_in){0}, &list), 0);
	CU_ASSERT_EQUAL(list.n_backups, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_backup_outlasts_a_restart_and_its_table),
	UNIT_TEST(what_was_interrupted_is_gone_at_the_next_start),
	UNIT_TEST(a_table_that_is_being_made_is_nobody_elses),
	UNIT_TEST(a_damaged_file_is_not_restored),
	UNIT_TEST(where_no_file_can_be_there_is_no_backup),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(backup, setup, teardown, tests);
