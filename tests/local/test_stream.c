/* Streams: which records are written and how they are read; test_stream_trim.c tests their end after a day. */
#include "store/local/records/keyspace.h"
#include "store/local/records/stream_state.h"

#include "tests/local/stream_fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

static void
setup(void)
{
	fixture_open();
	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:N | +gs1 g:S ALL"), 0);
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NEW_AND_OLD_IMAGES), 0);
}

/* Put item number @n with a string of @bytes bytes. */
static void
put(unsigned n, unsigned bytes)
{
	struct buf json;

	buf_init(&json, &fixture.c.arena);
	buf_fmt(&json, "{\"pk\":\"a\",\"sk\":%u,\"t\":\"%0*u\"}", n, (int)bytes, 0);
	buf_char(&json, '\0');
	CU_ASSERT_EQUAL(fixture_put("tab", json.at), 0);
}

static unsigned
number_of(const struct stream_record *r)
{
	const struct value *sk = item_get(&r->keys, SLICE("sk"));

	return sk == NULL ? UINT32_MAX
			  : (unsigned)strtoul(slice_cstr(&fixture.c.arena, sk->text), NULL, 10);
}

/* The keys of a page as text: "1 2 3". */
static void
expect_page(const struct get_records_out *page, const char *want)
{
	struct buf got;

	buf_init(&got, &fixture.c.arena);
	for (size_t i = 0; i < page->n_records; i++) {
		buf_fmt(&got, "%s%u", i == 0 ? "" : " ", number_of(&page->records[i]));
	}
	if (!slice_is(buf_view(&got), want)) {
		printf("\"%.*s\" instead of \"%s\"\n", SLICE_ARG(buf_view(&got)), want);
	}
	CU_ASSERT_TRUE(slice_is(buf_view(&got), want));
}

/* ------------------------------------------------------------ what is recorded */

static void
without_a_stream_nothing_is_written_or_read_for_one(void)
{
	CU_ASSERT_EQUAL(fixture_table("other pk:S sk:N | +gs1 g:S ALL"), 0);
	put(1, 1);
	CU_ASSERT_EQUAL(fixture_put("other", "{\"pk\":\"a\",\"sk\":1,\"t\":\"0\"}"), 0);
	CU_ASSERT_EQUAL(fixture_keys(KEYSPACE_RECORD), 1);
	CU_ASSERT_EQUAL(fixture_keys(KEYSPACE_STREAM), 1);
	uint64_t before = kv_fault_calls(fixture.fault);

	put(2, 1);
	uint64_t with = kv_fault_calls(fixture.fault) - before;

	CU_ASSERT_EQUAL(fixture_put("other", "{\"pk\":\"a\",\"sk\":2,\"t\":\"0\"}"), 0);
	CU_ASSERT_EQUAL(kv_fault_calls(fixture.fault) - before - with, with);
	CU_ASSERT_EQUAL(fixture_keys(KEYSPACE_RECORD), 2);
}

/* BEHAVIOUR 7.2 */
static void
each_view_has_its_images(void)
{
	static const struct {
		enum stream_view view;
		bool new_image;
		bool old_image;
	} views[] = {
		{STREAM_KEYS_ONLY, false, false},
		{STREAM_NEW_IMAGE, true, false},
		{STREAM_OLD_IMAGE, false, true},
		{STREAM_NEW_AND_OLD_IMAGES, true, true},
	};

	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NONE), 0);
		CU_ASSERT_EQUAL(fixture_stream("tab", views[i].view), 0);
		CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\",\"sk\":1}"), 0);
		CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\",\"sk\":1,\"x\":[]}"), 0);
		CU_ASSERT_EQUAL(fixture_delete("tab", "{\"pk\":\"a\",\"sk\":1}"), 0);
		struct get_records_out all = stream_all(stream_arn());

		CU_ASSERT_EQUAL_FATAL(all.n_records, 3);
		for (size_t k = 0; k < 3; k++) {
			const struct stream_record *r = &all.records[k];

			CU_ASSERT_EQUAL(r->event, STREAM_INSERT + k);
			CU_ASSERT_EQUAL(r->view, views[i].view);
			CU_ASSERT_EQUAL(r->keys.n, 2);
			CU_ASSERT_EQUAL(r->new_image.n > 0, views[i].new_image && k < 2);
			CU_ASSERT_EQUAL(r->old_image.n > 0, views[i].old_image && k > 0);
		}
	}
}

static void
setting_the_time_of_last_write_makes_no_record(void)
{
	struct set_time_out out = {0};

	put(1, 1);
	int r = engine_set_time(
		fixture.e, &fixture.c,
		&(struct set_time_in){SLICE("tab"), fixture_item("{\"pk\":\"a\",\"sk\":1}"), 7},
		&out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.seq > 0);
	CU_ASSERT_EQUAL(stream_all(stream_arn()).n_records, 1);
}

