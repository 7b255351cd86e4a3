/* Tables: requests, descriptions and names keep every field in a round trip between two ends of ItemFS. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"

static struct slice included[] = {SLICE_INIT("One"), SLICE_INIT("Two")};

static struct index indexes[] = {
	{.name = SLICE_INIT("Local"),
	 .key = {{{SLICE_INIT("PK"), VALUE_S}}, {{SLICE_INIT("L"), VALUE_N}}},
	 .projection = PROJECTION_KEYS_ONLY},
	{.name = SLICE_INIT("Simple"),
	 .global = true,
	 .state = INDEX_BACKFILLING,
	 .read_units = 5,
	 .write_units = 6,
	 .key = {.pk = {{SLICE_INIT("G"), VALUE_B}}},
	 .projection = PROJECTION_INCLUDE,
	 .include = included,
	 .n_include = 2},
	{.name = SLICE_INIT("Inverted"),
	 .global = true,
	 .read_units = 7,
	 .write_units = 8,
	 .key = {{{SLICE_INIT("SK"), VALUE_N}}, {{SLICE_INIT("PK"), VALUE_S}}}},
	{.name = SLICE_INIT("Several"),
	 .global = true,
	 .key = {{{SLICE_INIT("G"), VALUE_B},
		  {SLICE_INIT("SK"), VALUE_N},
		  {SLICE_INIT("A"), VALUE_S},
		  {SLICE_INIT("B"), VALUE_N}},
		 {{SLICE_INIT("PK"), VALUE_S},
		  {SLICE_INIT("C"), VALUE_B},
		  {SLICE_INIT("L"), VALUE_N}}}},
};

static const struct schema schema = {
	.table = SLICE_INIT("Table-1"),
	.created_ms = 1700000000123,
	.provisioned = true,
	.read_units = 3,
	.write_units = 4,
	.on_demand_ms = 1600000000456,
	.protected = true,
	.throttle = true,
	.collection_limit = 123456789012,
	.table_class = CLASS_INFREQUENT_ACCESS,
	.key = {{{SLICE_INIT("PK"), VALUE_S}}, {{SLICE_INIT("SK"), VALUE_N}}},
	.index = indexes,
	.n_index = 4,
};

static void
same_key(const struct key_schema *a, const struct key_schema *b)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		SAME_SLICE(key_slot(a, i)->name, key_slot(b, i)->name);
		CU_ASSERT_EQUAL(key_slot(a, i)->type, key_slot(b, i)->type);
	}
}

static void
same_schema(const struct schema *a, const struct schema *b)
{
	SAME_SLICE(a->table, b->table);
	CU_ASSERT_EQUAL(a->provisioned, b->provisioned);
	CU_ASSERT_EQUAL(a->read_units, b->read_units);
	CU_ASSERT_EQUAL(a->write_units, b->write_units);
	CU_ASSERT_EQUAL(a->protected, b->protected);
	CU_ASSERT_EQUAL(a->throttle, b->throttle);
	CU_ASSERT_EQUAL(a->collection_limit, b->collection_limit);
	CU_ASSERT_EQUAL(a->table_class, b->table_class);
	same_key(&a->key, &b->key);
	CU_ASSERT_EQUAL_FATAL(a->n_index, b->n_index);
	for (size_t i = 0; i < a->n_index; i++) {
		SAME_SLICE(a->index[i].name, b->index[i].name);
		CU_ASSERT_EQUAL(a->index[i].global, b->index[i].global);
		CU_ASSERT_EQUAL(a->index[i].projection, b->index[i].projection);
		CU_ASSERT_EQUAL(a->index[i].read_units, b->index[i].read_units);
		CU_ASSERT_EQUAL(a->index[i].write_units, b->index[i].write_units);
		same_key(&a->index[i].key, &b->index[i].key);
		CU_ASSERT_EQUAL_FATAL(a->index[i].n_include, b->index[i].n_include);
		for (size_t k = 0; k < a->index[i].n_include; k++) {
			SAME_SLICE(a->index[i].include[k], b->index[i].include[k]);
		}
	}
}

/* A global index without units of its own is sent with those of the table. */
static struct schema
schema_with_units(void)
{
	static struct index all[8];
	struct schema out = schema;

	CU_ASSERT_FATAL(out.n_index <= 8);
	for (size_t i = 0; i < out.n_index; i++) {
		all[i] = schema.index[i];
		if (all[i].global && all[i].read_units == 0) {
			all[i].read_units = schema.read_units;
			all[i].write_units = schema.write_units;
		}
	}
	out.index = all;
	return out;
}

