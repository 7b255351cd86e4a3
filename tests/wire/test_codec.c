/*
 * Every field of every struct of op.h survives encode and decode, between two
 * ends of ours; and what a foreign end would not understand is not sent to it.
 */
#include <stdio.h>

#include "store/base/json.h"
#include "store/wire/codec.h"

#include "tests/support/unit.h"
#include "tests/wire/wire_test.h"

static struct call c;
static struct buf body;

static void
setup(void)
{
	call_open(&c, 0, 16 << 20);
	buf_init(&body, NULL);
}

static void
teardown(void)
{
	buf_release(&body);
	call_close(&c);
}

/* Encode and decode; the re-encoded form must be the same, byte by byte. */
static struct op_in
through_in(const struct op_in *in)
{
	struct op_in out = {.type = in->type};
	struct buf again;

	buf_clear(&body);
	codec_encode_in(&body, CODEC_OWN, in);
	int r = codec_decode_in(&c, CODEC_OWN, buf_view(&body), &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	buf_init(&again, &c.arena);
	codec_encode_in(&again, CODEC_OWN, &out);
	CU_ASSERT_TRUE(slice_eq(buf_view(&again), buf_view(&body)));
	return out;
}

static struct op_out
through_out(const struct op_in *in, const struct op_out *answer)
{
	struct op_out out = {.type = in->type};
	struct buf again;

	buf_clear(&body);
	codec_encode_out(&body, CODEC_OWN, in, answer);
	int r = codec_decode_out(&c, buf_view(&body), in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	buf_init(&again, &c.arena);
	codec_encode_out(&again, CODEC_OWN, in, &out);
	CU_ASSERT_TRUE(slice_eq(buf_view(&again), buf_view(&body)));
	return out;
}

#define SAME_SLICE(a, b) CU_ASSERT_TRUE(slice_eq((a), (b)))
#define SAME_ITEM(a, b) CU_ASSERT_TRUE(item_eq(&(a), &(b)))
#define SAME_VALUE(a, b) CU_ASSERT_TRUE(value_eq(&(a), &(b)))

static struct item
thing(void)
{
	return wire_item(
		&c, "{\"PK\":{\"S\":\"a\\\"b\\n\\u00e9\"},\"N\":{\"N\":\"-12.5\"},\"B\":{\"B\":"
		    "\"AAEC/w==\"},\"T\":{\"BOOL\":true},\"F\":{\"BOOL\":false},\"Z\":{"
		    "\"NULL\":true},\"L\":{\"L\":[{\"S\":\"\"},{\"L\":[]}]},\"M\":{\"M\":{"
		    "\"k\":{\"N\":\"0\"}}},\"SS\":{\"SS\":[\"x\",\"y\"]},\"NS\":{\"NS\":"
		    "[\"1\",\"2\"]},\"BS\":{\"BS\":[\"AA==\",\"AQ==\"]}}");
}

static struct item
key(void)
{
	return wire_item(&c, "{\"PK\":{\"S\":\"p#1\"},\"SK\":{\"N\":\"7\"}}");
}

static struct placeholders
holders(void)
{
	static const struct name_alias names[] = {
		{SLICE_INIT("#a"), SLICE_INIT("Name")},
		{SLICE_INIT("#b"), SLICE_INIT("a.b")},
	};

	return (struct placeholders){
		.names = names,
		.n_names = 2,
		.names_given = true,
		.values = wire_item(&c, "{\":v\":{\"S\":\"x\"},\":w\":{\"NS\":[\"1\"]}}"),
		.values_given = true,
	};
}

static void
same_holders(const struct placeholders *a, const struct placeholders *b)
{
	CU_ASSERT_EQUAL_FATAL(a->n_names, b->n_names);
	for (size_t i = 0; i < a->n_names; i++) {
		SAME_SLICE(a->names[i].alias, b->names[i].alias);
		SAME_SLICE(a->names[i].name, b->names[i].name);
	}
	SAME_ITEM(a->values, b->values);
	CU_ASSERT_EQUAL(a->names_given, b->names_given);
	CU_ASSERT_EQUAL(a->values_given, b->values_given);
}

/* ------------------------------------------------------------ tables */

static struct slice included[] = {SLICE_INIT("One"), SLICE_INIT("Two")};

static struct index indexes[] = {
	{.name = SLICE_INIT("Local"),
	 .key = {{SLICE_INIT("PK"), VALUE_S}, {SLICE_INIT("L"), VALUE_N}},
	 .projection = PROJECTION_KEYS_ONLY},
	{.name = SLICE_INIT("Simple"),
	 .global = true,
	 .key = {.pk = {SLICE_INIT("G"), VALUE_B}},
	 .projection = PROJECTION_INCLUDE,
	 .include = included,
	 .n_include = 2},
	{.name = SLICE_INIT("Inverted"),
	 .global = true,
	 .key = {{SLICE_INIT("SK"), VALUE_N}, {SLICE_INIT("PK"), VALUE_S}}},
};

static const struct schema schema = {
	.table = SLICE_INIT("Table-1"),
	.created_ms = 1700000000123,
	.provisioned = true,
	.read_units = 3,
	.write_units = 4,
	.key = {{SLICE_INIT("PK"), VALUE_S}, {SLICE_INIT("SK"), VALUE_N}},
	.index = indexes,
	.n_index = 3,
};

static void
same_key(const struct key_schema *a, const struct key_schema *b)
{
	SAME_SLICE(a->pk.name, b->pk.name);
	SAME_SLICE(a->sk.name, b->sk.name);
	CU_ASSERT_EQUAL(a->pk.type, b->pk.type);
	if (key_schema_has_sort(a)) {
		CU_ASSERT_EQUAL(a->sk.type, b->sk.type);
	}
}

static void
same_schema(const struct schema *a, const struct schema *b)
{
	SAME_SLICE(a->table, b->table);
	CU_ASSERT_EQUAL(a->provisioned, b->provisioned);
	CU_ASSERT_EQUAL(a->read_units, b->read_units);
	CU_ASSERT_EQUAL(a->write_units, b->write_units);
	same_key(&a->key, &b->key);
	CU_ASSERT_EQUAL_FATAL(a->n_index, b->n_index);
	for (size_t i = 0; i < a->n_index; i++) {
		SAME_SLICE(a->index[i].name, b->index[i].name);
		CU_ASSERT_EQUAL(a->index[i].global, b->index[i].global);
		CU_ASSERT_EQUAL(a->index[i].projection, b->index[i].projection);
		same_key(&a->index[i].key, &b->index[i].key);
		CU_ASSERT_EQUAL_FATAL(a->index[i].n_include, b->index[i].n_include);
		for (size_t k = 0; k < a->index[i].n_include; k++) {
			SAME_SLICE(a->index[i].include[k], b->index[i].include[k]);
		}
	}
}

static void
create_table_keeps_its_schema_and_definitions(void)
{
	static const struct key_attr definitions[] = {
		{SLICE_INIT("PK"), VALUE_S},   {SLICE_INIT("SK"), VALUE_N},
		{SLICE_INIT("G"), VALUE_B},    {SLICE_INIT("L"), VALUE_N},
		{SLICE_INIT("More"), VALUE_S},
	};
	struct op_in in = {.type = OP_CREATE_TABLE, .create_table = {&schema, definitions, 5}};
	struct op_in got = through_in(&in);

	same_schema(&schema, got.create_table.schema);
	CU_ASSERT_EQUAL_FATAL(got.create_table.n_definitions, 5);
	for (size_t i = 0; i < 5; i++) {
		SAME_SLICE(definitions[i].name, got.create_table.definitions[i].name);
		CU_ASSERT_EQUAL(definitions[i].type, got.create_table.definitions[i].type);
	}
}

static void
create_table_on_demand_has_no_units(void)
{
	struct schema demand = schema;

	demand.provisioned = false;
	demand.read_units = 0;
	demand.write_units = 0;
	struct op_in in = {.type = OP_CREATE_TABLE, .create_table = {.schema = &demand}};
	struct op_in got = through_in(&in);

	same_schema(&demand, got.create_table.schema);
	CU_ASSERT_EQUAL(got.create_table.n_definitions, 4);
}

static void
descriptions_keep_numbers_and_status(void)
{
	static const struct totals totals[] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
	static const enum op_type types[] = {OP_CREATE_TABLE, OP_DESCRIBE_TABLE, OP_DELETE_TABLE};

	for (size_t i = 0; i < 3; i++) {
		struct op_in in = {.type = types[i]};
		struct table_info info = {
			.schema = &schema,
			.status = i == 2 ? TABLE_DELETING : TABLE_ACTIVE,
			.totals = {UINT64_MAX, 1ULL << 40, 5},
			.index_totals = totals,
		};
		struct op_out out = {.type = types[i]};

		/* The three answers begin with the same member. */
		out.create_table.table = info;
		out = through_out(&in, &out);
		info = out.create_table.table;
		same_schema(&schema, info.schema);
		CU_ASSERT_EQUAL(info.schema->created_ms, schema.created_ms);
		CU_ASSERT_EQUAL(info.status, i == 2 ? TABLE_DELETING : TABLE_ACTIVE);
		CU_ASSERT_EQUAL(info.totals.items, UINT64_MAX);
		CU_ASSERT_EQUAL(info.totals.bytes, 1ULL << 40);
		CU_ASSERT_EQUAL(info.totals.partitions, 5);
		for (size_t k = 0; k < 3; k++) {
			CU_ASSERT_EQUAL(info.index_totals[k].items, totals[k].items);
			CU_ASSERT_EQUAL(info.index_totals[k].bytes, totals[k].bytes);
			CU_ASSERT_EQUAL(info.index_totals[k].partitions, totals[k].partitions);
		}
	}
}

static void
names_of_tables_go_both_ways(void)
{
	static const struct slice names[] = {SLICE_INIT("abc"), SLICE_INIT("abd")};
	struct op_in describe = {.type = OP_DESCRIBE_TABLE, .describe_table = {SLICE("t-1")}};
	struct op_in drop = {.type = OP_DELETE_TABLE, .delete_table = {SLICE("t-2")}};
	struct op_in list = {.type = OP_LIST_TABLES, .list_tables = {SLICE("aaa"), 7}};
	struct op_out out = {.type = OP_LIST_TABLES, .list_tables = {names, 2, SLICE("abd")}};

	describe = through_in(&describe);
	SAME_SLICE(describe.describe_table.table, SLICE("t-1"));
	drop = through_in(&drop);
	SAME_SLICE(drop.delete_table.table, SLICE("t-2"));
	list = through_in(&list);
	SAME_SLICE(list.list_tables.start, SLICE("aaa"));
	CU_ASSERT_EQUAL(list.list_tables.limit, 7);
	out = through_out(&list, &out);
	CU_ASSERT_EQUAL_FATAL(out.list_tables.n_names, 2);
	SAME_SLICE(out.list_tables.names[0], names[0]);
	SAME_SLICE(out.list_tables.names[1], names[1]);
	SAME_SLICE(out.list_tables.last, SLICE("abd"));
}

/* ------------------------------------------------------------ items */

static void
get_item_keeps_every_field(void)
{
	struct op_in in = {.type = OP_GET_ITEM,
			   .get_item = {.table = SLICE("t-1"),
					.key = key(),
					.projection = SLICE("#a, b[0].c"),
					.ph = holders(),
					.consistent = true}};
	struct op_out out = {.type = OP_GET_ITEM,
			     .get_item = {.found = true, .item = thing(), .mtime_ns = 12345}};
	struct op_in got = through_in(&in);

	SAME_SLICE(got.get_item.table, in.get_item.table);
	SAME_ITEM(got.get_item.key, in.get_item.key);
	SAME_SLICE(got.get_item.projection, in.get_item.projection);
	same_holders(&got.get_item.ph, &in.get_item.ph);
	CU_ASSERT_TRUE(got.get_item.consistent);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_TRUE(answer.get_item.found);
	SAME_ITEM(answer.get_item.item, out.get_item.item);
	CU_ASSERT_EQUAL(answer.get_item.mtime_ns, 12345);

	/* Nothing found, and an item of which nothing is left, are two things. */
	answer = through_out(&in, &(struct op_out){.type = OP_GET_ITEM});
	CU_ASSERT_FALSE(answer.get_item.found);
	answer = through_out(&in, &(struct op_out){.type = OP_GET_ITEM, .get_item.found = true});
	CU_ASSERT_TRUE(answer.get_item.found);
}

static void
put_item_keeps_every_field(void)
{
	struct op_in in = {.type = OP_PUT_ITEM,
			   .put_item = {.table = SLICE("t-1"),
					.item = thing(),
					.condition = SLICE("attribute_not_exists(PK)"),
					.ph = holders(),
					.return_values = RETURN_ALL_OLD,
					.return_on_failure = RETURN_ALL_OLD,
					.mtime_ns = UINT64_MAX,
					.relaxed = true}};
	struct op_out out = {.type = OP_PUT_ITEM,
			     .put_item = {.had_old = true, .old = thing(), .seq = 99}};
	struct op_in got = through_in(&in);

	SAME_SLICE(got.put_item.table, in.put_item.table);
	SAME_ITEM(got.put_item.item, in.put_item.item);
	SAME_SLICE(got.put_item.condition, in.put_item.condition);
	same_holders(&got.put_item.ph, &in.put_item.ph);
	CU_ASSERT_EQUAL(got.put_item.return_values, RETURN_ALL_OLD);
	CU_ASSERT_EQUAL(got.put_item.return_on_failure, RETURN_ALL_OLD);
	CU_ASSERT_EQUAL(got.put_item.mtime_ns, UINT64_MAX);
	CU_ASSERT_TRUE(got.put_item.relaxed);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_TRUE(answer.put_item.had_old);
	SAME_ITEM(answer.put_item.old, out.put_item.old);
	CU_ASSERT_EQUAL(answer.put_item.seq, 99);
}

static void
delete_item_keeps_every_field(void)
{
	struct op_in in = {.type = OP_DELETE_ITEM,
			   .delete_item = {.table = SLICE("t-1"),
					   .key = key(),
					   .condition = SLICE("#a = :v"),
					   .ph = holders(),
					   .return_values = RETURN_ALL_OLD,
					   .return_on_failure = RETURN_ALL_OLD,
					   .relaxed = true}};
	struct op_out out = {
		.type = OP_DELETE_ITEM,
		.delete_item = {.had_old = true, .old = thing(), .existed = true, .seq = 5}};
	struct op_in got = through_in(&in);

	SAME_SLICE(got.delete_item.table, in.delete_item.table);
	SAME_ITEM(got.delete_item.key, in.delete_item.key);
	SAME_SLICE(got.delete_item.condition, in.delete_item.condition);
	same_holders(&got.delete_item.ph, &in.delete_item.ph);
	CU_ASSERT_EQUAL(got.delete_item.return_values, RETURN_ALL_OLD);
	CU_ASSERT_EQUAL(got.delete_item.return_on_failure, RETURN_ALL_OLD);
	CU_ASSERT_TRUE(got.delete_item.relaxed);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_TRUE(answer.delete_item.had_old);
	SAME_ITEM(answer.delete_item.old, out.delete_item.old);
	CU_ASSERT_TRUE(answer.delete_item.existed);
	CU_ASSERT_EQUAL(answer.delete_item.seq, 5);
}

/* ------------------------------------------------------------ query and scan */

static void
query_keeps_every_field(void)
{
	for (int select = SELECT_DEFAULT; select <= SELECT_SPECIFIC; select++) {
		struct op_in in = {.type = OP_QUERY,
				   .query = {.read.table = SLICE("t-1"),
					     .read.index = SLICE("GSI1"),
					     .key_condition = SLICE("PK = :v"),
					     .read.filter = SLICE("#a > :w"),
					     .read.projection = SLICE("#b"),
					     .read.ph = holders(),
					     .read.select = (enum select)select,
					     .read.consistent = true,
					     .backward = true,
					     .read.has_limit = true,
					     .read.limit = 10,
					     .read.start = key()}};
		struct op_in got = through_in(&in);

		SAME_SLICE(got.query.read.table, in.query.read.table);
		SAME_SLICE(got.query.read.index, in.query.read.index);
		SAME_SLICE(got.query.key_condition, in.query.key_condition);
		SAME_SLICE(got.query.read.filter, in.query.read.filter);
		SAME_SLICE(got.query.read.projection, in.query.read.projection);
		same_holders(&got.query.read.ph, &in.query.read.ph);
		CU_ASSERT_EQUAL(got.query.read.select, in.query.read.select);
		CU_ASSERT_TRUE(got.query.read.consistent);
		CU_ASSERT_TRUE(got.query.backward);
		CU_ASSERT_TRUE(got.query.read.has_limit);
		CU_ASSERT_EQUAL(got.query.read.limit, 10);
		SAME_ITEM(got.query.read.start, in.query.read.start);
	}
}

static void
scan_keeps_every_field(void)
{
	struct op_in in = {.type = OP_SCAN,
			   .scan = {.read.table = SLICE("t-1"),
				    .read.index = SLICE("GSI1"),
				    .read.filter = SLICE("#a > :w"),
				    .read.projection = SLICE("#b"),
				    .read.ph = holders(),
				    .read.select = SELECT_SPECIFIC,
				    .read.consistent = true,
				    .read.has_limit = true,
				    .read.limit = 11,
				    .read.start = key(),
				    .has_segment = true,
				    .has_total_segments = true,
				    .segment = 0,
				    .total_segments = 4}};
	struct op_in got = through_in(&in);

	SAME_SLICE(got.scan.read.table, in.scan.read.table);
	SAME_SLICE(got.scan.read.index, in.scan.read.index);
	SAME_SLICE(got.scan.read.filter, in.scan.read.filter);
	SAME_SLICE(got.scan.read.projection, in.scan.read.projection);
	same_holders(&got.scan.read.ph, &in.scan.read.ph);
	CU_ASSERT_EQUAL(got.scan.read.select, SELECT_SPECIFIC);
	CU_ASSERT_TRUE(got.scan.read.consistent);
	CU_ASSERT_TRUE(got.scan.read.has_limit);
	CU_ASSERT_EQUAL(got.scan.read.limit, 11);
	SAME_ITEM(got.scan.read.start, in.scan.read.start);
	CU_ASSERT_TRUE(got.scan.has_segment);
	CU_ASSERT_TRUE(got.scan.has_total_segments);
	CU_ASSERT_EQUAL(got.scan.segment, 0);
	CU_ASSERT_EQUAL(got.scan.total_segments, 4);
}

static void
pages_keep_items_counts_and_place(void)
{
	static const enum op_type types[] = {OP_QUERY, OP_SCAN};

	for (size_t i = 0; i < 2; i++) {
		struct item items[] = {thing(), {0}, key()};
		struct op_in in = {.type = types[i]};
		struct op_out out = {.type = types[i]};
		struct page page = {.items = items, .count = 3, .scanned = 17, .last = key()};

		/* Both answers are one page. */
		out.query.page = page;
		out = through_out(&in, &out);
		CU_ASSERT_EQUAL_FATAL(out.query.page.count, 3);
		for (size_t k = 0; k < 3; k++) {
			SAME_ITEM(out.query.page.items[k], items[k]);
		}
		CU_ASSERT_EQUAL(out.query.page.scanned, 17);
		SAME_ITEM(out.query.page.last, page.last);
	}
}

static void
a_count_has_no_items(void)
{
	struct op_in in = {.type = OP_QUERY, .query.read.select = SELECT_COUNT};
	struct op_out out = {.type = OP_QUERY,
			     .query.page = {.count = 1000000, .scanned = 1000001}};
	struct op_out got = through_out(&in, &out);

	CU_ASSERT_EQUAL(got.query.page.count, 1000000);
	CU_ASSERT_EQUAL(got.query.page.scanned, 1000001);
	CU_ASSERT_PTR_NULL(got.query.page.items);
	CU_ASSERT_PTR_NULL(memmem(body.at, body.len, "Items", 5));
}

/* ------------------------------------------------------------ batches and transactions */

static void
batch_get_keeps_every_field(void)
{
	struct item keys[] = {key(), wire_item(&c, "{\"PK\":{\"B\":\"AA==\"}}")};
	struct batch_get gets[] = {
		{.table = SLICE("one"),
		 .keys = keys,
		 .n_keys = 2,
		 .projection = SLICE("#a"),
		 .ph = holders(),
		 .consistent = true},
		{.table = SLICE("two"), .keys = keys, .n_keys = 1},
	};
	struct item found[] = {thing(), key()};
	struct batch_got got_tables[] = {{SLICE("one"), found, 2}, {.table = SLICE("two")}};
	struct op_in in = {.type = OP_BATCH_GET_ITEM, .batch_get_item = {gets, 2}};
	struct op_out out = {.type = OP_BATCH_GET_ITEM,
			     .batch_get_item = {got_tables, 2, &gets[0], 1}};
	struct op_in got = through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.batch_get_item.n_tables, 2);
	const struct batch_get *first = &got.batch_get_item.tables[0];

	SAME_SLICE(first->table, SLICE("one"));
	CU_ASSERT_EQUAL_FATAL(first->n_keys, 2);
	SAME_ITEM(first->keys[0], keys[0]);
	SAME_ITEM(first->keys[1], keys[1]);
	SAME_SLICE(first->projection, SLICE("#a"));
	same_holders(&first->ph, &gets[0].ph);
	CU_ASSERT_TRUE(first->consistent);
	CU_ASSERT_FALSE(got.batch_get_item.tables[1].consistent);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.batch_get_item.n_tables, 2);
	CU_ASSERT_EQUAL_FATAL(answer.batch_get_item.tables[0].n_items, 2);
	SAME_ITEM(answer.batch_get_item.tables[0].items[0], found[0]);
	SAME_ITEM(answer.batch_get_item.tables[0].items[1], found[1]);
	SAME_SLICE(answer.batch_get_item.tables[1].table, SLICE("two"));
	CU_ASSERT_EQUAL(answer.batch_get_item.tables[1].n_items, 0);
	CU_ASSERT_EQUAL_FATAL(answer.batch_get_item.n_unprocessed, 1);
	SAME_ITEM(answer.batch_get_item.unprocessed[0].keys[1], keys[1]);
}

