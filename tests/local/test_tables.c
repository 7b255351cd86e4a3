#include <stdatomic.h>

#include "store/engine/engine.h"
#include "store/engine/feed.h"
#include "store/local/jobs/tasks.h"

#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

static void
expect_error(int r, enum err code, const char *message)
{
	bool right = r == -(int)code && strcmp(fixture_message(), message) == 0;

	if (!right) {
		printf("%d %s\nwant %s\n", r, fixture_message(), message);
	}
	CU_ASSERT_TRUE(right);
}

/* Not inlined, nor is drop(): otherwise gcc assumes a failed call and warns about the uninitialized answer. */
static __attribute__((noinline)) int
describe(const char *table, struct describe_table_out *out)
{
	fixture.c.error = (struct error){0};
	return engine_describe_table(fixture.e, &fixture.c,
				     &(struct describe_table_in){.table = slice_from(table)}, out);
}

static __attribute__((noinline)) int
drop(const char *table, struct delete_table_out *out)
{
	fixture.c.error = (struct error){0};
	return engine_delete_table(fixture.e, &fixture.c,
				   &(struct delete_table_in){.table = slice_from(table)}, out);
}

static void
expect_same_schema(const struct schema *a, const struct schema *b)
{
	struct buf x;
	struct buf y;

	CU_ASSERT_TRUE(slice_eq(a->table, b->table));
	buf_init(&x, &fixture.c.arena);
	buf_init(&y, &fixture.c.arena);
	CU_ASSERT_EQUAL(a->n_index, b->n_index);
	CU_ASSERT_EQUAL(a->id, b->id);
	CU_ASSERT_EQUAL(a->created_ms, b->created_ms);
	for (size_t i = 0; i < a->n_index && i < b->n_index; i++) {
		CU_ASSERT_TRUE(slice_eq(a->index[i].name, b->index[i].name));
		CU_ASSERT_EQUAL(a->index[i].id, b->index[i].id);
		CU_ASSERT_EQUAL(a->index[i].global, b->index[i].global);
		CU_ASSERT_EQUAL(a->index[i].projection, b->index[i].projection);
		CU_ASSERT_EQUAL(a->index[i].n_include, b->index[i].n_include);
		CU_ASSERT_TRUE(slice_eq(a->index[i].key.pk->name, b->index[i].key.pk->name));
		CU_ASSERT_TRUE(slice_eq(a->index[i].key.sk->name, b->index[i].key.sk->name));
		CU_ASSERT_EQUAL(a->index[i].key.pk->type, b->index[i].key.pk->type);
	}
}

static void
a_table_is_created_and_described_also_after_a_restart(void)
{
	struct describe_table_out before = {0};
	struct describe_table_out after = {0};
	int r = fixture_table("tab pk:S sk:N | +gs1 g:B sk:N INCLUDE a b | -ls1 l:S KEYS_ONLY");

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(describe("tab", &before), 0);
	CU_ASSERT_EQUAL(before.table.status, TABLE_ACTIVE);
	CU_ASSERT_EQUAL(before.table.schema->created_ms, fixture.c.now_ms);
	CU_ASSERT_EQUAL(before.table.schema->n_index, 2);
	CU_ASSERT_EQUAL(before.table.index_totals[0].items, 0);
	struct schema *kept = schema_copy(&fixture.c.arena, before.table.schema);

	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_EQUAL(describe("tab", &after), 0);
	expect_same_schema(kept, after.table.schema);
	CU_ASSERT_TRUE(slice_is(after.table.schema->index[0].include[1], "b"));
}

static void
a_table_is_made_once(void)
{
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	expect_error(fixture_table("tab pk:N"), ERR_TABLE_IN_USE, "Table already exists: tab");
}

static void
unknown_tables_are_reported_by_name(void)
{
	struct describe_table_out described;
	struct delete_table_out dropped;

	expect_error(describe("nope", &described), ERR_NO_TABLE,
		     "Requested resource not found: Table: nope not found");
	expect_error(drop("nope", &dropped), ERR_NO_TABLE,
		     "Requested resource not found: Table: nope not found");
}