static void
create_table_keeps_its_schema_and_definitions(void)
{
	static const struct key_attr definitions[] = {
		{SLICE_INIT("PK"), VALUE_S}, {SLICE_INIT("SK"), VALUE_N},
		{SLICE_INIT("G"), VALUE_B},  {SLICE_INIT("L"), VALUE_N},
		{SLICE_INIT("A"), VALUE_S},  {SLICE_INIT("B"), VALUE_N},
		{SLICE_INIT("C"), VALUE_B},  {SLICE_INIT("More"), VALUE_S},
	};
	struct op_in in = {.type = OP_CREATE_TABLE, .create_table = {&schema, definitions, 8}};
	struct op_in got = codec_through_in(&in);

	struct schema stated = schema_with_units();

	same_schema(&stated, got.create_table.schema);
	CU_ASSERT_EQUAL_FATAL(got.create_table.n_definitions, 8);
	for (size_t i = 0; i < 8; i++) {
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
	demand.n_index = 1;
	struct op_in in = {.type = OP_CREATE_TABLE, .create_table = {.schema = &demand}};
	struct op_in got = codec_through_in(&in);

	same_schema(&demand, got.create_table.schema);
	CU_ASSERT_EQUAL(got.create_table.n_definitions, 3);
}

static void
descriptions_keep_numbers_and_status(void)
{
	static const struct totals totals[] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 1, 1}};
	static const enum op_type types[] = {OP_CREATE_TABLE, OP_DESCRIBE_TABLE, OP_UPDATE_TABLE};

	for (size_t i = 0; i < 3; i++) {
		struct op_in in = {.type = types[i]};
		struct table_info info = {
			.schema = &schema,
			.status = TABLE_UPDATING,
			.backfilled = 77,
			.totals = {UINT64_MAX, 1ULL << 40, 5},
			.index_totals = totals,
		};
		struct op_out out = {.type = types[i]};

		/* The answers begin with the same member. */
		out.create_table.table = info;
		out = codec_through_out(&in, &out);
		info = out.create_table.table;
		same_schema(&schema, info.schema);
		CU_ASSERT_EQUAL(info.schema->created_ms, schema.created_ms);
		CU_ASSERT_EQUAL(info.schema->on_demand_ms, schema.on_demand_ms);
		CU_ASSERT_EQUAL(info.status, TABLE_UPDATING);
		CU_ASSERT_EQUAL(info.backfilled, 77);
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
a_deleted_table_is_described_without_keys(void)
{
	struct op_in in = {.type = OP_DELETE_TABLE};
	struct op_out out = {.type = OP_DELETE_TABLE};

	out.delete_table.table = (struct table_info){
		.schema = &schema, .status = TABLE_DELETING, .totals = {1, 2, 3}};
	out = codec_through_out(&in, &out);
	CU_ASSERT_EQUAL(out.delete_table.table.status, TABLE_DELETING);
	CU_ASSERT_EQUAL(out.delete_table.table.totals.items, 1);
	CU_ASSERT_EQUAL(out.delete_table.table.schema->n_index, 0);
	SAME_SLICE(out.delete_table.table.schema->table, schema.table);
	CU_ASSERT_EQUAL(out.delete_table.table.schema->key.pk->name.len, 0);
}

/* A description as DynamoDB sends it, with members and words that are newer than this program. */
#define DESCRIPTION(more) \
	"{\"Table\":{\"TableName\":\"abc\",\"AttributeDefinitions\":[{\"AttributeName\":\"p\"," \
	"\"AttributeType\":\"N\"},{\"AttributeName\":\"g\",\"AttributeType\":\"B\"}]," \
	"\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":\"HASH\"}]" more "}}"
#define INDEX(more) \
	",\"GlobalSecondaryIndexes\":[{\"IndexName\":\"i\",\"KeySchema\":[{\"AttributeName\":\"g\"," \
	"\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"ALL\"}" more "}]"

static void
answers_are_read_liberally(void)
{
	static const struct {
		int line;
		const char *body;
		size_t n_index;
	} rows[] = {
		{__LINE__, DESCRIPTION(""), 0},
		{__LINE__,
		 DESCRIPTION(",\"WarmThroughput\":{\"Status\":\"ACTIVE\"}" INDEX(
			 ",\"WarmThroughput\":{\"ReadUnitsPerSecond\":12000}")),
		 1},
		{__LINE__,
		 DESCRIPTION(INDEX(",\"OnDemandThroughput\":{\"MaxReadRequestUnits\":1}")), 1},
		{__LINE__, DESCRIPTION(INDEX(",\"IndexStatus\":\"ARCHIVED\"")), 1},
		{__LINE__, DESCRIPTION(INDEX(",\"Unknown\":[{\"a\":[null]}],\"IndexArn\":null")),
		 1},
		{__LINE__, DESCRIPTION(",\"GlobalSecondaryIndexes\":[]"), 0},
		{__LINE__, DESCRIPTION(",\"LocalSecondaryIndexes\":[],\"Tags\":null"), 0},
		{__LINE__, DESCRIPTION(",\"GlobalSecondaryIndexes\":null"), 0},
		{__LINE__, DESCRIPTION(",\"GlobalSecondaryIndexes\":[null]"), 0},
		{__LINE__, DESCRIPTION(",\"TableStatus\":\"REPLICATION_NOT_AUTHORIZED\""), 0},
		{__LINE__, DESCRIPTION(",\"TableStatus\":null,\"ItemCount\":null"), 0},
		{__LINE__,
		 DESCRIPTION(",\"SSEDescription\":{\"Status\":\"ENABLED\",\"SSEType\":\"KMS\"}"),
		 0},
		{__LINE__, DESCRIPTION(",\"BillingModeSummary\":{\"BillingMode\":\"RESERVED\"}"),
		 0},
		{__LINE__, DESCRIPTION(",\"TableClassSummary\":{\"TableClass\":\"COLD\"}"), 0},
		{__LINE__,
		 DESCRIPTION(",\"StreamSpecification\":{\"StreamEnabled\":true,"
			     "\"StreamViewType\":\"HASHES\"}"),
		 0},
		{__LINE__, DESCRIPTION(",\"StreamSpecification\":{}"), 0},
		{__LINE__, DESCRIPTION(",\"RestoreSummary\":{\"SourceTableArn\":\"x\"}"), 0},
		{__LINE__, DESCRIPTION(INDEX(",\"Projection\":{\"ProjectionType\":\"SOME\"}")), 1},
	};
	struct op_in in = {.type = OP_DESCRIBE_TABLE};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct op_out out;
		int r = codec_decode_out(&codec.c, slice_from(rows[i].body), &in, &out);

		if (r < 0) {
			printf("%s:%d: %s\n", __FILE__, rows[i].line, codec.c.error.message);
		}
		CU_ASSERT_EQUAL_FATAL(r, 0);
		const struct schema *s = out.describe_table.table.schema;

		SAME_SLICE(s->key.pk->name, SLICE("p"));
		CU_ASSERT_EQUAL(s->key.pk->type, VALUE_N);
		CU_ASSERT_EQUAL(s->n_index, rows[i].n_index);
		if (s->n_index > 0) {
			SAME_SLICE(s->index[0].key.pk->name, SLICE("g"));
			CU_ASSERT_EQUAL(s->index[0].key.pk->type, VALUE_B);
			CU_ASSERT_EQUAL(s->index[0].state, INDEX_ACTIVE);
		}
	}
}

