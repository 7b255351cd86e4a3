/* Check of whole tables by sums: a valid table needs no look-ups, and no two faults cancel each other out. */
#include "store/local/check/table_scan.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item_json.h"

#include "tests/local/check_damage.h"
#include "tests/local/check_fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

enum { MANY = 25000 };

/* Items and entries, and the partitions of the table, of GSI, of LSI and of the other table. */
enum { MANY_KEYS = 2 * (MANY + 4) + 9 + 1 + 9 + 1 };

static void
a_large_store_takes_pages_without_look_ups(void)
{
	check_fill(MANY);
	uint64_t calls = kv_fault_calls(fixture.fault);
	struct check_result r = check_run(NULL);

	CU_ASSERT_EQUAL(r.problems, 0);
	CU_ASSERT_EQUAL(r.items, MANY + 4);
	CU_ASSERT_EQUAL(r.entries, MANY + 4);
	CU_ASSERT_EQUAL(r.ahead, MANY_KEYS);
	CU_ASSERT_EQUAL(r.looked, MANY_KEYS);
	CU_ASSERT_TRUE(r.pages > 1);
	CU_ASSERT_TRUE(kv_fault_calls(fixture.fault) - calls < 60);
}

/* Run one page of a check at @next, which moves on. */
static struct check_out
page(struct slice *next)
{
	struct check_out out = {0};
	int r = engine_check(fixture.e, &fixture.c, &(struct check_in){.next = *next}, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL(out.n_problems, 0);
	*next = out.next;
	return out;
}

/* Finish a check at @next.  Return: items and entries. */
static uint64_t
rest(struct slice next)
{
	uint64_t n = 0;

	while (next.len > 0) {
		struct check_out out = page(&next);

		n += out.items + out.entries;
	}
	return n;
}

static void
begin_scan(struct slice *next)
{
	check_fill(MANY);
	*next = slice_of(NULL, 0);
	(void)page(next);
	CU_ASSERT_TRUE_FATAL(slice_starts(*next, SLICE("3 ")));
}

static void
pages_look_at_one_state_of_a_table(void)
{
	struct slice next;

	begin_scan(&next);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"p0\",\"S\":-1,\"l\":\"x\"}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"z\",\"S\":1,\"l\":\"x\"}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"b\",\"S\":1,\"l\":\"other\"}"), 0);
	CU_ASSERT_EQUAL(rest(next), 2 * (MANY + 4) - 1); /* "other" was in the first page */
}

/* The sweeper frees an idle scan; a client that comes back later is still answered. */
static void
an_idle_scan_is_forgotten(void)
{
	struct table_scans *all = ((struct local *)fixture.e)->table_scans;
	struct sweep_out out;
	struct slice next;

	begin_scan(&next);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"z\",\"S\":1,\"l\":\"x\"}"), 0);
	fixture.c.now_ms += 59999;
	CU_ASSERT_EQUAL(engine_sweep(fixture.e, &fixture.c, &(struct sweep_in){0}, &out), 0);
	struct table_scan *s = table_scans_take(all, 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_EQUAL(table_scans_keep(all, s, fixture.c.now_ms), 1);
	fixture.c.now_ms += 60000;
	CU_ASSERT_EQUAL(engine_sweep(fixture.e, &fixture.c, &(struct sweep_in){0}, &out), 0);
	CU_ASSERT_PTR_NULL(table_scans_take(all, 1));
	CU_ASSERT_EQUAL(rest(next), 2 * (MANY + 5) - 1);
}

/* Two concurrent checks do not disturb each other. */
static void
concurrent_checks_have_separate_scans(void)
{
	struct slice mine;
	struct slice yours = {0};

	begin_scan(&mine);
	(void)page(&yours);
	CU_ASSERT_FALSE(slice_eq(mine, yours));
	CU_ASSERT_EQUAL(rest(yours), 2 * (MANY + 4) - 1);
	CU_ASSERT_EQUAL(rest(mine), 2 * (MANY + 4) - 1);
}

static void
a_table_dropped_between_pages_is_skipped(void)
{
	struct delete_table_out out;
	struct slice next;

	begin_scan(&next);
	CU_ASSERT_EQUAL(engine_delete_table(fixture.e, &fixture.c,
					    &(struct delete_table_in){.table = SLICE("tab")}, &out),
			0);
	CU_ASSERT_EQUAL(rest(next), 0);
}

static void
an_unfinished_scan_is_closed_with_the_store(void)
{
	struct slice next;

	begin_scan(&next);
}