static void
answers_of_a_batch_follow_the_order_of_the_request(void)
{
	struct item k = key();
	struct batch_get gets[] = {{.table = SLICE("one"), .keys = &k, .n_keys = 1},
				   {.table = SLICE("two"), .keys = &k, .n_keys = 1}};
	struct op_in in = {.type = OP_BATCH_GET_ITEM, .batch_get_item = {gets, 2}};
	struct op_out out;
	int r = codec_decode_out(&c,
				 SLICE("{\"Responses\":{\"two\":[{\"PK\":{\"S\":\"x\"}}]},"
				       "\"UnprocessedKeys\":{}}"),
				 &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(out.batch_get_item.n_tables, 2);
	SAME_SLICE(out.batch_get_item.tables[0].table, SLICE("one"));
	CU_ASSERT_EQUAL(out.batch_get_item.tables[0].n_items, 0);
	CU_ASSERT_EQUAL(out.batch_get_item.tables[1].n_items, 1);
}

static void
batch_write_keeps_every_field(void)
{
	struct batch_action actions[] = {{.item = thing()}, {.is_delete = true, .item = key()}};
	struct batch_write writes[] = {{SLICE("one"), actions, 2}, {SLICE("two"), actions, 1}};
	struct op_in in = {.type = OP_BATCH_WRITE_ITEM, .batch_write_item = {writes, 2}};
	struct op_out out = {.type = OP_BATCH_WRITE_ITEM, .batch_write_item = {writes, 1}};
	struct op_in got = through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.batch_write_item.n_tables, 2);
	const struct batch_write *first = &got.batch_write_item.tables[0];

	SAME_SLICE(first->table, SLICE("one"));
	CU_ASSERT_EQUAL_FATAL(first->n_actions, 2);
	CU_ASSERT_FALSE(first->actions[0].is_delete);
	SAME_ITEM(first->actions[0].item, actions[0].item);
	CU_ASSERT_TRUE(first->actions[1].is_delete);
	SAME_ITEM(first->actions[1].item, actions[1].item);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.batch_write_item.n_unprocessed, 1);
	CU_ASSERT_EQUAL(answer.batch_write_item.unprocessed[0].n_actions, 2);
}