static void
totals_count_items_bytes_and_partitions(void)
{
	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:N | +gs1 g:S KEYS_ONLY"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\",\"sk\":1,\"g\":\"x\",\"v\":\"1\"}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\",\"sk\":2,\"g\":\"x\"}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"b\",\"sk\":1}"), 0);
	struct totals base = fixture_totals("tab", NULL);
	struct totals index = fixture_totals("tab", "gs1");

	/* pk 3, sk 4, g 2, v 2 bytes. */
	CU_ASSERT_EQUAL(base.items, 3);
	CU_ASSERT_EQUAL(base.bytes, 11 + 9 + 7);
	CU_ASSERT_EQUAL(base.partitions, 2);
	CU_ASSERT_EQUAL(index.items, 2);
	CU_ASSERT_EQUAL(index.bytes, 18);
	CU_ASSERT_EQUAL(index.partitions, 1);
}

/* ------------------------------------------------------------ definitions */

#define INVALID "One or more parameter values were invalid: "

static void
attribute_definitions_are_exactly_the_keys(void)
{
	static const struct {
		const char *definitions; /* two letters for each attribute: its name and its type */
		bool with_index;         /* on g:N */
		const char *message;
	} rows[] = {
		{"pS sN", false, NULL},
		{"sN pS", false, NULL},
		{"pS sN gN", true, NULL},
		{"pS", false,
		 INVALID "Some index key attributes are not defined in AttributeDefinitions. Keys: "
			 "[s], AttributeDefinitions: [p]"},
		{"pS sN", true,
		 INVALID "Some index key attributes are not defined in AttributeDefinitions. Keys: "
			 "[g], AttributeDefinitions: [p, s]"},
		{"pS sN xS", false,
		 INVALID "Number of attributes in KeySchema does not exactly match number of "
			 "attributes defined in AttributeDefinitions"},
		{"pS sN gN xS", true,
		 INVALID "Some AttributeDefinitions are not used. AttributeDefinitions: [p, s, g, "
			 "x], keys used: [p, s, g]"},
		{"pS sN pS", false, INVALID "Duplicate attribute name in AttributeDefinitions: p"},
		{"pS sB", false,
		 INVALID "Type of key attribute s is not the one in AttributeDefinitions"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct key_attr definitions[4];
		struct index ix = {.name = SLICE("ind"), .global = true, .id = 9};
		struct schema s = {.table = SLICE("tab")};
		struct create_table_in in = {.schema = &s, .definitions = definitions};
		struct create_table_out out;
		struct delete_table_out dropped;

		ix.key.pk[0] = (struct key_attr){SLICE("g"), VALUE_N};
		s.key.pk[0] = (struct key_attr){SLICE("p"), VALUE_S};
		s.key.sk[0] = (struct key_attr){SLICE("s"), VALUE_N};
		s.index = &ix;
		s.n_index = rows[i].with_index;
		for (const char *at = rows[i].definitions; *at != '\0';
		     at += at[2] == ' ' ? 3 : 2) {
			definitions[in.n_definitions++] = (struct key_attr){
				slice_of(at, 1), value_type_from_name(slice_of(at + 1, 1))};
		}
		fixture.c.error = (struct error){0};
		int r = engine_create_table(fixture.e, &fixture.c, &in, &out);

		expect_error(r, rows[i].message == NULL ? ERR_NONE : ERR_VALIDATION,
			     rows[i].message == NULL ? "" : rows[i].message);
		if (r == 0) {
			CU_ASSERT_EQUAL(drop("tab", &dropped), 0);
		}
	}
}

static void
a_definition_is_checked(void)
{
	expect_error(fixture_table("t pk:S"), ERR_VALIDATION,
		     "TableName must be at least 3 characters long and at most 255 characters "
		     "long");
}

/* ------------------------------------------------------------ ListTables */

static void
tables_are_listed_in_order_and_in_pages(void)
{
	struct list_tables_out out = {0};
	struct list_tables_in in = {.limit = 2};
	static const char *const names[] = {"Bbb", "aaa", "abc", "ab-", "zzz"};
	static const char *const sorted[] = {"Bbb", "aaa", "ab-", "abc", "zzz"};
	size_t n = 0;

	CU_ASSERT_EQUAL(engine_list_tables(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_TRUE(out.n_names == 0 && out.last.len == 0);
	for (size_t i = 0; i < 5; i++) {
		struct buf spec;

		buf_init(&spec, &fixture.c.arena);
		buf_fmt(&spec, "%s pk:S", names[i]);
		buf_char(&spec, '\0');
		CU_ASSERT_EQUAL(fixture_table(spec.at), 0);
	}
	do {
		CU_ASSERT_EQUAL(engine_list_tables(fixture.e, &fixture.c, &in, &out), 0);
		CU_ASSERT_TRUE(out.n_names <= 2);
		for (size_t i = 0; i < out.n_names && n < 5; i++) {
			CU_ASSERT_TRUE(slice_is(out.names[i], sorted[n++]));
		}
		in.start = out.last;
	} while (out.last.len > 0);
	CU_ASSERT_EQUAL(n, 5);
	in = (struct list_tables_in){.start = SLICE("ab"), .limit = 3};
	CU_ASSERT_EQUAL(engine_list_tables(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_TRUE(out.n_names == 3 && slice_is(out.names[0], "ab-") && out.last.len == 0);
}

/* ------------------------------------------------------------ DeleteTable */

static size_t
keys_in(const char *spaces)
{
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	size_t n = 0;

	for (cur->ops->seek(cur, SLICE("")); cur->ops->valid(cur); cur->ops->next(cur)) {
		n += strchr(spaces, cur->ops->key(cur).at[0]) != NULL;
	}
	kv_cursor_free(cur);
	return n;
}

static void
fill(int items)
{
	for (int i = 0; i < items; i++) {
		struct buf b;

		buf_init(&b, &fixture.c.arena);
		buf_fmt(&b, "{\"pk\":\"a\",\"sk\":%d,\"g\":\"x\"}", i);
		buf_char(&b, '\0');
		int r = fixture_put("tab", b.at);

		CU_ASSERT_EQUAL(r, 0);
	}
}

static void
a_dropped_table_is_gone_at_once_and_its_keys_soon(void)
{
	struct delete_table_out out = {0};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:N | +gs1 g:S ALL"), 0);
	CU_ASSERT_EQUAL(fixture_table("other pk:S"), 0);
	CU_ASSERT_EQUAL(fixture_put("other", "{\"pk\":\"stays\"}"), 0);
	fill(1500);
	CU_ASSERT_EQUAL(drop("tab", &out), 0);
	CU_ASSERT_EQUAL(out.table.status, TABLE_DELETING);
	CU_ASSERT_EQUAL(out.table.totals.items, 1500);
	CU_ASSERT_EQUAL(out.table.index_totals[0].partitions, 1);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\",\"sk\":1}"), -ERR_NO_TABLE);

	/* A new table of the same name has nothing of the old one. */
	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:N"), 0);
	fixture_expect("tab", "{\"pk\":\"a\",\"sk\":1}", NULL);
	tasks_wait(((struct local *)fixture.e)->tasks);
	CU_ASSERT_EQUAL(keys_in("ip"), 2);
	CU_ASSERT_EQUAL(keys_in("x"), 0);
	fixture_expect("other", "{\"pk\":\"stays\"}", "{\"pk\":\"stays\"}");
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
dropping_resumes_after_a_restart(void)
{
	struct delete_table_out out = {0};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:N | +gs1 g:S ALL"), 0);
	fill(1500);
	uint64_t before = kv_mem_commits(fixture.mem);

	CU_ASSERT_EQUAL(drop("tab", &out), 0);
	tasks_wait(((struct local *)fixture.e)->tasks);
	struct kv *whole = kv_mem_copy(fixture.mem, UINT64_MAX);

	CU_ASSERT_TRUE(kv_mem_commits(whole) > before + 3);
	/* The states between the commits, as after a crash. */
	for (uint64_t n = before + 1; n <= kv_mem_commits(whole); n++) {
		CU_ASSERT_EQUAL(fixture_continue(kv_mem_copy(whole, n)), 0);
		tasks_wait(((struct local *)fixture.e)->tasks);
		CU_ASSERT_EQUAL(keys_in("itpcx"), 0);
	}
	whole->ops->close(whole);
}

static void
ids_are_not_reused(void)
{
	struct describe_table_out described = {0};
	struct delete_table_out dropped = {0};
	uint32_t last = 0;

	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
		CU_ASSERT_EQUAL(describe("tab", &described), 0);
		CU_ASSERT_TRUE(described.table.schema->id > last);
		last = described.table.schema->id;
		CU_ASSERT_EQUAL(drop("tab", &dropped), 0);
		CU_ASSERT_EQUAL(fixture_restart(), 0);
	}
}

static void
the_feed_reports_tables(void)
{
	struct feed_reader *r = feed_open(engine_feed(fixture.e));
	struct delete_table_out dropped = {0};
	struct change ch;

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(drop("tab", &dropped), 0);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), 0);
		CU_ASSERT_TRUE(ch.dropped && slice_is(ch.table, "tab"));
	}
	feed_close(r);
}

