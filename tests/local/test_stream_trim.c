/* Streams: records older than a day cannot be read, and are deleted soon (BEHAVIOUR 7.3). */
#include "store/local/jobs/tasks.h"
#include "store/local/records/keyspace.h"

#include "tests/local/stream_fixture.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

#define HOUR_MS UINT64_C(3600000)

static uint64_t began_ms;

static void
setup(void)
{
	fixture_open();
	began_ms = fixture.c.now_ms;
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NEW_AND_OLD_IMAGES), 0);
}

static void
at_hour(unsigned h)
{
	fixture.c.now_ms = began_ms + h * HOUR_MS;
}

static void
put(const char *pk)
{
	struct buf json;

	buf_init(&json, &fixture.c.arena);
	buf_fmt(&json, "{\"pk\":\"%s\",\"at\":%llu}", pk, (unsigned long long)fixture.c.now_ms);
	buf_char(&json, '\0');
	CU_ASSERT_EQUAL(fixture_put("tab", json.at), 0);
}

/* Wait for the background tasks, and count the keys that begin with @letter. */
static size_t
keys_with(char letter)
{
	tasks_wait(((struct local *)fixture.e)->tasks);
	return fixture_keys(letter);
}

static void
sweep(void)
{
	tasks_sweep(((struct local *)fixture.e)->tasks, fixture.c.now_ms);
}

/* Three ways to reach trimmed records; the results are the same before and after their deletion. */
static void
expect_trimmed(struct slice arn, const char *first, struct slice early)
{
	struct get_records_out page;
	struct slice it;

	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_AT_SEQUENCE_NUMBER, first, &it),
			-ERR_TRIMMED);
	CU_ASSERT_STRING_EQUAL(
		fixture_message(),
		"The operation attempted to read past the oldest stream record in a shard.");
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_AFTER_SEQUENCE_NUMBER, first, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	CU_ASSERT_EQUAL(page.n_records, 1);
	CU_ASSERT_EQUAL(stream_all(arn).n_records, 1);
	CU_ASSERT_EQUAL(stream_read(early, 0, &page), -ERR_TRIMMED);
}

static void
a_record_is_kept_for_a_day(void)
{
	struct slice arn = stream_arn();
	struct slice early;

	put("a");
	at_hour(10);
	put("b");
	const char *first = slice_cstr(&fixture.c.arena, stream_all(arn).records[0].seq);

	fixture.c.now_ms = began_ms + 24 * HOUR_MS - 1;
	CU_ASSERT_EQUAL(stream_all(arn).n_records, 2);
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_AT_SEQUENCE_NUMBER, first, &early), 0);
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 2);
	fixture.c.now_ms++;
	expect_trimmed(arn, first, early);
	fixture.c.now_ms += 60000;
	sweep();
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 1);
	expect_trimmed(arn, first, early);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	expect_trimmed(arn, first, early);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
writes_and_reads_trim_streams(void)
{
	put("a");
	at_hour(25);
	put("b");
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 1);
	at_hour(50);
	CU_ASSERT_EQUAL(stream_all(stream_arn()).n_records, 0);
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 0);
	put("c");
	CU_ASSERT_EQUAL(stream_all(stream_arn()).n_records, 1);
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_STREAM), 1);
}

/* Each mount and server requests a sweep every minute, even if no table has a time to live. */
static void
a_sweep_trims_streams(void)
{
	struct sweep_out out;

	put("a");
	at_hour(25);
	fixture.c.error = (struct error){0};
	int r = engine_sweep(fixture.e, &fixture.c, &(struct sweep_in){0}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 0);
}

static void
opening_trims_streams(void)
{
	put("a");
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NONE), 0);
	at_hour(25);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 0);
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_STREAM), 0);
}

