/* Tests of the sums of consumed capacity, also of PartiQL statements. */
#include "store/engine/meter.h"

#include "tests/support/fixture.h"
#include "tests/support/unit.h"

static struct meter *meter;

static void
setup(void)
{
	fixture_open();
	meter = meter_new();
	fixture.e = meter_open(fixture.e, meter);
}

static void
teardown(void)
{
	fixture_close();
	meter_free(meter);
}

static const char *
printed(void)
{
	struct buf lines;

	buf_init(&lines, &fixture.c.arena);
	meter_print(meter, &lines);
	buf_char(&lines, '\0');
	return lines.at;
}

static int
execute(const char *statement)
{
	struct execute_statement_in in = {.of.statement = slice_from(statement)};
	struct execute_statement_out out;

	return engine_execute_statement(fixture.e, &fixture.c, &in, &out);
}

static int
execute_both(const char *first, const char *second)
{
	const struct parameterized two[] = {{.statement = slice_from(first)},
					    {.statement = slice_from(second)}};
	struct batch_execute_statement_in batch = {.statements = two, .n_statements = 2};
	struct batch_execute_statement_out done;
	struct execute_transaction_in transaction = {.statements = two, .n_statements = 2};
	struct execute_transaction_out committed;
	int r = engine_batch_execute_statement(fixture.e, &fixture.c, &batch, &done);

	return r < 0 ? r
		     : engine_execute_transaction(fixture.e, &fixture.c, &transaction, &committed);
}

static void
statements_are_counted_as_reads_or_writes(void)
{
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	CU_ASSERT_EQUAL(execute("INSERT INTO tab VALUE {'pk': 'a'}"), 0);
	CU_ASSERT_STRING_EQUAL(printed(), "1.0 write units of tab: table 1.0\n");
	CU_ASSERT_EQUAL(execute("SELECT * FROM tab WHERE pk = 'a'"), 0);
	CU_ASSERT_STRING_EQUAL(printed(), "1.0 write units of tab: table 1.0\n"
					  "0.5 read units of tab: table 0.5\n");
	CU_ASSERT_EQUAL(execute_both("SELECT * FROM tab WHERE pk = 'a'",
				     "SELECT * FROM tab WHERE pk = 'b'"),
			0);
	CU_ASSERT_STRING_EQUAL(printed(), "1.0 write units of tab: table 1.0\n"
					  "5.5 read units of tab: table 5.5\n");
	CU_ASSERT_EQUAL(execute_both("UPDATE tab SET x = 1 WHERE pk = 'a'",
				     "DELETE FROM tab WHERE pk = 'b'"),
			0);
	CU_ASSERT_STRING_EQUAL(printed(), "7.0 write units of tab: table 7.0\n"
					  "5.5 read units of tab: table 5.5\n");
}

static void
operations_are_counted_as_reads_or_writes(void)
{
	CU_ASSERT_EQUAL(fixture_table("tab pk:S | +gsi x:S"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\",\"x\":\"y\"}"), 0);
	fixture_expect("tab", "{\"pk\":\"b\"}", NULL);
	CU_ASSERT_STRING_EQUAL(printed(), "2.0 write units of tab: table 1.0, gsi 1.0\n"
					  "0.5 read units of tab: table 0.5\n");
}

static void
a_request_gets_the_consumed_capacity_that_it_asked_for(void)
{
	static const enum capacity_level levels[] = {CAPACITY_NONE, CAPACITY_TOTAL,
						     CAPACITY_INDEXES};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S | +gsi x:S"), 0);
	for (size_t i = 0; i < 3; i++) {
		struct put_item_in in = {.write = {.table = SLICE("tab"),
						   .item = fixture_item(i == 1 ? "{\"pk\":\"a\"}"
									       : "{\"pk\":\"a\","
										 "\"x\":\"y\"}"),
						   .asked.capacity = levels[i]}};
		struct put_item_out out = {0};

		CU_ASSERT_EQUAL_FATAL(engine_put_item(fixture.e, &fixture.c, &in, &out), 0);
		const struct consumed_list *told = &out.written.report.consumed;

		CU_ASSERT_EQUAL(told->n, i > 0);
		for (size_t k = 0; k < told->n; k++) {
			CU_ASSERT_EQUAL(told->at[k].halves, 4);
			CU_ASSERT_EQUAL(told->at[k].detailed, i == 2);
		}
	}
	CU_ASSERT_STRING_EQUAL(printed(), "6.0 write units of tab: table 3.0, gsi 3.0\n");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(statements_are_counted_as_reads_or_writes),
	UNIT_TEST(operations_are_counted_as_reads_or_writes),
	UNIT_TEST(a_request_gets_the_consumed_capacity_that_it_asked_for),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(meter, setup, teardown, tests);