static void
a_table_that_could_not_be_committed_is_not_there(void)
{
	struct describe_table_out described;

	/* The two calls: read the next id, commit. */
	kv_fault_arm(fixture.fault, 2);
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), -ERR_IO);
	kv_fault_arm(fixture.fault, 0);
	CU_ASSERT_EQUAL(describe("tab", &described), -ERR_NO_TABLE);
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), -ERR_READ_ONLY);
}

/* ------------------------------------------------------------ tables and writers at once */

struct racer {
	pthread_t thread;
	atomic_bool *enough; /* the table will not be dropped any more */
	int number;
	int done;
	int refused;
	int wrong;
};

static void *
put_all_the_time(void *arg)
{
	struct racer *w = arg;

	for (int i = 0; !atomic_load(w->enough) || w->done == 0; i++) {
		struct call mine;
		struct attr attrs[] = {
			{SLICE("pk"), value_string(SLICE("a"))},
			{SLICE("sk"), {.type = VALUE_N}},
			{SLICE("g"), value_string(SLICE("x"))},
		};
		struct put_item_in in = {.write = {.table = SLICE("tab"), .item = {attrs, 3}}};
		struct put_item_out out;
		struct buf number;

		call_open(&mine, 0, 1 << 20);
		buf_init(&number, &mine.arena);
		buf_fmt(&number, "%d", w->number * 1000000 + i);
		attrs[1].value.text = buf_view(&number);
		int r = engine_put_item(fixture.e, &mine, &in, &out);

		w->done += r == 0;
		w->refused += r == -ERR_NO_TABLE;
		w->wrong += r != 0 && r != -ERR_NO_TABLE;
		call_close(&mine);
	}
	return NULL;
}

