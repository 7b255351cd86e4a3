/* Sweep: in pages, and only items that have not changed since they were read; engine/scripts/ttl.test tests expiry. */
#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

enum { NOW_S = 2000000000, CALL_BUDGET = 64 << 20 };

static int
time_to_live(const char *table, const char *attribute, bool enabled)
{
	struct update_time_to_live_in in = {
		.table = slice_from(table), .enabled = enabled, .attribute = slice_from(attribute)};
	struct update_time_to_live_out out;

	fixture.c.error = (struct error){0};
	return engine_update_time_to_live(fixture.e, &fixture.c, &in, &out);
}

/* Run one page from @next on in a call of its own; @out->next is in the scene's memory. */
static int
page(struct slice table, struct slice next, struct sweep_out *out)
{
	struct sweep_in in = {.table = table, .now_s = NOW_S, .next = next};
	struct call c;

	call_open(&c, fixture.c.now_ms, CALL_BUDGET);
	*out = (struct sweep_out){0};
	int r = engine_sweep(fixture.e, &c, &in, out);

	out->next = slice_copy(&fixture.c.arena, out->next);
	call_close(&c);
	return r;
}

/* Run all pages; set @pages to their number. */
static struct sweep_out
sweep(struct slice table, size_t *pages)
{
	struct sweep_out sum = {0};
	struct sweep_out out = {0};

	*pages = 0;
	do {
		int r = page(table, out.next, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		sum.items += out.items;
		sum.deleted += out.deleted;
		sum.ahead += out.ahead;
		++*pages;
	} while (out.next.len > 0);
	return sum;
}

static int
put(const char *table, int i, long end)
{
	char text[80];

	(void)snprintf(text, sizeof(text), "{\"k\":\"%05d\",\"g\":\"g\",\"end\":%ld}", i, end);
	return fixture_put(table, text);
}

static void
setup(void)
{
	fixture_open();
	CU_ASSERT_EQUAL(fixture_table("tab k:S | +GSI g:S ALL"), 0);
	CU_ASSERT_EQUAL(time_to_live("tab", "end", true), 0);
}

static void
a_sweep_of_many_goes_in_pages(void)
{
	size_t pages;

	for (int i = 0; i < 300; i++) {
		CU_ASSERT_EQUAL(put("tab", i, i % 6 == 5 ? NOW_S : NOW_S - 1), 0);
	}
	struct sweep_out sum = sweep(SLICE(""), &pages);

	CU_ASSERT_EQUAL(sum.items, 300);
	CU_ASSERT_EQUAL(sum.deleted, 250);
	CU_ASSERT_EQUAL(sum.ahead, 300);
	CU_ASSERT_EQUAL(pages, 3);
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, 50);
	CU_ASSERT_EQUAL(fixture_totals("tab", "GSI").items, 50);
	CU_ASSERT_EQUAL(fixture_check(), 0);
	sum = sweep(SLICE("tab"), &pages);
	CU_ASSERT_EQUAL(sum.items, 50);
	CU_ASSERT_EQUAL(sum.deleted, 0);
}

static void
large_items_make_small_pages(void)
{
	enum { BYTES = 300 * 1024 };
	char *text = arena_new(&fixture.c.arena, char, BYTES + 100);
	size_t pages;

	for (int i = 0; i < 20; i++) {
		int n = snprintf(text, 100, "{\"k\":\"%d\",\"end\":%d,\"x\":\"", i, NOW_S + i - 1);

		memset(text + n, 'x', BYTES);
		(void)snprintf(text + n + BYTES, 3, "\"}");
		CU_ASSERT_EQUAL(fixture_put("tab", text), 0);
	}
	struct sweep_out sum = sweep(SLICE("tab"), &pages);

	CU_ASSERT_EQUAL(sum.items, 20);
	CU_ASSERT_EQUAL(sum.deleted, 1);
	CU_ASSERT_EQUAL(pages, 2);
}

static void
every_table_with_a_time_to_live_is_swept(void)
{
	size_t pages;

	CU_ASSERT_EQUAL(fixture_table("aaa k:S"), 0);
	CU_ASSERT_EQUAL(fixture_table("bbb k:S"), 0);
	CU_ASSERT_EQUAL(fixture_table("zzz k:S"), 0);
	CU_ASSERT_EQUAL(time_to_live("zzz", "end", true), 0);
	CU_ASSERT_EQUAL(put("aaa", 1, 2), 0);
	CU_ASSERT_EQUAL(put("bbb", 1, NOW_S - 1), 0);
	CU_ASSERT_EQUAL(put("tab", 1, NOW_S - 1), 0);
	CU_ASSERT_EQUAL(put("zzz", 1, NOW_S - 1), 0);
	struct sweep_out sum = sweep(SLICE(""), &pages);

	CU_ASSERT_EQUAL(pages, 2);
	CU_ASSERT_EQUAL(sum.items, 2);
	CU_ASSERT_EQUAL(sum.deleted, 2);
}