/* BEHAVIOUR 7.5, 8.5, EX-17 */
static void
expired_items_are_recorded_as_deleted_by_the_service(void)
{
	struct update_time_to_live_out ttl;
	struct sweep_out swept = {0};
	int r = engine_update_time_to_live(
		fixture.e, &fixture.c,
		&(struct update_time_to_live_in){
			.table = SLICE("tab"), .enabled = true, .attribute = SLICE("until")},
		&ttl);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"user\",\"sk\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"machine\",\"sk\":2,\"until\":1600000000}"),
			0);
	r = engine_sweep(fixture.e, &fixture.c, &(struct sweep_in){.table = SLICE("tab")}, &swept);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(swept.deleted, 1);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"pk\":\"user\",\"sk\":1}"), 0);
	struct get_records_out all = stream_all(stream_arn());

	CU_ASSERT_EQUAL_FATAL(all.n_records, 4);
	expect_page(&all, "1 2 2 1");
	CU_ASSERT_EQUAL(all.records[2].event, STREAM_REMOVE);
	CU_ASSERT_TRUE(all.records[2].service);
	CU_ASSERT_TRUE(item_get(&all.records[2].old_image, SLICE("until")) != NULL);
	CU_ASSERT_FALSE(all.records[1].service);
	CU_ASSERT_FALSE(all.records[3].service);
}

static void
records_and_iterators_survive_a_restart(void)
{
	struct get_records_out page;
	struct slice iterator;

	for (unsigned i = 0; i < 4; i++) {
		put(i, 1);
	}
	CU_ASSERT_EQUAL(stream_iterator(stream_arn(), ITERATOR_TRIM_HORIZON, NULL, &iterator), 0);
	CU_ASSERT_EQUAL(stream_read(iterator, 2, &page), 0);
	expect_page(&page, "0 1");
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_EQUAL(stream_read(page.next, 0, &page), 0);
	expect_page(&page, "2 3");
	put(4, 1);
	CU_ASSERT_EQUAL(stream_read(page.next, 0, &page), 0);
	expect_page(&page, "4");
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_KEYS_ONLY), -ERR_VALIDATION);
}

/* ------------------------------------------------------------ how it is read */

static void
iterators_begin_where_they_say(void)
{
	struct get_records_out page;
	struct slice it;

	for (unsigned i = 0; i < 5; i++) {
		put(i, 1);
	}
	struct slice arn = stream_arn();
	const char *second = slice_cstr(&fixture.c.arena, stream_all(arn).records[1].seq);

	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_AT_SEQUENCE_NUMBER, second, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 2, &page), 0);
	expect_page(&page, "1 2");
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_AFTER_SEQUENCE_NUMBER, second, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	expect_page(&page, "2 3 4");
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_LATEST, NULL, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	expect_page(&page, "");
	put(5, 1);
	/* Both the first iterator and the one that an empty page returned. */
	CU_ASSERT_EQUAL(stream_read(page.next, 0, &page), 0);
	expect_page(&page, "5");
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	expect_page(&page, "5");
	/* Between two records: the iterator begins at the next one. */
	CU_ASSERT_EQUAL(fixture_put("other", "{\"pk\":\"a\"}"), -ERR_NO_TABLE);
	CU_ASSERT_EQUAL(
		stream_iterator(arn, ITERATOR_AT_SEQUENCE_NUMBER, "000000000000000000002", &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 1, &page), 0);
	expect_page(&page, "0");
}

