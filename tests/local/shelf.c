#include "tests/local/shelf.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/local/archive/archive.h"
#include "store/local/local.h"
#include "store/model/arn.h"

#include "tests/support/crash.h"
#include "tests/support/items.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

struct shelf shelf;

static char base[UNIT_FOLDER_BYTES];

void
shelf_start(void)
{
	shelf.c.error = (struct error){0};
	if (local_open(&shelf.c, shelf.dir, true, &shelf.e) != 0) {
		abort();
	}
}

void
shelf_open(void)
{
	call_open(&shelf.c, 1700000000000, 1 << 30);
	unit_make_folder(base, "backup");
	(void)snprintf(shelf.dir, sizeof(shelf.dir), "%s/store", base);
	shelf_start();
}

void
shelf_close(void)
{
	engine_close(shelf.e);
	crash_remove(base);
	call_close(&shelf.c);
}

void
shelf_restart(void)
{
	engine_close(shelf.e);
	shelf_start();
}

struct local *
shelf_local(void)
{
	return (struct local *)shelf.e;
}

/* ------------------------------------------------------------ operations */

static struct call *
fresh(void)
{
	shelf.c.error = (struct error){0};
	return &shelf.c;
}

struct schema
shelf_definition(const char *table)
{
	struct schema s = {.table = slice_from(table)};

	s.key.pk[0] = (struct key_attr){SLICE("pk"), VALUE_S};
	return s;
}

static struct item
item_b(void)
{
	return item_of(&shelf.c, "{\"pk\":\"b\",\"v\":\"\\u0000\\n\"}");
}

void
shelf_fill(void)
{
	struct schema s = shelf_definition("tab");
	struct create_table_out made;
	struct load_items_out loaded;
	struct item items[2] = {item_of(&shelf.c, "{\"pk\":\"a\",\"v\":[1,{\"w\":null}]}"),
				item_b()};
	struct load_items_in in = {SLICE("tab"), items, 2};

	CU_ASSERT_EQUAL(engine_create_table(shelf.e, fresh(),
					    &(struct create_table_in){.schema = &s}, &made),
			0);
	CU_ASSERT_EQUAL(engine_load_items(shelf.e, fresh(), &in, &loaded), 0);
}

bool
shelf_has(const char *table)
{
	struct get_item_in in = {.table = slice_from(table),
				 .key = item_of(&shelf.c, "{\"pk\":\"b\"}")};
	struct get_item_out out = {0};
	struct item want = item_b();
	int r = engine_get_item(shelf.e, fresh(), &in, &out);

	return r == 0 && out.found && item_eq(&out.item, &want);
}

int
shelf_create(struct create_backup_out *out)
{
	return engine_create_backup(shelf.e, fresh(),
				    &(struct create_backup_in){SLICE("tab"), SLICE("daily")}, out);
}

int
shelf_describe(const char *arn, struct describe_backup_out *out)
{
	return engine_describe_backup(shelf.e, fresh(),
				      &(struct describe_backup_in){slice_from(arn)}, out);
}

int
shelf_delete(const char *arn)
{
	struct delete_backup_out out;

	return engine_delete_backup(shelf.e, fresh(), &(struct delete_backup_in){slice_from(arn)},
				    &out);
}

int
shelf_delete_table(const char *table)
{
	struct delete_table_out out;

	return engine_delete_table(shelf.e, fresh(), &(struct delete_table_in){slice_from(table)},
				   &out);
}

int
shelf_restore(const char *arn, const char *table)
{
	struct restore_table_in in = {.table = slice_from(table), .arn = slice_from(arn)};
	struct restore_table_out out;

	return engine_restore_table(shelf.e, fresh(), &in, &out);
}

size_t
shelf_listed(void)
{
	struct list_backups_out out = {0};
	int r = engine_list_backups(shelf.e, fresh(), &(struct list_backups_in){0}, &out);

	CU_ASSERT_EQUAL(r, 0);
	return out.n_backups;
}

/* ------------------------------------------------------------ more than one */

const char *
shelf_arn(const struct archive *a)
{
	struct buf b;

	buf_init(&b, &shelf.c.arena);
	buf_fmt(&b,
		"arn:aws:dynamodb:us-east-1:000000000000:table/"
		"tab/backup/%.*s",
		SLICE_ARG(a->id));
	return b.at;
}

const char *
shelf_file(const char *arn)
{
	struct slice table;
	struct slice id;
	bool read = arn_read(slice_from(arn), "/backup/", &table, &id);

	CU_ASSERT_TRUE_FATAL(read);
	struct buf b;

	buf_init(&b, &shelf.c.arena);
	buf_fmt(&b, "%s/backups/%s", shelf.dir, archive_name(&shelf.c, id));
	return b.at;
}

void
shelf_wait_backup(const char *arn)
{
	struct describe_backup_out out = {0};
	unsigned tries = 0;

	while (shelf_describe(arn, &out) == 0 && out.backup.status != ARCHIVE_DONE &&
	       wait_again(&tries)) {
	}
	CU_ASSERT_EQUAL(out.backup.status, ARCHIVE_DONE);
}

const char *
shelf_backup(void)
{
	struct create_backup_out out = {0};

	CU_ASSERT_EQUAL(shelf_create(&out), 0);
	const char *arn = shelf_arn(&out.backup);

	shelf_wait_backup(arn);
	return arn;
}

int
shelf_state(const char *table)
{
	struct describe_table_in in = {.table = slice_from(table)};
	struct describe_table_out out = {0};
	int r = engine_describe_table(shelf.e, fresh(), &in, &out);

	return r == 0 ? (int)out.table.status : -1;
}

void
shelf_wait(const char *table, int state)
{
	unsigned tries = 0;

	while (shelf_state(table) != state && wait_again(&tries)) {
	}
	CU_ASSERT_EQUAL(shelf_state(table), state);
}
