/* Indexes that are added to a table with items: with concurrent writers, interruptions and restarts. */
#include "store/local/jobs/tasks.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/index_job.h"

#include "tests/support/fixture.h"
#include "tests/support/items.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/rebuild.h"
#include "tests/support/rng.h"
#include "tests/support/unit.h"

static struct local *
local(void)
{
	return (struct local *)fixture.e;
}

static const struct schema *
schema(void)
{
	const struct schema *s = catalog_get(local()->catalog, &fixture.c, SLICE("tab"));

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	return s;
}

static void
put(unsigned n, const char *g)
{
	char json[256];

	(void)snprintf(json, sizeof(json), "{\"p\":\"p%u\",\"s\":%u,\"g\":%s,\"v\":\"%u\"}", n % 7,
		       n, g, n);
	CU_ASSERT_EQUAL_FATAL(fixture_put("tab", json), 0);
}

static void
make_table(unsigned items)
{
	char g[16];

	CU_ASSERT_EQUAL_FATAL(fixture_table("tab p:S s:N | -lsi v:S"), 0);
	for (unsigned n = 0; n < items; n++) {
		(void)snprintf(g, sizeof(g), "\"g%u\"", n % 5);
		put(n, g);
	}
}

/* The stored entries are exactly those that the items require, and the self-check agrees. */
static void
expect_valid(void)
{
	CU_ASSERT_EQUAL(rebuild_differences(&fixture.c, fixture.mem, schema()), 0);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
expect_state(enum index_state state)
{
	const struct index *ix = fixture_index("tab", "new");

	CU_ASSERT_PTR_NOT_NULL_FATAL(ix);
	CU_ASSERT_EQUAL(ix->state, state);
}

/* ------------------------------------------------------------ in the background */

static void
a_new_index_gets_what_is_there(void)
{
	make_table(2000);
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S v:S KEYS_ONLY"), 0);
	tasks_wait(local()->tasks);
	expect_state(INDEX_ACTIVE);
	CU_ASSERT_EQUAL(fixture_totals("tab", "new").items, 2000);
	CU_ASSERT_EQUAL(fixture_totals("tab", "new").partitions, 5);
	expect_valid();
}

static void
an_empty_table_gets_an_index_too(void)
{
	make_table(0);
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S"), 0);
	tasks_wait(local()->tasks);
	expect_state(INDEX_ACTIVE);
	put(1, "\"a\"");
	CU_ASSERT_EQUAL(fixture_totals("tab", "new").items, 1);
	expect_valid();
}

/* Source: BEHAVIOUR 4.10 */
static void
items_that_the_index_cannot_have_are_skipped(void)
{
	struct buf long_text;

	buf_init(&long_text, &fixture.c.arena);
	buf_char(&long_text, '"');
	for (int i = 0; i < 2049; i++) {
		buf_char(&long_text, 'x');
	}
	buf_str(&long_text, "\"");
	make_table(0);
	put(1, "\"good\"");
	put(2, "5");
	put(3, "\"\"");
	put(4, "{\"B\":\"YQ==\"}");
	struct buf json;

	buf_init(&json, &fixture.c.arena);
	buf_fmt(&json, "{\"p\":\"long\",\"s\":1,\"g\":%.*s}", SLICE_ARG(buf_view(&long_text)));
	buf_char(&json, '\0');
	CU_ASSERT_EQUAL(fixture_put("tab", json.at), 0);
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S"), 0);
	tasks_wait(local()->tasks);
	CU_ASSERT_EQUAL(fixture_totals("tab", "new").items, 1);
	expect_valid();
	CU_ASSERT_EQUAL(fixture_put("tab", json.at), -ERR_KEY_TOO_LONG);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"p\":\"p1\",\"s\":1,\"g\":1}"), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"p\":\"long\",\"s\":1}"), 0);
	put(3, "\"good\"");
	CU_ASSERT_EQUAL(fixture_totals("tab", "new").items, 2);
	expect_valid();
}

static void
numbers_of_indexes_are_never_used_again(void)
{
	make_table(10);
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S"), 0);
	tasks_wait(local()->tasks);
	uint16_t first = fixture_index("tab", "new")->id;

	CU_ASSERT_EQUAL(fixture_drop_index("tab", "new"), 0);
	tasks_wait(local()->tasks);
	CU_ASSERT_PTR_NULL(fixture_index("tab", "new"));
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+new v:S"), 0);
	tasks_wait(local()->tasks);
	CU_ASSERT_TRUE(fixture_index("tab", "new")->id > first);
	expect_valid();
}

