#include "tools/write/bulk.h"

#include "tests/support/unit_call.h"
#include "tests/tools/fake.h"

UNIT_CALL(c);

enum { N = 240, KEYS = 60 };

static const struct key_schema key = {.pk = {{SLICE_INIT("n"), VALUE_N}}};

/* Items with one of KEYS numbers as their key, and their position in the list as "t". */
static struct item *
items_with_few_keys(void)
{
	struct item *items = arena_new(&c.arena, struct item, N);

	for (int i = 0; i < N; i++) {
		struct attr *at = arena_new(&c.arena, struct attr, 2);
		struct buf key_text;
		struct buf time;

		buf_init(&key_text, &c.arena);
		buf_init(&time, &c.arena);
		buf_fmt(&key_text, "%d", i % KEYS);
		buf_fmt(&time, "%d", i);
		at[0] = (struct attr){SLICE("n"), {VALUE_N, {buf_view(&key_text)}}};
		at[1] = (struct attr){SLICE("t"), {VALUE_N, {buf_view(&time)}}};
		items[i] = (struct item){at, 2};
	}
	return items;
}

static void
writes_the_items_of_a_key_in_order_and_none_twice_in_a_batch(void)
{
	struct fake fake;
	int last[KEYS];
	size_t done;

	fake_init(&fake);
	fake.leave = 3;
	struct bulk b = {.engine = &fake.base, .table = SLICE("t"), .key = &key, .no_load = true};

	CU_ASSERT_EQUAL(bulk_put(&b, &c, items_with_few_keys(), N, &done), 0);
	CU_ASSERT_EQUAL(done, N);
	CU_ASSERT_EQUAL(fake.n_loaded, N);
	for (int i = 0; i < KEYS; i++) {
		last[i] = -1;
	}
	for (size_t i = 0; i < fake.n_loaded; i++) {
		int n = fake.loaded[i];

		CU_ASSERT_TRUE(n >= 0 && n < KEYS && fake.times[i] > last[n]);
		last[n] = fake.times[i];
	}
	CU_ASSERT_EQUAL(fake.twice, 0);
	fake_release(&fake);
}

static void
writes_no_batch_without_items(void)
{
	struct bulk b = {.table = SLICE("t"), .key = &key, .no_change = true};
	bool done[1];

	CU_ASSERT_EQUAL(bulk_delete(&b, &c, NULL, 0, done), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_the_items_of_a_key_in_order_and_none_twice_in_a_batch),
	UNIT_TEST(writes_no_batch_without_items),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(bulk, setup, teardown, tests);
