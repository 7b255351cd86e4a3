#include "tests/local/check_damage.h"

#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/op/op.h"

#include "tests/local/check_fixture.h"
#include "tests/support/fixture.h"
#include "tests/support/unit.h"

void
check_write_raw(struct slice key, struct slice value, bool gone)
{
	struct kv_batch *b = fixture.mem->ops->batch_new(fixture.mem);

	if (gone) {
		b->ops->del(b, key);
	} else {
		b->ops->put(b, key, value);
	}
	int r = kv_commit(fixture.mem, &fixture.c, b, false);

	CU_ASSERT_EQUAL(r, 0);
	kv_batch_free(b);
}

/* Key of the item or entry that @place describes: P, S and, for an entry, the index keys. */
struct slice
check_key_for(const struct index *ix, const char *place)
{
	struct item it = fixture_item(place);
	struct key_values v = {.n = 0};
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	if (ix != NULL) {
		(void)key_from_item(&ix->key, &it, &v);
	}
	(void)key_from_item(&check_table->key, &it, &v);
	buf_slice(&b, keyspace_item(b.arena, check_table, ix, &v));
	return buf_view(&b);
}

static struct slice
record_of(const struct item *it, uint64_t rendered)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	record_encode(&b, &(struct record_head){.rendered_bytes = rendered}, it);
	return buf_view(&b);
}

static void
put_item(const struct index *ix, const char *place, const char *content, uint64_t rendered)
{
	struct item it = fixture_item(content);

	check_write_raw(check_key_for(ix, place), record_of(&it, rendered), false);
}

static const char item_a1[] = "{\"P\":\"a\",\"S\":1,\"g\":\"x\",\"h\":7,\"l\":\"m\"}";

static void
entry_missing(void)
{
	check_write_raw(check_key_for(&check_table->index[0], item_a1), SLICE(""), true);
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
	check_write_raw(check_key_for(&check_table->index[0], item_a1), SLICE("nonsense"), false);
}

static void
entry_without_item(void)
{
	static const char lost[] = "{\"P\":\"z\",\"S\":1,\"g\":\"x\",\"h\":7}";

	put_item(&check_table->index[0], lost, lost, 30);
}

static void
entry_stale(void)
{
	static const char stale[] = "{\"P\":\"a\",\"S\":1,\"g\":\"old\",\"h\":7}";

	put_item(&check_table->index[0], stale, stale, 32);
}

static void
entry_length_wrong(void)
{
	static const char b1[] = "{\"P\":\"b\",\"S\":1,\"l\":\"m\"}";

	put_item(&check_table->index[1], b1, b1, 30);
}

static struct slice
partition_key(const struct index *ix, const char *pk)
{
	struct value v = value_string(slice_from(pk));
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	buf_slice(&b, keyspace_collection(b.arena, KEYSPACE_PARTITION, check_table, ix,
					  &(struct key_values){{&v}, 1}));
	return buf_view(&b);
}

static void
write_counts(const struct index *ix, const char *pk, struct record_counts n)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	record_counts_encode(&b, &n);
	check_write_raw(partition_key(ix, pk), buf_view(&b), false);
}

static void
counts_wrong(void)
{
	write_counts(NULL, "a", (struct record_counts){3, 50, {100}});
}

static void
counts_missing(void)
{
	check_write_raw(partition_key(&check_table->index[1], "b"), SLICE(""), true);
}

static void
counts_damaged(void)
{
	check_write_raw(partition_key(NULL, "b"), SLICE("\xff"), false);
}

static void
counts_of_nothing(void)
{
	write_counts(&check_table->index[0], "nobody", (struct record_counts){0});
}

/* The key is that of the collection "b" without its end. */
static void
counts_key_unreadable(void)
{
	struct slice key = partition_key(NULL, "b");

	key.len -= 2;
	check_write_raw(key, SLICE("\x01\x01\x01"), false);
}

static void
totals_wrong(void)
{
	struct buf key;
	struct buf b;

	buf_init(&key, &fixture.c.arena);
	buf_init(&b, &fixture.c.arena);
	buf_slice(&key,
		  keyspace_head(key.arena, KEYSPACE_TOTALS, check_table, &check_table->index[0]));
	record_counts_encode(&b, &(struct record_counts){2, 1, {1}});
	check_write_raw(buf_view(&key), buf_view(&b), false);
}

static void
totals_damaged(void)
{
	struct buf key;

	buf_init(&key, &fixture.c.arena);
	buf_slice(&key, keyspace_head(key.arena, KEYSPACE_TOTALS, check_table, NULL));
	check_write_raw(buf_view(&key), SLICE("\x01"), false);
}