static void
transact_get_keeps_every_field(void)
{
	struct transact_get gets[] = {
		{SLICE("one"), key(), SLICE("#a"), holders()},
		{.table = SLICE("two"), .key = key()},
	};
	struct item items[] = {thing(), {0}};
	bool found[] = {true, false};
	struct op_in in = {.type = OP_TRANSACT_GET_ITEMS, .transact_get_items = {gets, 2}};
	struct op_out out = {.type = OP_TRANSACT_GET_ITEMS,
			     .transact_get_items = {items, found, 2}};
	struct op_in got = through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.transact_get_items.n_gets, 2);
	SAME_SLICE(got.transact_get_items.gets[0].table, SLICE("one"));
	SAME_ITEM(got.transact_get_items.gets[0].key, gets[0].key);
	SAME_SLICE(got.transact_get_items.gets[0].projection, SLICE("#a"));
	same_holders(&got.transact_get_items.gets[0].ph, &gets[0].ph);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.transact_get_items.n_items, 2);
	CU_ASSERT_TRUE(answer.transact_get_items.found[0]);
	CU_ASSERT_FALSE(answer.transact_get_items.found[1]);
	SAME_ITEM(answer.transact_get_items.items[0], items[0]);
}

static void
transact_write_keeps_every_field(void)
{
	struct transact_action actions[] = {
		{TRANSACT_PUT,
		 SLICE("one"),
		 thing(),
		 SLICE("#a = :v"),
		 holders(),
		 RETURN_ALL_OLD,
		 {0},
		 0},
		{TRANSACT_DELETE, SLICE("two"), key(), {0}, {0}, RETURN_NONE, {0}, 0},
		{TRANSACT_CHECK,
		 SLICE("one"),
		 key(),
		 SLICE("#b = :w"),
		 holders(),
		 RETURN_NONE,
		 {0},
		 0},
	};
	struct op_in in = {.type = OP_TRANSACT_WRITE_ITEMS,
			   .transact_write_items = {actions, 3, SLICE("token"), true}};
	struct op_out out = {.type = OP_TRANSACT_WRITE_ITEMS, .transact_write_items = {77}};
	struct op_in got = through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.transact_write_items.n_actions, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct transact_action *a = &got.transact_write_items.actions[i];

		CU_ASSERT_EQUAL(a->kind, actions[i].kind);
		SAME_SLICE(a->table, actions[i].table);
		SAME_ITEM(a->item, actions[i].item);
		SAME_SLICE(a->condition, actions[i].condition);
		same_holders(&a->ph, &actions[i].ph);
		CU_ASSERT_EQUAL(a->return_on_failure, actions[i].return_on_failure);
	}
	SAME_SLICE(got.transact_write_items.token, SLICE("token"));
	CU_ASSERT_TRUE(got.transact_write_items.relaxed);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_EQUAL(answer.transact_write_items.seq, 77);
}

