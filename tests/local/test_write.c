/*
 * The write path: after any history, indexes and counts agree with the items, and so does the stream (BEHAVIOUR 7.1,
 * 7.3).
 */
#include "store/local/write/write.h"

#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/rebuild.h"
#include "tests/support/replay_stream.h"
#include "tests/support/rng.h"
#include "tests/support/unit.h"

static const char table[] =
	"tab pk:S sk:N | +all g:S sk:N ALL | +keys h:N KEYS_ONLY | +inc g:S h:N INCLUDE a b "
	"| +same pk:S a:S ALL | -lall l:N ALL | -lkeys g:S KEYS_ONLY | -linc h:N INCLUDE c";

static void
setup(void)
{
	fixture_open();
	int r = fixture_table(table);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fixture_stream("tab", STREAM_NEW_AND_OLD_IMAGES), 0);
}

static const struct schema *
schema(void)
{
	struct describe_table_out out = {0};

	fixture.c.error = (struct error){0};
	int r = engine_describe_table(fixture.e, &fixture.c,
				      &(struct describe_table_in){.table = SLICE("tab")}, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out.table.schema;
}

static void
expect_clean(void)
{
	CU_ASSERT_EQUAL(rebuild_differences(&fixture.c, fixture.mem, schema()), 0);
	CU_ASSERT_EQUAL(replay_stream_differences(&fixture.c, fixture.mem, schema()), 0);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static struct value
text(enum value_type type, const char *prefix, uint32_t n)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	buf_fmt(&b, "%s%u", prefix, n);
	return (struct value){.type = type, .text = buf_view(&b)};
}

static void
add(struct item *it, const char *name, struct value v)
{
	it->at[it->n++] = (struct attr){.name = slice_from(name), .value = v};
}

static struct item
random_key(struct rng *d)
{
	struct item it = {.at = arena_new(&fixture.c.arena, struct attr, 10)};

	add(&it, "pk", text(VALUE_S, "p", rng_roll(d, 4)));
	add(&it, "sk", text(VALUE_N, "", rng_roll(d, 5)));
	return it;
}

/* Values come from a small set, so that keys repeat and entries move; attributes come and go. */
static struct item
random_put(struct rng *d)
{
	struct item it = random_key(d);
	const struct {
		const char *name;
		struct value value;
	} optional[] = {
		{"g", text(VALUE_S, "g", rng_roll(d, 3))},
		{"h", text(VALUE_N, "-", 1 + rng_roll(d, 3))},
		{"l", text(VALUE_N, "", rng_roll(d, 3))},
		{"a", text(VALUE_S, "a", rng_roll(d, 2))},
		{"b", rng_value(d, &fixture.c.arena, 2)},
		{"c", rng_value(d, &fixture.c.arena, 1)},
		{"d", {.type = VALUE_BOOL, .truth = rng_roll(d, 2) == 0}},
	};

	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
		if (rng_roll(d, 3) > 0) {
			add(&it, optional[i].name, optional[i].value);
		}
	}
	return it;
}

static int
random_transaction(struct rng *d)
{
	struct transact_action actions[4];
	struct transact_write_items_in in = {.actions = actions, .n_actions = 1 + rng_roll(d, 4)};
	struct transact_write_items_out out;

	for (size_t i = 0; i < in.n_actions; i++) {
		actions[i] = (struct transact_action){
			.kind = (enum transact_kind)rng_roll(d, 3),
			.table = SLICE("tab"),
		};
		actions[i].item = actions[i].kind == TRANSACT_PUT ? random_put(d) : random_key(d);
		if (actions[i].kind == TRANSACT_CHECK || rng_roll(d, 4) == 0) {
			actions[i].condition = rng_roll(d, 2) == 0
						       ? SLICE("attribute_exists(pk)")
						       : SLICE("attribute_not_exists(g)");
		}
	}
	return engine_transact_write_items(fixture.e, &fixture.c, &in, &out);
}

static int
random_load(struct rng *d)
{
	struct item items[8];
	struct load_items_in in = {
		.table = SLICE("tab"), .items = items, .n_items = 1 + rng_roll(d, 8)};
	struct load_items_out out;

	for (size_t i = 0; i < in.n_items; i++) {
		items[i] = random_put(d);
	}
	return engine_load_items(fixture.e, &fixture.c, &in, &out);
}

