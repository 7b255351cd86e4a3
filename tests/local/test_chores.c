/* Work in the background; dropped tables are in test_tables.c, tokens in test_transact.c. */
#include "store/local/chores.h"
#include "store/local/keyspace.h"

#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/scene.h"
#include "tests/support/unit.h"

static struct chores *
chores(void)
{
	return ((struct local *)scene.e)->chores;
}

static void
delete_keys(uint16_t index, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char text[16];
		struct buf key;

		(void)snprintf(text, sizeof(text), "%06u", i);
		buf_init(&key, NULL);
		buf_char(&key, KEYSPACE_ITEM);
		buf_u32be(&key, 1);
		buf_u16be(&key, index);
		buf_str(&key, text);
		chores_deleted(chores(), buf_view(&key));
		buf_release(&key);
	}
}

static void
a_range_is_compacted_after_fifty_thousand_deletes_in_it(void)
{
	delete_keys(0, 49999);
	delete_keys(1, 49999);
	chores_wait(chores());
	CU_ASSERT_EQUAL(kv_mem_compactions(scene.mem), 0);
	delete_keys(1, 1);
	chores_wait(chores());
	CU_ASSERT_EQUAL(kv_mem_compactions(scene.mem), 1);
	delete_keys(1, 49999);
	chores_wait(chores());
	CU_ASSERT_EQUAL(kv_mem_compactions(scene.mem), 1);
	delete_keys(1, 1);
	delete_keys(0, 1);
	chores_wait(chores());
	CU_ASSERT_EQUAL(kv_mem_compactions(scene.mem), 3);
}

static void
closing_with_work_left_loses_none_of_it(void)
{
	struct delete_table_out out = {0};

	CU_ASSERT_EQUAL(scene_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(scene_put("tab", "{\"pk\":\"a\"}"), 0);
	for (int i = 0; i < 20; i++) {
		delete_keys((uint16_t)i, 50000);
	}
	int r = engine_delete_table(scene.e, &scene.c,
				    &(struct delete_table_in){.table = SLICE("tab")}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(scene_restart(), 0);
	chores_wait(chores());
	struct kv_cursor *cur = kv_cursor_new(scene.mem, NULL);

	for (cur->ops->seek(cur, SLICE("")); cur->ops->valid(cur); cur->ops->next(cur)) {
		CU_ASSERT_EQUAL(cur->ops->key(cur).at[0], KEYSPACE_META);
	}
	kv_cursor_free(cur);
}

static void
a_mark_that_is_damaged_is_found_at_the_start(void)
{
	struct kv *mem = kv_mem_new();
	struct kv_batch *b = mem->ops->batch_new(mem);

	b->ops->put(b, SLICE("x12"), SLICE("tab"));
	CU_ASSERT_EQUAL(kv_commit(mem, &scene.c, b, true), 0);
	kv_batch_free(b);
	CU_ASSERT_EQUAL(scene_continue(mem), -ERR_CORRUPT);
}

static void
an_engine_opens_wholly_or_not_at_all(void)
{
	bool fired = true;

	CU_ASSERT_EQUAL(scene_table("tab pk:S"), 0);
	for (uint64_t nth = 1; fired; nth++) {
		struct kv *copy = kv_mem_copy(scene.mem, UINT64_MAX);
		struct kv *fault = kv_fault_new(copy);
		struct engine *e = NULL;
		struct call c;

		/* No tokens are looked for at time 0, so that every call is the opener's own. */
		call_open(&c, 0, 1 << 20);
		kv_fault_arm(fault, nth);
		int r = local_open_kv(&c, fault, &e);

		CU_ASSERT_TRUE(r == 0 || r == -ERR_IO);
		CU_ASSERT_EQUAL(r == 0, e != NULL);
		fired = r != 0;
		engine_close(e);
		call_close(&c);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_range_is_compacted_after_fifty_thousand_deletes_in_it),
	UNIT_TEST(closing_with_work_left_loses_none_of_it),
	UNIT_TEST(a_mark_that_is_damaged_is_found_at_the_start),
	UNIT_TEST(an_engine_opens_wholly_or_not_at_all),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(chores, scene_open, scene_close, tests);
