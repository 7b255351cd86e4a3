/* Capacity units at the size boundaries, metering of several tables, and item collections. */
#include "store/local/write/index.h"
#include "store/local/write/write_metering.h"

#include "tests/support/fixture.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct index indexes[] = {
	{.name = SLICE_INIT("glob"), .global = true, .id = 1},
	{.name = SLICE_INIT("loc"), .id = 2},
};
static const struct schema table = {
	.table = SLICE_INIT("table"),
	.key = {.pk = {{SLICE_INIT("P"), VALUE_S}}},
	.index = indexes,
	.n_index = 2,
};
static const struct schema plain = {
	.table = SLICE_INIT("plain"),
	.key = {.pk = {{SLICE_INIT("P"), VALUE_S}}},
};

/* ------------------------------------------------------------ numbers */

static void
reads_are_rounded_up_to_4_kb(void)
{
	static const struct {
		uint64_t bytes;
		uint64_t blocks;
	} rows[] = {{0, 1}, {1, 1}, {4096, 1}, {4097, 2}, {8192, 2}, {8193, 3}, {409600, 100}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(capacity_blocks(rows[i].bytes), rows[i].blocks);
		CU_ASSERT_EQUAL(capacity_read(rows[i].bytes, capacity_read_cost(false)),
				rows[i].blocks);
		CU_ASSERT_EQUAL(capacity_read(rows[i].bytes, capacity_read_cost(true)),
				2 * rows[i].blocks);
		CU_ASSERT_EQUAL(capacity_read(rows[i].bytes, CAPACITY_TRANSACTION),
				4 * rows[i].blocks);
	}
}

static void
writes_are_rounded_up_to_1_kb_of_the_larger_item(void)
{
	static const struct {
		uint64_t old;
		uint64_t updated;
		uint64_t units;
	} rows[] = {{0, 0, 1},       {0, 1, 1},     {0, 1024, 1},  {0, 1025, 2},    {1025, 0, 2},
		    {1025, 1024, 2}, {3000, 10, 3}, {10, 3000, 3}, {0, 409600, 400}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(capacity_write(rows[i].old, rows[i].updated), 2 * rows[i].units);
	}
}

static struct index_entry
entry(const char *key, uint64_t bytes, const struct item *projected)
{
	return (struct index_entry){
		.there = true,
		.key = slice_from(key),
		.projected = *projected,
		.size = {.items = 1, .item_bytes = bytes},
	};
}

static void
entries_cost_by_their_change(void)
{
	struct attr one = {SLICE("a"), value_string(SLICE("1"))};
	struct attr two = {SLICE("a"), value_string(SLICE("2"))};
	const struct item first = {.at = &one, .n = 1};
	const struct item second = {.at = &two, .n = 1};
	const struct index_entry none = {0};
	const struct index_entry small = entry("k", 1024, &first);
	const struct index_entry large = entry("k", 1025, &second);
	const struct index_entry other = entry("m", 2049, &first);

	CU_ASSERT_EQUAL(index_cost(&none, &none), 0);
	CU_ASSERT_EQUAL(index_cost(&none, &small), 2);
	CU_ASSERT_EQUAL(index_cost(&large, &none), 4);
	CU_ASSERT_EQUAL(index_cost(&small, &small), 0);
	CU_ASSERT_EQUAL(index_cost(&small, &large), 4);
	CU_ASSERT_EQUAL(index_cost(&large, &small), 4);
	CU_ASSERT_EQUAL(index_cost(&large, &other), 4 + 6);
}

/* ------------------------------------------------------------ several tables */

static void
capacity_is_reported_only_on_request(void)
{
	struct capacity_sheet spool = capacity_sheet(&c, CAPACITY_NONE);

	CU_ASSERT_PTR_NULL(capacity_on(&spool, &table, SLICE("table")));
	capacity_count_read(&spool, &table, SLICE("table"), 5000, CAPACITY_EVENTUAL);
	CU_ASSERT_EQUAL(capacity_tell(&spool, CAPACITY_ANY).n, 0);
}

