#include "tests/local/backup_fixture.h"

#include "store/local/archive/archive.h"
#include "store/local/local.h"
#include "store/model/arn.h"

#include "tests/support/crash.h"
#include "tests/support/items.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

struct backup_fixture backup_fixture;

static char base[UNIT_FOLDER_BYTES];

void
backup_fixture_start(void)
{
	backup_fixture.c.error = (struct error){0};
	if (local_open(&backup_fixture.c, backup_fixture.dir, true, &backup_fixture.e) != 0) {
		abort();
	}
}

void
backup_fixture_open(void)
{
	call_open(&backup_fixture.c, 1700000000000, 1 << 30);
	unit_make_folder(base, "backup");
	(void)snprintf(backup_fixture.dir, sizeof(backup_fixture.dir), "%s/store", base);
	backup_fixture_start();
}

void
backup_fixture_close(void)
{
	engine_close(backup_fixture.e);
	crash_remove(base);
	call_close(&backup_fixture.c);
}

void
backup_fixture_restart(void)
{
	engine_close(backup_fixture.e);
	backup_fixture_start();
}

struct local *
backup_fixture_local(void)
{
	return (struct local *)backup_fixture.e;
}

/* ------------------------------------------------------------ operations */

static struct call *
fresh(void)
{
	backup_fixture.c.error = (struct error){0};
	return &backup_fixture.c;
}

struct schema
backup_fixture_definition(const char *table)
{
	struct schema s = {.table = slice_from(table)};

	s.key.pk[0] = (struct key_attr){SLICE("pk"), VALUE_S};
	return s;
}

static struct item
item_b(void)
{
	return item_of(&backup_fixture.c, "{\"pk\":\"b\",\"v\":\"\\u0000\\n\"}");
}

void
backup_fixture_fill(void)
{
	struct schema s = backup_fixture_definition("tab");
	struct create_table_out made;
	struct load_items_out loaded;
	struct item items[2] = {item_of(&backup_fixture.c, "{\"pk\":\"a\",\"v\":[1,{\"w\":null}]}"),
				item_b()};
	struct load_items_in in = {SLICE("tab"), items, 2};

	CU_ASSERT_EQUAL(engine_create_table(backup_fixture.e, fresh(),
					    &(struct create_table_in){.schema = &s}, &made),
			0);
	CU_ASSERT_EQUAL(engine_load_items(backup_fixture.e, fresh(), &in, &loaded), 0);
}

bool
backup_fixture_has(const char *table)
{
	struct get_item_in in = {.table = slice_from(table),
				 .key = item_of(&backup_fixture.c, "{\"pk\":\"b\"}")};
	struct get_item_out out = {0};
	struct item want = item_b();
	int r = engine_get_item(backup_fixture.e, fresh(), &in, &out);

	return r == 0 && out.found && item_eq(&out.item, &want);
}

int
backup_fixture_create(struct create_backup_out *out)
{
	return engine_create_backup(backup_fixture.e, fresh(),
				    &(struct create_backup_in){SLICE("tab"), SLICE("daily")}, out);
}

int
backup_fixture_describe(const char *arn, struct describe_backup_out *out)
{
	return engine_describe_backup(backup_fixture.e, fresh(),
				      &(struct describe_backup_in){slice_from(arn)}, out);
}

int
backup_fixture_delete(const char *arn)
{
	struct delete_backup_out out;

	return engine_delete_backup(backup_fixture.e, fresh(),
				    &(struct delete_backup_in){slice_from(arn)}, &out);
}

int
backup_fixture_delete_table(const char *table)
{
	struct delete_table_out out;

	return engine_delete_table(backup_fixture.e, fresh(),
				   &(struct delete_table_in){slice_from(table)}, &out);
}

int
backup_fixture_restore(const char *arn, const char *table)
{
	struct restore_table_in in = {.table = slice_from(table), .arn = slice_from(arn)};
	struct restore_table_out out;

	return engine_restore_table(backup_fixture.e, fresh(), &in, &out);
}

size_t
backup_fixture_listed(void)
{
	struct list_backups_out out = {0};
	int r = engine_list_backups(backup_fixture.e, fresh(), &(struct list_backups_in){0}, &out);

	CU_ASSERT_EQUAL(r, 0);
	return out.n_backups;
}

/* ------------------------------------------------------------ more than one */

const char *
backup_fixture_arn(const struct archive *a)
{
	struct buf b;

	buf_init(&b, &backup_fixture.c.arena);
	buf_fmt(&b,
		"arn:aws:dynamodb:us-east-1:000000000000:table/"
		"tab/backup/%.*s",
		SLICE_ARG(a->id));
	return b.at;
}

const char *
backup_fixture_file(const char *arn)
{
	struct slice table;
	struct slice id;
	bool read = arn_read(slice_from(arn), "/backup/", &table, &id);

	CU_ASSERT_TRUE_FATAL(read);
	struct buf b;

	buf_init(&b, &backup_fixture.c.arena);
	buf_fmt(&b, "%s/backups/%s", backup_fixture.dir, archive_name(&backup_fixture.c, id));
	return b.at;
}

void
backup_fixture_wait_backup(const char *arn)
{
	struct describe_backup_out out = {0};
	unsigned tries = 0;

	while (backup_fixture_describe(arn, &out) == 0 && out.backup.status != ARCHIVE_DONE &&
	       wait_again(&tries)) {
	}
	CU_ASSERT_EQUAL(out.backup.status, ARCHIVE_DONE);
}

const char *
backup_fixture_backup(void)
{
	struct create_backup_out out = {0};

	CU_ASSERT_EQUAL(backup_fixture_create(&out), 0);
	const char *arn = backup_fixture_arn(&out.backup);

	backup_fixture_wait_backup(arn);
	return arn;
}

int
backup_fixture_state(const char *table)
{
	struct describe_table_in in = {.table = slice_from(table)};
	struct describe_table_out out = {0};
	int r = engine_describe_table(backup_fixture.e, fresh(), &in, &out);

	return r == 0 ? (int)out.table.status : -1;
}

void
backup_fixture_wait(const char *table, int state)
{
	unsigned tries = 0;

	while (backup_fixture_state(table) != state && wait_again(&tries)) {
	}
	CU_ASSERT_EQUAL(backup_fixture_state(table), state);
}
