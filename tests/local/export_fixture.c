#include "tests/local/export_fixture.h"

#include <fcntl.h>

#include "tests/support/items.h"
#include "tests/support/unit.h"

void
export_fixture_fill(size_t n, size_t bytes)
{
	struct schema s = {.table = SLICE("tab")};
	struct create_table_out made;
	struct load_items_out loaded;
	struct update_continuous_backups_out recoverable;
	struct item *items = arena_new(&ts.c.arena, struct item, n);
	uint32_t rng = 1;

	s.key.pk[0] = (struct key_attr){SLICE("pk"), VALUE_S};
	CU_ASSERT_EQUAL(
		engine_create_table(ts.e, &ts.c, &(struct create_table_in){.schema = &s}, &made),
		0);
	for (size_t i = 0; i < n; i++) {
		struct buf json;

		buf_init(&json, &ts.c.arena);
		buf_fmt(&json, "{\"pk\":\"%zu\",\"v\":\"", i);
		for (size_t k = 0; k < bytes; k++) {
			rng = rng * 1664525 + 1013904223;
			buf_char(&json, (char)('a' + (rng >> 24) % 26));
		}
		buf_str(&json, "\"}");
		items[i] = item_of(&ts.c, slice_cstr(&ts.c.arena, buf_view(&json)));
	}
	CU_ASSERT_EQUAL(engine_load_items(ts.e, &ts.c,
					  &(struct load_items_in){SLICE("tab"), items, n}, &loaded),
			0);
	CU_ASSERT_EQUAL(
		engine_update_continuous_backups(ts.e, &ts.c,
						 &(struct update_continuous_backups_in){
							 .table = SLICE("tab"), .enabled = true},
						 &recoverable),
		0);
}

struct transfer
export_fixture_begin(const char *prefix, const char *token)
{
	struct export_table_out out = {0};
	int r = engine_export_table(
		ts.e, &ts.c,
		&(struct export_table_in){
			.arn = SLICE(EXPORT_FIXTURE_TABLE),
			.token = slice_from(token),
			.place = {.bucket = SLICE("acme"), .prefix = slice_from(prefix)},
		},
		&out);

	CU_ASSERT_EQUAL(r, 0);
	return out.exported;
}

struct slice
export_fixture_arn(struct slice id)
{
	struct buf arn;

	buf_init(&arn, &ts.c.arena);
	buf_fmt(&arn, EXPORT_FIXTURE_TABLE "/export/%.*s", SLICE_ARG(id));
	return buf_view(&arn);
}

struct transfer
export_fixture_described(struct slice id)
{
	struct describe_export_out out = {0};
	int r = engine_describe_export(ts.e, &ts.c,
				       &(struct describe_export_in){export_fixture_arn(id)}, &out);

	CU_ASSERT_EQUAL(r, 0);
	return out.exported;
}

struct transfer
export_fixture_ended(struct slice id)
{
	return transfer_ended(export_fixture_described, id);
}

const char *
export_fixture_file(struct slice id, const char *name)
{
	struct buf b;

	buf_init(&b, &ts.c.arena);
	buf_fmt(&b, "%s/store/buckets/acme/AWSDynamoDB/%.*s/%s", ts.base, SLICE_ARG(id), name);
	return b.at;
}

void
export_fixture_make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_TRUE(fd >= 0);
	(void)close(fd);
}

void
export_fixture_no_files(struct slice id)
{
	CU_ASSERT_TRUE(access(export_fixture_file(id, ""), F_OK) < 0);
}