static void
record_damaged(void)
{
	check_write_raw(check_key_for(NULL, "{\"P\":\"b\",\"S\":1}"), SLICE("nonsense"), false);
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

/* Write the record of b, 1 with the value @v of its attribute "l", which every front end would reject. */
static void
put_bad_value(struct value v)
{
	struct item it = fixture_item("{\"P\":\"b\",\"S\":1,\"l\":\"m\"}");

	it.at[2].value = v;
	check_write_raw(check_key_for(NULL, "{\"P\":\"b\",\"S\":1}"),
			record_of(&it, item_size(&it)), false);
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

	buf_init(&b, &fixture.c.arena);
	buf_slice(&b, keyspace_head(b.arena, KEYSPACE_ITEM, check_table, NULL));
	buf_str(&b, "no end");
	check_write_raw(buf_view(&b), SLICE("nonsense"), false);
}

static void
key_not_utf8(void)
{
	struct value pk = value_string(SLICE("\xff"));
	struct value sk = {.type = VALUE_N, .text = SLICE("1")};
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	buf_slice(&b,
		  keyspace_item(b.arena, check_table, NULL, &(struct key_values){{&pk, &sk}, 2}));
	check_write_raw(buf_view(&b), SLICE("nonsense"), false);
}

const struct check_damage check_damages[] = {
	{entry_missing, "table tab: {\"P\":\"a\",\"S\":1}: index GSI has no entry for it",
	 "it was written", false},
	{entry_different,
	 "table tab: {\"P\":\"a\",\"S\":1}: its entry in index GSI has another content",
	 "it was written", false},
	{entry_damaged,
	 "table tab: {\"P\":\"a\",\"S\":1}: its entry in index GSI has another content",
	 "it was written", false},
	{entry_without_item,
	 "table tab, index GSI: {\"P\":\"z\",\"S\":1,\"g\":\"x\",\"h\":7}: the table has no item for this "
	 "entry",
	 "it was moved to damaged/", false},
	{entry_stale,
	 "table tab, index GSI: {\"P\":\"a\",\"S\":1,\"g\":\"old\",\"h\":7}: the item has other index keys",
	 "it was deleted", false},
	{entry_length_wrong,
	 "table tab, index LSI: {\"P\":\"b\",\"S\":1,\"l\":\"m\"}: its rendered length is 24 bytes, "
	 "not 30",
	 "it was written anew", false},
	{counts_wrong, "table tab: {\"P\":\"a\"}: 2 items, ", "it was written", false},
	{counts_missing,
	 "table tab, index LSI: {\"P\":\"b\"}: the partition directory does not have it",
	 "it was written", false},
	{counts_damaged, "table tab: {\"P\":\"b\"}: its counts cannot be read", "it was written",
	 false},
	{counts_of_nothing,
	 "table tab, index GSI: {\"g\":\"nobody\"}: it is in the partition directory but has no items",
	 "it was deleted", false},
	{counts_key_unreadable,
	 "table tab: a partition whose key cannot be read: it is in the partition directory but has no "
	 "items",
	 "it was deleted", false},
	{totals_wrong, "table tab, index GSI: 2 items, ", "they were written", false},
	{totals_damaged, "table tab: its totals cannot be read", "they were written", false},
	{record_damaged, "table tab: {\"P\":\"b\",\"S\":1}: its record cannot be read",
	 "it was moved to damaged/", true},
	{length_wrong, "table tab: {\"P\":\"b\",\"S\":1}: its rendered length is 24 bytes, not 30",
	 "it was set", true},
	{key_differs, "table tab: {\"P\":\"b\",\"S\":1}: its key attributes differ from its key",
	 "it was moved to damaged/", true},
	{number_not_canonical,
	 "table tab: {\"P\":\"b\",\"S\":1}: a text is not UTF-8 or a number is not canonical",
	 "it was moved to damaged/", true},
	{text_not_utf8,
	 "table tab: {\"P\":\"b\",\"S\":1}: a text is not UTF-8 or a number is not canonical",
	 "it was moved to damaged/", true},
	{set_with_duplicates, "table tab: {\"P\":\"b\",\"S\":1}: ", "it was moved to damaged/",
	 true},
	{key_unreadable, "table tab: a key of 13 bytes cannot be read", "it was moved to damaged/",
	 false},
	{key_not_utf8, "table tab: a key that is not UTF-8: its record cannot be read",
	 "it was moved to damaged/", false},
};

const size_t check_n_damages = sizeof(check_damages) / sizeof(*check_damages);