static void
a_total_has_no_parts(void)
{
	struct capacity_sheet spool = capacity_sheet(&c, CAPACITY_TOTAL);
	struct capacity *cap = capacity_on(&spool, &table, SLICE("table"));

	*capacity_part(cap, NULL) = 4;
	*capacity_part(cap, &indexes[0]) = 6;
	struct consumed_list list = capacity_tell(&spool, CAPACITY_ANY);

	CU_ASSERT_EQUAL_FATAL(list.n, 1);
	CU_ASSERT_EQUAL(list.at[0].halves, 10);
	CU_ASSERT_FALSE(list.at[0].detailed);
	CU_ASSERT_EQUAL(list.at[0].n_index, 0);
}

static void
tables_are_listed_in_order_of_first_use(void)
{
	struct capacity_sheet spool = capacity_sheet(&c, CAPACITY_INDEXES);

	capacity_count_read(&spool, &plain, SLICE("plain"), 0, CAPACITY_EVENTUAL);
	struct capacity *cap = capacity_on(&spool, &table, SLICE("table"));

	*capacity_part(cap, &indexes[1]) = 2;
	capacity_add(cap, cap, 2);
	capacity_count_read(&spool, &plain, SLICE("plain"), 0, CAPACITY_CONSISTENT);
	struct consumed_list list = capacity_tell(&spool, CAPACITY_WRITE);

	CU_ASSERT_EQUAL_FATAL(list.n, 2);
	CU_ASSERT_TRUE(slice_is(list.at[0].table, "plain"));
	CU_ASSERT_EQUAL(list.at[0].of_table, 3);
	CU_ASSERT_EQUAL(list.at[0].n_index, 0);
	CU_ASSERT_EQUAL(list.at[1].kind, CAPACITY_WRITE);
	CU_ASSERT_EQUAL(list.at[1].halves, 6);
	CU_ASSERT_EQUAL(list.at[1].of_table, 0);
	CU_ASSERT_EQUAL_FATAL(list.at[1].n_index, 1); /* the other index was not touched */
	CU_ASSERT_TRUE(slice_is(list.at[1].index[0].name, "loc"));
	CU_ASSERT_FALSE(list.at[1].index[0].global);
}

/* ------------------------------------------------------------ item collections */

static struct write
write_of(const struct value *pk, const char *collection, uint64_t bytes)
{
	return (struct write){
		.schema = &table,
		.values = {.at = {pk}, .n = 1},
		.collection = slice_from(collection),
		.collection_bytes = bytes,
	};
}

static void
collections_are_reported_once_as_of_their_last_write(void)
{
	const uint64_t gb = 1ULL << 30;
	const struct write_asked asked = {.collections = true};
	struct value a = value_string(SLICE("a"));
	struct value b = value_string(SLICE("b"));
	struct write writes[] = {
		write_of(&a, "ca", 0),
		write_of(&b, "cb", gb - 1),
		write_of(&a, "ca", 9 * gb),
	};
	struct write_report_sheet sheet = write_report_begin(&c, &asked);

	for (size_t i = 0; i < 3; i++) {
		write_report_ask(&c, &asked, SLICE("table"), &writes[i]);
		CU_ASSERT_PTR_NULL(writes[i].capacity);
		write_report_add(&sheet, &writes[i], 1);
	}
	struct write_report out = write_report_end(&sheet, CAPACITY_ANY);

	CU_ASSERT_EQUAL(out.consumed.n, 0);
	CU_ASSERT_EQUAL_FATAL(out.collections.n, 2);
	CU_ASSERT_TRUE(slice_is(out.collections.at[0].key.at[0].name, "P"));
	CU_ASSERT_TRUE(value_eq(&out.collections.at[0].key.at[0].value, &a));
	CU_ASSERT_EQUAL(out.collections.at[0].low_gb, 9);
	CU_ASSERT_EQUAL(out.collections.at[0].high_gb, 10);
	CU_ASSERT_EQUAL(out.collections.at[1].low_gb, 0);
	CU_ASSERT_EQUAL(out.collections.at[1].high_gb, 1);
}

