/* The size of item collections is limited where the table has a local index.  BEHAVIOUR 5.3, 5.4, EX-27 */
#include "tests/support/fixture.h"
#include "tests/support/unit.h"

/* Create a table whose collections are limited to @limit bytes where it has a local index. */
static void
create_with(uint64_t limit, struct index *lsi)
{
	struct schema s = {
		.table = SLICE("tab"),
		.collection_limit = limit,
		.key = {.pk = {{SLICE("pk"), VALUE_S}}, .sk = {{SLICE("sk"), VALUE_N}}},
		.index = lsi,
		.n_index = lsi == NULL ? 0 : 1,
	};
	struct create_table_out out;
	int r = engine_create_table(fixture.e, &fixture.c, &(struct create_table_in){.schema = &s},
				    &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

static void
create(uint64_t limit)
{
	create_with(limit,
		    &(struct index){
			    .name = SLICE("lsi"),
			    .key = {.pk = {{SLICE("pk"), VALUE_S}}, .sk = {{SLICE("l"), VALUE_N}}},
		    });
}

/* The item and its entry have 111 bytes each (110 for number 0): nine of both fit into 2,000. */
static int
put_number(int n)
{
	char json[200];

	(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":%d,\"l\":1,\"d\":\"%0100d\"}", n,
		       n);
	return fixture_put("tab", json);
}

static void
fill(void)
{
	create(2000);
	for (int i = 0; i < 9; i++) {
		int r = put_number(i);

		CU_ASSERT_EQUAL(r, 0);
	}
}

static void
a_write_that_grows_beyond_the_limit_is_refused(void)
{
	fill();
	int r = put_number(9);

	CU_ASSERT_EQUAL(r, -ERR_COLLECTION_TOO_BIG);
	CU_ASSERT_STRING_EQUAL(fixture_message(), "Collection size exceeded.");
	fixture_expect("tab", "{\"pk\":\"p\",\"sk\":9}", NULL);
	CU_ASSERT_EQUAL(fixture_totals("tab", "lsi").items, 9);
	r = fixture_put("tab", "{\"pk\":\"q\",\"sk\":1,\"l\":1}"); /* another collection */
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
the_limit_survives_a_restart(void)
{
	fill();
	int r = fixture_restart();

	CU_ASSERT_EQUAL_FATAL(r, 0);
	r = put_number(9);
	CU_ASSERT_EQUAL(r, -ERR_COLLECTION_TOO_BIG);
}

static void
writes_that_do_not_grow_are_allowed(void)
{
	fill();
	int r = put_number(0);

	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", "{\"pk\":\"p\",\"sk\":1,\"l\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_delete("tab", "{\"pk\":\"p\",\"sk\":2}");
	CU_ASSERT_EQUAL(r, 0);
	r = put_number(9); /* there is room again */
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

/* 18 items of 105 bytes are 1,890 bytes; with an entry of 13 bytes for one of them the sum is still below 2,000. */
static void
an_entry_counts_as_growth_though_its_item_shrinks(void)
{
	char json[200];
	int r = 0;

	create(2000);
	for (int i = 10; i < 28; i++) {
		(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":%d,\"d\":\"%096d\"}", i,
			       i);
		r = fixture_put("tab", json);
		CU_ASSERT_EQUAL(r, 0);
	}
	(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":10,\"l\":1,\"d\":\"%092d\"}", 0);
	r = fixture_put("tab", json);
	CU_ASSERT_EQUAL(r, 0);
	(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":11,\"l\":1,\"d\":\"%090d\"}", 0);
	r = fixture_put("tab", json);
	CU_ASSERT_EQUAL(r, -ERR_COLLECTION_TOO_BIG);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
it_is_the_reason_of_a_transaction(void)
{
	char d[101];

	fill();
	(void)snprintf(d, sizeof(d), "%0100d", 0);
	struct attr at[] = {
		{SLICE("pk"), value_string(SLICE("p"))},
		{SLICE("sk"), {.type = VALUE_N, .text = SLICE("9")}},
		{SLICE("l"), {.type = VALUE_N, .text = SLICE("1")}},
		{SLICE("d"), value_string(slice_from(d))},
	};
	const struct transact_action actions[] = {
		{.kind = TRANSACT_PUT,
		 .table = SLICE("tab"),
		 .item = fixture_item("{\"pk\":\"q\",\"sk\":1}")},
		{.kind = TRANSACT_PUT, .table = SLICE("tab"), .item = {.at = at, .n = 4}},
	};
	struct transact_write_items_out out;
	int r = engine_transact_write_items(
		fixture.e, &fixture.c,
		&(struct transact_write_items_in){.actions = actions, .n_actions = 2}, &out);

	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(fixture.c.error.n_reasons, 2);
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[0].code, "None"));
	CU_ASSERT_TRUE(
		slice_is(fixture.c.error.reasons[1].code, "ItemCollectionSizeLimitExceeded"));
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[1].message, "Collection size exceeded."));
	fixture_expect("tab", "{\"pk\":\"q\",\"sk\":1}", NULL);
}

static void
without_the_setting_it_is_10_gb(void)
{
	create(0);
	for (int i = 0; i < 50; i++) {
		int r = put_number(i);

		CU_ASSERT_EQUAL(r, 0);
	}
}

static void
without_a_local_index_there_is_no_limit(void)
{
	create_with(2000, NULL);
	for (int i = 0; i < 50; i++) {
		int r = put_number(i);

		CU_ASSERT_EQUAL(r, 0);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_write_that_grows_beyond_the_limit_is_refused),
	UNIT_TEST(the_limit_survives_a_restart),
	UNIT_TEST(writes_that_do_not_grow_are_allowed),
	UNIT_TEST(an_entry_counts_as_growth_though_its_item_shrinks),
	UNIT_TEST(it_is_the_reason_of_a_transaction),
	UNIT_TEST(without_the_setting_it_is_10_gb),
	UNIT_TEST(without_a_local_index_there_is_no_limit),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(collection, fixture_open, fixture_close, tests);
