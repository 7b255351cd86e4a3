/* Tests of reading keys in ascending order: the answers equal single lookups, for near and distant keys. */
#include "store/kv/kv_sorted.h"

#include "tests/support/crash.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/kv_open.h"
#include "tests/support/unit.h"

enum { KEYS = 4000 };

static struct call c;
static char dir[UNIT_FOLDER_BYTES];

static void
setup(void)
{
	call_open(&c, 0, 64 << 20);
	unit_make_folder(dir, "near");
}

static void
teardown(void)
{
	crash_remove(dir);
	call_close(&c);
}

static struct slice
key_of(unsigned i)
{
	struct buf key;

	buf_init(&key, &c.arena);
	buf_fmt(&key, "%06u", i);
	return buf_view(&key);
}

/* Store every second number as a key. */
static void
fill(struct kv *kv)
{
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

	for (unsigned i = 0; i < KEYS; i += 2) {
		b->ops->put(b, key_of(i), key_of(i));
	}
	int r = kv_commit(kv, &c, b, false);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

static void
expect(struct kv_sorted *n, unsigned i)
{
	struct buf out;

	buf_init(&out, &c.arena);
	int r = kv_sorted_get(n, &c, key_of(i), &out);

	if (i % 2 == 0 && i < KEYS) {
		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(slice_eq(buf_view(&out), key_of(i)));
	} else {
		CU_ASSERT_EQUAL(r, KV_ABSENT);
		CU_ASSERT_EQUAL(out.len, 0);
	}
}

/* Read keys in steps of @step with an occasional @leap, also beyond the last key; read each key twice. */
static void
walk(struct kv *kv, unsigned step, unsigned leap)
{
	struct kv_sorted n = {.kv = kv};

	for (unsigned i = 0, k = 0; i < KEYS + 50; i += ++k % 16 == 0 ? leap : step) {
		expect(&n, i);
		expect(&n, i);
	}
	int r = kv_sorted_end(&n, &c);

	CU_ASSERT_EQUAL(r, 0);
}

static void
walk_all(struct kv *kv)
{
	fill(kv);
	for (unsigned step = 1; step < 40; step++) {
		walk(kv, step, step);
		walk(kv, step, 100);
	}
	kv->ops->close(kv);
}

static void
answers_equal_those_of_single_lookups(void)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(&c, dir, true, &kv);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	walk_all(kv);
	walk_all(kv_mem_new());
}

static void
an_empty_kv_has_no_keys(void)
{
	struct kv *kv = kv_mem_new();
	struct kv_sorted n = {.kv = kv};
	int r = kv_sorted_end(&n, &c);

	CU_ASSERT_EQUAL(r, 0);
	expect(&n, 1);
	expect(&n, 3);
	r = kv_sorted_end(&n, &c);
	CU_ASSERT_EQUAL(r, 0);
	kv->ops->close(kv);
}

/* Near keys are read with a cursor; distant keys with single lookups, after a few steps. */
static void
a_cursor_serves_near_keys(void)
{
	struct kv *kv = kv_fault_new(kv_mem_new());

	fill(kv);
	uint64_t before = kv_fault_calls(kv);

	walk(kv, 2, 2);
	CU_ASSERT_EQUAL(kv_fault_calls(kv) - before, 1); /* the cursor's status */
	struct kv_sorted n = {.kv = kv};

	before = kv_fault_calls(kv);
	for (unsigned i = 0; i < KEYS; i += 100) {
		expect(&n, i);
	}
	CU_ASSERT_EQUAL(kv_fault_calls(kv) - before, KEYS / 100 - 8);
	int r = kv_sorted_end(&n, &c);

	CU_ASSERT_EQUAL(r, 0);
	kv->ops->close(kv);
}

static void
the_end_reports_a_failure(void)
{
	struct kv *kv = kv_fault_new(kv_mem_new());
	struct kv_sorted n = {.kv = kv};

	fill(kv);
	kv_fault_arm(kv, 1);
	expect(&n, 2);
	int r = kv_sorted_end(&n, &c);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	kv->ops->close(kv);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(answers_equal_those_of_single_lookups),
	UNIT_TEST(an_empty_kv_has_no_keys),
	UNIT_TEST(a_cursor_serves_near_keys),
	UNIT_TEST(the_end_reports_a_failure),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(kv_sorted, setup, teardown, tests);