static int
random_change(struct rng *d)
{
	struct item keys[5];
	struct change_items_in in = {
		.table = SLICE("tab"), .keys = keys, .n_keys = 1 + rng_roll(d, 5)};
	struct change_items_out out;

	for (size_t i = 0; i < in.n_keys; i++) {
		keys[i] = random_key(d);
	}
	if (rng_roll(d, 2) == 0) {
		in.update = SLICE("REMOVE g");
	}
	if (rng_roll(d, 2) == 0) {
		in.condition = SLICE("attribute_exists(g)");
	}
	return engine_change_items(fixture.e, &fixture.c, &in, &out);
}

static int
random_batch(struct rng *d)
{
	struct batch_action actions[3];
	struct batch_write write = {
		.table = SLICE("tab"), .actions = actions, .n_actions = 1 + rng_roll(d, 3)};
	struct batch_write_item_out out;

	for (size_t i = 0; i < write.n_actions; i++) {
		actions[i].kind = rng_roll(d, 2) == 0 ? BATCH_DELETE : BATCH_PUT;
		actions[i].item = actions[i].kind == BATCH_DELETE ? random_key(d) : random_put(d);
	}
	return engine_batch_write_item(
		fixture.e, &fixture.c,
		&(struct batch_write_item_in){.tables = &write, .n_tables = 1}, &out);
}

/* Some steps fail: a condition, two actions on one item, a duplicate in a batch. */
static int
random_step(struct rng *d)
{
	struct put_item_out put_out;
	struct delete_item_out delete_out;
	struct set_time_out time_out;

	fixture.c.error = (struct error){0};
	switch (rng_roll(d, 9)) {
	case 0:
		return random_transaction(d);
	case 1:
		return random_load(d);
	case 2:
		return random_batch(d);
	case 3:
		return engine_set_time(fixture.e, &fixture.c,
				       &(struct set_time_in){SLICE("tab"), random_key(d), 7},
				       &time_out);
	case 4:
		return random_change(d);
	case 5:
	case 6:
		return engine_delete_item(
			fixture.e, &fixture.c,
			&(struct delete_item_in){
				.write = {.table = SLICE("tab"), .item = random_key(d)}},
			&delete_out);
	default:
		return engine_put_item(fixture.e, &fixture.c,
				       &(struct put_item_in){.write = {.table = SLICE("tab"),
								       .item = random_put(d)}},
				       &put_out);
	}
}

static void
indexes_and_counts_follow_any_history(void)
{
	struct rng d = {.state = 1};
	size_t done = 0;

	for (int i = 0; i < 600; i++) {
		done += random_step(&d) == 0;
		if (i % 20 == 0) {
			expect_clean();
		}
	}
	CU_ASSERT_TRUE(done > 300 && done < 600);
	CU_ASSERT_TRUE(fixture_totals("tab", NULL).items > 5);
	CU_ASSERT_TRUE(fixture_totals("tab", "same").items > 2);
	expect_clean();
	/* From here on the table is not fresh. */
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	expect_clean();
	for (int i = 0; i < 300; i++) {
		(void)random_step(&d);
		if (i % 20 == 0) {
			expect_clean();
		}
	}
	expect_clean();
}

/*
 * A load reads from the kv the totals of the table and its indexes and, if the table is not fresh, the records of the
 * collections; it never reads an item.
 */
static void
loading_new_collections_reads_no_items(void)
{
	struct rng d = {.state = 9};
	struct item items[30];
	struct load_items_in in = {.table = SLICE("tab"), .items = items, .n_items = 30};
	struct load_items_out out;

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 30; i++) {
			items[i] = random_put(&d);
			items[i].at[0].value = text(VALUE_S, round == 0 ? "x" : "y", i / 3);
			items[i].at[1].value = text(VALUE_N, "", i);
			items[i].n = 2;
		}
		uint64_t before = kv_fault_calls(fixture.fault);
		int r = engine_load_items(fixture.e, &fixture.c, &in, &out);
		/* One commit, the totals, ten collections. */
		uint64_t want = round == 0 ? 2 : 12;

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_EQUAL(kv_fault_calls(fixture.fault) - before, want);
		CU_ASSERT_EQUAL(fixture_restart(), 0);
	}
}

