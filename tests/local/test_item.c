/* PutItem, DeleteItem, SetTime: answers and stored records. */
#include "store/engine/engine.h"
#include "store/engine/feed.h"

#include "tests/support/fixture.h"
#include "tests/support/unit.h"

static void
setup(void)
{
	fixture_open();
	if (fixture_table(
		    "tab PK:S SK:S | +GSI1 g:N ALL | +GSI2 h:S x:B KEYS_ONLY | -LSI l:S ALL") !=
		    0 ||
	    fixture_table("sim k:N") != 0) {
		printf("%s\n", fixture_message());
	}
}

static void
expect_error(int r, enum err code, const char *message)
{
	bool right = r == -(int)code && strcmp(fixture_message(), message) == 0;

	if (!right) {
		printf("%d %s\nwant %s\n", r, fixture_message(), message);
	}
	CU_ASSERT_TRUE(right);
}

static const char *
repeat(const char *before, char ch, size_t n, const char *after)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	buf_str(&b, before);
	memset(buf_room(&b, n), ch, n);
	b.len += n;
	buf_str(&b, after);
	buf_char(&b, '\0');
	return b.at;
}

static void
an_item_is_put_replaced_and_deleted(void)
{
	int r = fixture_put("tab", "{\"PK\":\"a\",\"SK\":\"1\",\"v\":1,\"old\":true}");

	CU_ASSERT_EQUAL(r, 0);
	fixture_expect("tab", "{\"PK\":\"a\",\"SK\":\"1\"}",
		       "{\"PK\":\"a\",\"SK\":\"1\",\"v\":1,\"old\":true}");
	r = fixture_put("tab", "{\"PK\":\"a\",\"SK\":\"1\",\"v\":2}");
	CU_ASSERT_EQUAL(r, 0);
	fixture_expect("tab", "{\"PK\":\"a\",\"SK\":\"1\"}", "{\"PK\":\"a\",\"SK\":\"1\",\"v\":2}");
	r = fixture_delete("tab", "{\"PK\":\"a\",\"SK\":\"1\"}");
	CU_ASSERT_EQUAL(r, 0);
	fixture_expect("tab", "{\"PK\":\"a\",\"SK\":\"1\"}", NULL);
	r = fixture_delete("tab", "{\"PK\":\"a\",\"SK\":\"1\"}");
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, 0);
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).partitions, 0);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
the_old_item_is_returned_when_asked_for(void)
{
	struct put_item_in put = {
		.write = {.table = SLICE("tab"),
			  .item = fixture_item("{\"PK\":\"a\",\"SK\":\"1\",\"v\":1}"),
			  .return_values = RETURN_ALL_OLD}};
	struct delete_item_in del = {.write = {.table = SLICE("tab"),
					       .item = fixture_item("{\"PK\":\"a\",\"SK\":\"1\"}"),
					       .return_values = RETURN_ALL_OLD}};
	struct put_item_out was = {0};
	struct delete_item_out gone = {0};
	int r = engine_put_item(fixture.e, &fixture.c, &put, &was);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(!was.written.had_old && was.written.attributes.n == 0);
	uint64_t first = was.written.seq;

	r = engine_put_item(fixture.e, &fixture.c, &put, &was);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(was.written.had_old && item_eq(&was.written.attributes, &put.write.item));
	CU_ASSERT_EQUAL(was.written.seq, first + 1);
	r = engine_delete_item(fixture.e, &fixture.c, &del, &gone);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(gone.written.had_old && item_eq(&gone.written.attributes, &put.write.item));
	CU_ASSERT_EQUAL(gone.written.seq, first + 2);
	r = engine_delete_item(fixture.e, &fixture.c, &del, &gone);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(!gone.written.had_old && gone.written.seq == 0);
}