/* An operation that was bound to a dropped table is bound again, to the new table or to none. */
static void
writers_never_write_into_a_table_that_is_gone(void)
{
	enum { RACERS = 4 };
	struct racer racers[RACERS] = {0};
	struct delete_table_out dropped = {0};
	atomic_bool enough = false;

	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:N | +gs1 g:S ALL"), 0);
	for (int i = 0; i < RACERS; i++) {
		racers[i].number = i;
		racers[i].enough = &enough;
		(void)pthread_create(&racers[i].thread, NULL, put_all_the_time, &racers[i]);
	}
	for (int i = 0; i < 30; i++) {
		CU_ASSERT_EQUAL(drop("tab", &dropped), 0);
		CU_ASSERT_EQUAL(fixture_table(i % 2 == 0 ? "tab pk:S sk:N"
							 : "tab pk:S sk:N | +gs1 g:S ALL"),
				0);
	}
	atomic_store(&enough, true);
	for (int i = 0; i < RACERS; i++) {
		(void)pthread_join(racers[i].thread, NULL);
		CU_ASSERT_EQUAL(racers[i].wrong, 0);
	}
	tasks_wait(((struct local *)fixture.e)->tasks);
	CU_ASSERT_EQUAL(fixture_check(), 0);
	CU_ASSERT_EQUAL(drop("tab", &dropped), 0);
	tasks_wait(((struct local *)fixture.e)->tasks);
	CU_ASSERT_EQUAL(keys_in("ipcxt"), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_table_is_created_and_described_also_after_a_restart),
	UNIT_TEST(a_table_is_made_once),
	UNIT_TEST(unknown_tables_are_reported_by_name),
	UNIT_TEST(totals_count_items_bytes_and_partitions),
	UNIT_TEST(attribute_definitions_are_exactly_the_keys),
	UNIT_TEST(a_definition_is_checked),
	UNIT_TEST(tables_are_listed_in_order_and_in_pages),
	UNIT_TEST(a_dropped_table_is_gone_at_once_and_its_keys_soon),
	UNIT_TEST(dropping_resumes_after_a_restart),
	UNIT_TEST(ids_are_not_reused),
	UNIT_TEST(the_feed_reports_tables),
	UNIT_TEST(a_table_that_could_not_be_committed_is_not_there),
	UNIT_TEST(writers_never_write_into_a_table_that_is_gone),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(tables, fixture_open, fixture_close, tests);
