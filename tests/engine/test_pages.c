/* Tests that pages of any size, and segments, give the same items, on every engine. */
#include "tests/engine/things.h"
#include "tests/support/unit.h"

/* ------------------------------------------------------------ pages */

struct list {
	struct item items[THINGS];
	size_t n;
	size_t scanned;
};

static void
add(struct list *all, const struct page *page)
{
	CU_ASSERT_FATAL(all->n + page->count <= THINGS);
	for (size_t i = 0; i < page->count; i++) {
		all->items[all->n++] = page->items[i];
	}
	all->scanned += page->scanned;
}

/* Read everything, in pages of @limit items. */
static struct list
read_all(struct testee *t, const struct op_in *in, uint32_t limit)
{
	struct list all = {0};
	struct item start = {0};

	do {
		struct page page = things_page(t, in, limit, start);

		if (limit > 0) {
			CU_ASSERT_TRUE(page.scanned <= limit);
			/* there is a key to continue at if and only if the limit was hit */
			CU_ASSERT_EQUAL(page.last.n > 0, page.scanned == limit);
		}
		add(&all, &page);
		start = page.last;
	} while (start.n > 0);
	return all;
}

static void
check_same(const struct list *a, const struct list *b)
{
	CU_ASSERT_EQUAL(a->n, b->n);
	CU_ASSERT_EQUAL(a->scanned, b->scanned);
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		CU_ASSERT_TRUE(item_eq(&a->items[i], &b->items[i]));
	}
}

static void
check_pages(struct testee *t, const struct op_in *in, size_t items, size_t scanned)
{
	static const uint32_t limits[] = {1, 2, 3, 5, 59, 60, 61};
	struct list whole = read_all(t, in, 0);

	CU_ASSERT_EQUAL(whole.n, items);
	CU_ASSERT_EQUAL(whole.scanned, scanned);
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct list paged = read_all(t, in, limits[i]);

		check_same(&whole, &paged);
	}
}

static void
check_query_pages(struct testee *t, struct query_in in, size_t items, size_t scanned)
{
	in.read.table = SLICE("Things");
	for (int backward = 0; backward < 2; backward++) {
		struct op_in r = {.type = OP_QUERY, .query = in};

		r.query.backward = backward;
		check_pages(t, &r, items, scanned);
	}
}

static void
pages_on(struct testee *t)
{
	struct attr p = {SLICE(":p"), things_text("p", 3)};
	struct attr y = {SLICE(":y"), things_text("y", 1)};
	struct attr filtered[] = {p, {SLICE(":v"), things_number(12)}};
	struct attr ranged[] = {
		p, {SLICE(":a"), things_number(2)}, {SLICE(":b"), things_number(9)}};
	struct op_in scan = {.type = OP_SCAN, .scan.read.table = SLICE("Things")};

	things_fill(t);
	check_query_pages(t,
			  (struct query_in){.key_condition = SLICE("P = :p"),
					    .read.ph = {.values = {&p, 1}, .values_given = true}},
			  THINGS_SORTS, THINGS_SORTS);
	check_query_pages(
		t,
		(struct query_in){.key_condition = SLICE("P = :p"),
				  .read.filter = SLICE("V > :v"),
				  .read.ph = {.values = {filtered, 2}, .values_given = true}},
		7, THINGS_SORTS);
	check_query_pages(
		t,
		(struct query_in){.key_condition = SLICE("P = :p AND S BETWEEN :a AND :b"),
				  .read.ph = {.values = {ranged, 3}, .values_given = true}},
		8, 8);
	check_query_pages(t,
			  (struct query_in){.read.index = SLICE("Local"),
					    .key_condition = SLICE("P = :p"),
					    .read.select = SELECT_ALL,
					    .read.ph = {.values = {&p, 1}, .values_given = true}},
			  9, 9);
	check_query_pages(t,
			  (struct query_in){.read.index = SLICE("Global"),
					    .key_condition = SLICE("Y = :y"),
					    .read.ph = {.values = {&y, 1}, .values_given = true}},
			  THINGS / 2, THINGS / 2);
	check_pages(t, &scan, THINGS, THINGS);
	scan.scan.read.index = SLICE("Local");
	check_pages(t, &scan, THINGS_PARTITIONS * 9, THINGS_PARTITIONS * 9);
}