/* ------------------------------------------------------------ by hand, piece by piece */

static int
begin(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	(void)t;
	(void)c;
	(void)arg;
	s->index[s->n_index - 1].state = INDEX_BACKFILLING;
	return 0;
}

/* Add an index whose backfill the test runs itself. */
static void
add_by_hand(const char *spec)
{
	tasks_stop(local()->tasks);
	CU_ASSERT_EQUAL_FATAL(fixture_add_index("tab", spec), 0);
	CU_ASSERT_EQUAL_FATAL(alter_table(local(), &fixture.c, SLICE("tab"), begin, NULL, NULL), 0);
}

static bool
next_piece(void)
{
	const struct schema *s = schema();
	int r = backfill_piece(local(), &fixture.c, s, &s->index[s->n_index - 1]);

	CU_ASSERT_TRUE(r == 0 || r == INDEX_JOB_MORE);
	return r == INDEX_JOB_MORE;
}

/* Writes before, within and after the piece that is being filled. */
static void
writes_of_every_kind_between_pieces(void)
{
	struct rng d = {20261121};
	char text[64];

	make_table(1500);
	add_by_hand("+new g:S s:N INCLUDE v");
	do {
		for (int i = 0; i < 40; i++) {
			unsigned n = rng_roll(&d, 1600);

			switch (rng_roll(&d, 4)) {
			case 0:
				(void)snprintf(text, sizeof(text), "{\"p\":\"p%u\",\"s\":%u}",
					       n % 7, n);
				CU_ASSERT_EQUAL(fixture_delete("tab", text), 0);
				break;
			case 1: /* the same item again: its entry does not change */
				(void)snprintf(text, sizeof(text), "\"g%u\"", n % 5);
				put(n, text);
				break;
			default:
				(void)snprintf(text, sizeof(text), "\"h%u\"", rng_roll(&d, 30));
				put(n, text);
			}
		}
		CU_ASSERT_EQUAL(fixture_check(), 0);
	} while (next_piece());
	expect_valid();
}

static void
an_index_is_not_read_before_it_is_complete(void)
{
	struct list_partitions_out list = {0};
	struct scan_out page = {0};
	struct scan_in scan = {.read = {.table = SLICE("tab"), .index = SLICE("new")}};
	struct list_partitions_in in = {.table = SLICE("tab"), .index = SLICE("new")};

	make_table(300);
	add_by_hand("+new g:S");
	CU_ASSERT_EQUAL(engine_scan(fixture.e, &fixture.c, &scan, &page), -ERR_NO_INDEX);
	CU_ASSERT_STRING_EQUAL(fixture_message(),
			       "Cannot read from backfilling global secondary index: new");
	CU_ASSERT_EQUAL(engine_list_partitions(fixture.e, &fixture.c, &in, &list), -ERR_NO_INDEX);
	CU_ASSERT_TRUE(next_piece());
	CU_ASSERT_EQUAL(engine_scan(fixture.e, &fixture.c, &scan, &page), -ERR_NO_INDEX);
}

