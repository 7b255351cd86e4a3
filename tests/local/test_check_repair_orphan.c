/* Check with Repair: orphan keys are saved and deleted. */
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"
#include "store/model/item_json.h"

#include "tests/local/check_damage.h"
#include "tests/local/check_fixture.h"
#include "tests/support/unit.h"

enum { MISSING = 77, MANY = 45000, MANY_TOTALS = 300 };

static void
write_orphan(enum keyspace space, uint32_t table, uint16_t index, unsigned n)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	buf_char(&b, (char)space);
	buf_u32be(&b, table);
	buf_u16be(&b, index);
	buf_fmt(&b, "%06u", n);
	check_write_raw(buf_view(&b), SLICE("nonsense"), false);
}

static size_t
moved_lines(void)
{
	size_t n = 0;
	struct slice moved = check_moved();

	for (size_t i = 0; i < moved.len; i++) {
		n += moved.at[i] == '\n';
	}
	return n;
}

static void
repair(size_t problems)
{
	struct check_result r = check_repair("");

	CU_ASSERT_EQUAL(r.problems, problems);
	CU_ASSERT_EQUAL(r.repaired, problems);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	CU_ASSERT_EQUAL(fixture_keys(KEYSPACE_ITEM), 8);
}

static void
keys_of_unknown_tables_and_indexes_are_deleted(void)
{
	write_orphan(KEYSPACE_ITEM, MISSING, 0, 1);
	write_orphan(KEYSPACE_ITEM, MISSING, 1, 2);
	write_orphan(KEYSPACE_ITEM, check_table->id, MISSING, 3);
	write_orphan(KEYSPACE_PARTITION, MISSING, 1, 4);
	write_orphan(KEYSPACE_TOTALS, MISSING, 1, 5);
	write_orphan(KEYSPACE_BACKFILL, check_table->id, 1, 6);
	write_orphan(KEYSPACE_BACKFILL, check_table->id, MISSING, 7);
	repair(6);
	CU_ASSERT_EQUAL(moved_lines(), 7);
}

static void
keys_of_unknown_kinds_are_deleted(void)
{
	check_write_raw(SLICE("\x01"), SLICE("x"), false);
	check_write_raw(SLICE("jj"), SLICE("x"), false);
	check_write_raw(SLICE("i"), SLICE("x"), false);
	check_write_raw(SLICE("p"), SLICE("x"), false);
	check_write_raw(SLICE("r123"), SLICE("x"), false);
	check_write_raw(SLICE("\xff"), SLICE("x"), false);
	check_write_raw(SLICE("\xff\xff"), SLICE("x"), false);
	repair(6);
	CU_ASSERT_EQUAL(moved_lines(), 7);
}

static void
an_item_of_no_table_is_saved_as_such(void)
{
	struct item it = fixture_item("{\"P\":\"q\",\"v\":1}");
	struct buf key;
	struct buf record;

	buf_init(&key, &fixture.c.arena);
	buf_init(&record, &fixture.c.arena);
	buf_char(&key, KEYSPACE_ITEM);
	buf_u32be(&key, MISSING);
	buf_u16be(&key, 0);
	record_encode(&record, &(struct record_head){.rendered_bytes = item_json_length(&it) + 1},
		      &it);
	check_write_raw(buf_view(&key), buf_view(&record), false);
	repair(1);
	CU_ASSERT_TRUE(strstr(check_moved().at, "\"Content\":{\"P\":\"q\",\"v\":1}}\n") != NULL);
}

static void
more_orphans_than_a_page_holds_are_deleted(void)
{
	struct check_result r;

	for (unsigned i = 0; i < MANY; i++) {
		write_orphan(KEYSPACE_ITEM, MISSING, 0, i);
	}
	for (unsigned i = 0; i < MANY_TOTALS; i++) {
		write_orphan(KEYSPACE_TOTALS, MISSING + i, 0, 0);
	}
	r = check_repair("");
	CU_ASSERT_TRUE(r.pages > 3);
	CU_ASSERT_EQUAL(r.problems, r.repaired);
	CU_ASSERT_EQUAL(moved_lines(), MANY + MANY_TOTALS);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

static void
a_missing_stream_of_a_table_is_created_again(void)
{
	struct buf key;
	struct buf state;
	size_t records;

	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_KEYS_ONLY), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"n\",\"S\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"P\":\"n\",\"S\":1}"), 0);
	records = fixture_keys(KEYSPACE_RECORD);
	CU_ASSERT_EQUAL(records, 2);
	buf_init(&key, &fixture.c.arena);
	buf_slice(&key, stream_key(key.arena, SLICE("tab"), &fixture.c.now_ms));
	check_write_raw(buf_view(&key), SLICE(""), true);
	repair(1);
	CU_ASSERT_EQUAL(fixture_keys(KEYSPACE_RECORD), records);
	check_write_raw(buf_view(&key), SLICE("nonsense"), false);
	repair(2); /* the record cannot be read, and the stream does not exist */
	CU_ASSERT_EQUAL(fixture_keys(KEYSPACE_RECORD), records);
	/* The stream goes on, and can end. */
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"n\",\"S\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NONE), 0);
	/* A stream that has ended and whose table is not known is deleted with its records. */
	buf_init(&state, &fixture.c.arena);
	check_write_raw(buf_view(&key), SLICE("nonsense"), false);
	CU_ASSERT_EQUAL(check_repair("").repaired, 2);
	CU_ASSERT_EQUAL(fixture_keys(KEYSPACE_RECORD), 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(keys_of_unknown_tables_and_indexes_are_deleted),
	UNIT_TEST(keys_of_unknown_kinds_are_deleted),
	UNIT_TEST(an_item_of_no_table_is_saved_as_such),
	UNIT_TEST(more_orphans_than_a_page_holds_are_deleted),
	UNIT_TEST(a_missing_stream_of_a_table_is_created_again),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check_repair_orphan, check_open_folder, check_close_folder, tests);
