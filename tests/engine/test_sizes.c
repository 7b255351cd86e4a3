/* Tests of the size limits of an answer, on every engine. */
#include "tests/engine/things.h"
#include "tests/support/unit.h"

/* Make @n items in one partition, each of about @bytes. */
static void
fill_big(struct testee *t, unsigned n, size_t bytes)
{
	char *blob = arena_new(&things_call.arena, char, bytes);

	memset(blob, 'x', bytes);
	things_create(t);
	for (unsigned i = 0; i < n; i++) {
		struct attr at[] = {{SLICE("P"), things_text("p", 0)},
				    {SLICE("S"), things_number(i)},
				    {SLICE("B"), value_string(slice_of(blob, bytes))},
				    {SLICE("X"), things_number(i)}};
		struct item it = {at, 4};

		things_load(t, &it, 1);
	}
}

static void
megabyte_on(struct testee *t)
{
	struct attr values[] = {{SLICE(":p"), things_text("p", 0)},
				{SLICE(":n"), value_string(SLICE("no"))}};
	struct op_in r = {.type = OP_QUERY,
			  .query = {.read.table = SLICE("Things"),
				    .key_condition = SLICE("P = :p"),
				    .read.ph = {.values = {values, 1}, .values_given = true}}};
	struct op_in scan = {.type = OP_SCAN, .scan.read.table = SLICE("Things")};
	struct item none = {0};

	fill_big(t, 20, 100000);

	struct page page = things_page(t, &r, 0, none);

	CU_ASSERT_EQUAL(page.count, 11);
	CU_ASSERT_EQUAL(page.last.n, 2);
	page = things_page(t, &r, 0, page.last);
	CU_ASSERT_EQUAL(page.count, 9);
	CU_ASSERT_EQUAL(page.last.n, 0);

	/* the size is measured before the filter and before the projection */
	r.query.read.filter = SLICE("B = :n");
	r.query.read.ph.values.n = 2;
	page = things_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 0);
	CU_ASSERT_EQUAL(page.scanned, 11);
	CU_ASSERT_EQUAL(page.last.n, 2);
	r.query.read.filter = slice_of(NULL, 0);
	r.query.read.ph.values.n = 1;
	r.query.read.select = SELECT_COUNT;
	page = things_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 11);
	CU_ASSERT_PTR_NULL(page.items);
	r.query.read.select = SELECT_DEFAULT;
	r.query.read.projection = SLICE("S");
	page = things_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 11);
	page = things_page(t, &scan, 0, none);
	CU_ASSERT_EQUAL(page.count, 11);

	/* small index entries fit into one page, but the items that are fetched for them do not */
	r.query = (struct query_in){.read.table = SLICE("Things"),
				    .read.index = SLICE("Local"),
				    .key_condition = SLICE("P = :p"),
				    .read.ph = {.values = {values, 1}, .values_given = true}};
	page = things_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 20);
	CU_ASSERT_EQUAL(page.last.n, 0);
	r.query.read.select = SELECT_ALL;
	page = things_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 11);
}

static void
a_page_ends_with_the_item_that_crosses_one_megabyte(void)
{
	engines_each(megabyte_on);
}

static struct item
key_of(unsigned n)
{
	struct attr *at = arena_new(&things_call.arena, struct attr, 2);

	at[0] = (struct attr){SLICE("P"), things_text("p", 0)};
	at[1] = (struct attr){SLICE("S"), things_number(n)};
	return (struct item){at, 2};
}

static size_t
answered(const struct batch_get_item_out *out)
{
	return out->n_tables == 0 ? 0 : out->tables->n_items;
}

static size_t
left_over(const struct batch_get_item_out *out)
{
	return out->n_unprocessed == 0 ? 0 : out->unprocessed->n_keys;
}

static void
batch_on(struct testee *t)
{
	enum { ITEMS = 50, BYTES = 390000 };
	struct item keys[ITEMS];
	struct batch_get get = {.table = SLICE("Things"), .keys = keys, .n_keys = ITEMS};
	struct batch_get_item_in in = {.tables = &get, .n_tables = 1};
	struct batch_get_item_out out = {0};
	struct arena_mark before = arena_mark(&things_call.arena);
	int r;

	/* start with fresh memory: answers of the previous engine would count, too */
	things_teardown();
	things_setup();
	fill_big(t, ITEMS, BYTES);
	for (unsigned i = 0; i < ITEMS; i++) {
		keys[i] = key_of(i);
	}
	r = engine_batch_get_item(t->engine, &things_call, &in, &out);
	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL(answered(&out), 16 * 1024 * 1024 / (BYTES + 10));
	CU_ASSERT_EQUAL(out.n_unprocessed, 1);
	CU_ASSERT_EQUAL(answered(&out) + left_over(&out), ITEMS);
	in.tables = out.unprocessed;
	r = engine_batch_get_item(t->engine, &things_call, &in, &out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.n_unprocessed, 0);
	CU_ASSERT_EQUAL(answered(&out), ITEMS - 16 * 1024 * 1024 / (BYTES + 10));
	arena_reset(&things_call.arena, before);
}

static void
a_batch_get_over_16_mb_leaves_keys_unprocessed(void)
{
	engines_each(batch_on);
}

static void
transaction_on(struct testee *t)
{
	enum { ITEMS = 11, BYTES = 390000 };
	struct transact_get gets[ITEMS] = {0};
	struct transact_get_items_in in = {.gets = gets, .n_gets = ITEMS - 1};
	struct transact_get_items_out out = {0};
	struct call own;

	fill_big(t, ITEMS, BYTES);
	for (unsigned i = 0; i < ITEMS; i++) {
		gets[i] = (struct transact_get){.table = SLICE("Things"), .key = key_of(i)};
	}
	int r = engine_transact_get_items(t->engine, &things_call, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.n_responses, ITEMS - 1);
	call_open(&own, THINGS_NOW_MS, THINGS_BUDGET);
	in.n_gets = ITEMS;
	r = engine_transact_get_items(t->engine, &own, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	call_close(&own);
}

static void
a_transaction_reads_at_most_4_mb(void)
{
	engines_each(transaction_on);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_page_ends_with_the_item_that_crosses_one_megabyte),
	UNIT_TEST(a_batch_get_over_16_mb_leaves_keys_unprocessed),
	UNIT_TEST(a_transaction_reads_at_most_4_mb),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sizes, things_setup, things_teardown, tests);
