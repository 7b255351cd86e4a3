/* Budgets and what is refused when they are spent.  BEHAVIOUR 5.6, 5.7, 5.9, 10.2, 10.3, D.10 */
#include "store/local/throttle.h"

#include "tests/support/scene.h"
#include "tests/support/unit.h"

enum { SECOND = 1000, START = 1000000 };

static const char table_spent[] =
	"The level of configured provisioned throughput for the table was exceeded. Consider "
	"increasing your provisioning level with the UpdateTable API.";
static const char gsi_spent[] =
	"The level of configured provisioned throughput for one or more global secondary indexes "
	"of the table was exceeded. Consider increasing your provisioning level for the "
	"under-provisioned global secondary indexes with the UpdateTable API";

/* ------------------------------------------------------------ budgets */

static struct index indexes[] = {
	{.name = SLICE_INIT("glob"), .global = true, .id = 1},
	{.name = SLICE_INIT("loc"), .id = 2},
};
static struct schema schema;
static struct throttle *budgets;

static void
begin(bool provisioned, uint64_t units)
{
	schema = (struct schema){
		.id = 7,
		.throttle = true,
		.provisioned = provisioned,
		.read_units = units,
		.write_units = units,
		.index = indexes,
		.n_index = 2,
	};
	budgets = throttle_new();
	scene.c.now_ms = START;
}

static void
end(void)
{
	throttle_free(budgets);
}

static bool
admitted(const struct throttle_place *place)
{
	scene.c.error = (struct error){0};
	return throttle_admit(budgets, &scene.c, place) == 0;
}

static void
a_table_keeps_what_is_unused_for_300_seconds(void)
{
	struct throttle_place place = {.schema = &schema};

	begin(true, 5); /* 10 halves a second, 3,000 at most */
	throttle_pay(budgets, &scene.c, &place, 2999);
	CU_ASSERT_TRUE(admitted(&place));
	throttle_pay(budgets, &scene.c, &place, 1);
	CU_ASSERT_FALSE(admitted(&place));
	CU_ASSERT_STRING_EQUAL(scene_message(), table_spent);
	scene.c.now_ms -= SECOND; /* clocks go backward */
	CU_ASSERT_FALSE(admitted(&place));
	scene.c.now_ms += 2ULL * SECOND;
	CU_ASSERT_TRUE(admitted(&place));
	throttle_pay(budgets, &scene.c, &place,
		     30); /* 20 too many: two seconds, and a little more */
	scene.c.now_ms += 2ULL * SECOND;
	CU_ASSERT_FALSE(admitted(&place));
	scene.c.now_ms += 1;
	CU_ASSERT_TRUE(admitted(&place));
	scene.c.now_ms += (uint64_t)1000 * SECOND; /* full again, and not more than full */
	throttle_pay(budgets, &scene.c, &place, 3000);
	CU_ASSERT_FALSE(admitted(&place));
	end();
}

static void
a_clock_that_was_set_back_pays_from_there(void)
{
	struct throttle_place place = {.schema = &schema};

	begin(true, 5);
	scene.c.now_ms = (uint64_t)7200 * SECOND;
	throttle_pay(budgets, &scene.c, &place, 3000);
	scene.c.now_ms -= (uint64_t)3600 * SECOND;
	CU_ASSERT_FALSE(admitted(&place)); /* nothing is given for it */
	scene.c.now_ms += SECOND;
	CU_ASSERT_TRUE(admitted(&place));
	end();
}

static void
budgets_are_apart(void)
{
	struct schema other;
	struct throttle_place place = {.schema = &schema};

	begin(true, 1);
	throttle_pay(budgets, &scene.c, &place, 801);
	CU_ASSERT_FALSE(admitted(&place));
	CU_ASSERT_FALSE(admitted(&(struct throttle_place){.schema = &schema, .ix = &indexes[1]}));
	CU_ASSERT_TRUE(admitted(&(struct throttle_place){.schema = &schema, .ix = &indexes[0]}));
	CU_ASSERT_TRUE(
		admitted(&(struct throttle_place){.schema = &schema, .kind = THROTTLE_WRITE}));
	other = schema;
	other.id = 8;
	CU_ASSERT_TRUE(admitted(&(struct throttle_place){.schema = &other}));
	place.ix = &indexes[0];
	throttle_pay(budgets, &scene.c, &place, 801);
	CU_ASSERT_FALSE(admitted(&place));
	CU_ASSERT_STRING_EQUAL(scene_message(), gsi_spent);
	end();
}

