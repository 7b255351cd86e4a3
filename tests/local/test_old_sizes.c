/*
 * A store of an older version, which counted a number with digits on both sides of the point as one byte less: it
 * opens, accepts writes, and a repair counts again.
 */
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/op/op.h"

#include "tests/local/check_damage.h"
#include "tests/local/check_fixture.h"
#include "tests/support/fixture.h"
#include "tests/support/unit.h"

/* One item, {"P":"old","n":1.5}: 4 bytes for the key, 1 + 3 for the number, which older versions counted as 1 + 2. */
enum { SIZE_NOW = 8, SIZE_ONCE = 7 };

static const struct schema *
other(void)
{
	struct describe_table_in in = {.table = SLICE("other")};
	struct describe_table_out out = {0};
	int r = engine_describe_table(fixture.e, &fixture.c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out.table.schema;
}

static void
write_counts_of_once(const struct schema *s)
{
	struct value pk = value_string(SLICE("old"));
	struct record_counts counts = {0};
	struct buf key;
	struct buf record;

	buf_init(&key, &fixture.c.arena);
	buf_init(&record, &fixture.c.arena);
	buf_slice(&key, keyspace_collection(key.arena, KEYSPACE_PARTITION, s, NULL,
					    &(struct key_values){{&pk}, 1}));
	CU_ASSERT_EQUAL_FATAL(kv_get(fixture.mem, &fixture.c, NULL, buf_view(&key), &record), 0);
	CU_ASSERT_EQUAL_FATAL(record_counts_decode(&fixture.c, buf_view(&record), &counts), 0);
	CU_ASSERT_EQUAL(counts.item_bytes, SIZE_NOW);
	counts.item_bytes = SIZE_ONCE;
	buf_clear(&record);
	record_counts_encode(&record, &counts);
	check_write_raw(buf_view(&key), buf_view(&record), false);
}

static void
write_totals_of_once(const struct schema *s, uint64_t bytes)
{
	struct totals now = fixture_totals("other", NULL);
	struct record_counts once = {
		.items = now.items, .item_bytes = bytes, .partitions = now.partitions};
	struct buf key;
	struct buf record;

	buf_init(&key, &fixture.c.arena);
	buf_init(&record, &fixture.c.arena);
	buf_slice(&key, keyspace_head(key.arena, KEYSPACE_TOTALS, s, NULL));
	record_counts_encode(&record, &once);
	check_write_raw(buf_view(&key), buf_view(&record), false);
}

static void
setup(void)
{
	check_open_folder();
	CU_ASSERT_EQUAL_FATAL(fixture_delete("other", "{\"P\":\"a\"}"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_put("other", "{\"P\":\"old\",\"n\":1.5}"), 0);
	const struct schema *s = other();

	write_counts_of_once(s);
	CU_ASSERT_EQUAL(fixture_totals("other", NULL).bytes, SIZE_NOW);
	write_totals_of_once(s, SIZE_ONCE);
	CU_ASSERT_EQUAL_FATAL(fixture_restart(), 0);
	check_set_folder();
	CU_ASSERT_EQUAL(fixture_totals("other", NULL).bytes, SIZE_ONCE);
}

static void
expect_repair(uint64_t bytes)
{
	struct check_result r = check_repair("");

	CU_ASSERT_TRUE(r.problems > 0);
	CU_ASSERT_EQUAL(r.repaired, r.problems);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	CU_ASSERT_EQUAL(fixture_totals("other", NULL).bytes, bytes);
}

static void
a_repair_recounts(void)
{
	setup();
	expect_repair(SIZE_NOW);
	check_close_folder();
}

static void
an_item_that_shrinks_is_written_and_counted_again(void)
{
	setup();
	CU_ASSERT_EQUAL(fixture_put("other", "{\"P\":\"old\",\"n\":1}"), 0);
	fixture_expect("other", "{\"P\":\"old\"}", "{\"P\":\"old\",\"n\":1}");
	expect_repair(SIZE_NOW - 1);
	check_close_folder();
}

static void
the_last_item_leaves_no_bytes(void)
{
	setup();
	CU_ASSERT_EQUAL(fixture_delete("other", "{\"P\":\"old\"}"), 0);
	CU_ASSERT_EQUAL(fixture_totals("other", NULL).items, 0);
	CU_ASSERT_EQUAL(fixture_totals("other", NULL).bytes, 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	check_close_folder();
}

static void
bytes_that_were_counted_too_much_go_with_the_last_item(void)
{
	setup();
	write_totals_of_once(other(), 100);
	CU_ASSERT_EQUAL(fixture_delete("other", "{\"P\":\"old\"}"), 0);
	CU_ASSERT_EQUAL(fixture_totals("other", NULL).bytes, 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	check_close_folder();
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_repair_recounts),
	UNIT_TEST(an_item_that_shrinks_is_written_and_counted_again),
	UNIT_TEST(the_last_item_leaves_no_bytes),
	UNIT_TEST(bytes_that_were_counted_too_much_go_with_the_last_item),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(old_sizes, NULL, NULL, tests);