static void
its_progress_is_described(void)
{
	struct describe_table_in in = {.table = SLICE("tab")};
	struct describe_table_out out = {0};

	make_table(300);
	add_by_hand("+new g:S");
	CU_ASSERT_TRUE(next_piece());
	CU_ASSERT_EQUAL_FATAL(engine_describe_table(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.table.status, TABLE_UPDATING);
	CU_ASSERT_EQUAL(out.table.backfilled, 64);
	expect_state(INDEX_BACKFILLING);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	tasks_wait(local()->tasks);
	CU_ASSERT_EQUAL_FATAL(engine_describe_table(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.table.status, TABLE_ACTIVE);
	CU_ASSERT_EQUAL(out.table.backfilled, 0);
	expect_state(INDEX_ACTIVE);
	expect_valid();
}

static void
nothing_else_changes_meanwhile(void)
{
	static const bool on = true;
	struct update_table_out out = {0};
	struct delete_table_out deleted = {0};
	struct update_table_in protect = {.table = SLICE("tab"), .protect = &on};
	static const char updating[] =
		"Attempt to change a resource which is still in use: Table is being updated: tab";

	make_table(300);
	tasks_stop(local()->tasks);
	CU_ASSERT_EQUAL_FATAL(fixture_add_index("tab", "+new g:S"), 0);
	CU_ASSERT_EQUAL(fixture_drop_index("tab", "new"), -ERR_TABLE_CHANGING);
	CU_ASSERT_STRING_EQUAL(
		fixture_message(),
		"Attempt to change a resource which is still in use: Index is being created.");
	CU_ASSERT_EQUAL(fixture_add_index("tab", "+other v:S"), -ERR_TABLE_CHANGING);
	CU_ASSERT_STRING_EQUAL(fixture_message(), updating);
	CU_ASSERT_EQUAL(engine_update_table(fixture.e, &fixture.c, &protect, &out),
			-ERR_TABLE_CHANGING);
	CU_ASSERT_EQUAL(engine_delete_table(fixture.e, &fixture.c,
					    &(struct delete_table_in){.table = SLICE("tab")},
					    &deleted),
			-ERR_TABLE_CHANGING);
	CU_ASSERT_STRING_EQUAL(fixture_message(), updating);
}

static void
a_backfill_can_be_cancelled(void)
{
	make_table(600);
	add_by_hand("+new g:S");
	CU_ASSERT_TRUE(next_piece());
	CU_ASSERT_EQUAL(fixture_drop_index("tab", "new"), 0);
	expect_state(INDEX_DELETING);
	CU_ASSERT_EQUAL(fixture_drop_index("tab", "new"), -ERR_TABLE_CHANGING);
	put(1, "5"); /* the index is being dropped, so its key type is no longer checked */
	put(2, "\"elsewhere\"");
	CU_ASSERT_EQUAL(fixture_check(), 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	tasks_wait(local()->tasks);
	CU_ASSERT_PTR_NULL(fixture_index("tab", "new"));
	expect_valid();
}

/* ------------------------------------------------------------ concurrent writers */

enum { WRITERS = 3, ITEMS = 4000 };

static void *
write_beside(void *arg)
{
	struct rng d = {*(uint64_t *)arg};
	struct call c;

	for (int i = 0; i < 3000; i++) {
		struct put_item_out out;
		struct delete_item_out gone;
		struct buf json;

		call_open(&c, 1700000000000, 1 << 20);
		buf_init(&json, &c.arena);
		unsigned n = rng_roll(&d, ITEMS + 200);
		bool put = rng_roll(&d, 4) > 0;

		buf_fmt(&json, "{\"p\":\"p%u\",\"s\":%u", n % 7, n);
		if (put) {
			buf_fmt(&json, ",\"g\":\"g%u\",\"v\":\"%u\"", rng_roll(&d, 8), n);
		}
		buf_str(&json, "}");
		buf_char(&json, '\0');
		struct write_in w = {.table = SLICE("tab"), .item = item_of(&c, json.at)};

		if ((put ? engine_put_item(fixture.e, &c, &(struct put_item_in){.write = w}, &out)
			 : engine_delete_item(fixture.e, &c, &(struct delete_item_in){.write = w},
					      &gone)) != 0) {
			abort();
		}
		call_close(&c);
	}
	return NULL;
}

static void
writers_do_not_wait_and_nothing_is_missed(void)
{
	pthread_t threads[WRITERS];
	uint64_t seeds[WRITERS] = {1, 2, 3};

	make_table(ITEMS);
	for (size_t i = 0; i < WRITERS; i++) {
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, write_beside, &seeds[i]),
				      0);
	}
	for (int round = 0; round < 3; round++) {
		CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S v:S"), 0);
		tasks_wait(local()->tasks);
		expect_state(INDEX_ACTIVE);
		CU_ASSERT_EQUAL(fixture_check(), 0);
		if (round < 2) {
			CU_ASSERT_EQUAL(fixture_drop_index("tab", "new"), 0);
			tasks_wait(local()->tasks);
		}
	}
	for (size_t i = 0; i < WRITERS; i++) {
		(void)pthread_join(threads[i], NULL);
	}
	expect_valid();
}

/* ------------------------------------------------------------ interrupted anywhere */

/* The backfill can go on from the state after any commit. */
static void
goes_on_after_a_crash_at_any_commit(void)
{
	make_table(700);
	uint64_t before = kv_mem_commits(fixture.mem);

	CU_ASSERT_EQUAL(fixture_add_index("tab", "+new g:S"), 0);
	tasks_wait(local()->tasks);
	CU_ASSERT_EQUAL(fixture_drop_index("tab", "new"), 0);
	tasks_wait(local()->tasks);
	struct kv *after[32] = {NULL};
	uint64_t n = kv_mem_commits(fixture.mem) - before;

	CU_ASSERT_TRUE_FATAL(n >= 9 && n < 32);
	for (uint64_t i = 0; i <= n; i++) {
		after[i] = kv_mem_copy(fixture.mem, before + i);
	}
	for (uint64_t i = 0; i <= n; i++) {
		CU_ASSERT_EQUAL_FATAL(fixture_continue(after[i]), 0);
		CU_ASSERT_EQUAL(fixture_check(), 0);
		tasks_wait(local()->tasks);
		CU_ASSERT_PTR_NULL(schema_busy(schema()));
		expect_valid();
	}
}

/* A commit that fails makes the store read-only; the backfill goes on at the next start. */
static void
goes_on_after_each_fault(void)
{
	bool fired = true;

	make_table(600);
	struct kv *start = kv_mem_copy(fixture.mem, UINT64_MAX);

	for (uint64_t nth = 1; fired; nth += 97) {
		CU_ASSERT_EQUAL_FATAL(fixture_continue(kv_mem_copy(start, UINT64_MAX)), 0);
		kv_fault_arm(fixture.fault, nth);
		int r = fixture_add_index("tab", "+new g:S");

		tasks_wait(local()->tasks);
		fired = kv_fault_fired(fixture.fault);
		CU_ASSERT_TRUE(r == 0 || fired);
		CU_ASSERT_EQUAL_FATAL(fixture_restart(), 0);
		tasks_wait(local()->tasks);
		CU_ASSERT_PTR_NULL(schema_busy(schema()));
		expect_valid();
	}
	start->ops->close(start);
}

static void
a_damaged_mark_is_reported(void)
{
	struct buf key;

	make_table(300);
	add_by_hand("+new g:S");
	CU_ASSERT_TRUE(next_piece());
	buf_init(&key, &fixture.c.arena);
	buf_slice(&key, keyspace_head(key.arena, KEYSPACE_BACKFILL, schema(),
				      fixture_index("tab", "new")));
	struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);

	b->ops->put(b, buf_view(&key), SLICE("\x80"));
	CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, true), 0);
	kv_batch_free(b);
	const struct schema *s = schema();

	CU_ASSERT_EQUAL(backfill_piece(local(), &fixture.c, s, &s->index[1]), -ERR_CORRUPT);
	CU_ASSERT_EQUAL(fixture_check(), 1);
}