/* ------------------------------------------------------------ ItemFS's own */

static void
list_partitions_keeps_every_field(void)
{
	struct value from = wire_value(&c, "{\"B\":\"/w==\"}");
	struct value at = wire_value(&c, "{\"N\":\"7\"}");
	struct partition partitions[] = {
		{wire_value(&c, "{\"N\":\"-1\"}"), 1, 2, 3},
		{wire_value(&c, "{\"S\":\"x\"}"), UINT64_MAX, 5, 6},
	};
	struct op_in in = {
		.type = OP_LIST_PARTITIONS,
		.list_partitions = {SLICE("t-1"), SLICE("GSI1"), &from, true, 12, NULL, &at}};
	struct op_out out = {.type = OP_LIST_PARTITIONS, .list_partitions = {partitions, 2, true}};
	struct op_in got = through_in(&in);

	SAME_SLICE(got.list_partitions.table, SLICE("t-1"));
	SAME_SLICE(got.list_partitions.index, SLICE("GSI1"));
	SAME_VALUE(*got.list_partitions.from, from);
	SAME_VALUE(*got.list_partitions.at, at);
	CU_ASSERT_TRUE(got.list_partitions.after);
	CU_ASSERT_EQUAL(got.list_partitions.limit, 12);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.list_partitions.n_partitions, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct partition *p = &answer.list_partitions.partitions[i];

		SAME_VALUE(p->pk, partitions[i].pk);
		CU_ASSERT_EQUAL(p->items, partitions[i].items);
		CU_ASSERT_EQUAL(p->item_bytes, partitions[i].item_bytes);
		CU_ASSERT_EQUAL(p->rendered_bytes, partitions[i].rendered_bytes);
	}
	CU_ASSERT_TRUE(answer.list_partitions.more);
}

