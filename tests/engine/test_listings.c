/* Tests of listings in pages, and of a frozen state, on every engine. */
#include "tests/engine/things.h"
#include "tests/support/unit.h"

struct names {
	struct entry entries[THINGS];
	size_t n;
};

static struct item
place_of(struct slice index, const struct entry *e)
{
	struct attr *at = arena_new(&things_call.arena, struct attr, 3);
	bool based = index.len > 0;

	CU_ASSERT_FATAL(e->key.n >= 2);
	at[0] = (struct attr){SLICE("P"), e->key.at[e->key.n - 2]};
	at[1] = (struct attr){SLICE("S"), e->key.at[e->key.n - 1]};
	if (slice_is(index, "Local")) {
		at[2] = (struct attr){SLICE("X"), e->key.at[1]};
	} else if (based) {
		at[2] = (struct attr){SLICE("Y"), e->key.at[0]};
	}
	return (struct item){at, based ? 3 : 2};
}

static struct names
list_all(struct testee *t, struct view *view, struct slice index, struct value *pk, uint32_t limit)
{
	struct names all = {0};
	struct item after;
	struct list_entries_in in = {.table = SLICE("Things"),
				     .index = index,
				     .pk = {pk, 1},
				     .limit = limit,
				     .view = view};
	struct list_entries_out out = {0};

	do {
		int r = engine_list_entries(t->engine, &things_call, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		CU_ASSERT_FATAL(all.n + out.n_entries <= THINGS);
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
	if (a->key.n != b->key.n) {
		return false;
	}
	for (size_t i = 0; i < a->key.n; i++) {
		if (!value_eq(&a->key.at[i], &b->key.at[i])) {
			return false;
		}
	}
	return a->rendered_bytes == b->rendered_bytes && a->mtime_ns == b->mtime_ns;
}

static void
check_listing(struct testee *t, struct slice index, struct value *pk, size_t n)
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
			.table = SLICE("Things"), .index = index, .pk = {pk, 1}, .at = &at};
		struct list_entries_out out = {0};
		int r = engine_list_entries(t->engine, &things_call, &in, &out);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(out.n_entries == 1 &&
			       same_entry(&out.entries[0], &whole.entries[i]));
	}
}

static void
listings_on(struct testee *t)
{
	struct value p = things_text("p", 2);
	struct value y = things_text("y", 0);

	if (t->foreign) {
		return;
	}
	things_fill(t);
	check_listing(t, slice_of(NULL, 0), &p, THINGS_SORTS);
	check_listing(t, SLICE("Local"), &p, 9);
	check_listing(t, SLICE("Global"), &y, THINGS / 2);
}

static void
pages_of_a_listing_add_up_to_the_listing(void)
{
	engines_each(listings_on);
}

/* Return the number of items that a Query of the partition and a Scan count. */
static size_t
counted(struct testee *t, struct view *view, bool scan)
{
	struct attr key = {SLICE(":p"), things_text("p", 2)};
	struct read_in read = {.table = SLICE("Things"), .select = SELECT_COUNT, .view = view};
	struct query_in query = {.read = read, .key_condition = SLICE("P = :p")};
	struct scan_in whole = {.read = read};
	struct query_out answer = {0};
	struct scan_out all = {0};

	query.read.ph = (struct placeholders){.values = {&key, 1}, .values_given = true};
	int r = scan ? engine_scan(t->engine, &things_call, &whole, &all)
		     : engine_query(t->engine, &things_call, &query, &answer);

	CU_ASSERT_EQUAL(r, 0);
	return scan ? all.page.count : answer.page.count;
}

static void
views_on(struct testee *t)
{
	struct value p = things_text("p", 2);
	struct value gone = things_text("p", 1);

	things_fill(t);

	struct view *view = engine_view_open(t->engine);

	if (view == NULL) {
		return;
	}
	for (unsigned i = 0; i < THINGS_SORTS; i++) {
		struct attr key[] = {{SLICE("P"), things_text("p", i % 2 + 1)},
				     {SLICE("S"), things_number(i)}};
		struct delete_item_in in = {.write = {.table = SLICE("Things"), .item = {key, 2}}};
		struct delete_item_out out = {0};
		int r = engine_delete_item(t->engine, &things_call, &in, &out);

		CU_ASSERT_EQUAL(r, 0);
	}
	struct names frozen = list_all(t, view, slice_of(NULL, 0), &p, 5);
	struct names present = list_all(t, NULL, slice_of(NULL, 0), &p, 5);
	struct list_partitions_in in = {
		.table = SLICE("Things"), .from = {&gone, 1}, .limit = 1, .view = view};
	struct list_partitions_out out = {0};
	int r = engine_list_partitions(t->engine, &things_call, &in, &out);

	CU_ASSERT_EQUAL(frozen.n, THINGS_SORTS);
	CU_ASSERT_EQUAL(present.n, THINGS_SORTS / 2);
	CU_ASSERT_EQUAL(counted(t, view, false), THINGS_SORTS);
	CU_ASSERT_EQUAL(counted(t, NULL, false), THINGS_SORTS / 2);
	CU_ASSERT_EQUAL(counted(t, view, true), THINGS);
	CU_ASSERT_EQUAL(counted(t, NULL, true), THINGS - THINGS_SORTS);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.n_partitions == 1 && out.partitions[0].items == THINGS_SORTS);
	in.view = NULL;
	r = engine_list_partitions(t->engine, &things_call, &in, &out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.n_partitions == 1 && out.partitions[0].items == THINGS_SORTS / 2);
	engine_view_close(t->engine, view);
}

static void
a_view_does_not_see_later_changes(void)
{
	engines_each(views_on);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(pages_of_a_listing_add_up_to_the_listing),
	UNIT_TEST(a_view_does_not_see_later_changes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(listings, things_setup, things_teardown, tests);
