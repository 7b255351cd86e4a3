/* Check: what it finds in a damaged store, and that it finds nothing in a sound one. */
#include <stdio.h>
#include <stdlib.h>

#include "store/local/keyspace.h"
#include "store/local/record.h"
#include "store/op/op.h"

#include "tests/local/check_scene.h"
#include "tests/support/scene.h"
#include "tests/support/unit.h"

/* ------------------------------------------------------------ damage */

static void
write_raw(struct slice key, struct slice value, bool gone)
{
	struct kv_batch *b = scene.mem->ops->batch_new(scene.mem);

	if (gone) {
		b->ops->del(b, key);
	} else {
		b->ops->put(b, key, value);
	}
	int r = kv_commit(scene.mem, &scene.c, b, false);

	CU_ASSERT_EQUAL(r, 0);
	kv_batch_free(b);
}

/* The key of the item or entry that @place describes: P, S and for an entry the index keys. */
static struct slice
key_for(const struct index *ix, const char *place)
{
	struct item it = scene_item(place);
	struct key_values v = {.n = 0};
	struct buf b;

	buf_init(&b, &scene.c.arena);
	if (ix != NULL) {
		(void)key_from_item(&ix->key, &it, &v);
	}
	(void)key_from_item(&check_table->key, &it, &v);
	keyspace_item(&b, check_table, ix, &v);
	return buf_view(&b);
}

static struct slice
record_of(const struct item *it, uint64_t rendered)
{
	struct buf b;

	buf_init(&b, &scene.c.arena);
	record_encode(&b, &(struct record_head){.rendered_bytes = rendered}, it);
	return buf_view(&b);
}

static void
put_item(const struct index *ix, const char *place, const char *content, uint64_t rendered)
{
	struct item it = scene_item(content);

	write_raw(key_for(ix, place), record_of(&it, rendered), false);
}

static const char item_a1[] = "{\"P\":\"a\",\"S\":1,\"g\":\"x\",\"h\":7,\"l\":\"m\"}";

static void
entry_missing(void)
{
	write_raw(key_for(&check_table->index[0], item_a1), SLICE(""), true);
}

static void
entry_different(void)
{
	put_item(&check_table->index[0], item_a1,
		 "{\"P\":\"a\",\"S\":1,\"g\":\"x\",\"h\":7,\"i\":0}", 36);
}

static void
entry_damaged(void)
{
	write_raw(key_for(&check_table->index[0], item_a1), SLICE("nonsense"), false);
}

static void
entry_without_item(void)
{
	static const char lost[] = "{\"P\":\"z\",\"S\":1,\"g\":\"x\",\"h\":7}";

	put_item(&check_table->index[0], lost, lost, 31);
}

static void
entry_stale(void)
{
	static const char stale[] = "{\"P\":\"a\",\"S\":1,\"g\":\"old\",\"h\":7}";

	put_item(&check_table->index[0], stale, stale, 33);
}

static struct slice
partition_key(const struct index *ix, const char *pk)
{
	struct value v = value_string(slice_from(pk));
	struct buf b;

	buf_init(&b, &scene.c.arena);
	keyspace_partition(&b, check_table, ix, &(struct key_values){{&v}, 1});
	return buf_view(&b);
}

static void
write_counts(const struct index *ix, const char *pk, struct record_counts n)
{
	struct buf b;

	buf_init(&b, &scene.c.arena);
	record_counts_encode(&b, &n);
	write_raw(partition_key(ix, pk), buf_view(&b), false);
}

static void
counts_wrong(void)
{
	write_counts(NULL, "a", (struct record_counts){3, 50, 100});
}

static void
counts_missing(void)
{
	write_raw(partition_key(&check_table->index[1], "b"), SLICE(""), true);
}

static void
counts_damaged(void)
{
	write_raw(partition_key(NULL, "b"), SLICE("\xff"), false);
}

static void
counts_of_nothing(void)
{
	write_counts(&check_table->index[0], "nobody", (struct record_counts){0, 0, 0});
}

static void
totals_wrong(void)
{
	struct buf key;
	struct buf b;

	buf_init(&key, &scene.c.arena);
	buf_init(&b, &scene.c.arena);
	keyspace_totals(&key, check_table, &check_table->index[0]);
	record_totals_encode(&b, &(struct totals){2, 1, 1});
	write_raw(buf_view(&key), buf_view(&b), false);
}

