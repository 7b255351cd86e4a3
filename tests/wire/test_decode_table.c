/* CreateTable as DynamoDB's clients write it, and its validation errors. */
#include "store/wire/codec/codec.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

#define A "{\"AttributeName\":\"a\",\"AttributeType\":\"S\"}"
#define B "{\"AttributeName\":\"b\",\"AttributeType\":\"N\"}"
#define DEFINED "\"TableName\":\"abc\",\"AttributeDefinitions\":[" A "],"
#define BOTH "\"TableName\":\"abc\",\"AttributeDefinitions\":[" A "," B "],"
#define KEY "\"KeySchema\":[{\"AttributeName\":\"a\",\"KeyType\":\"HASH\"}]"
#define DEMAND ",\"BillingMode\":\"PAY_PER_REQUEST\""

static const struct {
	int line;
	const char *body;
	const char *message; /* NULL: accepted */
} tables[] = {
#define ROW(body, message) \
	{ \
		__LINE__, "{" body "}", message \
	}
	ROW(DEFINED KEY DEMAND, NULL),
	ROW(DEFINED KEY DEMAND ",\"StreamSpecification\":{\"StreamEnabled\":false},\"Tags\":[],"
			       "\"SSESpecification\":{\"Enabled\":false},\"TableClass\":"
			       "\"STANDARD\",\"DeletionProtectionEnabled\":false",
	    NULL),
	ROW(DEFINED KEY ",\"ProvisionedThroughput\":{\"ReadCapacityUnits\":1,"
			"\"WriteCapacityUnits\":1}",
	    NULL),
	ROW(DEFINED KEY, "One or more parameter values were invalid: ReadCapacityUnits and "
			 "WriteCapacityUnits must both be specified when BillingMode is "
			 "PROVISIONED"),
	ROW(DEFINED KEY DEMAND ",\"ProvisionedThroughput\":{\"ReadCapacityUnits\":1,"
			       "\"WriteCapacityUnits\":1}",
	    "One or more parameter values were invalid: Neither ReadCapacityUnits nor "
	    "WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"),
	ROW(DEFINED KEY ",\"ProvisionedThroughput\":{\"ReadCapacityUnits\":0}",
	    "2 validation errors detected: Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy "
	    "constraint: Member must have value greater than or equal to 1; Value null at "
	    "'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null"),
	ROW(DEFINED "\"KeySchema\":[{\"AttributeName\":\"a\",\"KeyType\":\"RANGE\"}]" DEMAND,
	    "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
	ROW(BOTH "\"KeySchema\":[{\"AttributeName\":\"a\",\"KeyType\":\"HASH\"},"
		 "{\"AttributeName\":\"b\",\"KeyType\":\"HASH\"}]" DEMAND,
	    "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"),
	ROW(BOTH "\"KeySchema\":[{\"AttributeName\":\"x\",\"KeyType\":\"HASH\"}]" DEMAND,
	    "One or more parameter values were invalid: Some index key attributes are not defined "
	    "in AttributeDefinitions. Keys: [x], AttributeDefinitions: [a, b]"),
	ROW(DEFINED KEY DEMAND ",\"GlobalSecondaryIndexes\":[]",
	    "One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty"),
	ROW(DEFINED KEY DEMAND ",\"GlobalSecondaryIndexes\":[{\"IndexName\":\"iii\"," KEY
			       ",\"Projection\":{}}]",
	    "One or more parameter values were invalid: Unknown ProjectionType: null"),
	ROW(DEFINED KEY DEMAND ",\"GlobalSecondaryIndexes\":[{\"IndexName\":\"iii\"," KEY
			       ",\"Projection\":{\"ProjectionType\":\"ALL\",\"NonKeyAttributes\":"
			       "[\"z\"]}}]",
	    "One or more parameter values were invalid: ProjectionType is ALL, but "
	    "NonKeyAttributes is specified"),
	ROW("\"TableName\":\"abc\"",
	    "2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy "
	    "constraint: Member must not be null; Value null at 'keySchema' failed to satisfy "
	    "constraint: Member must not be null"),
	ROW("\"TableName\":\"abc\",\"AttributeDefinitions\":[{\"AttributeName\":\"a\","
	    "\"AttributeType\":\"BOOL\"}]," KEY DEMAND,
	    "1 validation error detected: Value 'BOOL' at 'attributeDefinitions.1.member.attributeType' failed to satisfy "
	    "constraint: Member must satisfy enum value set: [B, N, S]"),
#undef ROW
};

static void
create_table_is_checked_as_far_as_a_schema_can_be_made(void)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct op_in in = {.type = OP_CREATE_TABLE};

		c.error = (struct error){0};
		int r = codec_decode_in(&c, CODEC_FOREIGN, slice_from(tables[i].body), &in);
		bool good = tables[i].message == NULL
				    ? r == 0
				    : r == -ERR_VALIDATION &&
					      strcmp(c.error.message, tables[i].message) == 0;

		if (!good) {
			printf("%s:%d: %d, \"%s\"\n", __FILE__, tables[i].line, r,
			       c.error.code == ERR_NONE ? "" : c.error.message);
		}
		CU_ASSERT_TRUE(good);
	}
}

static void
a_file_may_leave_billing_out(void)
{
	struct create_table_in in = {0};
	struct buf text;
	int r = codec_decode_create_table(&c, SLICE("{" DEFINED KEY "}"), &in);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_FALSE(in.schema->provisioned);
	buf_init(&text, &c.arena);
	codec_encode_in(
		&text, CODEC_FOREIGN,
		&(struct op_in){.type = OP_CREATE_TABLE, .create_table = {.schema = in.schema}});
	struct create_table_in again = {0};

	r = codec_decode_create_table(&c, buf_view(&text), &again);
	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_TRUE(slice_eq(again.schema->key.pk->name, SLICE("a")));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(create_table_is_checked_as_far_as_a_schema_can_be_made),
	UNIT_TEST(a_file_may_leave_billing_out),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(decode_table, setup, teardown, tests);