static void
list_entries_keeps_every_field(void)
{
	struct value pk = wire_value(&c, "{\"S\":\"x\"}");
	struct item after = key();
	struct item at = thing();
	struct entry entries[] = {
		{.pk = pk, .rendered_bytes = 10, .mtime_ns = 11},
		{pk, wire_value(&c, "{\"N\":\"1\"}"), wire_value(&c, "{\"B\":\"AA==\"}"),
		 wire_value(&c, "{\"S\":\"b\"}"), 12, UINT64_MAX},
	};
	struct op_in in = {
		.type = OP_LIST_ENTRIES,
		.list_entries = {SLICE("t-1"), SLICE("GSI1"), &pk, &after, &at, 13, NULL}};
	struct op_out out = {.type = OP_LIST_ENTRIES, .list_entries = {entries, 2, true}};
	struct op_in got = through_in(&in);

	SAME_SLICE(got.list_entries.table, SLICE("t-1"));
	SAME_SLICE(got.list_entries.index, SLICE("GSI1"));
	SAME_VALUE(*got.list_entries.pk, pk);
	SAME_ITEM(*got.list_entries.after, after);
	SAME_ITEM(*got.list_entries.at, at);
	CU_ASSERT_EQUAL(got.list_entries.limit, 13);

	struct op_out answer = through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.list_entries.n_entries, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct entry *e = &answer.list_entries.entries[i];

		SAME_VALUE(e->pk, entries[i].pk);
		SAME_VALUE(e->sk, entries[i].sk);
		SAME_VALUE(e->base_pk, entries[i].base_pk);
		SAME_VALUE(e->base_sk, entries[i].base_sk);
		CU_ASSERT_EQUAL(e->rendered_bytes, entries[i].rendered_bytes);
		CU_ASSERT_EQUAL(e->mtime_ns, entries[i].mtime_ns);
	}
	CU_ASSERT_TRUE(answer.list_entries.more);
}

