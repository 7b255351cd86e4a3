/* A page that leads to itself, and pages that do not. */
#include "store/wire/same_page.h"

#include "tests/support/unit_call.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(c);

static struct item
key(const char *typed)
{
	return wire_item(&c, typed);
}

static void
of_items(void)
{
	struct op_in in = {.type = OP_SCAN};
	struct op_out out = {.type = OP_SCAN};

	CU_ASSERT_FALSE(same_page(&in, &out));
	out.scan.page.last = key("{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"1\"}}");
	CU_ASSERT_FALSE(same_page(&in, &out));
	in.scan.read.start = key("{\"SK\":{\"N\":\"1\"},\"PK\":{\"S\":\"a\"}}");
	CU_ASSERT_TRUE(same_page(&in, &out));
	out.scan.page.last = key("{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"2\"}}");
	CU_ASSERT_FALSE(same_page(&in, &out));

	in = (struct op_in){.type = OP_QUERY};
	out = (struct op_out){.type = OP_QUERY};
	in.query.read.start = out.query.page.last = key("{\"PK\":{\"S\":\"a\"}}");
	CU_ASSERT_TRUE(same_page(&in, &out));
}

static void
of_names_and_tokens(void)
{
	struct op_in in;
	struct op_out out;

	for (enum op_type type = 0; type < OP_COUNT; type++) {
		in = (struct op_in){.type = type};
		out = (struct op_out){.type = type};
		CU_ASSERT_FALSE(same_page(&in, &out));
	}
	in = (struct op_in){.type = OP_DESCRIBE_STREAM};
	out = (struct op_out){.type = OP_DESCRIBE_STREAM};
	in.describe_stream.start_shard = out.describe_stream.last_shard = SLICE("shard");
	CU_ASSERT_TRUE(same_page(&in, &out));
	in = (struct op_in){.type = OP_EXECUTE_STATEMENT};
	out = (struct op_out){.type = OP_EXECUTE_STATEMENT};
	in.execute_statement.next = out.execute_statement.next = SLICE("token");
	CU_ASSERT_TRUE(same_page(&in, &out));
	out.execute_statement.next = SLICE("other");
	CU_ASSERT_FALSE(same_page(&in, &out));
}

static void
an_iterator_may_wait_but_not_repeat_records(void)
{
	struct op_in in = {.type = OP_GET_RECORDS};
	struct op_out out = {.type = OP_GET_RECORDS};

	in.get_records.iterator = out.get_records.next = SLICE("here");
	CU_ASSERT_FALSE(same_page(&in, &out));
	out.get_records.n_records = 1;
	CU_ASSERT_TRUE(same_page(&in, &out));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(of_items),
	UNIT_TEST(of_names_and_tokens),
	UNIT_TEST(an_iterator_may_wait_but_not_repeat_records),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(same_page, setup, teardown, tests);