static void
a_false_condition_changes_nothing_and_returns_the_item(void)
{
	struct put_item_in put = {
		.write = {.table = SLICE("tab"),
			  .item = fixture_item("{\"PK\":\"a\",\"SK\":\"1\",\"v\":2}"),
			  .condition = SLICE("attribute_not_exists(PK)"),
			  .return_on_failure = RETURN_ALL_OLD}};
	struct put_item_out out = {0};
	struct item first = fixture_item("{\"PK\":\"a\",\"SK\":\"1\",\"v\":1}");
	int r = fixture_put_if("tab", "{\"PK\":\"a\",\"SK\":\"1\",\"v\":1}",
			       "attribute_not_exists(PK)");

	CU_ASSERT_EQUAL(r, 0);
	r = engine_put_item(fixture.e, &fixture.c, &put, &out);
	expect_error(r, ERR_CONDITION, "The conditional request failed");
	CU_ASSERT_TRUE(fixture.c.error.item != NULL && item_eq(fixture.c.error.item, &first));
	r = fixture_put_if("tab", "{\"PK\":\"a\",\"SK\":\"1\",\"v\":2}",
			   "attribute_not_exists(PK)");
	expect_error(r, ERR_CONDITION, "The conditional request failed");
	CU_ASSERT_PTR_NULL(fixture.c.error.item);
	r = fixture_put_if("tab", "{\"PK\":\"b\",\"SK\":\"1\"}", "attribute_exists(PK)");
	expect_error(r, ERR_CONDITION, "The conditional request failed");
	fixture_expect("tab", "{\"PK\":\"a\",\"SK\":\"1\"}", "{\"PK\":\"a\",\"SK\":\"1\",\"v\":1}");
	fixture_expect("tab", "{\"PK\":\"b\",\"SK\":\"1\"}", NULL);
}

#define INVALID "One or more parameter values were invalid: "
#define NOT_VALID "One or more parameter values are not valid. "

static void
items_that_do_not_fit_the_schema_are_refused(void)
{
	static const struct {
		const char *item;
		const char *message;
	} rows[] = {
		{"{\"PK\":\"a\"}", INVALID "Missing the key SK in the item"},
		{"{\"SK\":\"a\"}", INVALID "Missing the key PK in the item"},
		{"{\"PK\":1,\"SK\":\"a\"}",
		 INVALID "Type mismatch for key PK expected: S actual: N"},
		{"{\"PK\":\"a\",\"SK\":true}",
		 INVALID "Type mismatch for key SK expected: S actual: BOOL"},
		{"{\"PK\":\"\",\"SK\":\"a\"}",
		 NOT_VALID "The AttributeValue for a key attribute cannot contain an empty string "
			   "value. Key: PK"},
		{"{\"PK\":\"a\",\"SK\":\"\"}",
		 NOT_VALID "The AttributeValue for a key attribute cannot contain an empty string "
			   "value. Key: SK"},
		{"{\"PK\":\"a\",\"SK\":\"a\",\"g\":\"x\"}",
		 INVALID "Type mismatch for Index Key g Expected: N Actual: S IndexName: GSI1"},
		{"{\"PK\":\"a\",\"SK\":\"a\",\"x\":\"x\"}",
		 INVALID "Type mismatch for Index Key x Expected: B Actual: S IndexName: GSI2"},
		{"{\"PK\":\"a\",\"SK\":\"a\",\"l\":1}",
		 INVALID "Type mismatch for Index Key l Expected: S Actual: N IndexName: LSI"},
		{"{\"PK\":\"a\",\"SK\":\"a\",\"h\":\"\"}",
		 NOT_VALID "A value specified for a secondary index key is not supported. The "
			   "AttributeValue for a key attribute cannot contain an empty string "
			   "value. IndexName: GSI2, IndexKey: h"},
		{"{\"PK\":\"a\",\"SK\":\"a\",\"x\":{\"B\":\"\"}}",
		 NOT_VALID "A value specified for a secondary index key is not supported. The "
			   "AttributeValue for a key attribute cannot contain an empty binary "
			   "value. IndexName: GSI2, IndexKey: x"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int r = fixture_put("tab", rows[i].item);

		expect_error(r, ERR_VALIDATION, rows[i].message);
	}
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, 0);
}

