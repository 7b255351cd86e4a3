/*
 * codec_statement - ExecuteStatement, BatchExecuteStatement, ExecuteTransaction
 */
#include "store/model/limits.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

static const struct shape_rule codec_statement_rule = {.min = 1, .max = LIMIT_STATEMENT};
static const struct shape_rule codec_statements_rule = {.min = 1, .max = LIMIT_BATCH_STATEMENTS};
static const struct shape_rule codec_transaction_rule = {.min = 1, .max = LIMIT_TRANSACTION};

static_assert(offsetof(struct execute_statement_in, of) == 0, "CODEC_ROWS_STATEMENT reads it");
#define CODEC_ROWS_STATEMENT \
	SHAPE_ROW(struct parameterized, statement, "Statement", SHAPE_STRING, \
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS, .rule = &codec_statement_rule), \
		SHAPE_ROW_LIST(struct parameterized, parameters, n_parameters, "Parameters", \
			       &shape_values, .rule = &codec_filled_rule), \
		CODEC_ROW_BOOL(struct parameterized, consistent, "ConsistentRead"), \
		CODEC_ROW_FAILURE(struct parameterized, return_on_failure)

/* ------------------------------------------------------------ ExecuteStatement */

static const struct shape_member codec_execute_statement_in_members[] = {
	CODEC_ROW_CAPACITY(struct execute_statement_in, capacity),
	CODEC_ROWS_STATEMENT,
	SHAPE_ROW(struct execute_statement_in, next, "NextToken", SHAPE_STRING,
		  .rule = &codec_filled_rule),
	SHAPE_ROW(struct execute_statement_in, limit, "Limit", SHAPE_INTEGER,
		  SHAPE_GIVEN(struct execute_statement_in, has_limit),
		  .rule = &codec_positive_rule),
};

static const struct shape_member codec_execute_statement_out_members[] = {
	CODEC_ROW_LIST(struct execute_statement_out, items, "Items", &shape_items),
	CODEC_ROW_STRING(struct execute_statement_out, next, "NextToken"),
	CODEC_ROW_CONSUMED(struct execute_statement_out, consumed),
};

SHAPE_ROWS(execute_statement)

/* ------------------------------------------------------------ BatchExecuteStatement */

static const struct shape_member codec_batch_member_members[] = {CODEC_ROWS_STATEMENT};
static const struct shape codec_batch_member;

/* A bad parameter is a fault of its statement alone. */
static int
codec_finish_batch_member(struct codec_reader *r, const struct json *json, void *out)
{
	struct parameterized *p = out;

	return shape_take_fault(r, &codec_batch_member, json, &p->fault);
}

SHAPE_DEFINE(codec_batch_member, struct parameterized, SHAPE_CLASS("BatchStatementRequest"),
	     .finish = codec_finish_batch_member)

static const struct shape_member codec_batch_execute_statement_in_members[] = {
	CODEC_ROW_CAPACITY(struct batch_execute_statement_in, capacity),
	SHAPE_ROW_LIST(struct batch_execute_statement_in, statements, n_statements, "Statements",
		       &codec_batch_member, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS,
		       .rule = &codec_statements_rule),
};

static const struct shape_member codec_result_error_members[] = {
	CODEC_ROW_NAME(struct statement_result, code, "Code"),
	CODEC_ROW_STRING(struct statement_result, message, "Message"),
	SHAPE_ROW(struct statement_result, old, "Item", SHAPE_ITEM,
		  SHAPE_POINTER(struct statement_result, old)),
};
SHAPE_DEFINE(codec_result_error, struct statement_result, NULL)

static const struct shape_member codec_result_members[] = {
	{.name = SLICE_INIT("Error"), .kind = SHAPE_STRUCT, .of = &codec_result_error},
	CODEC_ROW_STRING(struct statement_result, table, "TableName"),
	SHAPE_ROW(struct statement_result, item, "Item", SHAPE_ITEM,
		  SHAPE_POINTER(struct statement_result, item)),
};
SHAPE_DEFINE(codec_result, struct statement_result, NULL)

static const struct shape_member codec_batch_execute_statement_out_members[] = {
	CODEC_ROW_LIST(struct batch_execute_statement_out, results, "Responses", &codec_result),
	CODEC_ROW_CONSUMED_LIST(struct batch_execute_statement_out, consumed),
};

SHAPE_ROWS(batch_execute_statement)

/* ------------------------------------------------------------ ExecuteTransaction */

static const struct shape codec_transaction_member = {
	.java_class = SHAPE_CLASS("ParameterizedStatement"),
	SHAPE_MEMBERS(struct parameterized, codec_batch_member_members)};

static const struct shape_member codec_execute_transaction_in_members[] = {
	SHAPE_ROW_LIST(struct execute_transaction_in, statements, n_statements,
		       "TransactStatements", &codec_transaction_member,
		       .flags = SHAPE_REQUIRED | SHAPE_ALWAYS, .rule = &codec_transaction_rule),
	SHAPE_ROW(struct execute_transaction_in, token, "ClientRequestToken", SHAPE_STRING,
		  .rule = &codec_token_rule),
	CODEC_ROW_CAPACITY(struct execute_transaction_in, capacity),
};

static const struct shape_member codec_execute_transaction_out_members[] = {
	CODEC_ROW_LIST(struct execute_transaction_out, responses, "Responses",
		       &codec_response_shape),
	CODEC_ROW_CONSUMED_LIST(struct execute_transaction_out, consumed),
};

SHAPE_ROWS(execute_transaction)
