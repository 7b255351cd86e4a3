/* Check: keys that belong to no table or index, or are not part of the format. */
#include "store/local/jobs/tasks.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/stream_state.h"
#include "store/op/op.h"

#include "tests/support/fixture.h"
#include "tests/support/unit.h"

enum { MISSING = 77 }; /* number of a table or index that does not exist */

static uint32_t id; /* of table "tab" */

static void
setup(void)
{
	struct describe_table_out out = {0};

	fixture_open();
	if (fixture_table("tab P:S | +GSI g:S KEYS_ONLY") != 0 ||
	    fixture_put("tab", "{\"P\":\"a\",\"g\":\"x\"}") != 0 ||
	    engine_describe_table(fixture.e, &fixture.c, &(struct describe_table_in){SLICE("tab")},
				  &out) != 0) {
		printf("%s\n", fixture_message());
		abort();
	}
	id = out.table.schema->id;
}

static void
write_key(struct slice key)
{
	struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);

	b->ops->put(b, key, SLICE("nonsense"));
	CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, false), 0);
	kv_batch_free(b);
}

static void
write_orphan(enum keyspace space, uint32_t table, uint16_t index)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	buf_char(&b, (char)space);
	buf_u32be(&b, table);
	buf_u16be(&b, index);
	buf_str(&b, "more");
	write_key(buf_view(&b));
}

/* The store has exactly these problems, in this order; each is followed by a line feed. */
static void
expect(const char *problems)
{
	struct check_out out = {0};
	struct buf is;
	int r = engine_check(fixture.e, &fixture.c, &(struct check_in){0}, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	buf_init(&is, &fixture.c.arena);
	for (size_t i = 0; i < out.n_problems; i++) {
		buf_slice(&is, out.problems[i]);
		buf_char(&is, '\n');
	}
	if (!slice_is(buf_view(&is), problems)) {
		printf("\n%.*s", SLICE_ARG(buf_view(&is)));
	}
	CU_ASSERT_TRUE(slice_is(buf_view(&is), problems));
	CU_ASSERT_EQUAL(out.items, 1); /* items of existing tables are checked all the same */
	CU_ASSERT_EQUAL(out.entries, 1);
}

static void
a_valid_store_has_no_orphans(void)
{
	expect("");
}

static void
an_unknown_table_is_reported_once_for_each_kind_of_key(void)
{
	write_orphan(KEYSPACE_ITEM, MISSING, 0);
	write_orphan(KEYSPACE_ITEM, MISSING, 1);
	write_orphan(KEYSPACE_PARTITION, MISSING, 1);
	write_orphan(KEYSPACE_TOTALS, MISSING, 2);
	write_orphan(KEYSPACE_PARTITION, UINT32_MAX, UINT16_MAX);
	expect("store: there are totals of a table that does not exist, number 77\n"
	       "store: there are items or index entries of a table that does not exist, number 77\n"
	       "store: there are counts of collections of a table that does not exist, number 77\n"
	       "store: there are counts of collections of a table that does not exist, number "
	       "4294967295\n");
}

static void
an_unknown_index_is_reported_with_its_table(void)
{
	write_orphan(KEYSPACE_ITEM, id, MISSING);
	write_orphan(KEYSPACE_PARTITION, id, MISSING);
	expect("table tab: there are items or index entries of an index that does not exist, "
	       "number 77\n"
	       "table tab: there are counts of collections of an index that does not exist, "
	       "number 77\n");
}

static void
a_mark_without_a_backfill_is_reported(void)
{
	write_orphan(KEYSPACE_BACKFILL, id, 1);
	write_orphan(KEYSPACE_BACKFILL, id, MISSING);
	expect("table tab: there are marks of a backfill of an index that is complete, number 1\n"
	       "table tab: there are marks of a backfill of an index that does not exist, number "
	       "77\n");
}

static void
remains_of_a_dropped_table_are_no_problem(void)
{
	struct buf mark;

	buf_init(&mark, &fixture.c.arena);
	buf_slice(&mark, tasks_dropped_key(mark.arena, MISSING));
	write_key(buf_view(&mark));
	write_orphan(KEYSPACE_ITEM, MISSING, 0);
	write_orphan(KEYSPACE_PARTITION, MISSING, 1);
	expect("");
}

static void
a_key_that_is_too_short_hides_no_later_key(void)
{
	write_key(SLICE("i"));
	write_orphan(KEYSPACE_ITEM, MISSING, 0);
	expect("store: a key of 1 bytes cannot be read\n"
	       "store: there are items or index entries of a table that does not exist, number "
	       "77\n");
}

static void
keys_of_unknown_kinds_are_reported_once(void)
{
	write_key(SLICE("\x01"));
	write_key(SLICE("j"));
	write_key(SLICE("jj"));
	write_key(SLICE("\xff"));
	write_key(SLICE("\xff\xff"));
	expect("store: there are keys that begin with the byte 01, which means nothing\n"
	       "store: there are keys that begin with the byte 6a, which means nothing\n"
	       "store: there are keys that begin with the byte ff, which means nothing\n");
}

static void
the_number_of_reported_orphans_is_bounded(void)
{
	struct check_in in = {0};
	struct check_out out = {0};

	for (uint32_t i = 0; i < 1000; i++) {
		write_orphan(KEYSPACE_ITEM, MISSING + i, 0);
	}
	CU_ASSERT_EQUAL(engine_check(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.n_problems, 200);
	in.next = out.next;
	CU_ASSERT_EQUAL(engine_check(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_TRUE(out.n_problems == 0 && out.items == 1 && out.next.len == 0);
}

static void
streams_and_their_records_belong_together(void)
{
	struct buf b;
	uint64_t missing = MISSING;

	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_KEYS_ONLY), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"b\"}"), 0);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"P\":\"b\"}"), 0);
	expect("");
	buf_init(&b, &fixture.c.arena);
	buf_slice(&b, stream_record_key(b.arena, MISSING, &missing));
	write_key(buf_view(&b));
	write_key(SLICE("r123"));
	buf_clear(&b);
	buf_slice(&b, stream_key(b.arena, SLICE("tab"), &missing));
	write_key(buf_view(&b));
	expect("store: the record of a stream is damaged\n"
	       "store: there are records of a stream that does not exist, number 77\n"
	       "store: a key of 4 bytes cannot be read\n"
	       "store: the stream record with sequence number 77 cannot be decoded\n");
}

static void
a_table_has_the_stream_that_it_names(void)
{
	struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);
	struct buf key;

	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_KEYS_ONLY), 0);
	buf_init(&key, &fixture.c.arena);
	buf_slice(&key, stream_key(key.arena, SLICE("tab"), &fixture.c.now_ms));
	b->ops->del(b, buf_view(&key));
	CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, false), 0);
	kv_batch_free(b);
	expect("table tab: its stream is not there\n");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_valid_store_has_no_orphans),
	UNIT_TEST(an_unknown_table_is_reported_once_for_each_kind_of_key),
	UNIT_TEST(an_unknown_index_is_reported_with_its_table),
	UNIT_TEST(a_mark_without_a_backfill_is_reported),
	UNIT_TEST(remains_of_a_dropped_table_are_no_problem),
	UNIT_TEST(a_key_that_is_too_short_hides_no_later_key),
	UNIT_TEST(keys_of_unknown_kinds_are_reported_once),
	UNIT_TEST(the_number_of_reported_orphans_is_bounded),
	UNIT_TEST(streams_and_their_records_belong_together),
	UNIT_TEST(a_table_has_the_stream_that_it_names),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check_orphan, setup, fixture_close, tests);
