/* Background tasks; test_tables.c has dropped tables, test_transact.c tokens. */
#include <semaphore.h>

#include "store/local/jobs/tasks.h"
#include "store/local/local.h"
#include "store/local/records/keyspace.h"

#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

static struct tasks *
tasks(void)
{
	return ((struct local *)fixture.e)->tasks;
}

/* A task that fails for lack of space is tried again soon. */
static void
hasty(void)
{
	((struct local *)fixture.e)->room_ms = 10;
}

/* Key number @i of table 1: "000000" ... */
static void
put_key(struct buf *key, uint16_t index, unsigned i)
{
	buf_char(key, KEYSPACE_ITEM);
	buf_u32be(key, 1);
	buf_u16be(key, index);
	buf_fmt(key, "%06u", i);
}

static void
delete_keys(uint16_t index, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct buf key;

		buf_init(&key, NULL);
		put_key(&key, index, i);
		tasks_deleted(tasks(), buf_view(&key));
		buf_release(&key);
	}
}

static void
a_range_is_compacted_after_fifty_thousand_deletes_in_it(void)
{
	delete_keys(0, 49999);
	delete_keys(1, 49999);
	tasks_wait(tasks());
	CU_ASSERT_EQUAL(kv_mem_compactions(fixture.mem), 0);
	delete_keys(1, 1);
	tasks_wait(tasks());
	CU_ASSERT_EQUAL(kv_mem_compactions(fixture.mem), 1);
	delete_keys(1, 49999);
	tasks_wait(tasks());
	CU_ASSERT_EQUAL(kv_mem_compactions(fixture.mem), 1);
	delete_keys(1, 1);
	delete_keys(0, 1);
	tasks_wait(tasks());
	CU_ASSERT_EQUAL(kv_mem_compactions(fixture.mem), 3);
}

/* ------------------------------------------------------------ pieces */

static struct buf pieces; /* "to to ...": the numbers of the keys at which the pieces end */
static bool stop_at_once;
static sem_t stopped;

static void
note_piece(struct slice from, struct slice to)
{
	(void)from;
	CU_ASSERT_TRUE(slice_cmp(from, to) < 0);
	to = to.len < KEYSPACE_HEAD_BYTES ? SLICE("end") : slice_skip(to, KEYSPACE_HEAD_BYTES);
	buf_fmt(&pieces, "%.6s ", slice_cstr(&fixture.c.arena, to));
	if (stop_at_once) {
		tasks_stop(tasks());
		(void)sem_post(&stopped);
	}
}

/* Put @n keys, every @step-th number, with values of @bytes bytes. */
static void
fill(unsigned n, unsigned step, size_t bytes)
{
	struct slice value = slice_of(arena_new(&fixture.c.arena, char, bytes), bytes);
	cleanup(kv_batch_freep) struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);

	for (unsigned i = 0; i < n; i++) {
		struct buf key;

		buf_init(&key, &fixture.c.arena);
		put_key(&key, 0, i * step);
		b->ops->put(b, buf_view(&key), value);
	}
	CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, false), 0);
}

static void
compact_many(void)
{
	fill(80, 600, 1 << 20);
	delete_keys(0, 50000);
}

static void
drop_many(void)
{
	fill(2500, 1, 34000);
	tasks_drop(tasks(), 1);
}

/* Do the work in a new store, and expect compaction in these pieces. */
static void
expect_pieces(void (*work)(void), bool stop, const char *want)
{
	fixture_close();
	fixture_open();
	buf_init(&pieces, NULL);
	(void)sem_init(&stopped, 0, 0);
	stop_at_once = stop;
	kv_mem_on_compact(fixture.mem, note_piece);
	work();
	if (stop) {
		(void)sem_wait(&stopped);
	} else {
		tasks_wait(tasks());
	}
	engine_close(fixture.e); /* closes the kv, too */
	fixture.e = NULL;
	if (!slice_is(buf_view(&pieces), want)) {
		printf("%.*s\n", SLICE_ARG(buf_view(&pieces)));
	}
	CU_ASSERT_TRUE(slice_is(buf_view(&pieces), want));
	buf_release(&pieces);
}

static void
large_ranges_are_compacted_in_pieces(void)
{
	expect_pieces(compact_many, false, "019200 038400 049999 ");
	expect_pieces(drop_many, false, "000999 001999 ");
}

static void
closing_waits_for_at_most_one_piece(void)
{
	expect_pieces(compact_many, true, "019200 ");
	expect_pieces(drop_many, true, "000999 ");
}

/* After each piece, the bytes ahead decrease by the bytes of that piece. */
static void
a_compaction_reports_its_progress(void)
{
	struct compact_in in = {.next = {0}};
	uint64_t ahead = 0;
	size_t pages = 0;

	fill(2500, 1, 34000);
	do {
		struct compact_out out = {0};

		CU_ASSERT_EQUAL_FATAL(engine_compact(fixture.e, &fixture.c, &in, &out), 0);
		CU_ASSERT_TRUE(out.bytes > 0);
		CU_ASSERT_TRUE(pages == 0 || out.bytes + out.ahead == ahead);
		CU_ASSERT_EQUAL(out.ahead == 0, out.next.len == 0);
		ahead = out.ahead;
		in.next = out.next;
		pages++;
	} while (in.next.len > 0);
	CU_ASSERT_EQUAL(pages, 3);
}