/* The problem is found by a scan of several pages; repaired keys are not looked up again. */
static void
a_problem_of_a_large_table_is_repaired(void)
{
	check_fill(MANY);
	check_write_raw(check_key_for(&check_table->index[1], "{\"P\":\"a\",\"S\":1,\"l\":\"m\"}"),
			slice_of(NULL, 0), true);
	struct check_result r =
		check_repair("table tab: {\"P\":\"a\",\"S\":1}: index LSI has no entry");

	CU_ASSERT_TRUE(r.found.len > 0);
	CU_ASSERT_TRUE(r.problems > 0 && r.repaired == r.problems);
	CU_ASSERT_TRUE(r.looked <= r.ahead);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

static struct slice
record(const char *json)
{
	struct item it = fixture_item(json);
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	record_encode(&b, &(struct record_head){.rendered_bytes = item_json_length(&it) + 1}, &it);
	return buf_view(&b);
}

/* Each entry has the content of the other. */
static void
swapped_entries_are_found(void)
{
	const struct index *lsi = &check_table->index[1];
	static const char *const one = "{\"P\":\"q\",\"S\":1,\"l\":\"x\",\"v\":1}";
	static const char *const two = "{\"P\":\"q\",\"S\":2,\"l\":\"x\",\"v\":2}";

	CU_ASSERT_EQUAL(fixture_put("tab", one), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", two), 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	check_write_raw(check_key_for(lsi, one),
			record("{\"P\":\"q\",\"S\":1,\"l\":\"x\",\"v\":2}"), false);
	check_write_raw(check_key_for(lsi, two),
			record("{\"P\":\"q\",\"S\":2,\"l\":\"x\",\"v\":1}"), false);
	CU_ASSERT_EQUAL(check_run("").problems, 2);
	check_write_raw(check_key_for(lsi, one), record(two), false);
	check_write_raw(check_key_for(lsi, two), record(one), false);
	CU_ASSERT_TRUE(check_run("").problems >= 2);
}

static struct slice
counts_key(const char *pk)
{
	struct value v = value_string(slice_from(pk));
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	buf_slice(&b, keyspace_collection(b.arena, KEYSPACE_PARTITION, check_table, NULL,
					  &(struct key_values){{&v}, 1}));
	return buf_view(&b);
}

static void
swapped_counts_are_found(void)
{
	struct buf of_a;
	struct buf of_b;

	buf_init(&of_a, &fixture.c.arena);
	buf_init(&of_b, &fixture.c.arena);
	CU_ASSERT_EQUAL(kv_get(fixture.mem, &fixture.c, NULL, counts_key("a"), &of_a), 0);
	CU_ASSERT_EQUAL(kv_get(fixture.mem, &fixture.c, NULL, counts_key("b"), &of_b), 0);
	check_write_raw(counts_key("a"), buf_view(&of_b), false);
	check_write_raw(counts_key("b"), buf_view(&of_a), false);
	CU_ASSERT_EQUAL(check_run("").problems, 2);
}

/* All content and counts are right, except for a collection without items. */
static void
a_collection_without_items_is_found(void)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	record_counts_encode(&b, &(struct record_counts){0});
	check_write_raw(counts_key("nobody"), buf_view(&b), false);
	CU_ASSERT_TRUE(check_run("").problems > 0);
}

/* An entry is not written again when only the order within its item changes. */
static void
another_order_is_no_problem_and_costs_no_look_ups(void)
{
	check_fill(MANY);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"a\",\"S\":1,\"g\":\"x\",\"h\":7,\"l\":\"m\","
					   "\"v\":{\"x\":1,\"y\":[{\"p\":true,\"q\":null}]}}"),
			0);
	CU_ASSERT_EQUAL(fixture_put("tab",
				    "{\"v\":{\"y\":[{\"q\":null,\"p\":true}],\"x\":1},\"l\":\"m\","
				    "\"h\":7,\"g\":\"x\",\"S\":1,\"P\":\"a\"}"),
			0);
	uint64_t calls = kv_fault_calls(fixture.fault);
	struct check_result r = check_run(NULL);

	CU_ASSERT_EQUAL(r.problems, 0);
	CU_ASSERT_EQUAL(r.items, MANY + 4);
	CU_ASSERT_EQUAL(r.ahead, 2 * (MANY_KEYS - 2) + 2);
	CU_ASSERT_EQUAL(r.looked, r.ahead);
	CU_ASSERT_TRUE(kv_fault_calls(fixture.fault) - calls < 60);
}

static void
an_index_that_is_dropped_or_filled_is_no_problem(void)
{
	check_fill(2000);
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+more v:S INCLUDE t"), 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	tasks_wait(((struct local *)fixture.e)->tasks);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	CU_ASSERT_EQUAL(fixture_drop_index("tab", "GSI"), 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	tasks_wait(((struct local *)fixture.e)->tasks);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

static bool
gives_up(const void *asker)
{
	(void)asker;
	return true;
}

static void
a_cancelled_caller_stops_waiting(void)
{
	struct check_out out = {0};

	check_fill(MANY);
	fixture.c.given_up = gives_up;
	CU_ASSERT_EQUAL(engine_check(fixture.e, &fixture.c, &(struct check_in){0}, &out),
			-ERR_BUSY);
	fixture.c.given_up = NULL;
	fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

/* Fail at each read, in either thread. */
static void
a_failure_of_any_read_is_reported(void)
{
	bool failed = true;
	size_t times = 0;

	for (uint64_t nth = 1; failed; nth++) {
		struct check_out out = {0};

		fixture.c.error = (struct error){0};
		kv_fault_arm(fixture.fault, nth);
		int r = engine_check(fixture.e, &fixture.c, &(struct check_in){0}, &out);

		failed = kv_fault_fired(fixture.fault);
		CU_ASSERT_EQUAL(r, failed ? -ERR_IO : 0);
		times += failed;
	}
	CU_ASSERT_TRUE(times > 10);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_large_store_takes_pages_without_look_ups),
	UNIT_TEST(pages_look_at_one_state_of_a_table),
	UNIT_TEST(an_idle_scan_is_forgotten),
	UNIT_TEST(concurrent_checks_have_separate_scans),
	UNIT_TEST(a_table_dropped_between_pages_is_skipped),
	UNIT_TEST(an_unfinished_scan_is_closed_with_the_store),
	UNIT_TEST(a_problem_of_a_large_table_is_repaired),
	UNIT_TEST(swapped_entries_are_found),
	UNIT_TEST(swapped_counts_are_found),
	UNIT_TEST(a_collection_without_items_is_found),
	UNIT_TEST(another_order_is_no_problem_and_costs_no_look_ups),
	UNIT_TEST(an_index_that_is_dropped_or_filled_is_no_problem),
	UNIT_TEST(a_cancelled_caller_stops_waiting),
	UNIT_TEST(a_failure_of_any_read_is_reported),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check_scan, check_open, fixture_close, tests);