static void
a_description_without_ItemFS_is_of_a_foreign_server(void)
{
	static const char body[] =
		"{\"TableDescription\":{\"TableName\":\"abc\",\"KeySchema\":[{\"AttributeName\":"
		"\"p\",\"KeyType\":\"HASH\"}]}}";
	struct op_in in = {.type = OP_RESTORE_TABLE};
	struct op_out out;

	CU_ASSERT_EQUAL_FATAL(codec_decode_out(&codec.c, slice_from(body), &in, &out), 0);
	CU_ASSERT_TRUE(out.restore_table.table.foreign);
	out.restore_table.table.foreign = false;
	out = codec_through_out(&in, &out);
	CU_ASSERT_FALSE(out.restore_table.table.foreign);
}

static void
states_of_indexes_are_kept(void)
{
	static const struct totals totals = {1, 2, 3};

	for (int state = INDEX_ACTIVE; state <= INDEX_DELETING; state++) {
		struct schema s = schema;
		struct index ix = indexes[1];
		struct op_in in = {.type = OP_DESCRIBE_TABLE};
		struct op_out out = {.type = OP_DESCRIBE_TABLE};

		ix.state = (enum index_state)state;
		s.index = &ix;
		s.n_index = 1;
		out.describe_table.table =
			(struct table_info){.schema = &s, .index_totals = &totals};
		out = codec_through_out(&in, &out);
		CU_ASSERT_EQUAL_FATAL(out.describe_table.table.schema->n_index, 1);
		CU_ASSERT_EQUAL((int)out.describe_table.table.schema->index[0].state, state);
	}
}

