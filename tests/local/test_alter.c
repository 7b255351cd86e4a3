/* Changes of a table's definition are permanent and visible to every caller. */
#include <malloc.h>

#include "store/local/records/local_int.h"

#include "tests/support/fixture.h"
#include "tests/support/unit.h"

static int
update(struct update_table_in in, struct update_table_out *out)
{
	fixture.c.error = (struct error){0};
	in.table = SLICE("tab");
	return engine_update_table(fixture.e, &fixture.c, &in, out);
}

static struct schema
described(void)
{
	struct describe_table_out out = {0};
	int r = engine_describe_table(fixture.e, &fixture.c,
				      &(struct describe_table_in){.table = SLICE("tab")}, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out.table.schema == NULL ? (struct schema){0} : *out.table.schema;
}

static void
changes_outlast_a_restart(void)
{
	static const bool on = true;
	static const enum table_class table_class = CLASS_INFREQUENT_ACCESS;
	static const struct index_change units = {
		.kind = INDEX_UPDATE,
		.index = {.name = {"gs1", 3}, .read_units = 5, .write_units = 6}};
	struct update_table_out out = {0};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S sk:N | +gs1 g:S KEYS_ONLY"), 0);
	uint32_t version = described().version;
	int r = update((struct update_table_in){.billing = BILLING_PROVISIONED,
						.read_units = 3,
						.write_units = 4,
						.changes = &units,
						.n_changes = 1},
		       &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL(update((struct update_table_in){.protect = &on}, &out), 0);
	CU_ASSERT_EQUAL(update((struct update_table_in){.table_class = &table_class}, &out), 0);
	CU_ASSERT_TRUE(out.table.schema != NULL && out.table.schema->read_units == 3);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	struct schema s = described();

	CU_ASSERT_TRUE(s.provisioned);
	CU_ASSERT_EQUAL(s.read_units, 3);
	CU_ASSERT_EQUAL(s.write_units, 4);
	CU_ASSERT_TRUE(s.protected);
	CU_ASSERT_EQUAL(s.table_class, CLASS_INFREQUENT_ACCESS);
	CU_ASSERT_EQUAL(s.version, version + 3);
	CU_ASSERT_TRUE(s.n_index == 1 && s.index != NULL && s.index[0].read_units == 5 &&
		       s.index[0].write_units == 6);
}

static void
tags_outlast_a_restart(void)
{
	static const struct slice arn = SLICE_INIT("arn:aws:dynamodb:r:a:table/tab");
	struct tag tags[] = {{SLICE("k"), SLICE("")}, {SLICE("l"), SLICE("2")}};
	struct tag_resource_in in = {.arn = arn, .tags = tags, .n_tags = 2};
	struct tag_resource_out added;
	struct list_tags_of_resource_out out = {0};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(engine_tag_resource(fixture.e, &fixture.c, &in, &added), 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	int r = engine_list_tags_of_resource(fixture.e, &fixture.c,
					     &(struct list_tags_of_resource_in){.arn = arn}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.n_tags, 2);
	for (size_t i = 0; out.tags != NULL && i < out.n_tags && i < 2; i++) {
		CU_ASSERT_TRUE(slice_eq(out.tags[i].key, tags[i].key));
		CU_ASSERT_TRUE(slice_eq(out.tags[i].value, tags[i].value));
	}
}

static struct recovery
recovery(void)
{
	struct describe_continuous_backups_out out = {0};
	int r = engine_describe_continuous_backups(
		fixture.e, &fixture.c,
		&(struct describe_continuous_backups_in){.table = SLICE("tab")}, &out);

	CU_ASSERT_EQUAL(r, 0);
	return out.recovery;
}

static void
recovery_reaches_from_its_start_to_five_minutes_ago(void)
{
	enum { DAY_MS = 24 * 60 * 60 * 1000, FIVE_MINUTES_MS = 5 * 60 * 1000 };
	struct update_continuous_backups_in in = {
		.table = SLICE("tab"), .enabled = true, .has_days = true, .days = 7};
	struct update_continuous_backups_out out = {0};
	uint64_t since = 1700000000000;

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	fixture.c.now_ms = since;
	CU_ASSERT_EQUAL(engine_update_continuous_backups(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	fixture.c.now_ms = since + FIVE_MINUTES_MS - 1;
	CU_ASSERT_EQUAL(recovery().latest_ms, since);
	fixture.c.now_ms = since + 7ULL * DAY_MS;
	CU_ASSERT_EQUAL(recovery().days, 7);
	CU_ASSERT_EQUAL(recovery().earliest_ms, since);
	CU_ASSERT_EQUAL(recovery().latest_ms, fixture.c.now_ms - FIVE_MINUTES_MS);
	fixture.c.now_ms++;
	in.has_days = false;
	CU_ASSERT_EQUAL(engine_update_continuous_backups(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.recovery.earliest_ms, since + 1);
	in.enabled = false;
	CU_ASSERT_EQUAL(engine_update_continuous_backups(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_FALSE(recovery().enabled);
}

static void
the_date_of_the_change_to_on_demand_is_described(void)
{
	struct update_table_out out = {0};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	uint64_t made = described().on_demand_ms;

	CU_ASSERT_EQUAL(update((struct update_table_in){.billing = BILLING_PROVISIONED,
							.read_units = 1,
							.write_units = 1},
			       &out),
			0);
	CU_ASSERT_EQUAL(described().on_demand_ms, made);
	fixture.c.now_ms = made + 5;
	CU_ASSERT_EQUAL(update((struct update_table_in){.billing = BILLING_ON_DEMAND}, &out), 0);
	CU_ASSERT_EQUAL(described().on_demand_ms, made + 5);
	CU_ASSERT_EQUAL(described().read_units, 0);
}

static void *
change_often(void *arg)
{
	bool *failed = arg;
	struct call c;

	for (int i = 0; i < 200 && !*failed; i++) {
		bool odd = i % 2 == 1;
		struct update_table_out out = {0};

		call_open(&c, 0, 1U << 20);
		*failed = engine_update_table(
				  fixture.e, &c,
				  &(struct update_table_in){.table = SLICE("tab"), .protect = &odd},
				  &out) != 0;
		call_close(&c);
	}
	return NULL;
}

/* A write that was bound to the previous definition is bound again, not lost. */
static void
writes_go_on_while_a_table_changes(void)
{
	pthread_t thread;
	bool failed = false;
	char text[64];

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, change_often, &failed), 0);
	for (int i = 0; i < 500; i++) {
		(void)snprintf(text, sizeof(text), "{\"pk\":\"%d\"}", i);
		CU_ASSERT_EQUAL(fixture_put("tab", text), 0);
	}
	(void)pthread_join(thread, NULL);
	CU_ASSERT_FALSE(failed);
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, 500);
}

/* Enable or disable the time to live, and change the value of a tag, in a call of its own. */
static int
change_settings(bool odd)
{
	struct tag tag = {SLICE("k"), odd ? SLICE("1") : SLICE("2")};
	struct tag_resource_in tagging = {
		.arn = SLICE("arn:aws:dynamodb:r:a:table/tab"), .tags = &tag, .n_tags = 1};
	struct update_time_to_live_in living = {
		.table = SLICE("tab"), .enabled = odd, .attribute = SLICE("t")};
	struct tag_resource_out tagged;
	struct update_time_to_live_out lives;
	struct call c;

	call_open(&c, 0, 1U << 20);
	int r = engine_tag_resource(fixture.e, &c, &tagging, &tagged);

	if (r == 0) {
		r = engine_update_time_to_live(fixture.e, &c, &living, &lives);
	}
	call_close(&c);
	return r;
}

/*
 * Definitions of at least 4 KB each would take 40 MB if they were not freed.  The limit is above 0 because the kv
 * keeps each record that it was given.  With sanitizers mallinfo2() counts nothing.
 */
static void
replaced_definitions_are_freed(void)
{
	enum { CHANGES = 5000, FEW_BYTES = 8 << 20 };

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(change_settings(true), 0);
	size_t before = mallinfo2().uordblks;

	for (int i = 0; i < CHANGES; i++) {
		CU_ASSERT_EQUAL_FATAL(change_settings(i % 2 == 1), 0);
	}
	CU_ASSERT_TRUE(mallinfo2().uordblks < before + FEW_BYTES);
}

static void
a_definition_stays_with_the_call_that_found_it(void)
{
	struct catalog *cat = ((struct local *)fixture.e)->catalog;
	const struct schema *first;
	const struct schema *second;
	struct delete_table_out gone;
	struct call c;

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(change_settings(true), 0);
	call_open(&c, 0, 1U << 20);
	CU_ASSERT_EQUAL_FATAL(catalog_find(cat, &c, SLICE("tab"), &first), 0);
	CU_ASSERT_EQUAL(change_settings(false), 0);
	CU_ASSERT_EQUAL_FATAL(catalog_find(cat, &c, SLICE("tab"), &second), 0);
	CU_ASSERT_EQUAL(engine_delete_table(fixture.e, &fixture.c,
					    &(struct delete_table_in){.table = SLICE("tab")},
					    &gone),
			0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_TRUE(slice_is(first->ttl, "t"));
	CU_ASSERT_EQUAL(second->ttl.len, 0);
	CU_ASSERT_EQUAL(second->version, first->version + 2);
	call_close(&c);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(changes_outlast_a_restart),
	UNIT_TEST(tags_outlast_a_restart),
	UNIT_TEST(recovery_reaches_from_its_start_to_five_minutes_ago),
	UNIT_TEST(the_date_of_the_change_to_on_demand_is_described),
	UNIT_TEST(writes_go_on_while_a_table_changes),
	UNIT_TEST(replaced_definitions_are_freed),
	UNIT_TEST(a_definition_stays_with_the_call_that_found_it),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(alter, fixture_open, fixture_close, tests);
