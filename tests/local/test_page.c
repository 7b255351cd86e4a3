/* Pages of a local index whose items are fetched from the table: from one state, each item once. */
#include "store/local/read/read_page.h"
#include "store/local/records/catalog.h"
#include "store/model/item_json.h"

#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

static void
setup(void)
{
	fixture_open();
	if (fixture_table("tab P:S S:N | -LSI l:S KEYS_ONLY") != 0 ||
	    fixture_put("tab", "{\"P\":\"p\",\"S\":1,\"l\":\"a\",\"v\":\"one\"}") != 0 ||
	    fixture_put("tab", "{\"P\":\"p\",\"S\":2,\"l\":\"b\",\"v\":\"two\"}") != 0 ||
	    fixture_put("tab", "{\"P\":\"p\",\"S\":3,\"l\":\"c\",\"v\":\"three\"}") != 0) {
		abort();
	}
}

static struct attr values[] = {{SLICE_INIT(":p"), {.type = VALUE_S, .text = SLICE_INIT("p")}},
			       {SLICE_INIT(":n"), {.type = VALUE_N, .text = SLICE_INIT("2")}}};

/* Read complete items, two of which pass the filter. */
static void
an_item_is_fetched_once_even_if_filtered(void)
{
	struct query_in in = {.read.table = SLICE("tab"),
			      .read.index = SLICE("LSI"),
			      .key_condition = SLICE("P = :p"),
			      .read.select = SELECT_ALL,
			      .read.filter = SLICE("S >= :n"),
			      .read.ph = {.values = {values, 2}, .values_given = true}};
	struct query_out out = {0};
	uint64_t before = kv_fault_calls(fixture.fault);
	int r = engine_query(fixture.e, &fixture.c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL(out.page.count, 2);
	CU_ASSERT_EQUAL(out.page.scanned, 3);
	for (size_t i = 0; i < out.page.count && out.page.items != NULL; i++) {
		CU_ASSERT_EQUAL(out.page.items[i].n, 4);
	}
	/* three items, and the cursor's status */
	CU_ASSERT_EQUAL(kv_fault_calls(fixture.fault) - before, 4);
}

static void
items_are_fetched_from_the_state_of_the_page(void)
{
	struct local *l = (struct local *)fixture.e;
	const struct page_spec spec = {.fetch = true, .whole = true};
	const struct schema *schema = NULL;
	const struct index *ix = NULL;
	struct page_reader reader;
	struct plan plan;
	int r = catalog_find_index(l->catalog, &fixture.c, SLICE("tab"), SLICE("LSI"), &schema,
				   &ix);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	plan_whole(&fixture.c, schema, ix, &plan);
	page_open(&reader, l, &spec);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"P\":\"p\",\"S\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"p\",\"S\":2,\"l\":\"b\",\"v\":\"new\"}"), 0);
	CU_ASSERT_EQUAL(page_run(&reader, &fixture.c, &plan), PAGE_END);
	CU_ASSERT_EQUAL_FATAL(reader.page.count, 3);
	CU_ASSERT_TRUE(slice_is(item_get(&reader.page.items[0], SLICE("v"))->text, "one"));
	CU_ASSERT_TRUE(slice_is(item_get(&reader.page.items[1], SLICE("v"))->text, "two"));
	CU_ASSERT_EQUAL(reader.sum.fetch_blocks, 3);
	page_close(&reader);
}

/* The text of the page equals the text of its items, however it is read. */
static void
items_are_written_directly_into_the_answer(void)
{
	static const struct read_in rows[] = {
		{.table = SLICE_INIT("tab")},
		{.table = SLICE_INIT("tab"), .projection = SLICE_INIT("v, P")},
		{.table = SLICE_INIT("tab"), .filter = SLICE_INIT("v <> :p")},
		{.table = SLICE_INIT("tab"), .filter = SLICE_INIT("v = :p")}, /* none */
		{.table = SLICE_INIT("tab"), .index = SLICE_INIT("LSI")},
		{.table = SLICE_INIT("tab"), .index = SLICE_INIT("LSI"), .select = SELECT_ALL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct query_in in = {.read = rows[i], .key_condition = SLICE("P = :p")};
		struct query_out items = {0}, text = {0};
		struct buf want, plain, json;

		buf_init(&want, &fixture.c.arena);
		buf_init(&plain, &fixture.c.arena);
		buf_init(&json, &fixture.c.arena);
		in.read.ph = (struct placeholders){.values = {values, 1}, .values_given = true};
		CU_ASSERT_EQUAL_FATAL(engine_query(fixture.e, &fixture.c, &in, &items), 0);
		in.read.text =
			(struct page_text){.out = &json, .form = ITEM_TYPED, .between = SLICE(",")};
		CU_ASSERT_EQUAL_FATAL(engine_query(fixture.e, &fixture.c, &in, &text), 0);
		for (size_t n = 0; n < items.page.count; n++) {
			buf_str(&want, n == 0 ? "" : ",");
			item_put_json(&want, &items.page.items[n], ITEM_TYPED);
			buf_str(&plain, "<");
			item_put_json(&plain, &items.page.items[n], ITEM_PLAIN);
			buf_str(&plain, ">\n");
		}
		CU_ASSERT_TRUE(text.page.in_text && !items.page.in_text);
		CU_ASSERT_PTR_NULL(text.page.items);
		CU_ASSERT_EQUAL(text.page.count, items.page.count);
		CU_ASSERT_TRUE(slice_eq(buf_view(&json), buf_view(&want)));
		buf_clear(&json);
		in.read.text = (struct page_text){
			.out = &json, .before = SLICE("<"), .after = SLICE(">\n")};
		CU_ASSERT_EQUAL_FATAL(engine_query(fixture.e, &fixture.c, &in, &text), 0);
		CU_ASSERT_TRUE(slice_eq(buf_view(&json), buf_view(&plain)));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_item_is_fetched_once_even_if_filtered),
	UNIT_TEST(items_are_fetched_from_the_state_of_the_page),
	UNIT_TEST(items_are_written_directly_into_the_answer),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(page, setup, fixture_close, tests);