static void
absent_pointers_stay_absent(void)
{
	struct op_in in = {.type = OP_LIST_ENTRIES, .list_entries = {.table = SLICE("t-1")}};
	struct op_in got = through_in(&in);

	CU_ASSERT_PTR_NULL(got.list_entries.pk);
	CU_ASSERT_PTR_NULL(got.list_entries.after);
	CU_ASSERT_PTR_NULL(got.list_entries.at);
	in = (struct op_in){.type = OP_LIST_PARTITIONS, .list_partitions = {.table = SLICE("t-1")}};
	got = through_in(&in);
	CU_ASSERT_PTR_NULL(got.list_partitions.from);
}

static void
load_set_time_and_sync_keep_every_field(void)
{
	struct item items[] = {thing(), key()};
	struct op_in load = {.type = OP_LOAD_ITEMS, .load_items = {SLICE("t-1"), items, 2}};
	struct op_out loaded = {.type = OP_LOAD_ITEMS, .load_items = {2}};
	struct op_in set = {.type = OP_SET_TIME,
			    .set_time = {SLICE("t-1"), key(), 1700000000000000001}};
	struct op_out done = {.type = OP_SET_TIME, .set_time = {8}};
	struct op_in sync = {.type = OP_SYNC};
	struct op_out synced = {.type = OP_SYNC};
	struct op_in got = through_in(&load);

	SAME_SLICE(got.load_items.table, SLICE("t-1"));
	CU_ASSERT_EQUAL_FATAL(got.load_items.n_items, 2);
	SAME_ITEM(got.load_items.items[0], items[0]);
	SAME_ITEM(got.load_items.items[1], items[1]);
	loaded = through_out(&load, &loaded);
	CU_ASSERT_EQUAL(loaded.load_items.loaded, 2);
	got = through_in(&set);
	SAME_SLICE(got.set_time.table, SLICE("t-1"));
	SAME_ITEM(got.set_time.key, set.set_time.key);
	CU_ASSERT_EQUAL(got.set_time.mtime_ns, 1700000000000000001);
	done = through_out(&set, &done);
	CU_ASSERT_EQUAL(done.set_time.seq, 8);
	got = through_in(&sync);
	CU_ASSERT_EQUAL(got.type, OP_SYNC);
	synced = through_out(&sync, &synced);
	CU_ASSERT_EQUAL(synced.type, OP_SYNC);
}

