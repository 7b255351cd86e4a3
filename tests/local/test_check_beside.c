/* Check with concurrent writers: concurrent changes are not problems. */
#include <stdatomic.h>

#include "tests/local/check_fixture.h"
#include "tests/support/rng.h"
#include "tests/support/unit.h"

enum { WRITES = 3000 };

static atomic_bool done;

static struct item
random_item(struct rng *d, struct arena *a, bool whole)
{
	struct attr *at = arena_new(a, struct attr, 6);
	size_t n = 2;

	at[0] = (struct attr){SLICE("P"),
			      value_string(rng_roll(d, 2) == 0 ? SLICE("a") : SLICE("c"))};
	at[1] = (struct attr){
		SLICE("S"), {.type = VALUE_N, .text = slice_of(&"0123456789"[rng_roll(d, 10)], 1)}};
	if (whole && rng_roll(d, 2) == 0) {
		at[n++] = (struct attr){SLICE("l"),
					value_string(slice_of(&"xyz"[rng_roll(d, 3)], 1))};
	}
	if (whole && rng_roll(d, 2) == 0) {
		at[n++] = (struct attr){SLICE("g"),
					value_string(slice_of(&"xyz"[rng_roll(d, 3)], 1))};
		at[n++] = (struct attr){SLICE("h"), rng_key(d, a, VALUE_N)};
	}
	if (whole) {
		at[n++] = (struct attr){SLICE("v"), rng_value(d, a, 2)};
	}
	return (struct item){at, n};
}

static void *
writer(void *arg)
{
	struct rng d = {(uintptr_t)arg};

	for (int i = 0; i < WRITES; i++) {
		struct call c;

		call_open(&c, 1600000000, 1 << 20);
		if (rng_roll(&d, 3) == 0) {
			struct delete_item_in in = {
				.write = {.table = SLICE("tab"),
					  .item = random_item(&d, &c.arena, false)}};
			struct delete_item_out out;

			if (engine_delete_item(fixture.e, &c, &in, &out) != 0) {
				abort();
			}
		} else {
			struct put_item_in in = {
				.write = {.table = SLICE("tab"),
					  .item = random_item(&d, &c.arena, true)}};
			struct put_item_out out;

			if (engine_put_item(fixture.e, &c, &in, &out) != 0) {
				abort();
			}
		}
		call_close(&c);
	}
	atomic_store(&done, true);
	return NULL;
}

static void
concurrent_writes_make_no_false_problems(void)
{
	pthread_t threads[2];
	struct check_result r = {0};

	atomic_store(&done, false);
	for (uintptr_t i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, writer, (void *)(i + 1)),
				      0);
	}
	while (!atomic_load(&done)) {
		r = check_run(NULL);
		CU_ASSERT_EQUAL(r.problems, 0);
	}
	for (size_t i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(pthread_join(threads[i], NULL), 0);
	}
	r = check_run(NULL);
	CU_ASSERT_EQUAL(r.problems, 0);
}

static void *
dropper(void *arg)
{
	(void)arg;
	for (int i = 0; i < 200; i++) {
		struct call c;
		struct delete_table_in in = {.table = SLICE("tab")};
		struct delete_table_out out;
		struct create_table_in create = {0};
		struct create_table_out created;
		struct load_items_out loaded;

		call_open(&c, 1600000000, 1 << 20);

		struct schema copy = *check_table;
		struct rng d = {(uint64_t)i};
		struct item items[20];

		create.schema = &copy;
		for (unsigned n = 0; n < 20; n++) {
			struct attr *at = arena_new(&c.arena, struct attr, 3);

			at[0] = (struct attr){SLICE("P"), value_string(SLICE("p"))};
			at[1] = (struct attr){SLICE("S"), {.type = VALUE_N}};
			at[1].value.text =
				slice_of(&"12345678901234567890"[n % 10], n < 10 ? 1 : 2);
			at[2] = (struct attr){SLICE("l"), rng_key(&d, &c.arena, VALUE_S)};
			items[n] = (struct item){at, 3};
		}
		struct load_items_in load = {.table = SLICE("tab"), .items = items, .n_items = 10};

		if (engine_delete_table(fixture.e, &c, &in, &out) != 0 ||
		    engine_create_table(fixture.e, &c, &create, &created) != 0 ||
		    engine_load_items(fixture.e, &c, &load, &loaded) != 0) {
			printf("%s\n", c.error.message);
			abort();
		}
		call_close(&c);
	}
	atomic_store(&done, true);
	return NULL;
}

static void
a_concurrent_drop_makes_no_false_problems(void)
{
	pthread_t thread;

	atomic_store(&done, false);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, dropper, NULL), 0);
	while (!atomic_load(&done)) {
		struct check_result r = check_run(NULL);

		CU_ASSERT_EQUAL(r.problems, 0);
	}
	CU_ASSERT_EQUAL(pthread_join(thread, NULL), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(concurrent_writes_make_no_false_problems),
	UNIT_TEST(a_concurrent_drop_makes_no_false_problems),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check_beside, check_open, fixture_close, tests);