static void
totals_damaged(void)
{
	struct buf key;

	buf_init(&key, &scene.c.arena);
	keyspace_totals(&key, check_table, NULL);
	write_raw(buf_view(&key), SLICE("\x01"), false);
}

static void
record_damaged(void)
{
	write_raw(key_for(NULL, "{\"P\":\"b\",\"S\":1}"), SLICE("nonsense"), false);
}

static void
length_wrong(void)
{
	put_item(NULL, "{\"P\":\"b\",\"S\":1}", "{\"P\":\"b\",\"S\":1,\"l\":\"m\"}", 30);
}

static void
key_differs(void)
{
	put_item(NULL, "{\"P\":\"b\",\"S\":1}", "{\"P\":\"b\",\"S\":9,\"l\":\"m\"}", 24);
}

/* The record of b, 1 with @v for its attribute "l", which no door would let in. */
static void
put_bad_value(struct value v)
{
	struct item it = scene_item("{\"P\":\"b\",\"S\":1,\"l\":\"m\"}");

	it.at[2].value = v;
	write_raw(key_for(NULL, "{\"P\":\"b\",\"S\":1}"), record_of(&it, item_size(&it)), false);
}

static void
number_not_canonical(void)
{
	put_bad_value((struct value){.type = VALUE_N, .text = SLICE("007")});
}

static void
text_not_utf8(void)
{
	put_bad_value(value_string(SLICE("\xff")));
}

static void
set_with_duplicates(void)
{
	struct value members[] = {value_string(SLICE("x")), value_string(SLICE("x"))};

	put_bad_value((struct value){.type = VALUE_SS, .list = {members, 2}});
}

static void
key_unreadable(void)
{
	struct buf b;

	buf_init(&b, &scene.c.arena);
	keyspace_table(&b, check_table, NULL);
	buf_str(&b, "no end");
	write_raw(buf_view(&b), SLICE("nonsense"), false);
}

static void
key_not_utf8(void)
{
	struct value pk = value_string(SLICE("\xff"));
	struct value sk = {.type = VALUE_N, .text = SLICE("1")};
	struct buf b;

	buf_init(&b, &scene.c.arena);
	keyspace_item(&b, check_table, NULL, &(struct key_values){{&pk, &sk}, 2});
	write_raw(buf_view(&b), SLICE("nonsense"), false);
}

static const struct {
	void (*damage)(void);
	const char *problem;
} damages[] = {
	{entry_missing, "table tab: {\"P\":\"a\",\"S\":1}: index GSI has no entry for it"},
	{entry_different,
	 "table tab: {\"P\":\"a\",\"S\":1}: its entry in index GSI has another content"},
	{entry_damaged,
	 "table tab: {\"P\":\"a\",\"S\":1}: its entry in index GSI has another content"},
	{entry_without_item,
	 "table tab, index GSI: {\"P\":\"z\",\"S\":1,\"g\":\"x\",\"h\":7}: the table has no item for this "
	 "entry"},
	{entry_stale,
	 "table tab, index GSI: {\"P\":\"a\",\"S\":1,\"g\":\"old\",\"h\":7}: the item has other index keys"},
	{counts_wrong, "table tab: {\"P\":\"a\"}: 2 items, "},
	{counts_missing,
	 "table tab, index LSI: {\"P\":\"b\"}: the partition directory does not have it"},
	{counts_damaged, "table tab: {\"P\":\"b\"}: its counts cannot be read"},
	{counts_of_nothing,
	 "table tab, index GSI: {\"g\":\"nobody\"}: it is in the partition directory but has no items"},
	{totals_wrong, "table tab, index GSI: 2 items, "},
	{totals_damaged, "table tab: its totals cannot be read"},
	{record_damaged, "table tab: {\"P\":\"b\",\"S\":1}: its record cannot be read"},
	{length_wrong, "table tab: {\"P\":\"b\",\"S\":1}: its rendered length is 24 bytes, not 30"},
	{key_differs, "table tab: {\"P\":\"b\",\"S\":1}: its key attributes differ from its key"},
	{number_not_canonical,
	 "table tab: {\"P\":\"b\",\"S\":1}: a text is not UTF-8 or a number is not canonical"},
	{text_not_utf8,
	 "table tab: {\"P\":\"b\",\"S\":1}: a text is not UTF-8 or a number is not canonical"},
	{set_with_duplicates, "table tab: {\"P\":\"b\",\"S\":1}: "},
	{key_unreadable, "table tab: a key of 13 bytes cannot be read"},
	{key_not_utf8, "table tab: a key that is not UTF-8: its record cannot be read"},
};

