/* Properties of reads, on every engine: pages, segments, sizes, listings, views. */
#include <stdio.h>
#include <stdlib.h>

#include "store/base/buf.h"
#include "store/model/item.h"

#include "tests/engine/engines.h"
#include "tests/support/unit.h"

enum { CALL_BUDGET = 1 << 30, NOW_MS = 1600000000, PARTITIONS = 5, SORTS = 12 };

static struct call c;

/* Items P = p0.., S = 0.., with X = S % 3 in some (local index, KEYS_ONLY) and Y in all (global index). */
static struct index indexes[] = {
	{.name = SLICE_INIT("Local"),
	 .key = {.pk = {SLICE_INIT("P"), VALUE_S}, .sk = {SLICE_INIT("X"), VALUE_N}},
	 .projection = PROJECTION_KEYS_ONLY},
	{.name = SLICE_INIT("Global"),
	 .global = true,
	 .key = {.pk = {SLICE_INIT("Y"), VALUE_S}},
	 .projection = PROJECTION_ALL},
};
static struct schema table = {
	.table = SLICE_INIT("Things"),
	.key = {.pk = {SLICE_INIT("P"), VALUE_S}, .sk = {SLICE_INIT("S"), VALUE_N}},
	.index = indexes,
	.n_index = 2,
};

static void
setup(void)
{
	call_open(&c, NOW_MS, CALL_BUDGET);
}

static void
teardown(void)
{
	call_close(&c);
}

static struct value
text(const char *fmt, unsigned n)
{
	struct buf b;

	buf_init(&b, &c.arena);
	buf_str(&b, fmt);
	buf_fmt(&b, "%u", n);
	return value_string(buf_view(&b));
}

static struct value
number(unsigned n)
{
	struct value v = text("", n);

	v.type = VALUE_N;
	return v;
}

