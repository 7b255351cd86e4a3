/* Requests that are refused when a budget is spent, and their errors.  BEHAVIOUR 5.6, 5.7, 10.2, 10.3, 11.4 */
#include "tests/local/throttled_words.h"
#include "tests/support/unit.h"

/* PROVISIONED with one unit of each kind, of which 300 are saved up; a GSI by g. */
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
	int r = engine_create_table(fixture.e, &fixture.c, &(struct create_table_in){.schema = &s},
				    &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	fixture.c.now_ms = START;
}

static int
put_some(int n, const char *json)
{
	int r = 0;

	for (int i = 0; i < n && r == 0; i++) {
		r = fixture_put("tab", json);
	}
	return r;
}

static void
writes_are_refused_when_the_budget_is_spent(void)
{
	create("tab");
	int r = put_some(300, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", "{\"pk\":\"b\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_STRING_EQUAL(fixture_message(), table_spent);
	r = fixture_delete("tab", "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	fixture_expect("tab", "{\"pk\":\"a\",\"sk\":1}",
		       "{\"pk\":\"a\",\"sk\":1}"); /* reads go on */
	fixture.c.now_ms += SECOND;
	r = fixture_put("tab", "{\"pk\":\"b\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", "{\"pk\":\"b\",\"sk\":2}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
a_failed_condition_costs_too(void)
{
	create("tab");
	int r = put_some(1, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	for (int i = 0; i < 299; i++) {
		r = fixture_put_if("tab", "{\"pk\":\"a\",\"sk\":1}", "attribute_not_exists(pk)");
		CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	}
	r = fixture_put_if("tab", "{\"pk\":\"a\",\"sk\":1}", "attribute_not_exists(pk)");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
}

/* A write that changes the GSI key costs the GSI two units, and the table one. */
static void
a_spent_index_budget_stops_writes_that_change_the_index(void)
{
	char json[60];
	int r = 0;

	create("tab");
	for (int i = 0; i < 151 && r == 0; i++) { /* the first costs one, the last overdraws */
		(void)snprintf(json, sizeof(json), "{\"pk\":\"a\",\"sk\":1,\"g\":\"%d\"}", i);
		r = fixture_put("tab", json);
	}
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", "{\"pk\":\"a\",\"sk\":1,\"g\":\"x\"}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_STRING_EQUAL(fixture_message(), gsi_spent);
	CU_ASSERT_TRUE(because(" (IndexWrite" UNITS_SPENT ": " ARN "tab/index/gsi)"));
	r = fixture_put("tab", "{\"pk\":\"a\",\"sk\":2}");
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fixture_totals("tab", "gsi").items, 1);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
a_batch_leaves_throttled_writes_unprocessed(void)
{
	const struct batch_action actions[] = {
		{.item = fixture_item("{\"pk\":\"a\",\"sk\":2}")},
		{.item = fixture_item("{\"pk\":\"a\",\"sk\":3}")},
		{.kind = BATCH_DELETE, .item = fixture_item("{\"pk\":\"a\",\"sk\":1}")},
	};
	const struct batch_write write = {SLICE("tab"), actions, 3};
	const struct batch_write_item_in in = {
		.tables = &write, .n_tables = 1, .asked = {CAPACITY_TOTAL, true}};
	struct batch_write_item_out out = {0};

	create("tab");
	int r = put_some(299, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = engine_batch_write_item(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(out.n_unprocessed, 1);
	if (out.unprocessed == NULL) {
		return;
	}
	CU_ASSERT_EQUAL(out.unprocessed[0].n_actions, 2);
	CU_ASSERT_TRUE(item_eq(&out.unprocessed[0].actions[0].item, &actions[1].item));
	CU_ASSERT_EQUAL(out.unprocessed[0].actions[1].kind, BATCH_DELETE);
	CU_ASSERT_EQUAL_FATAL(out.report.consumed.n, 1);
	CU_ASSERT_EQUAL(out.report.consumed.at == NULL ? 0 : out.report.consumed.at->halves, 2);
	fixture_expect("tab", "{\"pk\":\"a\",\"sk\":2}", "{\"pk\":\"a\",\"sk\":2}");
	fixture_expect("tab", "{\"pk\":\"a\",\"sk\":3}", NULL);
	fixture.c.error = (struct error){0};
	r = engine_batch_write_item(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED); /* no part of the batch could be done */
	CU_ASSERT_TRUE(
		because(" (TableWrite" UNITS_SPENT ": " ARN "tab)")); /* once for the batch */
}

static void
a_batch_that_writes_nothing_names_each_budget(void)
{
	const struct batch_action some[] = {{.item = fixture_item("{\"pk\":\"b\",\"sk\":1}")},
					    {.item = fixture_item("{\"pk\":\"b\",\"sk\":2}")}};
	const struct batch_action indexed = {
		.item = fixture_item("{\"pk\":\"a\",\"sk\":1,\"g\":\"x\"}")};
	const struct batch_write writes[] = {{SLICE("tab"), some, 2},
					     {SLICE("other"), &indexed, 1}};
	const struct batch_write_item_in in = {.tables = writes, .n_tables = 2};
	struct batch_write_item_out out = {0};
	char json[60];

	create("tab");
	create("other");
	int r = put_some(300, "{\"pk\":\"a\",\"sk\":1}");

	for (int i = 0; i < 151 && r == 0; i++) { /* as above */
		(void)snprintf(json, sizeof(json), "{\"pk\":\"a\",\"sk\":1,\"g\":\"%d\"}", i);
		r = fixture_put("other", json);
	}
	CU_ASSERT_EQUAL(r, 0);
	r = engine_batch_write_item(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_TRUE(because(" (TableWrite" UNITS_SPENT ": " ARN "tab, IndexWrite" UNITS_SPENT
			       ": " ARN "other/index/gsi)"));
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
it_is_the_reason_of_a_transaction(void)
{
	const struct transact_action actions[] = {
		{.kind = TRANSACT_PUT,
		 .table = SLICE("free"),
		 .item = fixture_item("{\"pk\":\"q\",\"sk\":1}")},
		{.kind = TRANSACT_PUT,
		 .table = SLICE("tab"),
		 .item = fixture_item("{\"pk\":\"a\",\"sk\":2}")},
	};
	const struct transact_write_items_in in = {.actions = actions, .n_actions = 2};
	struct transact_write_items_out out;

	create("tab");
	int r = fixture_table("free pk:S sk:N");

	CU_ASSERT_EQUAL(r, 0);
	r = put_some(299, "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = engine_transact_write_items(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, 0); /* costs two, one more than is left */
	fixture.c.now_ms += SECOND;
	r = engine_transact_write_items(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(fixture.c.error.n_reasons, 2);
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[0].code, "None"));
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[1].code, "ProvisionedThroughputExceeded"));
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[1].message, table_spent));
	CU_ASSERT_EQUAL(fixture.c.error.reasons[0].throttled.n, 0);
	CU_ASSERT_TRUE(because_of(&fixture.c.error.reasons[1].throttled,
				  " (TableWrite" UNITS_SPENT ": " ARN "tab)"));
	CU_ASSERT_EQUAL(fixture.c.error.throttled.n, 0);
}

static int
get(const char *key)
{
	struct get_item_out out;
	const struct get_item_in in = {
		.table = SLICE("tab"), .key = fixture_item(key), .consistent = true};

	fixture.c.error = (struct error){0};
	return engine_get_item(fixture.e, &fixture.c, &in, &out);
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

	query.read.ph.values = fixture_item("{\":p\":\"a\"}");
	spend_reads();
	int r = get("{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = get("{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	fixture.c.error = (struct error){0};
	r = engine_query(fixture.e, &fixture.c, &query, &queried);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	fixture.c.error = (struct error){0};
	r = engine_scan(fixture.e, &fixture.c, &(struct scan_in){.read.table = SLICE("tab")},
			&scanned);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	fixture.c.error = (struct error){0};
	query.read.index = SLICE("gsi"); /* has a budget of its own */
	query.key_condition = SLICE("g = :p");
	r = engine_query(fixture.e, &fixture.c, &query, &queried);
	CU_ASSERT_EQUAL(r, 0);
	fixture.c.now_ms += SECOND;
	query.read.index = SLICE("");
	query.key_condition = SLICE("pk = :p");
	for (int i = 0; i < 2; i++) { /* half a unit each */
		r = engine_query(fixture.e, &fixture.c, &query, &queried);
		CU_ASSERT_EQUAL(r, 0);
	}
	r = engine_query(fixture.e, &fixture.c, &query, &queried);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
}

static void
a_batch_leaves_throttled_reads_unprocessed(void)
{
	const struct item keys[] = {
		fixture_item("{\"pk\":\"a\",\"sk\":1}"),
		fixture_item("{\"pk\":\"a\",\"sk\":2}"),
		fixture_item("{\"pk\":\"a\",\"sk\":3}"),
	};
	const struct batch_get asked = {.table = SLICE("tab"), .keys = keys, .n_keys = 3};
	const struct batch_get_item_in in = {.tables = &asked, .n_tables = 1};
	struct batch_get_item_out out = {0};

	spend_reads();
	int r = engine_batch_get_item(fixture.e, &fixture.c, &in, &out); /* half a unit each */

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(out.n_unprocessed, 1);
	if (out.unprocessed == NULL) {
		return;
	}
	CU_ASSERT_EQUAL(out.tables == NULL ? 0 : out.tables->n_items, 1);
	CU_ASSERT_EQUAL_FATAL(out.unprocessed[0].n_keys, 1);
	CU_ASSERT_TRUE(item_eq(&out.unprocessed[0].keys[0], &keys[2]));
	r = engine_batch_get_item(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_STRING_EQUAL(fixture_message(), table_spent);
	CU_ASSERT_TRUE(because(" (TableRead" UNITS_SPENT ": " ARN "tab)"));
}

static void
it_is_the_reason_of_a_transaction_that_reads(void)
{
	const struct transact_get gets[] = {
		{.table = SLICE("free"), .key = fixture_item("{\"pk\":\"a\",\"sk\":1}")},
		{.table = SLICE("tab"), .key = fixture_item("{\"pk\":\"a\",\"sk\":1}")},
	};
	const struct transact_get_items_in in = {.gets = gets, .n_gets = 2};
	struct transact_get_items_out out;

	spend_reads();
	int r = fixture_table("free pk:S sk:N");

	CU_ASSERT_EQUAL(r, 0);
	r = engine_transact_get_items(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, 0); /* costs two, one more than is left */
	r = engine_transact_get_items(fixture.e, &fixture.c, &in, &out);
	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(fixture.c.error.n_reasons, 2);
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[0].code, "None"));
	CU_ASSERT_EQUAL(fixture.c.error.reasons[0].message.len, 0);
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[1].code, "ProvisionedThroughputExceeded"));
	CU_ASSERT_TRUE(because_of(&fixture.c.error.reasons[1].throttled,
				  " (TableRead" UNITS_SPENT ": " ARN "tab)"));
}

/* For the same cause, a batch leaves the key "one" unprocessed, and a transaction reports a reason. */
static void
on_demand_is_put_off(const char *table)
{
	const struct batch_action puts[] = {{.item = fixture_item("{\"pk\":\"one\"}")},
					    {.item = fixture_item("{\"pk\":\"three\"}")}};
	const struct batch_write writes = {slice_from(table), puts, 2};
	struct batch_write_item_out batch = {0};
	const struct transact_action action = {
		.kind = TRANSACT_PUT, .table = slice_from(table), .item = puts[0].item};
	struct transact_write_items_out out;

	fixture.c.error = (struct error){0};
	int r = engine_batch_write_item(
		fixture.e, &fixture.c,
		&(struct batch_write_item_in){.tables = &writes, .n_tables = 1}, &batch);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(batch.n_unprocessed, 1);
	r = engine_transact_write_items(
		fixture.e, &fixture.c,
		&(struct transact_write_items_in){.actions = &action, .n_actions = 1}, &out);
	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(fixture.c.error.n_reasons, 1);
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[0].code, "ThrottlingError"));
	CU_ASSERT_TRUE(because_of(&fixture.c.error.reasons[0].throttled,
				  " (TableWrite" KEY_SPENT ": " ARN "hot)"));
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
	int r = engine_create_table(fixture.e, &fixture.c, &(struct create_table_in){.schema = &s},
				    &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	fixture.c.now_ms = START;
	for (int i = 0; i < 1000 && r == 0; i++) {
		r = fixture_put("hot", "{\"pk\":\"one\"}");
	}
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("hot", "{\"pk\":\"one\"}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED_ON_DEMAND);
	on_demand_is_put_off("hot");
	r = fixture_put("hot", "{\"pk\":\"two\"}");
	CU_ASSERT_EQUAL(r, 0);
	fixture.c.now_ms += 1;
	r = fixture_put("hot", "{\"pk\":\"one\"}");
	CU_ASSERT_EQUAL(r, 0);
}

static void
loading_uses_no_budget(void)
{
	const struct item items[] = {fixture_item("{\"pk\":\"a\",\"sk\":7}")};
	struct load_items_out out;

	create("tab");
	int r = put_some(300, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	r = engine_load_items(
		fixture.e, &fixture.c,
		&(struct load_items_in){.table = SLICE("tab"), .items = items, .n_items = 1}, &out);
	CU_ASSERT_EQUAL(r, 0);
}

static void
set_throttle(bool on)
{
	struct update_table_out out = {0};

	fixture.c.error = (struct error){0};
	int r = engine_update_table(
		fixture.e, &fixture.c,
		&(struct update_table_in){.table = SLICE("tab"), .throttle = &on}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(out.table.schema != NULL && out.table.schema->throttle == on);
}

static void
throttling_is_switched_on_and_off(void)
{
	create("tab");
	set_throttle(false);
	int r = put_some(400, "{\"pk\":\"a\",\"sk\":1}");

	CU_ASSERT_EQUAL(r, 0);
	set_throttle(true);
	r = put_some(300, "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
	r = fixture_put("tab", "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	r = put_some(301, "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	set_throttle(false);
	r = fixture_put("tab", "{\"pk\":\"a\",\"sk\":1}");
	CU_ASSERT_EQUAL(r, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_are_refused_when_the_budget_is_spent),
	UNIT_TEST(a_failed_condition_costs_too),
	UNIT_TEST(a_spent_index_budget_stops_writes_that_change_the_index),
	UNIT_TEST(a_batch_leaves_throttled_writes_unprocessed),
	UNIT_TEST(a_batch_that_writes_nothing_names_each_budget),
	UNIT_TEST(it_is_the_reason_of_a_transaction),
	UNIT_TEST(reads_are_refused_when_the_budget_is_spent),
	UNIT_TEST(a_batch_leaves_throttled_reads_unprocessed),
	UNIT_TEST(it_is_the_reason_of_a_transaction_that_reads),
	UNIT_TEST(a_hot_partition_key_meets_the_ceiling_and_others_do_not),
	UNIT_TEST(loading_uses_no_budget),
	UNIT_TEST(throttling_is_switched_on_and_off),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(throttled, fixture_open, fixture_close, tests);