static void
check_and_refused_keep_any_bytes(void)
{
	static const struct slice lines[] = {SLICE_INIT("plain"), SLICE_INIT("\xff\x00\xfe"),
					     SLICE_INIT("")};
	struct op_in check = {.type = OP_CHECK, .check = {SLICE("\x00\x80next")}};
	struct op_out checked = {.type = OP_CHECK, .check = {lines, 3, 4, 5, SLICE("\xc3\x28")}};
	struct op_in refused = {.type = OP_REFUSED, .refused = {SLICE("/m/\xe9t\xe9")}};
	struct op_out told = {.type = OP_REFUSED, .refused = {lines, 3}};
	struct op_in got = through_in(&check);

	SAME_SLICE(got.check.next, check.check.next);
	struct op_out answer = through_out(&check, &checked);

	CU_ASSERT_EQUAL_FATAL(answer.check.n_problems, 3);
	CU_ASSERT_EQUAL(answer.check.items, 4);
	CU_ASSERT_EQUAL(answer.check.entries, 5);
	SAME_SLICE(answer.check.next, checked.check.next);
	got = through_in(&refused);
	SAME_SLICE(got.refused.path, refused.refused.path);
	answer = through_out(&refused, &told);
	CU_ASSERT_EQUAL_FATAL(answer.refused.n_lines, 3);
	for (size_t i = 0; i < 3; i++) {
		SAME_SLICE(answer.refused.lines[i], lines[i]);
	}
}

/* ------------------------------------------------------------ errors */

static void
every_row_of_the_error_table_survives(void)
{
	for (int code = ERR_NONE + 1; code < ERR_COUNT; code++) {
		struct error e = {
			.code = (enum err)code, .message = "why \"it\" failed", .place = 3};

		buf_clear(&body);
		codec_encode_error(&body, CODEC_OWN, &e);
		c.error = (struct error){0};
		int r = codec_decode_error(&c, buf_view(&body), error_http((enum err)code));

		CU_ASSERT_EQUAL(r, -code);
		CU_ASSERT_EQUAL((int)c.error.code, code);
		CU_ASSERT_STRING_EQUAL(c.error.message, "why \"it\" failed");
		CU_ASSERT_EQUAL(c.error.place, 3);
	}
}