static void
a_sound_store_has_no_problems(void)
{
	struct check_result r = check_run(NULL);

	CU_ASSERT_EQUAL(r.problems, 0);
	CU_ASSERT_EQUAL(r.items, 4);
	CU_ASSERT_EQUAL(r.entries, 4);
	CU_ASSERT_EQUAL(r.pages, 1);
}

static void
every_kind_of_damage_is_found(void)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		scene_close();
		check_open();
		damages[i].damage();

		struct check_result r = check_run(damages[i].problem);

		CU_ASSERT_TRUE(r.problems > 0);
		if (!r.found) {
			printf("\nnot found: %s", damages[i].problem);
			(void)check_run(NULL);
		}
		CU_ASSERT_TRUE(r.found);
	}
}

static void
what_is_well_is_not_blamed_for_what_is_not(void)
{
	struct check_result r;

	entry_missing();
	r = check_run("table tab, index GSI: {\"g\":\"x\"}: 1 items, ");
	/* the item without its entry, and the counts of that collection */
	CU_ASSERT_EQUAL(r.problems, 2);
	CU_ASSERT_TRUE(r.found);
}

static void
many_problems_end_a_page(void)
{
	struct check_result r;

	for (unsigned i = 0; i < 1000; i++) {
		char place[64];

		(void)snprintf(place, sizeof(place), "{\"P\":\"c\",\"S\":%u}", i);
		write_raw(key_for(NULL, place), SLICE("nonsense"), false);
	}
	r = check_run("table tab: {\"P\":\"c\",\"S\":999}: its record cannot be read");
	CU_ASSERT_TRUE(r.found);
	CU_ASSERT_EQUAL(r.problems, 1000);
	CU_ASSERT_TRUE(r.pages >= 5);
}

static void
a_large_store_is_checked_in_pages(void)
{
	enum { ITEMS = 25000, BATCH = 1000 };

	for (unsigned i = 0; i < ITEMS; i += BATCH) {
		struct item items[BATCH];

		for (unsigned n = 0; n < BATCH; n++) {
			char text[64];

			(void)snprintf(text, sizeof(text), "{\"P\":\"p%u\",\"S\":%u,\"l\":\"%u\"}",
				       (i + n) % 7, i + n, n);
			items[n] = scene_item(slice_cstr(&scene.c.arena, slice_from(text)));
		}
		struct load_items_in in = {.table = SLICE("tab"), .items = items, .n_items = BATCH};
		struct load_items_out out = {0};
		int r = engine_load_items(scene.e, &scene.c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
	}
	struct check_result r = check_run(NULL);

	CU_ASSERT_EQUAL(r.problems, 0);
	CU_ASSERT_EQUAL(r.items, ITEMS + 4);
	CU_ASSERT_EQUAL(r.entries, ITEMS + 4);
	CU_ASSERT_TRUE(r.pages > 3);
}

static void
a_place_that_is_none_is_refused(void)
{
	static const char *const bad[] = {"x",         "0 0 tab",     "9 0 tab ",     "0 0 tab zz",
					  "0 0 tab f", "00 0 tab ff", "0 999 tab ff", " 0 tab ff"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct check_in in = {.next = slice_from(bad[i])};
		struct check_out out = {0};
		struct call c;

		call_open(&c, 0, 1 << 20);
		CU_ASSERT_EQUAL(engine_check(scene.e, &c, &in, &out), -ERR_VALIDATION);
		call_close(&c);
	}
}

static void
a_table_that_is_gone_is_passed_over(void)
{
	struct check_in in = {.next = SLICE("1 2 gone ff00")};
	struct check_out out = {0};
	int r = engine_check(scene.e, &scene.c, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.items, 4); /* "other" and "tab" come after it */
	CU_ASSERT_EQUAL(out.next.len, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_sound_store_has_no_problems),
	UNIT_TEST(every_kind_of_damage_is_found),
	UNIT_TEST(what_is_well_is_not_blamed_for_what_is_not),
	UNIT_TEST(many_problems_end_a_page),
	UNIT_TEST(a_large_store_is_checked_in_pages),
	UNIT_TEST(a_place_that_is_none_is_refused),
	UNIT_TEST(a_table_that_is_gone_is_passed_over),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check, check_open, scene_close, tests);
