/* Tests of op_writes(): whether a request may write. */
#include "store/op/op.h"

#include "tests/support/unit.h"

static bool
writes(const char *first, const char *second)
{
	const struct parameterized two[] = {{.statement = slice_from(first)},
					    {.statement = slice_from(second)}};
	struct op_in one = {.type = OP_EXECUTE_STATEMENT, .execute_statement.of = two[0]};
	struct op_in batch = {
		.type = OP_BATCH_EXECUTE_STATEMENT,
		.batch_execute_statement = {.statements = two, .n_statements = 2},
	};
	struct op_in transaction = {
		.type = OP_EXECUTE_TRANSACTION,
		.execute_transaction = {.statements = two, .n_statements = 2},
	};

	CU_ASSERT_EQUAL(op_writes(&batch), op_writes(&transaction));
	return second[0] == '\0' ? op_writes(&one) : op_writes(&batch);
}

static void
a_select_reads_and_any_other_statement_may_write(void)
{
	CU_ASSERT_FALSE(writes("SELECT * FROM t", ""));
	CU_ASSERT_FALSE(writes(" \n\tselect* FROM t", ""));
	CU_ASSERT_TRUE(writes("INSERT INTO t VALUE {'pk': 'SELECT'}", ""));
	CU_ASSERT_TRUE(writes("SELECTED", ""));
	CU_ASSERT_TRUE(writes("SELECT", ""));
	CU_ASSERT_TRUE(writes("", ""));
	CU_ASSERT_FALSE(writes("SELECT * FROM t", "Select * from u"));
	CU_ASSERT_TRUE(writes("SELECT * FROM t", "DELETE FROM t WHERE pk = 'a'"));
	CU_ASSERT_TRUE(writes("EXISTS(SELECT * FROM t WHERE pk = 'a')", "SELECT * FROM t"));
}

static void
other_operations_read_or_write(void)
{
	CU_ASSERT_FALSE(op_writes(&(struct op_in){.type = OP_QUERY}));
	CU_ASSERT_FALSE(op_writes(&(struct op_in){.type = OP_CHECK}));
	CU_ASSERT_TRUE(op_writes(&(struct op_in){.type = OP_CHECK, .check.repair = true}));
	CU_ASSERT_TRUE(op_writes(&(struct op_in){.type = OP_BATCH_WRITE_ITEM}));
	/* Without the statements, they may write. */
	CU_ASSERT_TRUE(op_writes(&(struct op_in){.type = OP_EXECUTE_STATEMENT}));
	CU_ASSERT_TRUE(op_writes(&(struct op_in){.type = OP_BATCH_EXECUTE_STATEMENT}));
	CU_ASSERT_TRUE(op_writes(&(struct op_in){.type = OP_EXECUTE_TRANSACTION}));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_select_reads_and_any_other_statement_may_write),
	UNIT_TEST(other_operations_read_or_write),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(op, NULL, NULL, tests);