static void
keys_of_requests_are_exactly_the_schema_s(void)
{
	static const char *const keys[] = {
		"{\"PK\":\"a\"}",
		"{\"PK\":\"a\",\"SK\":1}",
		"{\"PK\":\"a\",\"SK\":\"1\",\"v\":1}",
		"{\"PK\":\"a\",\"v\":\"1\"}",
		"{}",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		int r = fixture_delete("tab", keys[i]);

		expect_error(r, ERR_VALIDATION,
			     "The provided key element does not match the schema");
	}
	int r = fixture_delete("tab", "{\"PK\":\"\",\"SK\":\"1\"}");

	expect_error(r, ERR_VALIDATION,
		     NOT_VALID "The AttributeValue for a key attribute cannot contain an empty "
			       "string value. Key: PK");
}

static void
keys_and_items_have_limits(void)
{
	static const char long_pk[] =
		INVALID "Size of hashkey has exceeded the maximum size limit of2048 bytes";
	static const char long_sk[] = INVALID
		"Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
	int r = fixture_put("tab", repeat("{\"SK\":\"1\",\"PK\":\"", 'p', 2048, "\"}"));

	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", repeat("{\"SK\":\"1\",\"PK\":\"", 'p', 2049, "\"}"));
	expect_error(r, ERR_KEY_TOO_LONG, long_pk);
	r = fixture_put("tab", repeat("{\"PK\":\"1\",\"SK\":\"", 's', 1024, "\"}"));
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", repeat("{\"PK\":\"1\",\"SK\":\"", 's', 1025, "\"}"));
	expect_error(r, ERR_KEY_TOO_LONG, long_sk);
	r = fixture_put("tab", repeat("{\"PK\":\"1\",\"SK\":\"1\",\"x\":{\"B\":\"YQ==\"},\"h\":\"",
				      's', 2049, "\"}"));
	expect_error(r, ERR_KEY_TOO_LONG, long_pk);

	/* k and a number of one digit have 1 + 2 bytes, the name v has one. */
	r = fixture_put("sim", repeat("{\"k\":1,\"v\":\"", 'v', 409600 - 4, "\"}"));
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("sim", repeat("{\"k\":1,\"v\":\"", 'v', 409600 - 3, "\"}"));
	expect_error(r, ERR_ITEM_TOO_BIG, "Item size has exceeded the maximum allowed size");
	CU_ASSERT_EQUAL(fixture_totals("sim", NULL).bytes, 409600);

	/* Entries of local indexes count towards the item's size limit. */
	r = fixture_put("tab", repeat("{\"PK\":\"a\",\"SK\":\"1\",\"v\":\"", 'v', 300000, "\"}"));
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", repeat("{\"PK\":\"a\",\"SK\":\"1\",\"l\":\"x\",\"v\":\"", 'v',
				      300000, "\"}"));
	expect_error(r, ERR_ITEM_TOO_BIG, "Item size has exceeded the maximum allowed size");
}

static void
an_unknown_table_is_not_found(void)
{
	int r = fixture_put("nope", "{\"k\":1}");

	expect_error(r, ERR_NO_TABLE, "Requested resource not found");
	r = fixture_delete("nope", "{\"k\":1}");
	expect_error(r, ERR_NO_TABLE, "Requested resource not found");
}