static void
a_page_has_a_thousand_records_at_most(void)
{
	struct get_records_out page;
	struct slice it;

	for (unsigned i = 0; i < 1001; i++) {
		put(i, 1);
	}
	CU_ASSERT_EQUAL(stream_iterator(stream_arn(), ITERATOR_TRIM_HORIZON, NULL, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	CU_ASSERT_EQUAL_FATAL(page.n_records, 1000);
	CU_ASSERT_EQUAL(number_of(&page.records[999]), 999);
	CU_ASSERT_EQUAL(stream_read(page.next, 0, &page), 0);
	expect_page(&page, "1000");
}

/* Keys and images count; a page has at least one record, even a larger one. */
static void
a_page_has_a_megabyte_at_most(void)
{
	struct get_records_out page;
	struct slice it;

	for (unsigned i = 0; i < 3; i++) {
		put(i, 400000);
	}
	for (unsigned i = 0; i < 3; i++) {
		put(i, 399999);
	}
	CU_ASSERT_EQUAL(stream_iterator(stream_arn(), ITERATOR_TRIM_HORIZON, NULL, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	expect_page(&page, "0 1");
	CU_ASSERT_EQUAL(stream_read(page.next, 0, &page), 0);
	expect_page(&page, "2");
	CU_ASSERT_EQUAL(stream_read(page.next, 0, &page), 0);
	expect_page(&page, "0");
	CU_ASSERT_TRUE(page.records[0].bytes > 799999);
}

static void
a_closed_shard_ends(void)
{
	struct get_records_out page;
	struct slice arn = stream_arn();
	struct slice begin;
	struct slice latest;

	put(1, 1);
	put(2, 1);
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_TRIM_HORIZON, NULL, &begin), 0);
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_LATEST, NULL, &latest), 0);
	CU_ASSERT_TRUE(stream_described().enabled);
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NONE), 0);
	put(3, 1);
	CU_ASSERT_FALSE(stream_described().enabled);
	CU_ASSERT_TRUE(stream_described().shards[0].last.len > 0);
	CU_ASSERT_EQUAL(stream_read(begin, 1, &page), 0);
	expect_page(&page, "1");
	CU_ASSERT_EQUAL(stream_read(page.next, 1, &page), 0);
	expect_page(&page, "2");
	CU_ASSERT_EQUAL(page.next.len, 0);
	CU_ASSERT_EQUAL(stream_read(latest, 0, &page), 0);
	expect_page(&page, "");
	CU_ASSERT_EQUAL(page.next.len, 0);
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_LATEST, NULL, &latest), 0);
	CU_ASSERT_EQUAL(stream_read(latest, 0, &page), 0);
	CU_ASSERT_EQUAL(page.next.len, 0);
}

static void
an_iterator_is_valid_for_a_quarter_of_an_hour(void)
{
	const uint64_t now = fixture.c.now_ms;
	struct get_records_out page;
	struct slice it;

	CU_ASSERT_EQUAL(stream_iterator(stream_arn(), ITERATOR_TRIM_HORIZON, NULL, &it), 0);
	fixture.c.now_ms = now + 900000 - 1;
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), 0);
	fixture.c.now_ms++;
	struct slice next = page.next;

	CU_ASSERT_EQUAL(stream_read(next, 0, &page), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), -ERR_EXPIRED_ITERATOR);
	CU_ASSERT_STRING_EQUAL(fixture_message(),
			       "The shard iterator has expired and can no longer "
			       "be used to retrieve stream records");
}

static void
a_damaged_record_fails_the_read(void)
{
	struct buf key;
	struct get_records_out page;
	struct slice it;

	put(1, 1);
	struct slice arn = stream_arn();
	uint64_t seq = 0;

	CU_ASSERT_TRUE(stream_read_seq(stream_all(arn).records[0].seq, &seq));
	uint64_t id = 0;

	CU_ASSERT_TRUE(stream_read_seq(stream_described().shards[0].first, &id));
	buf_init(&key, &fixture.c.arena);
	buf_slice(&key, stream_record_key(key.arena, id, &seq));
	struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);

	b->ops->put(b, buf_view(&key), SLICE("no record"));
	CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, true), 0);
	kv_batch_free(b);
	CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_TRIM_HORIZON, NULL, &it), 0);
	CU_ASSERT_EQUAL(stream_read(it, 0, &page), -ERR_CORRUPT);
}

static void
a_fault_fails_the_read(void)
{
	struct slice it;
	bool fired = true;

	put(1, 1);
	struct slice arn = stream_arn();

	for (uint64_t nth = 1; fired; nth++) {
		struct get_records_out page;

		CU_ASSERT_EQUAL(stream_iterator(arn, ITERATOR_TRIM_HORIZON, NULL, &it), 0);
		kv_fault_arm(fixture.fault, nth);
		int r = stream_read(it, 0, &page);

		fired = kv_fault_fired(fixture.fault);
		CU_ASSERT_EQUAL(r, fired ? -ERR_IO : 0);
		kv_fault_arm(fixture.fault, 0);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(without_a_stream_nothing_is_written_or_read_for_one),
	UNIT_TEST(each_view_has_its_images),
	UNIT_TEST(setting_the_time_of_last_write_makes_no_record),
	UNIT_TEST(expired_items_are_recorded_as_deleted_by_the_service),
	UNIT_TEST(records_and_iterators_survive_a_restart),
	UNIT_TEST(iterators_begin_where_they_say),
	UNIT_TEST(a_page_has_a_thousand_records_at_most),
	UNIT_TEST(a_page_has_a_megabyte_at_most),
	UNIT_TEST(a_closed_shard_ends),
	UNIT_TEST(an_iterator_is_valid_for_a_quarter_of_an_hour),
	UNIT_TEST(a_damaged_record_fails_the_read),
	UNIT_TEST(a_fault_fails_the_read),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream, setup, fixture_close, tests);