/* Tables that are created, dropped or changed between two pages, and places that no sweep returned. */
static void
a_page_begins_anywhere(void)
{
	struct sweep_out out;
	size_t pages;

	CU_ASSERT_EQUAL(put("tab", 1, NOW_S - 1), 0);
	CU_ASSERT_EQUAL(page(SLICE(""), SLICE("tab"), &out), 0);
	CU_ASSERT_EQUAL(out.deleted, 1);
	CU_ASSERT_EQUAL(put("tab", 1, NOW_S - 1), 0);
	CU_ASSERT_EQUAL(page(SLICE(""), SLICE("tab i\1\2\3"), &out), 0);
	CU_ASSERT_EQUAL(out.deleted, 1);
	CU_ASSERT_EQUAL(page(SLICE(""), SLICE("tab\xff \xff"), &out), 0);
	CU_ASSERT_EQUAL(out.next.len, 0);
	CU_ASSERT_EQUAL(page(SLICE(""), SLICE(" "), &out), 0);
	CU_ASSERT_EQUAL(out.next.len, 0);

	for (int i = 0; i < 150; i++) {
		CU_ASSERT_EQUAL(put("tab", i, NOW_S - 1), 0);
	}
	CU_ASSERT_EQUAL(page(SLICE(""), SLICE(""), &out), 0);
	CU_ASSERT_EQUAL(out.deleted, 100);
	CU_ASSERT_EQUAL(time_to_live("tab", "end", false), 0);
	CU_ASSERT_EQUAL(page(SLICE(""), out.next, &out), 0);
	CU_ASSERT_EQUAL(out.deleted, 0);
	CU_ASSERT_EQUAL(out.next.len, 0);
	CU_ASSERT_EQUAL(page(SLICE("tab"), SLICE(""), &out), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(time_to_live("tab", "end", true), 0);
	CU_ASSERT_EQUAL(sweep(SLICE(""), &pages).deleted, 50);
}

static void
the_time_to_live_survives_a_restart(void)
{
	size_t pages;

	CU_ASSERT_EQUAL(put("tab", 1, NOW_S - 1), 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_EQUAL(sweep(SLICE(""), &pages).deleted, 1);
	CU_ASSERT_EQUAL(time_to_live("tab", "end", false), 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_EQUAL(sweep(SLICE(""), &pages).items, 0);
}

/* ------------------------------------------------------------ together with writers */

static void *
put_later(void *arg)
{
	struct call c;
	struct put_item_out out;
	int *r = arg;

	call_open(&c, 0, CALL_BUDGET);
	*r = engine_put_item(
		fixture.e, &c,
		&(struct put_item_in){
			.write = {.table = SLICE("tab"),
				  .item = fixture_item("{\"k\":\"00001\",\"end\":2000000001}")}},
		&out);
	call_close(&c);
	return NULL;
}

struct swept {
	struct sweep_out out;
	int r;
};

static void *
sweep_later(void *arg)
{
	struct swept *s = arg;
	struct call c;

	call_open(&c, 0, CALL_BUDGET);
	s->r = engine_sweep(fixture.e, &c, &(struct sweep_in){.now_s = NOW_S}, &s->out);
	call_close(&c);
	return NULL;
}

/* The write is committed after the sweep has read the item and before it deletes it. */
static void
an_item_that_is_renewed_meanwhile_stays(void)
{
	struct swept swept = {.r = 1};
	pthread_t writer;
	pthread_t sweeper;
	int r = 1;

	CU_ASSERT_EQUAL(put("tab", 1, NOW_S - 1), 0);
	CU_ASSERT_EQUAL(put("tab", 2, NOW_S - 1), 0);
	kv_fault_hold(fixture.fault);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&writer, NULL, put_later, &r), 0);
	kv_fault_wait_held(fixture.fault);

	uint64_t calls = kv_fault_calls(fixture.fault);
	unsigned tries = 0;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&sweeper, NULL, sweep_later, &swept), 0);
	/* Wait until the sweep has asked its cursor for the status. */
	while (kv_fault_calls(fixture.fault) == calls && wait_again(&tries)) {
	}
	kv_fault_go_on(fixture.fault);
	(void)pthread_join(writer, NULL);
	(void)pthread_join(sweeper, NULL);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(swept.r, 0);
	CU_ASSERT_EQUAL(swept.out.items, 2);
	CU_ASSERT_EQUAL(swept.out.deleted, 1);
	fixture_expect("tab", "{\"k\":\"00001\"}", "{\"k\":\"00001\",\"end\":2000000001}");
	fixture_expect("tab", "{\"k\":\"00002\"}", NULL);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
a_sweep_that_fails_leaves_all_or_nothing_of_a_page(void)
{
	bool fired = true;

	for (uint64_t nth = 1; fired; nth++) {
		struct sweep_out out;

		for (int i = 0; i < 3; i++) {
			CU_ASSERT_EQUAL(put("tab", i, NOW_S - 1), 0);
		}
		kv_fault_arm(fixture.fault, nth);
		int r = page(SLICE("tab"), SLICE(""), &out);

		fired = kv_fault_fired(fixture.fault);
		CU_ASSERT_EQUAL(r, fired ? -ERR_IO : 0);
		kv_fault_arm(fixture.fault, 0);
		CU_ASSERT_EQUAL(fixture_restart(), 0);
		CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, fired ? 3 : 0);
		CU_ASSERT_EQUAL(fixture_check(), 0);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_sweep_of_many_goes_in_pages),
	UNIT_TEST(large_items_make_small_pages),
	UNIT_TEST(every_table_with_a_time_to_live_is_swept),
	UNIT_TEST(a_page_begins_anywhere),
	UNIT_TEST(the_time_to_live_survives_a_restart),
	UNIT_TEST(an_item_that_is_renewed_meanwhile_stays),
	UNIT_TEST(a_sweep_that_fails_leaves_all_or_nothing_of_a_page),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sweep, setup, fixture_close, tests);
