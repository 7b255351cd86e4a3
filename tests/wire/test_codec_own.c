/* ItemFS's own operations keep every field, and a foreign peer never sees own members. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"
#include "tests/wire/wire_test.h"

static void
same_values(const struct values *a, const struct values *b)
{
	CU_ASSERT_EQUAL_FATAL(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		SAME_VALUE(a->at[i], b->at[i]);
	}
}

static void
list_partitions_keeps_every_field(void)
{
	struct value values[] = {wire_value(&codec.c, "{\"B\":\"/w==\"}"),
				 wire_value(&codec.c, "{\"N\":\"7\"}"),
				 wire_value(&codec.c, "{\"S\":\"\"}")};
	struct values from = {values, 1};
	struct values at = {values + 1, 2};
	struct partition partitions[] = {
		{{values, 3}, 1, 2, 3},
		{{values + 2, 1}, UINT64_MAX, 5, 6},
	};
	struct op_in in = {
		.type = OP_LIST_PARTITIONS,
		.list_partitions = {SLICE("t-1"), SLICE("GSI1"), from, true, 12, NULL, at}};
	struct op_out out = {.type = OP_LIST_PARTITIONS, .list_partitions = {partitions, 2, true}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.list_partitions.table, SLICE("t-1"));
	SAME_SLICE(got.list_partitions.index, SLICE("GSI1"));
	same_values(&got.list_partitions.from, &from);
	same_values(&got.list_partitions.at, &at);
	CU_ASSERT_TRUE(got.list_partitions.after);
	CU_ASSERT_EQUAL(got.list_partitions.limit, 12);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.list_partitions.n_partitions, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct partition *p = &answer.list_partitions.partitions[i];

		same_values(&p->pk, &partitions[i].pk);
		CU_ASSERT_EQUAL(p->items, partitions[i].items);
		CU_ASSERT_EQUAL(p->item_bytes, partitions[i].item_bytes);
		CU_ASSERT_EQUAL(p->rendered_bytes, partitions[i].rendered_bytes);
	}
	CU_ASSERT_TRUE(answer.list_partitions.more);
}

static void
list_entries_keeps_every_field(void)
{
	struct value values[] = {wire_value(&codec.c, "{\"S\":\"x\"}"),
				 wire_value(&codec.c, "{\"N\":\"1\"}"),
				 wire_value(&codec.c, "{\"B\":\"AA==\"}")};
	struct values pk = {values, 2};
	struct item after = codec_key();
	struct item at = codec_thing();
	struct entry entries[] = {
		{{values, 1}, 10, 11},
		{{values, 3}, 12, UINT64_MAX},
	};
	struct op_in in = {
		.type = OP_LIST_ENTRIES,
		.list_entries = {SLICE("t-1"), SLICE("GSI1"), pk, &after, &at, 13, NULL}};
	struct op_out out = {.type = OP_LIST_ENTRIES,
			     .list_entries = {.entries = entries, .n_entries = 2, .more = true}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.list_entries.table, SLICE("t-1"));
	SAME_SLICE(got.list_entries.index, SLICE("GSI1"));
	same_values(&got.list_entries.pk, &pk);
	SAME_ITEM(*got.list_entries.after, after);
	SAME_ITEM(*got.list_entries.at, at);
	CU_ASSERT_EQUAL(got.list_entries.limit, 13);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.list_entries.n_entries, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct entry *e = &answer.list_entries.entries[i];

		same_values(&e->key, &entries[i].key);
		CU_ASSERT_EQUAL(e->rendered_bytes, entries[i].rendered_bytes);
		CU_ASSERT_EQUAL(e->mtime_ns, entries[i].mtime_ns);
	}
	CU_ASSERT_TRUE(answer.list_entries.more);
}

static void
absent_pointers_stay_absent(void)
{
	struct op_in in = {.type = OP_LIST_ENTRIES, .list_entries = {.table = SLICE("t-1")}};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL(got.list_entries.pk.n, 0);
	CU_ASSERT_PTR_NULL(got.list_entries.after);
	CU_ASSERT_PTR_NULL(got.list_entries.at);
	in = (struct op_in){.type = OP_LIST_PARTITIONS, .list_partitions = {.table = SLICE("t-1")}};
	got = codec_through_in(&in);
	CU_ASSERT_EQUAL(got.list_partitions.from.n, 0);
}

static void
sweep_keeps_every_field(void)
{
	struct op_in in = {.type = OP_SWEEP,
			   .sweep = {SLICE("t-1"), 1700000000, true, SLICE("t-1 \xff\1")}};
	struct op_out out = {.type = OP_SWEEP, .sweep = {UINT64_MAX, 7, 8, SLICE("t-1 \xfe")}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.sweep.table, SLICE("t-1"));
	CU_ASSERT_EQUAL(got.sweep.now_s, 1700000000);
	CU_ASSERT_TRUE(got.sweep.any_age);
	SAME_SLICE(got.sweep.next, in.sweep.next);
	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL(answer.sweep.items, UINT64_MAX);
	CU_ASSERT_EQUAL(answer.sweep.deleted, 7);
	CU_ASSERT_EQUAL(answer.sweep.ahead, 8);
	SAME_SLICE(answer.sweep.next, out.sweep.next);
}

static void
backup_store_keeps_every_field(void)
{
	struct op_in in = {.type = OP_BACKUP_STORE, .backup_store = {SLICE("/t \xff\1"), 7}};
	const struct slice broken[] = {SLICE("mine of the table t: \xff\1"), SLICE("b")};
	struct op_out out = {.type = OP_BACKUP_STORE, .backup_store = {UINT64_MAX, 8, broken, 2}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.backup_store.dir, in.backup_store.dir);
	CU_ASSERT_EQUAL(got.backup_store.mark, 7);
	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL(answer.backup_store.records, UINT64_MAX);
	CU_ASSERT_EQUAL(answer.backup_store.bytes, 8);
	CU_ASSERT_EQUAL_FATAL(answer.backup_store.n_broken, 2);
	SAME_SLICE(answer.backup_store.broken[0], broken[0]);
	SAME_SLICE(answer.backup_store.broken[1], broken[1]);
}

static void
load_set_time_and_sync_keep_every_field(void)
{
	struct item items[] = {codec_thing(), codec_key()};
	struct op_in load = {.type = OP_LOAD_ITEMS, .load_items = {SLICE("t-1"), items, 2}};
	struct op_out loaded = {.type = OP_LOAD_ITEMS, .load_items = {2}};
	struct op_in set = {.type = OP_SET_TIME,
			    .set_time = {SLICE("t-1"), codec_key(), 1700000000000000001}};
	struct op_out done = {.type = OP_SET_TIME, .set_time = {8}};
	struct op_in sync = {.type = OP_SYNC};
	struct op_out synced = {.type = OP_SYNC};
	struct op_in got = codec_through_in(&load);

	SAME_SLICE(got.load_items.table, SLICE("t-1"));
	CU_ASSERT_EQUAL_FATAL(got.load_items.n_items, 2);
	SAME_ITEM(got.load_items.items[0], items[0]);
	SAME_ITEM(got.load_items.items[1], items[1]);
	loaded = codec_through_out(&load, &loaded);
	CU_ASSERT_EQUAL(loaded.load_items.loaded, 2);
	got = codec_through_in(&set);
	SAME_SLICE(got.set_time.table, SLICE("t-1"));
	SAME_ITEM(got.set_time.key, set.set_time.key);
	CU_ASSERT_EQUAL(got.set_time.mtime_ns, 1700000000000000001);
	done = codec_through_out(&set, &done);
	CU_ASSERT_EQUAL(done.set_time.seq, 8);
	got = codec_through_in(&sync);
	CU_ASSERT_EQUAL(got.type, OP_SYNC);
	synced = codec_through_out(&sync, &synced);
	CU_ASSERT_EQUAL(synced.type, OP_SYNC);
}

static void
change_items_keeps_every_field(void)
{
	struct item keys[] = {codec_key(), codec_key(), codec_key()};
	const struct name_alias names[] = {{SLICE("#n"), SLICE("n")}};
	struct op_in in = {
		.type = OP_CHANGE_ITEMS,
		.change_items = {.table = SLICE("t-1"),
				 .keys = keys,
				 .n_keys = 3,
				 .update = SLICE("REMOVE #n"),
				 .condition = SLICE("attribute_exists(#n)"),
				 .ph = {.names = names, .n_names = 1, .names_given = true}}};
	struct op_out out = {.type = OP_CHANGE_ITEMS, .change_items = {1, 2}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.change_items.table, SLICE("t-1"));
	CU_ASSERT_EQUAL_FATAL(got.change_items.n_keys, 3);
	SAME_ITEM(got.change_items.keys[2], keys[2]);
	SAME_SLICE(got.change_items.update, SLICE("REMOVE #n"));
	SAME_SLICE(got.change_items.condition, SLICE("attribute_exists(#n)"));
	CU_ASSERT_EQUAL_FATAL(got.change_items.ph.n_names, 1);
	SAME_SLICE(got.change_items.ph.names[0].name, SLICE("n"));
	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL(answer.change_items.changed, 1);
	CU_ASSERT_EQUAL(answer.change_items.refused, 2);
	in.change_items.update = slice_of(NULL, 0);
	got = codec_through_in(&in);
	CU_ASSERT_PTR_NULL(got.change_items.update.at);
}

static void
describe_key_usage_keeps_every_field(void)
{
	struct value values[] = {wire_value(&codec.c, "{\"B\":\"AP8=\"}"),
				 wire_value(&codec.c, "{\"N\":\"7\"}")};
	struct usage_of_key keys[] = {
		{.pk = {values, 2}, .read = {1, 2}, .write = {3, UINT64_MAX}},
		{.pk = {values + 1, 1}, .read = {4, 5}, .write = {6, 7}},
	};
	struct op_in in = {.type = OP_DESCRIBE_KEY_USAGE,
			   .describe_key_usage = {SLICE("t-1"), SLICE("GSI"), 3600, 12}};
	struct op_out out = {.type = OP_DESCRIBE_KEY_USAGE,
			     .describe_key_usage = {600, keys, 2, 13}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.describe_key_usage.table, SLICE("t-1"));
	SAME_SLICE(got.describe_key_usage.index, SLICE("GSI"));
	CU_ASSERT_EQUAL(got.describe_key_usage.since_s, 3600);
	CU_ASSERT_EQUAL(got.describe_key_usage.limit, 12);
	struct op_out answer = codec_through_out(&in, &out);
	const struct describe_key_usage_out *answered = &answer.describe_key_usage;

	CU_ASSERT_EQUAL(answered->seconds, 600);
	CU_ASSERT_EQUAL(answered->known, 13);
	CU_ASSERT_EQUAL_FATAL(answered->n_keys, 2);
	for (size_t i = 0; i < 2; i++) {
		same_values(&answered->keys[i].pk, &keys[i].pk);
		CU_ASSERT_EQUAL(answered->keys[i].read.halves, keys[i].read.halves);
		CU_ASSERT_EQUAL(answered->keys[i].read.peak_halves, keys[i].read.peak_halves);
		CU_ASSERT_EQUAL(answered->keys[i].write.halves, keys[i].write.halves);
		CU_ASSERT_EQUAL(answered->keys[i].write.peak_halves, keys[i].write.peak_halves);
	}
}

static void
compact_keeps_every_field(void)
{
	struct op_in in = {.type = OP_COMPACT, .compact = {SLICE("t-1"), SLICE("i\xff\1")}};
	struct op_out out = {.type = OP_COMPACT, .compact = {5, UINT64_MAX, SLICE("p\xfe")}};
	struct op_in got = codec_through_in(&in);

	SAME_SLICE(got.compact.table, SLICE("t-1"));
	SAME_SLICE(got.compact.next, in.compact.next);
	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL(answer.compact.bytes, 5);
	CU_ASSERT_EQUAL(answer.compact.ahead, UINT64_MAX);
	SAME_SLICE(answer.compact.next, out.compact.next);
}

static void
check_and_refused_keep_any_bytes(void)
{
	static const struct slice lines[] = {SLICE_INIT("plain"), SLICE_INIT("\xff\x00\xfe"),
					     SLICE_INIT("")};
	struct op_in check = {.type = OP_CHECK, .check = {SLICE("\x00\x80next"), true}};
	struct op_out checked = {.type = OP_CHECK,
				 .check = {lines, 3, 2, 4, 5, 6, 7, SLICE("\xc3\x28")}};
	struct op_in refused = {.type = OP_REFUSED, .refused = {SLICE("/m/\xe9t\xe9")}};
	struct op_out told = {.type = OP_REFUSED, .refused = {lines, 3}};
	struct op_in got = codec_through_in(&check);

	SAME_SLICE(got.check.next, check.check.next);
	CU_ASSERT_TRUE(got.check.repair);
	struct op_out answer = codec_through_out(&check, &checked);

	CU_ASSERT_EQUAL_FATAL(answer.check.n_problems, 3);
	CU_ASSERT_EQUAL(answer.check.repaired, 2);
	CU_ASSERT_EQUAL(answer.check.items, 4);
	CU_ASSERT_EQUAL(answer.check.entries, 5);
	CU_ASSERT_EQUAL(answer.check.looked, 6);
	CU_ASSERT_EQUAL(answer.check.ahead, 7);
	SAME_SLICE(answer.check.next, checked.check.next);
	got = codec_through_in(&refused);
	SAME_SLICE(got.refused.path, refused.refused.path);
	answer = codec_through_out(&refused, &told);
	CU_ASSERT_EQUAL_FATAL(answer.refused.n_lines, 3);
	for (size_t i = 0; i < 3; i++) {
		SAME_SLICE(answer.refused.lines[i], lines[i]);
	}
}

static void
a_foreign_peer_never_sees_our_member(void)
{
	struct op_in in = {
		.type = OP_PUT_ITEM,
		.put_item = {
			.write = {.table = SLICE("t-1"), .item = codec_key(), .unsynced = true},
			.mtime_ns = 1}};
	struct op_out out = {.type = OP_PUT_ITEM, .put_item = {.written.seq = 99}};

	codec_encode_in(&codec.body, CODEC_FOREIGN, &in);
	codec_encode_out(&codec.body, CODEC_FOREIGN, SLICE(""), &in, &out);
	codec_encode_error(&codec.body, CODEC_FOREIGN,
			   &(struct error){.code = ERR_NO_INDEX, .message = "x"});
	CU_ASSERT_PTR_NULL(memmem(codec.body.at, codec.body.len, "ItemFS", 6));
}

static void
a_foreign_client_cannot_use_our_member(void)
{
	static const char text[] = "{\"TableName\":\"t-1\",\"Item\":{\"PK\":{\"S\":\"x\"}},"
				   "\"ItemFS\":{\"Relaxed\":true,\"MTime\":5}}";
	struct op_in in = {.type = OP_PUT_ITEM};
	int r = codec_decode_in(&codec.c, CODEC_FOREIGN, slice_from(text), &in);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_FALSE(in.put_item.write.unsynced);
	CU_ASSERT_EQUAL(in.put_item.mtime_ns, 0);
	r = codec_decode_in(&codec.c, CODEC_OWN, slice_from(text), &in);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(in.put_item.write.unsynced);
	CU_ASSERT_EQUAL(in.put_item.mtime_ns, 5);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(list_partitions_keeps_every_field),
	UNIT_TEST(list_entries_keeps_every_field),
	UNIT_TEST(absent_pointers_stay_absent),
	UNIT_TEST(sweep_keeps_every_field),
	UNIT_TEST(backup_store_keeps_every_field),
	UNIT_TEST(load_set_time_and_sync_keep_every_field),
	UNIT_TEST(change_items_keeps_every_field),
	UNIT_TEST(describe_key_usage_keeps_every_field),
	UNIT_TEST(compact_keeps_every_field),
	UNIT_TEST(check_and_refused_keep_any_bytes),
	UNIT_TEST(a_foreign_peer_never_sees_our_member),
	UNIT_TEST(a_foreign_client_cannot_use_our_member),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_own, codec_setup, codec_teardown, tests);