static void
an_emptied_table_leaves_no_key(void)
{
	struct rng d = {.state = 2};

	for (int i = 0; i < 100; i++) {
		(void)random_step(&d);
	}
	for (uint32_t p = 0; p < 4; p++) {
		for (uint32_t k = 0; k < 5; k++) {
			struct item key = {.at = arena_new(&fixture.c.arena, struct attr, 2)};
			struct delete_item_out out;

			add(&key, "pk", text(VALUE_S, "p", p));
			add(&key, "sk", text(VALUE_N, "", k));
			fixture.c.error = (struct error){0};
			int r = engine_delete_item(
				fixture.e, &fixture.c,
				&(struct delete_item_in){
					.write = {.table = SLICE("tab"), .item = key}},
				&out);

			CU_ASSERT_EQUAL(r, 0);
		}
	}
	expect_clean();
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);

	for (cur->ops->seek(cur, SLICE("")); cur->ops->valid(cur); cur->ops->next(cur)) {
		CU_ASSERT_PTR_NULL(memchr("ipc", cur->ops->key(cur).at[0], 3));
	}
	kv_cursor_free(cur);
}

/* The store is valid after every commit that may be the last one to survive. */
static void
the_store_is_valid_after_every_commit(void)
{
	struct rng d = {.state = 3};

	for (int i = 0; i < 80; i++) {
		(void)random_step(&d);
	}
	struct kv *whole = fixture.mem;
	const struct schema *s = schema();

	for (uint64_t n = 1; n <= kv_mem_commits(whole); n += 3) {
		struct kv *prefix = kv_mem_copy(whole, n);

		CU_ASSERT_EQUAL(rebuild_differences(&fixture.c, prefix, s), 0);
		CU_ASSERT_EQUAL(replay_stream_differences(&fixture.c, prefix, s), 0);
		prefix->ops->close(prefix);
	}
}

/* Every call of the kv fails once: the result is an error, and no change is done in part. */
static void
a_fault_at_any_call_leaves_a_valid_store(void)
{
	uint64_t faults = 0;

	for (uint64_t nth = 1;; nth++) {
		struct rng d = {.state = 4};
		int failed = 0;

		fixture_close();
		setup();
		kv_fault_arm(fixture.fault, nth);
		for (int i = 0; i < 25; i++) {
			int r = random_step(&d);

			failed += r == -ERR_IO || r == -ERR_READ_ONLY;
		}
		if (!kv_fault_fired(fixture.fault)) {
			CU_ASSERT_EQUAL(failed, 0);
			break;
		}
		faults++;
		CU_ASSERT_TRUE(failed > 0);
		kv_fault_arm(fixture.fault, 0);
		CU_ASSERT_EQUAL(fixture_restart(), 0);
		expect_clean();
	}
	CU_ASSERT_TRUE(faults > 50);
}

static void
a_failed_commit_makes_the_store_read_only_and_says_why(void)
{
	struct get_item_out out = {0};
	int r = fixture_put("tab", "{\"pk\":\"p\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	/* A put of a new item in a known collection: item, partition and totals, then the commit. */
	for (uint64_t nth = 1; !kv_fault_fired(fixture.fault) || r != -ERR_READ_ONLY; nth++) {
		kv_fault_arm(fixture.fault, nth);
		r = fixture_put("tab", "{\"pk\":\"p\",\"sk\":2}");
		CU_ASSERT_EQUAL_FATAL(r, -ERR_IO);
		CU_ASSERT_STRING_EQUAL(fixture_message(), "injected fault");
		kv_fault_arm(fixture.fault, 0);
		r = fixture_put("tab", "{\"pk\":\"q\",\"sk\":2}");
		if (r == 0) {
			r = fixture_delete("tab", "{\"pk\":\"q\",\"sk\":2}");
			CU_ASSERT_EQUAL_FATAL(r, 0);
		} else {
			CU_ASSERT_EQUAL_FATAL(r, -ERR_READ_ONLY);
			break;
		}
	}
	CU_ASSERT_STRING_EQUAL(fixture_message(), "The store is read-only: injected fault");
	fixture.c.error = (struct error){0};
	r = engine_get_item(fixture.e, &fixture.c,
			    &(struct get_item_in){
				    .table = SLICE("tab"),
				    .key = fixture_item("{\"pk\":\"p\",\"sk\":1}"),
			    },
			    &out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.found);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(indexes_and_counts_follow_any_history),
	UNIT_TEST(loading_new_collections_reads_no_items),
	UNIT_TEST(an_emptied_table_leaves_no_key),
	UNIT_TEST(the_store_is_valid_after_every_commit),
	UNIT_TEST(a_fault_at_any_call_leaves_a_valid_store),
	UNIT_TEST(a_failed_commit_makes_the_store_read_only_and_says_why),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(write, setup, fixture_close, tests);