/* Streams that ended later, and the table's current stream, stay. */
static void
a_stream_is_deleted_a_day_after_its_end(void)
{
	struct slice first = stream_arn();
	struct get_records_out page;
	struct slice it;

	put("a");
	at_hour(20);
	put("b");
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NONE), 0);
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_KEYS_ONLY), 0);
	put("c");
	at_hour(43);
	CU_ASSERT_EQUAL(stream_all(first).n_records, 1);
	CU_ASSERT_EQUAL(stream_iterator(first, ITERATOR_TRIM_HORIZON, NULL, &it), 0);
	fixture.c.now_ms = began_ms + 44 * HOUR_MS;
	CU_ASSERT_EQUAL(stream_iterator(first, ITERATOR_TRIM_HORIZON, NULL, &it), -ERR_NO_TABLE);
	fixture.c.now_ms += 60000;
	sweep();
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 0);
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_STREAM), 1);
	put("d");
	page = stream_all(stream_arn());
	CU_ASSERT_EQUAL(page.n_records, 1);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
an_iterator_of_a_deleted_stream_finds_none(void)
{
	struct get_records_out page;
	struct slice it;

	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NONE), 0);
	fixture.c.now_ms = began_ms + 24 * HOUR_MS - 1;
	CU_ASSERT_EQUAL(stream_iterator(stream_arn(), ITERATOR_TRIM_HORIZON, NULL, &it), 0);
	fixture.c.now_ms++;
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), -ERR_NO_TABLE);
	CU_ASSERT_TRUE(strstr(fixture_message(), "Requested resource not found: Stream: arn:") ==
		       fixture_message());
	CU_ASSERT_EQUAL(stream_arn().len, 0);
}

static void
many_records_are_deleted_in_batches_and_compacted(void)
{
	enum { ROUNDS = 17, ITEMS = 3000 };
	struct item *items = arena_new(&fixture.c.arena, struct item, ITEMS);
	struct load_items_in in = {.table = SLICE("tab"), .items = items, .n_items = ITEMS};
	struct load_items_out out;

	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < ITEMS; i++) {
			struct buf json;

			buf_init(&json, &fixture.c.arena);
			buf_fmt(&json, "{\"pk\":\"%u\",\"n\":%u}", i, round);
			buf_char(&json, '\0');
			items[i] = fixture_item(json.at);
		}
		CU_ASSERT_EQUAL(engine_load_items(fixture.e, &fixture.c, &in, &out), 0);
	}
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), (size_t)ROUNDS * ITEMS);
	CU_ASSERT_EQUAL(kv_mem_compactions(fixture.mem), 0);
	at_hour(24);
	sweep();
	CU_ASSERT_EQUAL(keys_with(KEYSPACE_RECORD), 0);
	CU_ASSERT_EQUAL(kv_mem_compactions(fixture.mem), 1);
}

/* A page skips a bounded number of expired records; a client that continues reaches the end. */
static void
a_reader_gets_past_expired_records(void)
{
	struct get_records_out page = {0};
	struct slice it;

	for (unsigned i = 0; i < 100; i++) {
		put("a");
		fixture.c.now_ms++;
	}
	at_hour(30);
	CU_ASSERT_EQUAL(stream_iterator(stream_arn(), ITERATOR_TRIM_HORIZON, NULL, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	CU_ASSERT_EQUAL(page.n_records, 0);
	put("b");
	CU_ASSERT_EQUAL(stream_read(page.next, 0, &page), 0);
	CU_ASSERT_EQUAL(page.n_records, 1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_record_is_kept_for_a_day),
	UNIT_TEST(writes_and_reads_trim_streams),
	UNIT_TEST(a_sweep_trims_streams),
	UNIT_TEST(opening_trims_streams),
	UNIT_TEST(a_stream_is_deleted_a_day_after_its_end),
	UNIT_TEST(an_iterator_of_a_deleted_stream_finds_none),
	UNIT_TEST(many_records_are_deleted_in_batches_and_compacted),
	UNIT_TEST(a_reader_gets_past_expired_records),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_trim, setup, fixture_close, tests);
