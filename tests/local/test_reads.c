/* Reads of a kv that fails, and of damaged records: an error, never a short answer. */
#include "store/op/op.h"

#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

enum { CALL_BUDGET = 16 << 20, NOW_MS = 1600000000 };

static void
setup(void)
{
	fixture_open();
	if (fixture_table("tab P:S S:N | +GSI g:S KEYS_ONLY | -LSI l:S KEYS_ONLY") != 0) {
		abort();
	}
	for (unsigned i = 0; i < 12; i++) {
		char text[128];

		(void)snprintf(text, sizeof(text),
			       "{\"P\":\"p%u\",\"S\":%u,\"g\":\"x\",\"l\":\"m\",\"v\":%u}", i % 3,
			       i, i);
		if (fixture_put("tab", text) != 0) {
			abort();
		}
	}
}

static struct attr p1 = {SLICE_INIT(":p"), {.type = VALUE_S, .text = SLICE_INIT("p1")}};
static struct attr p1_v5[] = {{SLICE_INIT(":p"), {.type = VALUE_S, .text = SLICE_INIT("p1")}},
			      {SLICE_INIT(":v"), {.type = VALUE_N, .text = SLICE_INIT("5")}}};
static struct attr key_p1_4[] = {{SLICE_INIT("P"), {.type = VALUE_S, .text = SLICE_INIT("p1")}},
				 {SLICE_INIT("S"), {.type = VALUE_N, .text = SLICE_INIT("4")}}};
static const struct item one_key = {key_p1_4, 2};

/* Each function runs one read and sets @n to the amount that it returned. */

static int
query(struct call *c, size_t *n)
{
	struct query_in in = {.read.table = SLICE("tab"),
			      .key_condition = SLICE("P = :p"),
			      .read.ph = {.values = {&p1, 1}, .values_given = true}};
	struct query_out out = {0};
	int r = engine_query(fixture.e, c, &in, &out);

	*n = out.page.count;
	return r;
}

static int
query_backward_filtered(struct call *c, size_t *n)
{
	struct query_in in = {.read.table = SLICE("tab"),
			      .key_condition = SLICE("P = :p"),
			      .read.filter = SLICE("v >= :v"),
			      .backward = true,
			      .read.ph = {.values = {p1_v5, 2}, .values_given = true}};
	struct query_out out = {0};
	int r = engine_query(fixture.e, c, &in, &out);

	*n = out.page.count;
	return r;
}

static int
query_fetched(struct call *c, size_t *n)
{
	struct query_in in = {.read.table = SLICE("tab"),
			      .read.index = SLICE("LSI"),
			      .key_condition = SLICE("P = :p"),
			      .read.select = SELECT_ALL,
			      .read.ph = {.values = {p1_v5, 1}, .values_given = true}};
	struct query_out out = {0};
	int r = engine_query(fixture.e, c, &in, &out);

	*n = out.page.count;
	return r;
}

static int
scan(struct call *c, size_t *n)
{
	struct scan_in in = {.read.table = SLICE("tab"), .read.select = SELECT_COUNT};
	struct scan_out out = {0};
	int r = engine_scan(fixture.e, c, &in, &out);

	*n = out.page.count;
	return r;
}

static int
scan_segment(struct call *c, size_t *n)
{
	struct scan_in in = {.read.table = SLICE("tab"),
			     .has_segment = true,
			     .has_total_segments = true,
			     .total_segments = 2};
	struct scan_out out = {0};
	int r = engine_scan(fixture.e, c, &in, &out);

	*n = out.page.scanned;
	return r;
}

static int
get_item(struct call *c, size_t *n)
{
	struct get_item_in in = {.table = SLICE("tab"), .key = one_key};
	struct get_item_out out = {0};
	int r = engine_get_item(fixture.e, c, &in, &out);

	*n = out.found;
	return r;
}

static int
batch_get(struct call *c, size_t *n)
{
	struct batch_get get = {.table = SLICE("tab"), .keys = &one_key, .n_keys = 1};
	struct batch_get_item_in in = {.tables = &get, .n_tables = 1};
	struct batch_get_item_out out = {0};
	int r = engine_batch_get_item(fixture.e, c, &in, &out);

	*n = out.n_tables == 0 ? 0 : out.tables->n_items;
	return r;
}

static int
transact_get(struct call *c, size_t *n)
{
	struct transact_get get = {.table = SLICE("tab"), .key = one_key};
	struct transact_get_items_in in = {.gets = &get, .n_gets = 1};
	struct transact_get_items_out out = {0};
	int r = engine_transact_get_items(fixture.e, c, &in, &out);

	*n = out.n_responses;
	return r;
}

static int
list_partitions(struct call *c, size_t *n)
{
	struct list_partitions_in in = {.table = SLICE("tab")};
	struct list_partitions_out out = {0};
	int r = engine_list_partitions(fixture.e, c, &in, &out);

	*n = out.n_partitions;
	return r;
}

