/* Check of a store with a damaged block: it goes on, reports what can be read, repairs nothing, and ends. */
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"
#include "store/model/item_json.h"

#include "tests/local/check_damage.h"
#include "tests/local/check_fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

#define NO_STRAYS "store: keys that belong to nothing are not looked for: injected damage\n"

enum { MANY = 50000, PAGES_MAX = 100 };

static const char *const b1 = "{\"P\":\"b\",\"S\":1,\"l\":\"m\"}";

/* Run all pages and expect exactly these problems, each followed by a line feed.  Return: items and entries. */
static uint64_t
expect_of(bool repair, const char *problems)
{
	struct check_in in = {.repair = repair};
	struct check_out out = {0};
	uint64_t counted = 0;
	unsigned pages = 0;
	struct buf is;

	buf_init(&is, &fixture.c.arena);
	do {
		int r = engine_check(fixture.e, &fixture.c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		CU_ASSERT_EQUAL(out.repaired, 0);
		for (size_t i = 0; i < out.n_problems; i++) {
			buf_slice(&is, out.problems[i]);
			buf_char(&is, '\n');
		}
		counted += out.items + out.entries;
		in.next = out.next;
	} while (in.next.len > 0 && ++pages < PAGES_MAX);
	CU_ASSERT_EQUAL(in.next.len, 0);
	if (!slice_is(buf_view(&is), problems)) {
		printf("\n%.*s", SLICE_ARG(buf_view(&is)));
	}
	CU_ASSERT_TRUE(slice_is(buf_view(&is), problems));
	return counted;
}

static uint64_t
expect(const char *problems)
{
	return expect_of(false, problems);
}

static void
the_readable_items_are_counted(void)
{
	kv_fault_hide(fixture.fault, check_key_for(NULL, b1));
	/* Two items of tab, one of other; two entries of GSI, two of LSI. */
	CU_ASSERT_EQUAL(expect("table tab: 2 of 3 items can be read: injected damage\n"), 7);
}

static void
the_readable_entries_of_each_index_are_counted(void)
{
	kv_fault_hide(fixture.fault, check_key_for(&check_table->index[1], b1));
	CU_ASSERT_EQUAL(
		expect("table tab: 3 of 3 items can be read: injected damage\n"
		       "table tab, index LSI: 1 of 2 entries can be read: injected damage\n"),
		7);
}

static void
hide_totals(const struct index *ix)
{
	struct buf key;

	buf_init(&key, &fixture.c.arena);
	buf_slice(&key, keyspace_head(key.arena, KEYSPACE_TOTALS, check_table, ix));
	kv_fault_hide(fixture.fault, buf_view(&key));
}

static void
an_unknown_count_is_reported_as_unknown(void)
{
	hide_totals(NULL);
	(void)expect(NO_STRAYS
		     "table tab: 3 items can be read, of a number that is not known: injected "
		     "damage\n");
	hide_totals(&check_table->index[0]);
	(void)expect(NO_STRAYS
		     "table tab: 3 of 3 items can be read: injected damage\n"
		     "table tab, index GSI: 2 entries can be read, of a number that is not known: "
		     "injected damage\n");
}

static void
write_item(const char *json)
{
	struct item it = fixture_item(json);
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	record_encode(&b, &(struct record_head){.rendered_bytes = item_json_length(&it) + 1}, &it);
	check_write_raw(check_key_for(NULL, json), buf_view(&b), false);
}

/* LevelDB shows deleted items again when the block that hides them is damaged. */
static void
deleted_items_that_reappear_are_reported(void)
{
	write_item("{\"P\":\"c\",\"S\":1}");
	kv_fault_hide(fixture.fault, check_key_for(&check_table->index[1], b1));
	(void)expect("table tab: 4 items can be read, more than its 3, as deleted ones are back: "
		     "injected damage\n"
		     "table tab, index LSI: 1 of 2 entries can be read: injected damage\n");
}

/* A record that cannot be decoded ends the scans of a table, but not this count. */
static void
an_invalid_record_does_not_hide_the_rest(void)
{
	check_write_raw(check_key_for(NULL, "{\"P\":\"a\",\"S\":1}"), SLICE("nonsense"), false);
	kv_fault_hide(fixture.fault, check_key_for(NULL, b1));
	(void)expect("table tab: 1 of 3 items can be read: injected damage\n");
}

static void
a_definition_that_cannot_be_read_is_reported_once(void)
{
	struct buf key;

	buf_init(&key, &fixture.c.arena);
	buf_slice(&key, keyspace_name(key.arena, KEYSPACE_TABLE, SLICE("tab")));
	kv_fault_hide(fixture.fault, buf_view(&key));
	(void)expect(NO_STRAYS "table tab: its definition cannot be read: injected damage\n");
}

/* The counts of another table are wrong, though its blocks can be read. */
static void
problems_without_damage_are_reported_and_not_repaired(void)
{
	struct item it = fixture_item("{\"P\":\"a\"}");
	struct describe_table_out out = {0};
	struct key_values v = {.n = 0};
	struct buf key;

	CU_ASSERT_EQUAL_FATAL(
		engine_describe_table(fixture.e, &fixture.c,
				      &(struct describe_table_in){.table = SLICE("other")}, &out),
		0);
	(void)key_from_item(&out.table.schema->key, &it, &v);
	buf_init(&key, &fixture.c.arena);
	buf_slice(&key,
		  keyspace_collection(key.arena, KEYSPACE_PARTITION, out.table.schema, NULL, &v));
	check_write_raw(buf_view(&key), SLICE("\xff"), false);
	hide_totals(NULL); /* of tab, which is checked after it */
	static const char *const both = NO_STRAYS
		"table other: {\"P\":\"a\"}: its counts cannot be read\n"
		"table tab: 3 items can be read, of a number that is not known: injected damage\n";

	(void)expect(both);
	(void)expect_of(true, both);
}

static void
a_large_table_is_counted_in_pages(void)
{
	check_fill(MANY);
	kv_fault_hide(fixture.fault, check_key_for(NULL, "{\"P\":\"p3\",\"S\":40001}"));
	uint64_t n = expect("table tab: 50002 of 50003 items can be read: injected damage\n");

	CU_ASSERT_EQUAL(n, 2 * MANY + 7);
}

/* ------------------------------------------------------------ streams */

/* The key of the stream record at index @n. */
static struct slice
record_key(unsigned place)
{
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	static const char letter[] = {KEYSPACE_RECORD};

	kv_cursor_seek(cur, slice_of(letter, 1));
	for (; place > 0; place--) {
		kv_cursor_next(cur);
	}
	struct slice key = slice_copy(&fixture.c.arena, kv_cursor_key(cur));

	CU_ASSERT_EQUAL(kv_cursor_status(cur, &fixture.c), 0);
	kv_cursor_free(cur);
	CU_ASSERT_EQUAL_FATAL(key.at[0], KEYSPACE_RECORD);
	return key;
}

static unsigned long long
record_seq(unsigned place)
{
	uint64_t seq = 0;

	CU_ASSERT_EQUAL_FATAL(stream_record_seq(&fixture.c, record_key(place), &seq), 0);
	return seq;
}

static void
make_records(void)
{
	CU_ASSERT_EQUAL(fixture_stream("other", STREAM_NEW_IMAGE), 0);
	for (unsigned i = 0; i < 5; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "{\"P\":\"a\",\"v\":%u}", i);
		CU_ASSERT_EQUAL(fixture_put("other", text), 0);
	}
}

