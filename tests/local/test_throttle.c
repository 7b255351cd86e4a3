/* Throttling budgets, and which requests they admit.  BEHAVIOUR 5.6, 5.7, 5.9, D.10 */
#include "store/local/meter/throttle.h"

#include "tests/local/throttled_words.h"
#include "tests/support/unit.h"

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
		.table = SLICE("tab"),
		.throttle = true,
		.provisioned = provisioned,
		.read_units = units,
		.write_units = units,
		.index = indexes,
		.n_index = 2,
	};
	budgets = throttle_new();
	fixture.c.now_ms = START;
}

static void
end(void)
{
	throttle_free(budgets);
}

static bool
admitted(const struct throttle_place *place)
{
	fixture.c.error = (struct error){0};
	return throttle_admit(budgets, &fixture.c, place) == 0;
}

static void
a_table_keeps_what_is_unused_for_300_seconds(void)
{
	struct throttle_place place = {.schema = &schema};

	begin(true, 5); /* 10 halves a second, 3,000 at most */
	throttle_pay(budgets, &fixture.c, &place, 2999);
	CU_ASSERT_TRUE(admitted(&place));
	throttle_pay(budgets, &fixture.c, &place, 1);
	CU_ASSERT_FALSE(admitted(&place));
	CU_ASSERT_STRING_EQUAL(fixture_message(), table_spent);
	fixture.c.now_ms -= SECOND; /* clocks go backward */
	CU_ASSERT_FALSE(admitted(&place));
	fixture.c.now_ms += 2ULL * SECOND;
	CU_ASSERT_TRUE(admitted(&place));
	throttle_pay(budgets, &fixture.c, &place,
		     30); /* 20 too many: admitted after a little more than two seconds */
	fixture.c.now_ms += 2ULL * SECOND;
	CU_ASSERT_FALSE(admitted(&place));
	fixture.c.now_ms += 1;
	CU_ASSERT_TRUE(admitted(&place));
	fixture.c.now_ms += (uint64_t)1000 * SECOND; /* full again, not more than full */
	throttle_pay(budgets, &fixture.c, &place, 3000);
	CU_ASSERT_FALSE(admitted(&place));
	end();
}

static void
a_budget_refills_from_a_clock_that_was_set_back(void)
{
	struct throttle_place place = {.schema = &schema};

	begin(true, 5);
	fixture.c.now_ms = (uint64_t)7200 * SECOND;
	throttle_pay(budgets, &fixture.c, &place, 3000);
	fixture.c.now_ms -= (uint64_t)3600 * SECOND;
	CU_ASSERT_FALSE(admitted(&place)); /* it has no budget to spend */
	fixture.c.now_ms += SECOND;
	CU_ASSERT_TRUE(admitted(&place));
	end();
}

static void
budgets_are_independent(void)
{
	struct schema other;
	struct throttle_place place = {.schema = &schema};

	begin(true, 1);
	throttle_pay(budgets, &fixture.c, &place, 801);
	CU_ASSERT_FALSE(admitted(&place));
	CU_ASSERT_TRUE(because(" (TableRead" UNITS_SPENT ": " ARN "tab)"));
	CU_ASSERT_FALSE(admitted(&(struct throttle_place){.schema = &schema, .ix = &indexes[1]}));
	CU_ASSERT_TRUE(because(" (TableRead" UNITS_SPENT ": " ARN "tab)")); /* its table's budget */
	CU_ASSERT_TRUE(admitted(&(struct throttle_place){.schema = &schema, .ix = &indexes[0]}));
	CU_ASSERT_TRUE(
		admitted(&(struct throttle_place){.schema = &schema, .kind = THROTTLE_WRITE}));
	other = schema;
	other.id = 8;
	CU_ASSERT_TRUE(admitted(&(struct throttle_place){.schema = &other}));
	place.ix = &indexes[0];
	throttle_pay(budgets, &fixture.c, &place, 801);
	CU_ASSERT_FALSE(admitted(&place));
	CU_ASSERT_STRING_EQUAL(fixture_message(), gsi_spent);
	CU_ASSERT_TRUE(because(" (IndexRead" UNITS_SPENT ": " ARN "tab/index/glob)"));
	end();
}