/* A thousand tables, one after the other, of which one has not got back what it spent. */
static void
budgets_of_tables_that_are_gone_are_forgotten(void)
{
	struct throttle_place place = {.schema = &schema};

	begin(true, 1); /* 2 halves a second */
	throttle_pay(budgets, &scene.c, &place, 801);
	for (int i = 0; i < 1000; i++) {
		schema.id++;
		throttle_pay(budgets, &scene.c, &place, 2);
		scene.c.now_ms += SECOND / 10;
	}
	CU_ASSERT_TRUE(throttle_kept(budgets) < 64);
	schema.id = 7;
	scene.c.now_ms = START;
	CU_ASSERT_FALSE(admitted(&place));
	end();
}

static void
a_partition_key_has_a_ceiling_that_is_not_saved_up(void)
{
	struct throttle_place reads = {.schema = &schema, .collection = SLICE("one")};
	struct throttle_place writes = reads;

	begin(false, 0);
	writes.kind = THROTTLE_WRITE;
	throttle_pay(budgets, &scene.c, &reads, 5999);
	throttle_pay(budgets, &scene.c, &writes, 1999);
	CU_ASSERT_TRUE(admitted(&reads));
	CU_ASSERT_TRUE(admitted(&writes));
	throttle_pay(budgets, &scene.c, &reads, 1);
	throttle_pay(budgets, &scene.c, &writes, 1);
	CU_ASSERT_FALSE(admitted(&reads));
	CU_ASSERT_FALSE(admitted(&writes));
	CU_ASSERT_TRUE(
		slice_starts(slice_from(scene_message()),
			     SLICE("Throughput exceeds the current capacity of your table")));
	CU_ASSERT_TRUE(
		admitted(&(struct throttle_place){.schema = &schema, .collection = SLICE("two")}));
	CU_ASSERT_TRUE(admitted(&(struct throttle_place){.schema = &schema})); /* a scan */
	scene.c.now_ms += 1;
	CU_ASSERT_TRUE(admitted(&reads));
	CU_ASSERT_TRUE(admitted(&writes));
	end();
}

static void
a_table_without_the_setting_has_no_budget(void)
{
	struct throttle_place place = {.schema = &schema, .collection = SLICE("one")};

	begin(true, 1);
	schema.throttle = false;
	throttle_pay(budgets, &scene.c, &place, UINT32_MAX);
	CU_ASSERT_TRUE(admitted(&place));
	schema.throttle = true;
	CU_ASSERT_TRUE(admitted(&place));
	end();
}

static void
the_largest_numbers_do_no_harm(void)
{
	struct throttle_place place = {.schema = &schema};

	begin(true, UINT64_MAX);
	throttle_pay(budgets, &scene.c, &place, 1000);
	scene.c.now_ms = UINT64_MAX;
	CU_ASSERT_TRUE(admitted(&place));
	end();
}

/* ------------------------------------------------------------ requests */