static void
pages_of_any_size_give_the_same_items(void)
{
	engines_each(pages_on);
}

/* ------------------------------------------------------------ segments */

static bool
holds(const struct list *all, const struct item *it)
{
	for (size_t i = 0; i < all->n; i++) {
		if (item_eq(&all->items[i], it)) {
			return true;
		}
	}
	return false;
}

/* Return which segment of @total has partition @pk; -1: none or several. */
static int
segment_with(const struct list *segments, uint32_t total, const struct value *pk, struct slice name)
{
	int found = -1;

	for (uint32_t i = 0; i < total; i++) {
		bool here = false;

		for (size_t n = 0; n < segments[i].n; n++) {
			here = here || value_eq(item_get(&segments[i].items[n], name), pk);
		}
		if (here) {
			found = found == -1 ? (int)i : -2;
		}
	}
	return found < 0 ? -1 : found;
}

static void
check_segments(struct testee *t, struct slice index, struct slice pk_name, uint32_t total)
{
	struct op_in r = {.type = OP_SCAN,
			  .scan = {.read.table = SLICE("Things"),
				   .read.index = index,
				   .has_segment = total > 0,
				   .has_total_segments = total > 0,
				   .total_segments = total}};
	static struct list segments[64];
	struct op_in plain = {.type = OP_SCAN,
			      .scan = {.read.table = SLICE("Things"), .read.index = index}};
	struct list whole = read_all(t, &plain, 0);
	size_t n = 0;

	for (uint32_t i = 0; i < total; i++) {
		r.scan.segment = i;
		segments[i] = read_all(t, &r, 0);
		n += segments[i].n;

		struct list paged = read_all(t, &r, 2);

		check_same(&segments[i], &paged);
		for (size_t k = 0; k < segments[i].n; k++) {
			CU_ASSERT_TRUE(holds(&whole, &segments[i].items[k]));
		}
	}
	CU_ASSERT_EQUAL(n, whole.n);
	for (size_t k = 0; k < whole.n; k++) {
		const struct value *pk = item_get(&whole.items[k], pk_name);

		CU_ASSERT_TRUE(segment_with(segments, total, pk, pk_name) >= 0);
	}
}

static void
segments_on(struct testee *t)
{
	static const uint32_t totals[] = {1, 2, 3, 7, 64};

	things_fill(t);
	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++) {
		check_segments(t, slice_of(NULL, 0), SLICE("P"), totals[i]);
		check_segments(t, SLICE("Local"), SLICE("P"), totals[i]);
		check_segments(t, SLICE("Global"), SLICE("Y"), totals[i]);
	}
}

/* BEHAVIOUR 5.5: items with the same partition key are in the same segment. */
static void
segments_are_disjoint_complete_and_keep_collections_together(void)
{
	engines_each(segments_on);
}

static void
foreign_start_on(struct testee *t)
{
	unsigned refused = 0;

	things_fill(t);
	for (uint32_t segment = 0; segment < 4; segment++) {
		struct attr at[] = {{SLICE("P"), things_text("p", 1)},
				    {SLICE("S"), things_number(3)}};
		struct scan_in in = {.read.table = SLICE("Things"),
				     .has_segment = true,
				     .has_total_segments = true,
				     .segment = segment,
				     .total_segments = 4,
				     .read.start = {at, 2}};
		struct scan_out out = {0};
		struct call own;
		char want[256];

		call_open(&own, THINGS_NOW_MS, THINGS_BUDGET);

		int r = engine_scan(t->engine, &own, &in, &out);

		if (r < 0) {
			(void)snprintf(
				want, sizeof(want),
				"The provided starting key is invalid: Invalid "
				"ExclusiveStartKey. Please use ExclusiveStartKey with correct "
				"Segment. TotalSegments: 4 Segment: %u",
				segment);
			CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
			CU_ASSERT_STRING_EQUAL(own.error.message, want);
			refused++;
		}
		call_close(&own);
	}
	CU_ASSERT_EQUAL(refused, 3);
}

static void
a_start_key_of_another_segment_is_refused(void)
{
	engines_each(foreign_start_on);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(pages_of_any_size_give_the_same_items),
	UNIT_TEST(segments_are_disjoint_complete_and_keep_collections_together),
	UNIT_TEST(a_start_key_of_another_segment_is_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(pages, things_setup, things_teardown, tests);