static unsigned n_pieces;
static enum index_state
	state; /* state after the second piece of the index that was added after the first */

static void
note_state(struct slice from, struct slice to)
{
	(void)from;
	(void)to;
	n_pieces++;
	if (n_pieces == 1) {
		CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S"), 0);
	} else if (n_pieces == 2) {
		state = fixture_index("tab", "new")->state;
	}
}

/* The drop of a large table ends its time slice after each piece that it compacts. */
static void
a_backfill_does_not_wait_for_a_large_table_that_is_dropped(void)
{
	CU_ASSERT_EQUAL(fixture_table("big pk:S"), 0);
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	n_pieces = 0;
	state = INDEX_CREATING;
	kv_mem_on_compact(fixture.mem, note_state);
	fill(2500, 1, 34000);
	tasks_drop(tasks(), 1);
	tasks_wait(tasks());
	CU_ASSERT_EQUAL(n_pieces, 2);
	CU_ASSERT_NOT_EQUAL(state, INDEX_CREATING);
}

static void
unfinished_tasks_survive_closing(void)
{
	struct delete_table_out out = {0};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\"}"), 0);
	for (int i = 0; i < 20; i++) {
		delete_keys((uint16_t)i, 50000);
	}
	int r = engine_delete_table(fixture.e, &fixture.c,
				    &(struct delete_table_in){.table = SLICE("tab")}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	tasks_wait(tasks());
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);

	for (cur->ops->seek(cur, SLICE("")); cur->ops->valid(cur); cur->ops->next(cur)) {
		CU_ASSERT_EQUAL(cur->ops->key(cur).at[0], KEYSPACE_META);
	}
	kv_cursor_free(cur);
}

static void
an_index_is_filled_when_there_is_room_again(void)
{
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\",\"g\":\"b\"}"), 0);
	hasty();
	kv_fault_room(fixture.fault, KV_FAULT_ROOM_LITTLE);
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S"), 0);
	kv_fault_wait_refused(fixture.fault);
	CU_ASSERT_EQUAL(fixture_index("tab", "new")->state, INDEX_BACKFILLING);
	kv_fault_room(fixture.fault, KV_FAULT_ROOM_ENOUGH);
	tasks_wait(tasks());
	CU_ASSERT_EQUAL(fixture_index("tab", "new")->state, INDEX_ACTIVE);
	CU_ASSERT_EQUAL(fixture_totals("tab", "new").items, 1);
}

static void
a_table_is_deleted_when_there_is_room_again(void)
{
	fill(100, 1, 10);
	hasty();
	kv_fault_room(fixture.fault, KV_FAULT_ROOM_NONE);
	tasks_drop(tasks(), 1);
	kv_fault_wait_refused(fixture.fault);
	kv_fault_room(fixture.fault, KV_FAULT_ROOM_ENOUGH);
	tasks_wait(tasks());
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);

	cur->ops->seek(cur, SLICE("i"));
	CU_ASSERT_FALSE(cur->ops->valid(cur) && cur->ops->key(cur).at[0] == KEYSPACE_ITEM);
	kv_cursor_forget(cur);
}

static void
a_mark_that_is_damaged_is_found_at_the_start(void)
{
	struct kv *mem = kv_mem_new();
	struct kv_batch *b = mem->ops->batch_new(mem);

	b->ops->put(b, SLICE("x12"), SLICE("tab"));
	CU_ASSERT_EQUAL(kv_commit(mem, &fixture.c, b, true), 0);
	kv_batch_free(b);
	CU_ASSERT_EQUAL(fixture_continue(mem), -ERR_CORRUPT);
}

static void
an_engine_opens_completely_or_not_at_all(void)
{
	bool fired = true;

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	for (uint64_t nth = 1; fired; nth++) {
		struct kv *copy = kv_mem_copy(fixture.mem, UINT64_MAX);
		struct kv *fault = kv_fault_new(copy);
		struct engine *e = NULL;
		struct call c;

		/* At time 0 no expired tokens are searched for, so that every kv call belongs to the open. */
		call_open(&c, 0, 1 << 20);
		kv_fault_arm(fault, nth);
		int r = local_open_kv(&c, fault, NULL, &e);

		CU_ASSERT_TRUE(r == 0 || r == -ERR_IO);
		CU_ASSERT_EQUAL(r == 0, e != NULL);
		fired = r != 0;
		engine_close(e);
		call_close(&c);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_range_is_compacted_after_fifty_thousand_deletes_in_it),
	UNIT_TEST(large_ranges_are_compacted_in_pieces),
	UNIT_TEST(a_compaction_reports_its_progress),
	UNIT_TEST(closing_waits_for_at_most_one_piece),
	UNIT_TEST(a_backfill_does_not_wait_for_a_large_table_that_is_dropped),
	UNIT_TEST(unfinished_tasks_survive_closing),
	UNIT_TEST(an_index_is_filled_when_there_is_room_again),
	UNIT_TEST(a_table_is_deleted_when_there_is_room_again),
	UNIT_TEST(a_mark_that_is_damaged_is_found_at_the_start),
	UNIT_TEST(an_engine_opens_completely_or_not_at_all),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(tasks, fixture_open, fixture_close, tests);