static void
changes_of_indexes_go_both_ways(void)
{
	static const struct index_change changes[] = {
		{INDEX_UPDATE, {.name = SLICE_INIT("Old"), .read_units = 1, .write_units = 2}},
		{INDEX_DELETE, {.name = SLICE_INIT("Going")}},
	};
	struct index_change create = {INDEX_CREATE, indexes[1]};
	struct op_in two = {
		.type = OP_UPDATE_TABLE,
		.update_table = {.table = SLICE("abc"), .changes = changes, .n_changes = 2}};
	struct op_in one = {
		.type = OP_UPDATE_TABLE,
		.update_table = {.table = SLICE("abc"), .changes = &create, .n_changes = 1}};

	two = codec_through_in(&two);
	CU_ASSERT_EQUAL_FATAL(two.update_table.n_changes, 2);
	CU_ASSERT_EQUAL(two.update_table.changes[0].kind, INDEX_UPDATE);
	SAME_SLICE(two.update_table.changes[0].index.name, SLICE("Old"));
	CU_ASSERT_EQUAL(two.update_table.changes[0].index.read_units, 1);
	CU_ASSERT_EQUAL(two.update_table.changes[0].index.write_units, 2);
	CU_ASSERT_EQUAL(two.update_table.changes[1].kind, INDEX_DELETE);
	SAME_SLICE(two.update_table.changes[1].index.name, SLICE("Going"));
	CU_ASSERT_EQUAL(two.update_table.n_definitions, 0);
	one = codec_through_in(&one);
	CU_ASSERT_EQUAL_FATAL(one.update_table.n_changes, 1);
	CU_ASSERT_EQUAL(one.update_table.changes[0].kind, INDEX_CREATE);
	SAME_SLICE(one.update_table.changes[0].index.name, SLICE("Simple"));
	same_key(&one.update_table.changes[0].index.key, &indexes[1].key);
	CU_ASSERT_EQUAL(one.update_table.changes[0].index.n_include, 2);
	CU_ASSERT_EQUAL(one.update_table.changes[0].index.read_units, 5);
	CU_ASSERT_EQUAL(one.update_table.n_definitions, 1);
}

static void
settings_are_changed_between_our_own_ends(void)
{
	static const bool off = false;
	static const uint64_t limit = 123456789012;
	struct op_in in = {.type = OP_UPDATE_TABLE,
			   .update_table = {.table = SLICE("abc"), .throttle = &off}};
	struct op_in back = codec_through_in(&in);

	CU_ASSERT_TRUE(back.update_table.throttle != NULL && !*back.update_table.throttle);
	CU_ASSERT_PTR_NULL(back.update_table.collection_limit);
	in.update_table.throttle = NULL;
	in.update_table.collection_limit = &limit;
	back = codec_through_in(&in);
	CU_ASSERT_PTR_NULL(back.update_table.throttle);
	CU_ASSERT_TRUE(back.update_table.collection_limit != NULL &&
		       *back.update_table.collection_limit == limit);
}

static void
changes_of_a_table_are_given_or_not(void)
{
	static const bool off = false;
	static const enum table_class table_class = CLASS_INFREQUENT_ACCESS;
	struct op_in all = {
		.type = OP_UPDATE_TABLE,
		.update_table = {.table = SLICE("abc"),
				 .billing = BILLING_PROVISIONED,
				 .read_units = 3,
				 .write_units = 4,
				 .protect = &off,
				 .table_class = &table_class},
	};
	struct op_in none = {
		.type = OP_UPDATE_TABLE,
		.update_table = {.table = SLICE("abc"), .billing = BILLING_ON_DEMAND},
	};

	all = codec_through_in(&all);
	CU_ASSERT_EQUAL(all.update_table.billing, BILLING_PROVISIONED);
	CU_ASSERT_EQUAL(all.update_table.read_units, 3);
	CU_ASSERT_EQUAL(all.update_table.write_units, 4);
	CU_ASSERT_TRUE(all.update_table.protect != NULL && !*all.update_table.protect);
	CU_ASSERT_TRUE(all.update_table.table_class != NULL &&
		       *all.update_table.table_class == CLASS_INFREQUENT_ACCESS);
	none = codec_through_in(&none);
	CU_ASSERT_EQUAL(none.update_table.billing, BILLING_ON_DEMAND);
	CU_ASSERT_EQUAL(none.update_table.read_units, 0);
	CU_ASSERT_PTR_NULL(none.update_table.protect);
	CU_ASSERT_PTR_NULL(none.update_table.table_class);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(create_table_keeps_its_schema_and_definitions),
	UNIT_TEST(create_table_on_demand_has_no_units),
	UNIT_TEST(descriptions_keep_numbers_and_status),
	UNIT_TEST(a_deleted_table_is_described_without_keys),
	UNIT_TEST(answers_are_read_liberally),
	UNIT_TEST(a_description_without_ItemFS_is_of_a_foreign_server),
	UNIT_TEST(states_of_indexes_are_kept),
	UNIT_TEST(changes_of_indexes_go_both_ways),
	UNIT_TEST(settings_are_changed_between_our_own_ends),
	UNIT_TEST(changes_of_a_table_are_given_or_not),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_table, codec_setup, codec_teardown, tests);