static void
readable_records_are_counted(void)
{
	char text[256];

	make_records();
	kv_fault_hide(fixture.fault, record_key(2));
	(void)snprintf(
		text, sizeof(text),
		"store: of the stream records with sequence numbers from %llu to %llu, 4 can "
		"be read and others cannot: injected damage\n",
		record_seq(0), record_seq(4));
	CU_ASSERT_EQUAL(expect(text), 8); /* and the tables are complete */
}

static void
a_record_that_cannot_be_decoded_is_reported(void)
{
	char text[256];

	make_records();
	check_write_raw(record_key(3), SLICE("nonsense"), false);
	(void)snprintf(text, sizeof(text),
		       "store: the stream record with sequence number %llu cannot be decoded\n",
		       record_seq(3));
	CU_ASSERT_EQUAL(expect(text), 8);
}

/* The head of the record is valid, but the image in it is not. */
static void
an_image_that_cannot_be_decoded_is_reported(void)
{
	struct stream_entry e = {.time_ms = 1, .has_new = true, .keys = SLICE("\xff")};
	char text[256];
	struct buf b;

	make_records();
	buf_init(&b, &fixture.c.arena);
	stream_entry_encode(&b, &e);
	check_write_raw(record_key(0), buf_view(&b), false);
	(void)snprintf(text, sizeof(text),
		       "store: the stream record with sequence number %llu cannot be decoded\n",
		       record_seq(0));
	(void)expect(text);
}

/* More damaged records than a page has room for problems. */
static void
many_records_take_pages(void)
{
	enum { RECORDS = 450, PAGE = 200 };
	struct check_in in = {0};
	struct check_out out = {0};
	size_t n = 0;

	make_records();
	struct slice head = slice_of(record_key(0).at, 1 + 8);

	for (uint64_t seq = 1000000; seq < 1000000 + RECORDS; seq++) {
		struct buf key;

		buf_init(&key, &fixture.c.arena);
		buf_slice(&key, head);
		buf_u64be(&key, seq);
		check_write_raw(buf_view(&key), SLICE("nonsense"), false);
	}
	do {
		CU_ASSERT_EQUAL_FATAL(engine_check(fixture.e, &fixture.c, &in, &out), 0);
		CU_ASSERT_TRUE(out.n_problems <= PAGE);
		n += out.n_problems;
		in.next = out.next;
	} while (in.next.len > 0 && n <= RECORDS);
	CU_ASSERT_EQUAL(n, RECORDS);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_readable_items_are_counted),
	UNIT_TEST(the_readable_entries_of_each_index_are_counted),
	UNIT_TEST(an_unknown_count_is_reported_as_unknown),
	UNIT_TEST(deleted_items_that_reappear_are_reported),
	UNIT_TEST(an_invalid_record_does_not_hide_the_rest),
	UNIT_TEST(a_definition_that_cannot_be_read_is_reported_once),
	UNIT_TEST(problems_without_damage_are_reported_and_not_repaired),
	UNIT_TEST(a_large_table_is_counted_in_pages),
	UNIT_TEST(readable_records_are_counted),
	UNIT_TEST(a_record_that_cannot_be_decoded_is_reported),
	UNIT_TEST(an_image_that_cannot_be_decoded_is_reported),
	UNIT_TEST(many_records_take_pages),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check_readable, check_open, fixture_close, tests);