static void
create(struct testee *t)
{
	struct create_table_in in = {.schema = &table};
	struct create_table_out out = {0};
	int r = engine_create_table(t->engine, &c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

static void
load(struct testee *t, const struct item *items, size_t n)
{
	int r = engines_load(t, &c, SLICE("Things"), items, n);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

static void
fill(struct testee *t)
{
	struct item items[PARTITIONS * SORTS];
	size_t n = 0;

	create(t);
	for (unsigned p = 0; p < PARTITIONS; p++) {
		for (unsigned s = 0; s < SORTS; s++) {
			struct attr *at = arena_new(&c.arena, struct attr, 5);

			at[0] = (struct attr){SLICE("P"), text("p", p)};
			at[1] = (struct attr){SLICE("S"), number(s)};
			at[2] = (struct attr){SLICE("Y"), text("y", s % 2)};
			at[3] = (struct attr){SLICE("V"), number(p * s)};
			at[4] = (struct attr){SLICE("X"), number(s % 3)};
			items[n++] = (struct item){at, s % 4 == 0 ? 4 : 5};
		}
	}
	load(t, items, n);
}

/* ------------------------------------------------------------ pages */

/* A query or a scan, and where it stands. */
struct pages {
	bool scan;
	struct query_in query;
	struct scan_in scan_in;
};

static struct page
read_page(struct testee *t, const struct pages *r, uint32_t limit, struct item start)
{
	struct query_out query = {0};
	struct scan_out scan = {0};
	int status;

	if (r->scan) {
		struct scan_in in = r->scan_in;

		in.read.limit = limit;
		in.read.has_limit = limit > 0;
		in.read.start = start;
		status = engine_scan(t->engine, &c, &in, &scan);
	} else {
		struct query_in in = r->query;

		in.read.limit = limit;
		in.read.has_limit = limit > 0;
		in.read.start = start;
		status = engine_query(t->engine, &c, &in, &query);
	}
	CU_ASSERT_EQUAL(status, 0);
	return r->scan ? scan.page : query.page;
}

struct list {
	struct item items[PARTITIONS * SORTS];
	size_t n;
	size_t scanned;
};

static void
add(struct list *all, const struct page *page)
{
	CU_ASSERT_FATAL(all->n + page->count <= PARTITIONS * SORTS);
	for (size_t i = 0; i < page->count; i++) {
		all->items[all->n++] = page->items[i];
	}
	all->scanned += page->scanned;
}

/* Everything, in pages of @limit items. */
static struct list
read_all(struct testee *t, const struct pages *r, uint32_t limit)
{
	struct list all = {0};
	struct item start = {0};

	do {
		struct page page = read_page(t, r, limit, start);

		if (limit > 0) {
			CU_ASSERT_TRUE(page.scanned <= limit);
			/* the limit was hit if and only if there is a place to go on at */
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
check_pages(struct testee *t, const struct pages *r, size_t items, size_t scanned)
{
	static const uint32_t limits[] = {1, 2, 3, 5, 59, 60, 61};
	struct list whole = read_all(t, r, 0);

	CU_ASSERT_EQUAL(whole.n, items);
	CU_ASSERT_EQUAL(whole.scanned, scanned);
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct list paged = read_all(t, r, limits[i]);

		check_same(&whole, &paged);
	}
}

static void
check_query_pages(struct testee *t, struct query_in in, size_t items, size_t scanned)
{
	in.read.table = SLICE("Things");
	for (int backward = 0; backward < 2; backward++) {
		struct pages r = {.query = in};

		r.query.backward = backward;
		check_pages(t, &r, items, scanned);
	}
}

static void
pages_on(struct testee *t)
{
	struct attr p = {SLICE(":p"), text("p", 3)};
	struct attr y = {SLICE(":y"), text("y", 1)};
	struct attr filtered[] = {p, {SLICE(":v"), number(12)}};
	struct attr ranged[] = {p, {SLICE(":a"), number(2)}, {SLICE(":b"), number(9)}};
	struct pages scan = {.scan = true, .scan_in = {.read.table = SLICE("Things")}};

	fill(t);
	check_query_pages(t,
			  (struct query_in){.key_condition = SLICE("P = :p"),
					    .read.ph = {.values = {&p, 1}, .values_given = true}},
			  SORTS, SORTS);
	check_query_pages(
		t,
		(struct query_in){.key_condition = SLICE("P = :p"),
				  .read.filter = SLICE("V > :v"),
				  .read.ph = {.values = {filtered, 2}, .values_given = true}},
		7, SORTS);
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
			  PARTITIONS * SORTS / 2, PARTITIONS * SORTS / 2);
	check_pages(t, &scan, PARTITIONS * SORTS, PARTITIONS * SORTS);
	scan.scan_in.read.index = SLICE("Local");
	check_pages(t, &scan, PARTITIONS * 9, PARTITIONS * 9);
}

static void
pages_of_any_size_make_the_same_whole(void)
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

/* Which segment of @total has partition @p; -1: none or several. */
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
	struct pages r = {.scan = true,
			  .scan_in = {.read.table = SLICE("Things"),
				      .read.index = index,
				      .has_segment = total > 0,
				      .has_total_segments = total > 0,
				      .total_segments = total}};
	static struct list segments[64];
	struct pages plain = {.scan = true,
			      .scan_in = {.read.table = SLICE("Things"), .read.index = index}};
	struct list whole = read_all(t, &plain, 0);
	size_t n = 0;

	for (uint32_t i = 0; i < total; i++) {
		r.scan_in.segment = i;
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

	fill(t);
	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++) {
		check_segments(t, slice_of(NULL, 0), SLICE("P"), totals[i]);
		check_segments(t, SLICE("Local"), SLICE("P"), totals[i]);
		check_segments(t, SLICE("Global"), SLICE("Y"), totals[i]);
	}
}

static void
segments_are_disjoint_complete_and_keep_collections_together(void)
{
	engines_each(segments_on);
}

static void
foreign_start_on(struct testee *t)
{
	unsigned refused = 0;

	fill(t);
	for (uint32_t segment = 0; segment < 4; segment++) {
		struct attr at[] = {{SLICE("P"), text("p", 1)}, {SLICE("S"), number(3)}};
		struct scan_in in = {.read.table = SLICE("Things"),
				     .has_segment = true,
				     .has_total_segments = true,
				     .segment = segment,
				     .total_segments = 4,
				     .read.start = {at, 2}};
		struct scan_out out = {0};
		struct call own;
		char want[256];

		call_open(&own, NOW_MS, CALL_BUDGET);

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

/* ------------------------------------------------------------ sizes */

/* @n items of one partition, each of about @bytes. */
static void
fill_big(struct testee *t, unsigned n, size_t bytes)
{
	char *blob = arena_new(&c.arena, char, bytes);

	memset(blob, 'x', bytes);
	create(t);
	for (unsigned i = 0; i < n; i++) {
		struct attr at[] = {{SLICE("P"), text("p", 0)},
				    {SLICE("S"), number(i)},
				    {SLICE("B"), value_string(slice_of(blob, bytes))},
				    {SLICE("X"), number(i)}};
		struct item it = {at, 4};

		load(t, &it, 1);
	}
}

static void
megabyte_on(struct testee *t)
{
	struct attr values[] = {{SLICE(":p"), text("p", 0)},
				{SLICE(":n"), value_string(SLICE("no"))}};
	struct pages r = {.query = {.read.table = SLICE("Things"),
				    .key_condition = SLICE("P = :p"),
				    .read.ph = {.values = {values, 1}, .values_given = true}}};
	struct pages scan = {.scan = true, .scan_in = {.read.table = SLICE("Things")}};
	struct item none = {0};

	fill_big(t, 20, 100000);

	struct page page = read_page(t, &r, 0, none);

	CU_ASSERT_EQUAL(page.count, 11);
	CU_ASSERT_EQUAL(page.last.n, 2);
	page = read_page(t, &r, 0, page.last);
	CU_ASSERT_EQUAL(page.count, 9);
	CU_ASSERT_EQUAL(page.last.n, 0);

	/* measured before the filter, and whatever is asked of the items */
	r.query.read.filter = SLICE("B = :n");
	r.query.read.ph.values.n = 2;
	page = read_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 0);
	CU_ASSERT_EQUAL(page.scanned, 11);
	CU_ASSERT_EQUAL(page.last.n, 2);
	r.query.read.filter = slice_of(NULL, 0);
	r.query.read.ph.values.n = 1;
	r.query.read.select = SELECT_COUNT;
	page = read_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 11);
	CU_ASSERT_PTR_NULL(page.items);
	r.query.read.select = SELECT_DEFAULT;
	r.query.read.projection = SLICE("S");
	page = read_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 11);
	page = read_page(t, &scan, 0, none);
	CU_ASSERT_EQUAL(page.count, 11);

	/* small entries are read in one go, but not when the items are fetched */
	r.query = (struct query_in){.read.table = SLICE("Things"),
				    .read.index = SLICE("Local"),
				    .key_condition = SLICE("P = :p"),
				    .read.ph = {.values = {values, 1}, .values_given = true}};
	page = read_page(t, &r, 0, none);
	CU_ASSERT_EQUAL(page.count, 20);
	CU_ASSERT_EQUAL(page.last.n, 0);
	r.query.read.select = SELECT_ALL;
	page = read_page(t, &r, 0, none);
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
	struct attr *at = arena_new(&c.arena, struct attr, 2);

	at[0] = (struct attr){SLICE("P"), text("p", 0)};
	at[1] = (struct attr){SLICE("S"), number(n)};
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
	struct arena_mark before = arena_mark(&c.arena);
	int r;

	/* the answers to the engine before count too */
	teardown();
	setup();
	fill_big(t, ITEMS, BYTES);
	for (unsigned i = 0; i < ITEMS; i++) {
		keys[i] = key_of(i);
	}
	r = engine_batch_get_item(t->engine, &c, &in, &out);
	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL(answered(&out), 16 * 1024 * 1024 / (BYTES + 10));
	CU_ASSERT_EQUAL(out.n_unprocessed, 1);
	CU_ASSERT_EQUAL(answered(&out) + left_over(&out), ITEMS);
	in.tables = out.unprocessed;
	r = engine_batch_get_item(t->engine, &c, &in, &out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.n_unprocessed, 0);
	CU_ASSERT_EQUAL(answered(&out), ITEMS - 16 * 1024 * 1024 / (BYTES + 10));
	arena_reset(&c.arena, before);
}

static void
a_batch_of_more_than_16_mb_leaves_keys_unprocessed(void)
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
	int r = engine_transact_get_items(t->engine, &c, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.n_items, ITEMS - 1);
	call_open(&own, NOW_MS, CALL_BUDGET);
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

/* ------------------------------------------------------------ listings */

struct names {
	struct entry entries[PARTITIONS * SORTS];
	size_t n;
};

static struct item
place_of(struct slice index, const struct entry *e)
{
	struct attr *at = arena_new(&c.arena, struct attr, 3);
	bool based = index.len > 0;

	at[0] = (struct attr){SLICE("P"), based ? e->base_pk : e->pk};
	at[1] = (struct attr){SLICE("S"), based ? e->base_sk : e->sk};
	if (slice_is(index, "Local")) {
		at[2] = (struct attr){SLICE("X"), e->sk};
	} else if (based) {
		at[2] = (struct attr){SLICE("Y"), e->pk};
	}
	return (struct item){at, based ? 3 : 2};
}

static struct names
list_all(struct testee *t, struct view *view, struct slice index, const struct value *pk,
	 uint32_t limit)
{
	struct names all = {0};
	struct item after;
	struct list_entries_in in = {
		.table = SLICE("Things"), .index = index, .pk = pk, .limit = limit, .view = view};
	struct list_entries_out out = {0};

	do {
		int r = engine_list_entries(t->engine, &c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		CU_ASSERT_FATAL(all.n + out.n_entries <= PARTITIONS * SORTS);
		CU_ASSERT_TRUE(limit == 0 || out.n_entries <= limit);
		for (size_t i = 0; i < out.n_entries; i++) {
			all.entries[all.n++] = out.entries[i];
		}
		if (out.more) {
			CU_ASSERT_TRUE_FATAL(out.n_entries > 0);
			after = place_of(index, &all.entries[all.n - 1]);
			in.after = &after;
		}
	} while (out.more);
	return all;
}

static bool
same_entry(const struct entry *a, const struct entry *b)
{
	return value_eq(&a->pk, &b->pk) && value_eq(&a->sk, &b->sk) &&
	       value_eq(&a->base_pk, &b->base_pk) && value_eq(&a->base_sk, &b->base_sk) &&
	       a->rendered_bytes == b->rendered_bytes && a->mtime_ns == b->mtime_ns;
}

static void
check_listing(struct testee *t, struct slice index, const struct value *pk, size_t n)
{
	struct names whole = list_all(t, NULL, index, pk, 0);

	CU_ASSERT_EQUAL(whole.n, n);
	for (uint32_t limit = 1; limit < 14; limit += 3) {
		struct names paged = list_all(t, NULL, index, pk, limit);

		CU_ASSERT_EQUAL_FATAL(paged.n, whole.n);
		for (size_t i = 0; i < whole.n; i++) {
			CU_ASSERT_TRUE(same_entry(&whole.entries[i], &paged.entries[i]));
		}
	}
	for (size_t i = 0; i < whole.n; i++) {
		struct item at = place_of(index, &whole.entries[i]);
		struct list_entries_in in = {
			.table = SLICE("Things"), .index = index, .pk = pk, .at = &at};
		struct list_entries_out out = {0};
		int r = engine_list_entries(t->engine, &c, &in, &out);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(out.n_entries == 1 &&
			       same_entry(&out.entries[0], &whole.entries[i]));
	}
}

static void
listings_on(struct testee *t)
{
	struct value p = text("p", 2);
	struct value y = text("y", 0);

	if (t->foreign) {
		return;
	}
	fill(t);
	check_listing(t, slice_of(NULL, 0), &p, SORTS);
	check_listing(t, SLICE("Local"), &p, 9);
	check_listing(t, SLICE("Global"), &y, PARTITIONS * SORTS / 2);
}

static void
listings_in_pieces_are_the_listing(void)
{
	engines_each(listings_on);
}

static void
views_on(struct testee *t)
{
	struct value p = text("p", 2);
	struct value gone = text("p", 1);

	fill(t);

	struct view *view = engine_view_open(t->engine);

	if (view == NULL) {
		return;
	}
	for (unsigned i = 0; i < SORTS; i++) {
		struct attr key[] = {{SLICE("P"), text("p", i % 2 + 1)}, {SLICE("S"), number(i)}};
		struct delete_item_in in = {.table = SLICE("Things"), .key = {key, 2}};
		struct delete_item_out out = {0};
		int r = engine_delete_item(t->engine, &c, &in, &out);

		CU_ASSERT_EQUAL(r, 0);
	}
	struct names frozen = list_all(t, view, slice_of(NULL, 0), &p, 5);
	struct names present = list_all(t, NULL, slice_of(NULL, 0), &p, 5);
	struct list_partitions_in in = {
		.table = SLICE("Things"), .from = &gone, .limit = 1, .view = view};
	struct list_partitions_out out = {0};
	int r = engine_list_partitions(t->engine, &c, &in, &out);

	CU_ASSERT_EQUAL(frozen.n, SORTS);
	CU_ASSERT_EQUAL(present.n, SORTS / 2);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.n_partitions == 1 && out.partitions[0].items == SORTS);
	in.view = NULL;
	r = engine_list_partitions(t->engine, &c, &in, &out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.n_partitions == 1 && out.partitions[0].items == SORTS / 2);
	engine_view_close(t->engine, view);
}

static void
a_view_does_not_see_what_comes_after_it(void)
{
	engines_each(views_on);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(pages_of_any_size_make_the_same_whole),
	UNIT_TEST(segments_are_disjoint_complete_and_keep_collections_together),
	UNIT_TEST(a_start_key_of_another_segment_is_refused),
	UNIT_TEST(a_page_ends_with_the_item_that_crosses_one_megabyte),
	UNIT_TEST(a_batch_of_more_than_16_mb_leaves_keys_unprocessed),
	UNIT_TEST(a_transaction_reads_at_most_4_mb),
	UNIT_TEST(listings_in_pieces_are_the_listing),
	UNIT_TEST(a_view_does_not_see_what_comes_after_it),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(reading, setup, teardown, tests);