static int
list_entries(struct call *c, size_t *n)
{
	struct list_entries_in in = {.table = SLICE("tab"), .pk = {&p1.value, 1}};
	struct list_entries_out out = {0};
	int r = engine_list_entries(fixture.e, c, &in, &out);

	*n = out.n_entries;
	return r;
}

static int
list_one_entry(struct call *c, size_t *n)
{
	struct list_entries_in in = {.table = SLICE("tab"), .pk = {&p1.value, 1}, .at = &one_key};
	struct list_entries_out out = {0};
	int r = engine_list_entries(fixture.e, c, &in, &out);

	*n = out.n_entries;
	return r;
}

static int
check(struct call *c, size_t *n)
{
	struct check_in in = {0};
	struct check_out out = {0};
	int r = engine_check(fixture.e, c, &in, &out);

	CU_ASSERT_EQUAL(out.n_problems, 0);
	*n = (size_t)(out.items + out.entries);
	return r;
}

static const struct {
	const char *name;
	int (*run)(struct call *c, size_t *n);
	size_t answers;
} reads[] = {
	{"query", query, 4},
	{"query_backward_filtered", query_backward_filtered, 2},
	{"query_fetched", query_fetched, 4},
	{"scan", scan, 12},
	{"scan_segment", scan_segment, 0},
	{"get_item", get_item, 1},
	{"batch_get", batch_get, 1},
	{"transact_get", transact_get, 1},
	{"list_partitions", list_partitions, 3},
	{"list_entries", list_entries, 4},
	{"list_one_entry", list_one_entry, 1},
	{"check", check, 36},
};

enum { READS = sizeof(reads) / sizeof(*reads) };

static int
run(size_t i, size_t *n, struct call *c)
{
	*n = 0;
	call_open(c, NOW_MS, CALL_BUDGET);
	return reads[i].run(c, n);
}

static void
a_fault_at_any_call_is_an_error(void)
{
	for (size_t i = 0; i < READS; i++) {
		struct call c;
		uint64_t nth = 0;
		size_t whole;
		size_t n;
		int r = run(i, &whole, &c);

		call_close(&c);
		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(reads[i].answers == 0 || whole == reads[i].answers);
		do {
			kv_fault_arm(fixture.fault, ++nth);
			r = run(i, &n, &c);
			if (kv_fault_fired(fixture.fault)) {
				CU_ASSERT_EQUAL(r, -ERR_IO);
				CU_ASSERT_PTR_NOT_NULL(c.error.message);
			}
			call_close(&c);
		} while (kv_fault_fired(fixture.fault) && nth < 1000);
		CU_ASSERT_TRUE(nth > 1);
		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_EQUAL(n, whole);
		kv_fault_arm(fixture.fault, 0);
	}
}

/* Cut off the last byte of each record in turn. */
static void
damaged_records_are_an_error(void)
{
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	size_t damaged = 0;

	for (cur->ops->seek(cur, SLICE("c")); cur->ops->valid(cur); cur->ops->next(cur)) {
		struct slice key = slice_copy(&fixture.c.arena, cur->ops->key(cur));
		struct slice value = slice_copy(&fixture.c.arena, cur->ops->value(cur));
		struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);

		if (key.at[0] != 'i' && key.at[0] != 'p') {
			kv_batch_free(b);
			continue;
		}
		b->ops->put(b, key, slice_of(value.at, value.len - 1));
		CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, false), 0);
		for (size_t i = 0; i < READS; i++) {
			struct call c;
			size_t n;
			int r;

			if (reads[i].run == check) {
				continue; /* check reports problems instead: see test_check.c */
			}
			r = run(i, &n, &c);
			CU_ASSERT_TRUE(r == 0 || r == -ERR_CORRUPT);
			damaged += r < 0;
			call_close(&c);
		}
		b->ops->clear(b);
		b->ops->put(b, key, value);
		CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, false), 0);
		kv_batch_free(b);
	}
	kv_cursor_free(cur);
	/* 12 items, each read by the scan of all and by other functions; 3 partitions by their listing */
	CU_ASSERT_TRUE(damaged > 12 + 4 + 4 + 4 + 3 + 3);
}

static void
damage_found_by_a_read_makes_the_store_read_only(void)
{
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);
	struct call c;
	size_t n;

	cur->ops->seek(cur, SLICE("i"));
	b->ops->put(b, slice_copy(&fixture.c.arena, cur->ops->key(cur)), SLICE("x"));
	CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, false), 0);
	kv_batch_free(b);
	kv_cursor_free(cur);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"q\",\"S\":1}"), 0);
	call_open(&c, NOW_MS, CALL_BUDGET);
	CU_ASSERT_EQUAL(scan(&c, &n), -ERR_CORRUPT);
	call_close(&c);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"q\",\"S\":2}"), -ERR_READ_ONLY);
	CU_ASSERT_PTR_NOT_NULL(strstr(fixture.c.error.message, "The store is read-only: "));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_fault_at_any_call_is_an_error),
	UNIT_TEST(damaged_records_are_an_error),
	UNIT_TEST(damage_found_by_a_read_makes_the_store_read_only),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(reads, setup, fixture_close, tests);