/* Of a thousand tables in turn, only the first has not regained what it spent. */
static void
budgets_of_dropped_tables_are_forgotten(void)
{
	struct throttle_place place = {.schema = &schema};

	begin(true, 1); /* 2 halves a second */
	throttle_pay(budgets, &fixture.c, &place, 801);
	for (int i = 0; i < 1000; i++) {
		schema.id++;
		throttle_pay(budgets, &fixture.c, &place, 2);
		fixture.c.now_ms += SECOND / 10;
	}
	CU_ASSERT_TRUE(throttle_kept(budgets) < 64);
	schema.id = 7;
	fixture.c.now_ms = START;
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
	throttle_pay(budgets, &fixture.c, &reads, 5999);
	throttle_pay(budgets, &fixture.c, &writes, 1999);
	CU_ASSERT_TRUE(admitted(&reads));
	CU_ASSERT_TRUE(admitted(&writes));
	throttle_pay(budgets, &fixture.c, &reads, 1);
	throttle_pay(budgets, &fixture.c, &writes, 1);
	CU_ASSERT_FALSE(admitted(&reads));
	CU_ASSERT_TRUE(because(" (TableRead" KEY_SPENT ": " ARN "tab)"));
	CU_ASSERT_FALSE(admitted(&writes));
	CU_ASSERT_TRUE(because(" (TableWrite" KEY_SPENT ": " ARN "tab)"));
	CU_ASSERT_TRUE(
		slice_starts(slice_from(fixture_message()),
			     SLICE("Throughput exceeds the current capacity of your table")));
	CU_ASSERT_TRUE(
		admitted(&(struct throttle_place){.schema = &schema, .collection = SLICE("two")}));
	CU_ASSERT_TRUE(admitted(&(struct throttle_place){.schema = &schema})); /* a scan */
	fixture.c.now_ms += 1;
	CU_ASSERT_TRUE(admitted(&reads));
	CU_ASSERT_TRUE(admitted(&writes));
	end();
}

/* A partition key of a PROVISIONED table's GSI, which has units left; the region is the request's. */
static void
the_spent_budget_is_reported(void)
{
	struct throttle_place place = {.schema = &schema,
				       .ix = &indexes[0],
				       .collection = SLICE("one"),
				       .kind = THROTTLE_WRITE};

	begin(true, 100000);
	fixture.c.region = SLICE("eu-west-1");
	throttle_pay(budgets, &fixture.c, &place, 2000);
	CU_ASSERT_FALSE(admitted(&place));
	CU_ASSERT_EQUAL(fixture.c.error.code, ERR_THROTTLED);
	CU_ASSERT_TRUE(because(" (IndexWrite" KEY_SPENT
			       ": arn:aws:dynamodb:eu-west-1:000000000000:table/tab/index/glob)"));
	int r = throttle_admit(budgets, &fixture.c, &place);

	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_EQUAL(fixture.c.error.throttled.n, 1);
	fixture.c.region = SLICE("");
	end();
}

static void
a_table_without_the_setting_has_no_budget(void)
{
	struct throttle_place place = {.schema = &schema, .collection = SLICE("one")};

	begin(true, 1);
	schema.throttle = false;
	throttle_pay(budgets, &fixture.c, &place, UINT32_MAX);
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
	throttle_pay(budgets, &fixture.c, &place, 1000);
	fixture.c.now_ms = UINT64_MAX;
	CU_ASSERT_TRUE(admitted(&place));
	end();
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_table_keeps_what_is_unused_for_300_seconds),
	UNIT_TEST(a_budget_refills_from_a_clock_that_was_set_back),
	UNIT_TEST(budgets_are_independent),
	UNIT_TEST(budgets_of_dropped_tables_are_forgotten),
	UNIT_TEST(a_partition_key_has_a_ceiling_that_is_not_saved_up),
	UNIT_TEST(the_spent_budget_is_reported),
	UNIT_TEST(a_table_without_the_setting_has_no_budget),
	UNIT_TEST(the_largest_numbers_do_no_harm),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(throttle, fixture_open, fixture_close, tests);