/* PROVISIONED with one unit of each, 300 of them saved; a GSI by g. */
static void
create(const char *name)
{
	struct index gsi = {
		.name = SLICE("gsi"), .global = true, .key = {.pk = {{SLICE("g"), VALUE_S}}}};
	struct schema s = {
		.table = slice_from(name),
		.throttle = true,
		.provisioned = true,
		.read_units = 1,
		.write_units = 1,
		.key = {.pk = {{SLICE("pk"), VALUE_S}}, .sk = {{SLICE("sk"), VALUE_N}}},
		.index = &gsi,
		.n_index = 1,
	};
	struct create_table_out out;
	int r = engine_create_table(scene.e, &scene.c, &(struct create_table_in){.schema = &s},
				    &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	scene.c.now_ms = START;
}

static int
put_some(int n, const char *json)
{
	int r = 0;

	for (int i = 0; i < n && r == 0; i++) {
		r = scene_put("tab", json);
	}
	return r;
}

static void
writes_are_refused_when_the_budget_is_spent(void)
{
	create("tab");
	int r = put_some(300, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = scene_put("tab", "{\"pk\":\"b\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_STRING_EQUAL(scene_message(), table_spent);
	r = scene_delete("tab", "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	scene_expect("tab", "{\"pk\":\"a\",\"sk\":1}", "{\"pk\":\"a\",\"sk\":1}"); /* reads go on */
	scene.c.now_ms += SECOND;
	r = scene_put("tab", "{\"pk\":\"b\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = scene_put("tab", "{\"pk\":\"b\",\"sk\":2}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_EQUAL(scene_check(), 0);
}

static void
a_failed_condition_costs_too(void)
{
	create("tab");
	int r = put_some(1, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	for (int i = 0; i < 299; i++) {
		r = scene_put_if("tab", "{\"pk\":\"a\",\"sk\":1}", "attribute_not_exists(pk)");
		CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	}
	r = scene_put_if("tab", "{\"pk\":\"a\",\"sk\":1}", "attribute_not_exists(pk)");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
}

/* Another key costs the GSI two units, the table one. */
static void
an_index_that_is_spent_stops_the_writes_that_touch_it(void)
{
	char json[60];
	int r = 0;

	create("tab");
	for (int i = 0; i < 151 && r == 0; i++) { /* the first costs one, the last overdraws */
		(void)snprintf(json, sizeof(json), "{\"pk\":\"a\",\"sk\":1,\"g\":\"%d\"}", i);
		r = scene_put("tab", json);
	}
	CU_ASSERT_EQUAL(r, 0);
	r = scene_put("tab", "{\"pk\":\"a\",\"sk\":1,\"g\":\"x\"}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_STRING_EQUAL(scene_message(), gsi_spent);
	r = scene_put("tab", "{\"pk\":\"a\",\"sk\":2}");
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(scene_totals("tab", "gsi").items, 1);
	CU_ASSERT_EQUAL(scene_check(), 0);
}

static void
a_batch_leaves_what_it_may_not_write(void)
{
	const struct batch_action actions[] = {
		{.item = scene_item("{\"pk\":\"a\",\"sk\":2}")},
		{.item = scene_item("{\"pk\":\"a\",\"sk\":3}")},
		{.kind = BATCH_DELETE, .item = scene_item("{\"pk\":\"a\",\"sk\":1}")},
	};
	const struct batch_write write = {SLICE("tab"), actions, 3};
	const struct batch_write_item_in in = {
		.tables = &write, .n_tables = 1, .asked = {CAPACITY_TOTAL, true}};
	struct batch_write_item_out out = {0};

	create("tab");
	int r = put_some(299, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = engine_batch_write_item(scene.e, &scene.c, &in, &out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(out.n_unprocessed, 1);
	if (out.unprocessed == NULL) {
		return;
	}
	CU_ASSERT_EQUAL(out.unprocessed[0].n_actions, 2);
	CU_ASSERT_TRUE(item_eq(&out.unprocessed[0].actions[0].item, &actions[1].item));
	CU_ASSERT_EQUAL(out.unprocessed[0].actions[1].kind, BATCH_DELETE);
	CU_ASSERT_EQUAL_FATAL(out.told.consumed.n, 1);
	CU_ASSERT_EQUAL(out.told.consumed.at == NULL ? 0 : out.told.consumed.at->halves, 2);
	scene_expect("tab", "{\"pk\":\"a\",\"sk\":2}", "{\"pk\":\"a\",\"sk\":2}");
	scene_expect("tab", "{\"pk\":\"a\",\"sk\":3}", NULL);
	scene.c.error = (struct error){0};
	r = engine_batch_write_item(scene.e, &scene.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED); /* nothing at all could be done */
}

static void
it_is_the_reason_of_a_transaction(void)
{
	const struct transact_action actions[] = {
		{.kind = TRANSACT_PUT,
		 .table = SLICE("free"),
		 .item = scene_item("{\"pk\":\"q\",\"sk\":1}")},
		{.kind = TRANSACT_PUT,
		 .table = SLICE("tab"),
		 .item = scene_item("{\"pk\":\"a\",\"sk\":2}")},
	};
	const struct transact_write_items_in in = {.actions = actions, .n_actions = 2};
	struct transact_write_items_out out;

	create("tab");
	int r = scene_table("free pk:S sk:N");

	CU_ASSERT_EQUAL(r, 0);
	r = put_some(299, "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = engine_transact_write_items(scene.e, &scene.c, &in, &out);
	CU_ASSERT_EQUAL(r, 0); /* costs two: one too many */
	scene.c.now_ms += SECOND;
	r = engine_transact_write_items(scene.e, &scene.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(scene.c.error.n_reasons, 2);
	CU_ASSERT_TRUE(slice_is(scene.c.error.reasons[0].code, "None"));
	CU_ASSERT_TRUE(slice_is(scene.c.error.reasons[1].code, "ProvisionedThroughputExceeded"));
	CU_ASSERT_TRUE(slice_is(scene.c.error.reasons[1].message, table_spent));
}

static int
get(const char *key)
{
	struct get_item_out out;
	const struct get_item_in in = {
		.table = SLICE("tab"), .key = scene_item(key), .consistent = true};

	scene.c.error = (struct error){0};
	return engine_get_item(scene.e, &scene.c, &in, &out);
}

static void
spend_reads(void)
{
	create("tab");
	int r = put_some(1, "{\"pk\":\"a\",\"sk\":1}");

	for (int i = 0; i < 299 && r == 0; i++) {
		r = get("{\"pk\":\"nowhere\",\"sk\":1}");
	}
	CU_ASSERT_EQUAL(r, 0);
}

static void
reads_are_refused_when_the_budget_is_spent(void)
{
	struct scan_out scanned;
	struct query_out queried;
	struct query_in query = {
		.read = {.table = SLICE("tab")},
		.key_condition = SLICE("pk = :p"),
	};

	query.read.ph.values = scene_item("{\":p\":\"a\"}");
	spend_reads();
	int r = get("{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = get("{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	scene.c.error = (struct error){0};
	r = engine_query(scene.e, &scene.c, &query, &queried);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	scene.c.error = (struct error){0};
	r = engine_scan(scene.e, &scene.c, &(struct scan_in){.read.table = SLICE("tab")}, &scanned);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	scene.c.error = (struct error){0};
	query.read.index = SLICE("gsi"); /* has a budget of its own */
	query.key_condition = SLICE("g = :p");
	r = engine_query(scene.e, &scene.c, &query, &queried);
	CU_ASSERT_EQUAL(r, 0);
	scene.c.now_ms += SECOND;
	query.read.index = SLICE("");
	query.key_condition = SLICE("pk = :p");
	for (int i = 0; i < 2; i++) { /* half a unit each */
		r = engine_query(scene.e, &scene.c, &query, &queried);
		CU_ASSERT_EQUAL(r, 0);
	}
	r = engine_query(scene.e, &scene.c, &query, &queried);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
}

static void
a_batch_leaves_what_it_may_not_read(void)
{
	const struct item keys[] = {
		scene_item("{\"pk\":\"a\",\"sk\":1}"),
		scene_item("{\"pk\":\"a\",\"sk\":2}"),
		scene_item("{\"pk\":\"a\",\"sk\":3}"),
	};
	const struct batch_get asked = {.table = SLICE("tab"), .keys = keys, .n_keys = 3};
	const struct batch_get_item_in in = {.tables = &asked, .n_tables = 1};
	struct batch_get_item_out out = {0};

	spend_reads();
	int r = engine_batch_get_item(scene.e, &scene.c, &in, &out); /* half a unit each */

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(out.n_unprocessed, 1);
	if (out.unprocessed == NULL) {
		return;
	}
	CU_ASSERT_EQUAL(out.tables == NULL ? 0 : out.tables->n_items, 1);
	CU_ASSERT_EQUAL_FATAL(out.unprocessed[0].n_keys, 1);
	CU_ASSERT_TRUE(item_eq(&out.unprocessed[0].keys[0], &keys[2]));
	r = engine_batch_get_item(scene.e, &scene.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_STRING_EQUAL(scene_message(), table_spent);
}

static void
it_is_the_reason_of_a_transaction_that_reads(void)
{
	const struct transact_get gets[] = {
		{.table = SLICE("free"), .key = scene_item("{\"pk\":\"a\",\"sk\":1}")},
		{.table = SLICE("tab"), .key = scene_item("{\"pk\":\"a\",\"sk\":1}")},
	};
	const struct transact_get_items_in in = {.gets = gets, .n_gets = 2};
	struct transact_get_items_out out;

	spend_reads();
	int r = scene_table("free pk:S sk:N");

	CU_ASSERT_EQUAL(r, 0);
	r = engine_transact_get_items(scene.e, &scene.c, &in, &out);
	CU_ASSERT_EQUAL(r, 0); /* costs two: one too many */
	r = engine_transact_get_items(scene.e, &scene.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(scene.c.error.n_reasons, 2);
	CU_ASSERT_TRUE(slice_is(scene.c.error.reasons[0].code, "None"));
	CU_ASSERT_EQUAL(scene.c.error.reasons[0].message.len, 0);
	CU_ASSERT_TRUE(slice_is(scene.c.error.reasons[1].code, "ProvisionedThroughputExceeded"));
}

/* A batch puts the key "one" off, a transaction has a reason of its own. */
static void
on_demand_is_put_off(const char *table)
{
	const struct batch_action puts[] = {{.item = scene_item("{\"pk\":\"one\"}")},
					    {.item = scene_item("{\"pk\":\"three\"}")}};
	const struct batch_write writes = {slice_from(table), puts, 2};
	struct batch_write_item_out batch = {0};
	const struct transact_action action = {
		.kind = TRANSACT_PUT, .table = slice_from(table), .item = puts[0].item};
	struct transact_write_items_out out;

	scene.c.error = (struct error){0};
	int r = engine_batch_write_item(
		scene.e, &scene.c, &(struct batch_write_item_in){.tables = &writes, .n_tables = 1},
		&batch);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(batch.n_unprocessed, 1);
	r = engine_transact_write_items(
		scene.e, &scene.c,
		&(struct transact_write_items_in){.actions = &action, .n_actions = 1}, &out);
	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(scene.c.error.n_reasons, 1);
	CU_ASSERT_TRUE(slice_is(scene.c.error.reasons[0].code, "ThrottlingError"));
}

static void
a_hot_partition_key_meets_the_ceiling_and_others_do_not(void)
{
	struct schema s = {
		.table = SLICE("hot"),
		.throttle = true,
		.key = {.pk = {{SLICE("pk"), VALUE_S}}},
	};
	struct create_table_out out;
	int r = engine_create_table(scene.e, &scene.c, &(struct create_table_in){.schema = &s},
				    &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	scene.c.now_ms = START;
	for (int i = 0; i < 1000 && r == 0; i++) {
		r = scene_put("hot", "{\"pk\":\"one\"}");
	}
	CU_ASSERT_EQUAL(r, 0);
	r = scene_put("hot", "{\"pk\":\"one\"}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED_ON_DEMAND);
	on_demand_is_put_off("hot");
	r = scene_put("hot", "{\"pk\":\"two\"}");
	CU_ASSERT_EQUAL(r, 0);
	scene.c.now_ms += 1;
	r = scene_put("hot", "{\"pk\":\"one\"}");
	CU_ASSERT_EQUAL(r, 0);
}

static void
loading_draws_on_no_budget(void)
{
	const struct item items[] = {scene_item("{\"pk\":\"a\",\"sk\":7}")};
	struct load_items_out out;

	create("tab");
	int r = put_some(300, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = engine_load_items(
		scene.e, &scene.c,
		&(struct load_items_in){.table = SLICE("tab"), .items = items, .n_items = 1}, &out);
	CU_ASSERT_EQUAL(r, 0);
}

static void
set_throttle(bool on)
{
	struct update_table_out out = {0};

	scene.c.error = (struct error){0};
	int r = engine_update_table(
		scene.e, &scene.c,
		&(struct update_table_in){.table = SLICE("tab"), .throttle = &on}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.table.schema != NULL && out.table.schema->throttle == on);
}

static void
a_table_that_is_there_begins_and_ends_to_refuse(void)
{
	create("tab");
	set_throttle(false);
	int r = put_some(400, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	set_throttle(true);
	r = put_some(300, "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = scene_put("tab", "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_EQUAL(scene_restart(), 0);
	r = put_some(301, "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	set_throttle(false);
	r = scene_put("tab", "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_table_keeps_what_is_unused_for_300_seconds),
	UNIT_TEST(a_clock_that_was_set_back_pays_from_there),
	UNIT_TEST(budgets_are_apart),
	UNIT_TEST(budgets_of_tables_that_are_gone_are_forgotten),
	UNIT_TEST(a_partition_key_has_a_ceiling_that_is_not_saved_up),
	UNIT_TEST(a_table_without_the_setting_has_no_budget),
	UNIT_TEST(the_largest_numbers_do_no_harm),
	UNIT_TEST(writes_are_refused_when_the_budget_is_spent),
	UNIT_TEST(a_failed_condition_costs_too),
	UNIT_TEST(an_index_that_is_spent_stops_the_writes_that_touch_it),
	UNIT_TEST(a_batch_leaves_what_it_may_not_write),
	UNIT_TEST(it_is_the_reason_of_a_transaction),
	UNIT_TEST(reads_are_refused_when_the_budget_is_spent),
	UNIT_TEST(a_batch_leaves_what_it_may_not_read),
	UNIT_TEST(it_is_the_reason_of_a_transaction_that_reads),
	UNIT_TEST(a_hot_partition_key_meets_the_ceiling_and_others_do_not),
	UNIT_TEST(loading_draws_on_no_budget),
	UNIT_TEST(a_table_that_is_there_begins_and_ends_to_refuse),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(throttle, scene_open, scene_close, tests);