static void
times_of_last_write_are_kept(void)
{
	struct item key = fixture_item("{\"k\":1}");
	struct get_item_in get = {.table = SLICE("sim"), .key = key};
	struct put_item_in put = {.write = {.table = SLICE("sim"), .item = key},
				  .mtime_ns = 123456789};
	struct set_time_in set = {.table = SLICE("sim"), .key = key, .mtime_ns = 42};
	struct put_item_out put_out = {0};
	struct set_time_out set_out = {0};
	struct get_item_out got = {0};
	int r = engine_set_time(fixture.e, &fixture.c, &set, &set_out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(set_out.seq, 0);
	r = fixture_put("sim", "{\"k\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = engine_get_item(fixture.e, &fixture.c, &get, &got);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(got.mtime_ns, fixture.c.now_ms * 1000000);
	r = engine_put_item(fixture.e, &fixture.c, &put, &put_out);
	CU_ASSERT_EQUAL(r, 0);
	r = engine_get_item(fixture.e, &fixture.c, &get, &got);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(got.mtime_ns, 123456789);
	r = engine_set_time(fixture.e, &fixture.c, &set, &set_out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(set_out.seq, put_out.written.seq + 1);
	r = engine_get_item(fixture.e, &fixture.c, &get, &got);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(got.mtime_ns, 42);
	fixture_expect("sim", "{\"k\":1}", "{\"k\":1}");
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
changes_are_published_with_their_images(void)
{
	struct feed_reader *r = feed_open(engine_feed(fixture.e));
	struct item one = fixture_item("{\"k\":1,\"v\":1}");
	struct item two = fixture_item("{\"k\":1,\"v\":2}");
	struct change ch;

	fixture.c.origin = &one;
	CU_ASSERT_EQUAL(fixture_put("sim", "{\"k\":1,\"v\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_put("sim", "{\"k\":1,\"v\":2}"), 0);
	CU_ASSERT_EQUAL(fixture_put("sim", "{\"v\":2,\"k\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_put_if("sim", "{\"k\":1}", "attribute_not_exists(k)"),
			-ERR_CONDITION);
	CU_ASSERT_EQUAL(fixture_delete("sim", "{\"k\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_delete("sim", "{\"k\":1}"), 0);

	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), 0);
	CU_ASSERT_TRUE(!ch.has_old && ch.has_new && item_eq(&ch.updated, &one) && !ch.times_only);
	CU_ASSERT_PTR_EQUAL(ch.origin, &one);
	uint64_t first = ch.seq;

	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), 0);
	CU_ASSERT_TRUE(ch.has_old && item_eq(&ch.old, &one) && item_eq(&ch.updated, &two));
	CU_ASSERT_FALSE(ch.times_only);
	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), 0);
	CU_ASSERT_TRUE(ch.times_only && item_eq(&ch.updated, &two));
	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), 0);
	CU_ASSERT_TRUE(ch.has_old && !ch.has_new && item_eq(&ch.old, &two));
	CU_ASSERT_EQUAL(ch.seq, first + 3);
	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), FEED_TIMEOUT);
	CU_ASSERT_EQUAL(feed_newest(engine_feed(fixture.e)), first + 3);
	feed_close(r);
}

static void
sequence_numbers_continue_after_a_restart(void)
{
	struct put_item_in put = {
		.write = {.table = SLICE("sim"), .item = fixture_item("{\"k\":1}")}};
	struct put_item_out before = {0};
	struct put_item_out after = {0};
	int r = engine_put_item(fixture.e, &fixture.c, &put, &before);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	r = engine_put_item(fixture.e, &fixture.c, &put, &after);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(after.written.seq, before.written.seq + 1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_item_is_put_replaced_and_deleted),
	UNIT_TEST(the_old_item_is_returned_when_asked_for),
	UNIT_TEST(a_false_condition_changes_nothing_and_returns_the_item),
	UNIT_TEST(items_that_do_not_fit_the_schema_are_refused),
	UNIT_TEST(keys_of_requests_are_exactly_the_schema_s),
	UNIT_TEST(keys_and_items_have_limits),
	UNIT_TEST(an_unknown_table_is_not_found),
	UNIT_TEST(times_of_last_write_are_kept),
	UNIT_TEST(changes_are_published_with_their_images),
	UNIT_TEST(sequence_numbers_continue_after_a_restart),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(item, setup, fixture_close, tests);