/* A missing entry is a problem before the mark, where the index is already filled, but not after it. */
static void
the_self_check_knows_its_progress(void)
{
	struct buf prefix;

	make_table(300);
	add_by_hand("+new g:S");
	CU_ASSERT_TRUE(next_piece());
	CU_ASSERT_EQUAL(fixture_check(), 0);
	buf_init(&prefix, &fixture.c.arena);
	buf_slice(&prefix,
		  keyspace_head(prefix.arena, KEYSPACE_ITEM, schema(), &schema()->index[1]));
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);

	cur->ops->seek(cur, buf_view(&prefix));
	b->ops->del(b, cur->ops->key(cur));
	CU_ASSERT_EQUAL(kv_commit(fixture.mem, &fixture.c, b, true), 0);
	kv_batch_free(b);
	kv_cursor_free(cur);
	CU_ASSERT_EQUAL(fixture_check(), 2); /* the entry, and the counts of its collection */
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_new_index_gets_what_is_there),
	UNIT_TEST(an_empty_table_gets_an_index_too),
	UNIT_TEST(items_that_the_index_cannot_have_are_skipped),
	UNIT_TEST(numbers_of_indexes_are_never_used_again),
	UNIT_TEST(writes_of_every_kind_between_pieces),
	UNIT_TEST(an_index_is_not_read_before_it_is_complete),
	UNIT_TEST(its_progress_is_described),
	UNIT_TEST(nothing_else_changes_meanwhile),
	UNIT_TEST(a_backfill_can_be_cancelled),
	UNIT_TEST(writers_do_not_wait_and_nothing_is_missed),
	UNIT_TEST(goes_on_after_a_crash_at_any_commit),
	UNIT_TEST(goes_on_after_each_fault),
	UNIT_TEST(a_damaged_mark_is_reported),
	UNIT_TEST(the_self_check_knows_its_progress),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(backfill, fixture_open, fixture_close, tests);
