/* The three operations of PartiQL keep every field in a round trip between two ends of ItemFS. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"

static struct value parameters[2];

static struct parameterized
statement(void)
{
	parameters[0] = value_string(SLICE("x\"y"));
	parameters[1] = (struct value){.type = VALUE_M, .map = codec_thing()};
	return (struct parameterized){
		.statement = SLICE("SELECT \"a\" FROM tab\nWHERE p=? AND q='\\'"),
		.parameters = parameters,
		.n_parameters = 2,
		.consistent = true,
		.return_on_failure = RETURN_ALL_OLD,
	};
}

static void
same_statement(const struct parameterized *a, const struct parameterized *b)
{
	SAME_SLICE(a->statement, b->statement);
	CU_ASSERT_EQUAL_FATAL(a->n_parameters, b->n_parameters);
	for (size_t i = 0; i < a->n_parameters; i++) {
		SAME_VALUE(a->parameters[i], b->parameters[i]);
	}
	CU_ASSERT_EQUAL(a->consistent, b->consistent);
	CU_ASSERT_EQUAL(a->return_on_failure, b->return_on_failure);
}

static void
a_statement_keeps_every_field(void)
{
	struct item items[] = {codec_thing(), {NULL, 0}, codec_key()};
	struct op_in in = {
		.type = OP_EXECUTE_STATEMENT,
		.execute_statement = {statement(), true, 7, SLICE("token"), 0},
	};
	struct op_out out = {.type = OP_EXECUTE_STATEMENT,
			     .execute_statement = {items, 3, SLICE("next"), {0}}};
	struct op_in got = codec_through_in(&in);

	same_statement(&got.execute_statement.of, &in.execute_statement.of);
	CU_ASSERT_TRUE(got.execute_statement.has_limit);
	CU_ASSERT_EQUAL(got.execute_statement.limit, 7);
	SAME_SLICE(got.execute_statement.next, SLICE("token"));

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.execute_statement.n_items, 3);
	for (size_t i = 0; i < 3; i++) {
		SAME_ITEM(answer.execute_statement.items[i], items[i]);
	}
	SAME_SLICE(answer.execute_statement.next, SLICE("next"));
}

static void
a_batch_keeps_every_field(void)
{
	struct item item = codec_thing();
	struct parameterized statements[] = {statement(), {.statement = SLICE("x")}};
	struct statement_result results[] = {
		{.item = &item, .table = SLICE("tab")},
		{.table = SLICE("tab")},
		{.code = SLICE("ValidationError"), .message = SLICE("why")},
		{.code = SLICE("ConditionalCheckFailed"),
		 .message = SLICE("The conditional request failed"),
		 .old = &item,
		 .table = SLICE("tab")},
	};
	enum { RESULTS = sizeof(results) / sizeof(results[0]) };
	struct op_in in = {.type = OP_BATCH_EXECUTE_STATEMENT,
			   .batch_execute_statement = {statements, 2, 0}};
	struct op_out out = {.type = in.type, .batch_execute_statement = {results, RESULTS, {0}}};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.batch_execute_statement.n_statements, 2);
	same_statement(&got.batch_execute_statement.statements[0], &statements[0]);
	same_statement(&got.batch_execute_statement.statements[1], &statements[1]);

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.batch_execute_statement.n_results, RESULTS);
	for (size_t i = 0; i < RESULTS; i++) {
		const struct statement_result *r = &answer.batch_execute_statement.results[i];

		SAME_SLICE(r->code, results[i].code);
		SAME_SLICE(r->message, results[i].message);
		SAME_SLICE(r->table, results[i].table);
		CU_ASSERT_EQUAL_FATAL(r->item == NULL, results[i].item == NULL);
		CU_ASSERT_TRUE(r->item == NULL || item_eq(r->item, results[i].item));
		CU_ASSERT_EQUAL_FATAL(r->old == NULL, results[i].old == NULL);
		CU_ASSERT_TRUE(r->old == NULL || item_eq(r->old, results[i].old));
	}
}

static void
a_transaction_keeps_every_field(void)
{
	struct item_response responses[] = {{true, codec_thing()}, {0}};
	struct parameterized statements[] = {statement(), {.statement = SLICE("x")}};
	struct op_in in = {.type = OP_EXECUTE_TRANSACTION,
			   .execute_transaction = {statements, 2, SLICE("token"), 0}};
	struct op_out out = {.type = in.type, .execute_transaction = {responses, 2, {0}}};
	struct op_in got = codec_through_in(&in);

	CU_ASSERT_EQUAL_FATAL(got.execute_transaction.n_statements, 2);
	same_statement(&got.execute_transaction.statements[0], &statements[0]);
	same_statement(&got.execute_transaction.statements[1], &statements[1]);
	SAME_SLICE(got.execute_transaction.token, SLICE("token"));

	struct op_out answer = codec_through_out(&in, &out);

	CU_ASSERT_EQUAL_FATAL(answer.execute_transaction.n_responses, 2);
	CU_ASSERT_TRUE(answer.execute_transaction.responses[0].found);
	CU_ASSERT_FALSE(answer.execute_transaction.responses[1].found);
	SAME_ITEM(answer.execute_transaction.responses[0].item, responses[0].item);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_statement_keeps_every_field),
	UNIT_TEST(a_batch_keeps_every_field),
	UNIT_TEST(a_transaction_keeps_every_field),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_statement, codec_setup, codec_teardown, tests);