static void
a_table_without_a_local_index_has_no_item_collections(void)
{
	const struct write_asked asked = {.collections = true};
	struct value a = value_string(SLICE("a"));
	struct write w = write_of(&a, "ca", 1);
	struct write_report_sheet sheet = write_report_begin(&c, &asked);

	w.schema = &plain;
	write_report_ask(&c, &asked, SLICE("plain"), &w);
	write_report_add(&sheet, &w, 1);
	CU_ASSERT_FALSE(w.measures);
	CU_ASSERT_EQUAL(write_report_end(&sheet, CAPACITY_ANY).collections.n, 0);
}

/* ------------------------------------------------------------ pages */

/* Read ten items, half of them in the index; return the half units of the page. */
static uint64_t
page_halves(const struct read_in *read, uint64_t *of_table)
{
	struct scan_in in = {.read = *read};
	struct scan_out out = {0};

	in.read.table = SLICE("tab");
	in.read.capacity = CAPACITY_INDEXES;
	CU_ASSERT_EQUAL_FATAL(engine_scan(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.page.consumed.n, 1);
	if (out.page.consumed.at == NULL) {
		return 0;
	}
	*of_table = out.page.consumed.at->of_table;
	return out.page.consumed.at->halves;
}

static void
a_page_is_rounded_once_and_each_fetch_by_itself(void)
{
	char json[1200];
	uint64_t of_table = 0;

	fixture_open();
	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:S | -loc l:S KEYS_ONLY"), 0);
	for (int i = 0; i < 10; i++) { /* 2+1 + 2+1 + 1+1 + 1+1015 = 1024 bytes */
		(void)snprintf(json, sizeof(json),
			       "{\"pk\":\"a\",\"sk\":\"%d\",\"%s\":\"x\",\"d\":\"%01015d\"}", i,
			       i % 2 == 0 ? "l" : "m", 0);
		CU_ASSERT_EQUAL(fixture_put("tab", json), 0);
	}
	CU_ASSERT_EQUAL(page_halves(&(struct read_in){0}, &of_table), 3);
	CU_ASSERT_EQUAL(of_table, 3);
	CU_ASSERT_EQUAL(page_halves(&(struct read_in){.limit = 4, .has_limit = true}, &of_table),
			1);
	CU_ASSERT_EQUAL(page_halves(&(struct read_in){.limit = 5, .has_limit = true}, &of_table),
			2);
	CU_ASSERT_EQUAL(page_halves(&(struct read_in){.filter = SLICE("attribute_exists(l)"),
						      .consistent = true},
				    &of_table),
			6);
	/* Five entries as one read, and five fetched items, also where a filter has fetched them before. */
	CU_ASSERT_EQUAL(page_halves(&(struct read_in){.index = SLICE("loc"), .select = SELECT_ALL},
				    &of_table),
			6);
	CU_ASSERT_EQUAL(of_table, 5);
	CU_ASSERT_EQUAL(page_halves(&(struct read_in){.index = SLICE("loc"),
						      .filter = SLICE("attribute_exists(d)")},
				    &of_table),
			6);
	CU_ASSERT_EQUAL(of_table, 5);
	fixture_close();
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_are_rounded_up_to_4_kb),
	UNIT_TEST(writes_are_rounded_up_to_1_kb_of_the_larger_item),
	UNIT_TEST(entries_cost_by_their_change),
	UNIT_TEST(capacity_is_reported_only_on_request),
	UNIT_TEST(a_total_has_no_parts),
	UNIT_TEST(tables_are_listed_in_order_of_first_use),
	UNIT_TEST(collections_are_reported_once_as_of_their_last_write),
	UNIT_TEST(a_table_without_a_local_index_has_no_item_collections),
	UNIT_TEST(a_page_is_rounded_once_and_each_fetch_by_itself),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(capacity, setup, teardown, tests);