static void
a_cancelled_transaction_tells_its_reasons(void)
{
	struct item old = thing();
	struct cancel_reason reasons[] = {
		{.code = SLICE("None")},
		{SLICE("ConditionalCheckFailed"), SLICE("The conditional request failed"), &old},
	};
	struct error e = {
		.code = ERR_CANCELED, .message = "cancelled", .reasons = reasons, .n_reasons = 2};

	codec_encode_error(&body, CODEC_FOREIGN, &e);
	int r = codec_decode_error(&c, buf_view(&body), 400);

	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(c.error.n_reasons, 2);
	SAME_SLICE(c.error.reasons[0].code, SLICE("None"));
	CU_ASSERT_EQUAL(c.error.reasons[0].message.len, 0);
	CU_ASSERT_PTR_NULL(c.error.reasons[0].item);
	SAME_SLICE(c.error.reasons[1].code, SLICE("ConditionalCheckFailed"));
	SAME_SLICE(c.error.reasons[1].message, SLICE("The conditional request failed"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(c.error.reasons[1].item);
	CU_ASSERT_TRUE(item_eq(c.error.reasons[1].item, &old));
}

static void
a_failed_condition_shows_the_item(void)
{
	struct item old = thing();
	struct error e = {.code = ERR_CONDITION, .message = "no", .item = &old};

	codec_encode_error(&body, CODEC_FOREIGN, &e);
	int r = codec_decode_error(&c, buf_view(&body), 400);

	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c.error.item);
	CU_ASSERT_TRUE(item_eq(c.error.item, &old));
}

static void
messages_that_are_not_utf8_become_readable(void)
{
	struct error e = {.code = ERR_IO, .message = "cannot open /m/\xff"};

	codec_encode_error(&body, CODEC_OWN, &e);
	int r = codec_decode_error(&c, buf_view(&body), 500);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_STRING_EQUAL(c.error.message, "cannot open /m/?");
}

static void
errors_of_foreign_servers_are_understood(void)
{
	static const struct {
		const char *body;
		int status;
		enum err code;
	} rows[] = {
		{"{\"__type\":\"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException\"}", 400,
		 ERR_NO_TABLE},
		{"{\"__type\":\"ValidationException\",\"message\":\"x\"}", 400, ERR_VALIDATION},
		{"{\"__type\":\"com.amazon.coral.availability#ThrottlingException\"}", 400,
		 ERR_THROTTLED},
		{"{\"__type\":\"com.amazon.coral.service#UnrecognizedClientException\"}", 400,
		 ERR_ACCESS},
		{"{\"__type\":\"something#Else\"}", 400, ERR_IO},
		{"<html>", 503, ERR_BUSY},
		{"", 500, ERR_IO},
		{"", 413, ERR_VALIDATION},
		{"[]", 404, ERR_UNKNOWN_OPERATION},
		{"{\"__type\":3}", 429, ERR_THROTTLED},
		{"{\"CancellationReasons\":[3]}", 502, ERR_BUSY},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c.error = (struct error){0};
		int r = codec_decode_error(&c, slice_from(rows[i].body), rows[i].status);

		if (r != -(int)rows[i].code) {
			printf("%s: got %d\n", rows[i].body, r);
		}
		CU_ASSERT_EQUAL(r, -(int)rows[i].code);
		CU_ASSERT_EQUAL(c.error.code, rows[i].code);
		CU_ASSERT_TRUE(c.error.message[0] != '\0');
	}
}

/* ------------------------------------------------------------ foreign ends */

static void
a_foreign_end_never_sees_our_member(void)
{
	struct op_in in = {
		.type = OP_PUT_ITEM,
		.put_item = {.table = SLICE("t-1"), .item = key(), .mtime_ns = 1, .relaxed = true}};
	struct op_out out = {.type = OP_PUT_ITEM, .put_item = {.seq = 99}};

	codec_encode_in(&body, CODEC_FOREIGN, &in);
	codec_encode_out(&body, CODEC_FOREIGN, &in, &out);
	codec_encode_error(&body, CODEC_FOREIGN,
			   &(struct error){.code = ERR_NO_INDEX, .message = "x"});
	CU_ASSERT_PTR_NULL(memmem(body.at, body.len, "ItemFS", 6));
}

static void
a_foreign_client_cannot_use_our_member(void)
{
	static const char text[] = "{\"TableName\":\"t-1\",\"Item\":{\"PK\":{\"S\":\"x\"}},"
				   "\"ItemFS\":{\"Relaxed\":true,\"MTime\":5}}";
	struct op_in in = {.type = OP_PUT_ITEM};
	int r = codec_decode_in(&c, CODEC_FOREIGN, slice_from(text), &in);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_FALSE(in.put_item.relaxed);
	CU_ASSERT_EQUAL(in.put_item.mtime_ns, 0);
	r = codec_decode_in(&c, CODEC_OWN, slice_from(text), &in);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(in.put_item.relaxed);
	CU_ASSERT_EQUAL(in.put_item.mtime_ns, 5);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(create_table_keeps_its_schema_and_definitions),
	UNIT_TEST(create_table_on_demand_has_no_units),
	UNIT_TEST(descriptions_keep_numbers_and_status),
	UNIT_TEST(names_of_tables_go_both_ways),
	UNIT_TEST(get_item_keeps_every_field),
	UNIT_TEST(put_item_keeps_every_field),
	UNIT_TEST(delete_item_keeps_every_field),
	UNIT_TEST(query_keeps_every_field),
	UNIT_TEST(scan_keeps_every_field),
	UNIT_TEST(pages_keep_items_counts_and_place),
	UNIT_TEST(a_count_has_no_items),
	UNIT_TEST(batch_get_keeps_every_field),
	UNIT_TEST(answers_of_a_batch_follow_the_order_of_the_request),
	UNIT_TEST(batch_write_keeps_every_field),
	UNIT_TEST(transact_get_keeps_every_field),
	UNIT_TEST(transact_write_keeps_every_field),
	UNIT_TEST(list_partitions_keeps_every_field),
	UNIT_TEST(list_entries_keeps_every_field),
	UNIT_TEST(absent_pointers_stay_absent),
	UNIT_TEST(load_set_time_and_sync_keep_every_field),
	UNIT_TEST(check_and_refused_keep_any_bytes),
	UNIT_TEST(every_row_of_the_error_table_survives),
	UNIT_TEST(a_cancelled_transaction_tells_its_reasons),
	UNIT_TEST(a_failed_condition_shows_the_item),
	UNIT_TEST(messages_that_are_not_utf8_become_readable),
	UNIT_TEST(errors_of_foreign_servers_are_understood),
	UNIT_TEST(a_foreign_end_never_sees_our_member),
	UNIT_TEST(a_foreign_client_cannot_use_our_member),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec, setup, teardown, tests);
