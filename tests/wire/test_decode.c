/* Decoding: requests as DynamoDB's clients write them, and validation errors. */
#include "store/op/validate.h"
#include "store/wire/codec/codec.h"

#include "tests/support/unit_call.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(c);

/* Every request of the service can be decoded, and is the same after encoding. */
static void
requests_of_the_service_are_understood(void)
{
	for (int type = 0; op_group((enum op_type)type) != OP_ITEMFS; type++) {
		struct op_in in = {.type = (enum op_type)type};
		struct slice request = wire_vector(&c, op_name(in.type), "request");
		struct buf again;
		int r = codec_decode_in(&c, CODEC_FOREIGN, request, &in);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		buf_init(&again, &c.arena);
		codec_encode_in(&again, CODEC_FOREIGN, &in);
		bool same = wire_same_json(&c, request, buf_view(&again));

		if (!same) {
			printf("%s: %.*s\n", op_name(in.type), SLICE_ARG(buf_view(&again)));
		}
		CU_ASSERT_TRUE(same);
	}
}

/* Any member of any request may be missing: each is renamed in turn. */
static void
members_may_be_missing(void)
{
	for (int type = 0; op_group((enum op_type)type) != OP_ITEMFS; type++) {
		struct slice request = wire_vector(&c, op_name((enum op_type)type), "request");
		struct buf copy;

		buf_init(&copy, &c.arena);
		buf_slice(&copy, request);
		buf_char(&copy, '\0');
		char *text = copy.at;

		for (char *name = strpbrk(text, "{,"); name != NULL;
		     name = strpbrk(name + 1, "{,")) {
			char *first = name + 1 + strspn(name + 1, " \n\t");

			if (first[0] != '"' || first[1] == '"') {
				continue;
			}
			char was = first[1];
			struct op_in in = {.type = (enum op_type)type};

			first[1] = '~';
			c.error = (struct error){0};
			int r = codec_decode_in(&c, CODEC_FOREIGN, slice_from(text), &in);

			CU_ASSERT_EQUAL(-r, (int)c.error.code);
			first[1] = was;
		}
		c.error = (struct error){0};
		int r = codec_decode_in(&c, CODEC_FOREIGN, SLICE("{}"),
					&(struct op_in){.type = (enum op_type)type});

		CU_ASSERT_EQUAL(-r, (int)c.error.code);
	}
	c.error = (struct error){0};
}

#define STRUCTURE "Start of structure or map found where not expected"
#define COMPLETE \
	"{\"TableName\":\"abc\",\"BillingMode\":\"PAY_PER_REQUEST\"," \
	"\"AttributeDefinitions\":[{\"AttributeName\":\"p\",\"AttributeType\":\"S\"}]," \
	"\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":\"HASH\"}],"
#define ATTRIBUTE "com.amazonaws.dynamodb.v20120810.AttributeValue"

static const struct {
	int line;
	enum op_type type;
	const char *body;
	enum err code;
	const char *message; /* NULL: any */
} complaints[] = {
#define ROW(op, body, code, message) \
	{ \
		__LINE__, OP_##op, body, ERR_##code, message \
	}
	/* not JSON, not an object */
	ROW(GET_ITEM, "", SERIALIZATION, NULL),
	ROW(GET_ITEM, "{", SERIALIZATION, NULL),
	ROW(GET_ITEM, "{}{}", SERIALIZATION, NULL),
	ROW(GET_ITEM, "\xff", SERIALIZATION, NULL),
	ROW(GET_ITEM, "[]", SERIALIZATION, NULL),
	ROW(GET_ITEM, "3", SERIALIZATION, NULL),
	/* scalars of another type */
	ROW(GET_ITEM, "{\"TableName\":23}", SERIALIZATION,
	    "NUMBER_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "{\"TableName\":34.56}", SERIALIZATION,
	    "DECIMAL_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "{\"TableName\":true}", SERIALIZATION,
	    "TRUE_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "{\"TableName\":false}", SERIALIZATION,
	    "FALSE_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "{\"TableName\":[]}", SERIALIZATION,
	    "Unrecognized collection type class java.lang.String"),
	ROW(GET_ITEM, "{\"TableName\":{}}", SERIALIZATION, STRUCTURE),
	ROW(GET_ITEM, "{\"ConsistentRead\":\"maybe\"}", SERIALIZATION,
	    "Unexpected token received from parser"),
	ROW(GET_ITEM, "{\"ConsistentRead\":1}", SERIALIZATION,
	    "NUMBER_VALUE cannot be converted to Boolean"),
	ROW(GET_ITEM, "{\"ConsistentRead\":[]}", SERIALIZATION,
	    "Unrecognized collection type class java.lang.Boolean"),
	ROW(LIST_TABLES, "{\"Limit\":\"\"}", SERIALIZATION,
	    "STRING_VALUE cannot be converted to Integer"),
	ROW(LIST_TABLES, "{\"Limit\":\"1.5\"}", SERIALIZATION,
	    "STRING_VALUE cannot be converted to Integer"),
	ROW(LIST_TABLES, "{\"Limit\":\"-1\"}", SERIALIZATION,
	    "STRING_VALUE cannot be converted to Integer"),
	ROW(LIST_TABLES, "{\"Limit\":true}", SERIALIZATION,
	    "TRUE_VALUE cannot be converted to Integer"),
	ROW(LIST_TABLES, "{\"Limit\":{}}", SERIALIZATION, STRUCTURE),
	/* containers of another type */
	ROW(GET_ITEM, "{\"Key\":\"x\"}", SERIALIZATION, "Unexpected field type"),
	ROW(GET_ITEM, "{\"Key\":[]}", SERIALIZATION,
	    "Unrecognized collection type java.util.Map<java.lang.String, " ATTRIBUTE ">"),
	ROW(GET_ITEM, "{\"Key\":{\"a\":\"x\"}}", SERIALIZATION, "Unexpected value type in payload"),
	ROW(GET_ITEM, "{\"Key\":{\"a\":[]}}", SERIALIZATION,
	    "Unrecognized collection type class " ATTRIBUTE),
	ROW(GET_ITEM, "{\"Key\":{\"a\":{\"S\":23}}}", SERIALIZATION,
	    "NUMBER_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "{\"ExpressionAttributeNames\":{\"#a\":1}}", SERIALIZATION,
	    "NUMBER_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "{\"ExpressionAttributeNames\":[]}", SERIALIZATION,
	    "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"),
	ROW(BATCH_GET_ITEM, "{\"RequestItems\":{\"abc\":{\"Keys\":{}}}}", SERIALIZATION, STRUCTURE),
	ROW(BATCH_GET_ITEM, "{\"RequestItems\":{\"abc\":{\"Keys\":3}}}", SERIALIZATION,
	    "Unexpected field type"),
	ROW(BATCH_WRITE_ITEM, "{\"RequestItems\":{\"abc\":[3]}}", SERIALIZATION,
	    "Unexpected value type in payload"),
	ROW(TRANSACT_WRITE_ITEMS, "{\"TransactItems\":{}}", SERIALIZATION, STRUCTURE),
	ROW(CREATE_TABLE, "{\"KeySchema\":[[]],\"AttributeDefinitions\":[]}", SERIALIZATION,
	    "Unrecognized collection type class "
	    "com.amazonaws.dynamodb.v20120810.KeySchemaElement"),
	/* missing */
	ROW(GET_ITEM, "{}", VALIDATION,
	    "2 validation errors detected: Value null at 'tableName' failed to satisfy "
	    "constraint: Member must not be null; Value null at 'key' failed to satisfy "
	    "constraint: Member must not be null"),
	ROW(GET_ITEM, "{\"TableName\":null,\"Key\":{}}", VALIDATION,
	    "1 validation error detected: Value null at 'tableName' failed to satisfy "
	    "constraint: Member must not be null"),
	ROW(GET_ITEM, "{\"TableName\":\"abc\"}", VALIDATION,
	    "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member "
	    "must not be null"),
	ROW(PUT_ITEM, "{\"TableName\":\"abc\",\"ReturnValues\":\"OLD\"}", VALIDATION,
	    "2 validation errors detected: Value null at 'item' failed to satisfy constraint: "
	    "Member must not be null; Value 'OLD' at 'returnValues' failed to satisfy constraint: "
	    "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, "
	    "UPDATED_NEW]"),
	ROW(BATCH_GET_ITEM, "{}", VALIDATION,
	    "1 validation error detected: Value null at 'requestItems' failed to satisfy "
	    "constraint: Member must not be null"),
	ROW(BATCH_GET_ITEM, "{\"RequestItems\":{\"abc\":{}}}", VALIDATION,
	    "1 validation error detected: Value null at 'requestItems.abc.member.keys' failed to "
	    "satisfy constraint: Member must not be null"),
	ROW(TRANSACT_WRITE_ITEMS,
	    "{\"TransactItems\":[{\"Put\":{\"Item\":{}}},{\"ConditionCheck\":{\"TableName\":"
	    "\"abc\",\"Key\":{}}}]}",
	    VALIDATION,
	    "2 validation errors detected: Value null at 'transactItems.1.member.put.tableName' "
	    "failed to satisfy constraint: Member must not be null; Value null at "
	    "'transactItems.2.member.conditionCheck.conditionExpression' failed to satisfy "
	    "constraint: Member must not be null"),
	ROW(TRANSACT_WRITE_ITEMS, "{\"TransactItems\":[{}]}", VALIDATION, NULL),
	ROW(TRANSACT_GET_ITEMS, "{\"TransactItems\":[{}]}", VALIDATION,
	    "1 validation error detected: Value null at 'transactItems.1.member.get' failed to "
	    "satisfy constraint: Member must not be null"),
	ROW(BATCH_WRITE_ITEM, "{\"RequestItems\":{\"abc\":[{}]}}", VALIDATION,
	    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
	    "the supported datatypes"),
	/* values that op.h cannot hold */
	ROW(QUERY, "{\"TableName\":\"abc\",\"Limit\":-1}", VALIDATION,
	    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
	    "Member must have value greater than or equal to 1"),
	ROW(QUERY, "{\"TableName\":\"abc\",\"Limit\":0}", VALIDATION,
	    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
	    "Member must have value greater than or equal to 1"),
	ROW(SCAN, "{\"TableName\":\"abc\",\"Limit\":0}", VALIDATION,
	    "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
	    "Member must have value greater than or equal to 1"),
	ROW(LIST_TABLES, "{\"Limit\":0}", VALIDATION, NULL),
	ROW(LIST_TABLES, "{\"ExclusiveStartTableName\":\"\"}", VALIDATION, NULL),
	ROW(SCAN, "{\"TableName\":\"abc\",\"Segment\":-1}", VALIDATION, NULL),
	ROW(QUERY, "{\"TableName\":\"abc\",\"IndexName\":\"\"}", VALIDATION, NULL),
	ROW(QUERY, "{\"TableName\":\"abc\",\"Select\":\"\"}", VALIDATION, NULL),
	ROW(QUERY, "{\"TableName\":\"abc\",\"ExclusiveStartKey\":{}}", VALIDATION, NULL),
	ROW(PUT_ITEM, "{\"TableName\":\"abc\",\"Item\":{},\"ReturnValues\":\"ALL_NEW\"}",
	    VALIDATION, "1 validation error detected: ReturnValues can only be ALL_OLD or NONE"),
	ROW(UPDATE_ITEM, "{\"TableName\":\"abc\",\"Key\":{},\"ReturnValues\":\"NEW\"}", VALIDATION,
	    "1 validation error detected: Failed to satisfy constraint: Member must satisfy enum "
	    "value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"),
	ROW(UPDATE_ITEM,
	    "{\"TableName\":\"abc\",\"Key\":{},\"ReturnValuesOnConditionCheckFailure\":\"ALL_NEW\"}",
	    VALIDATION, NULL),
	ROW(TRANSACT_WRITE_ITEMS, "{\"TransactItems\":[],\"ClientRequestToken\":\"\"}", VALIDATION,
	    NULL),
	ROW(TRANSACT_WRITE_ITEMS,
	    "{\"TransactItems\":[{\"Update\":{\"TableName\":\"abc\",\"Key\":{}}}]}", VALIDATION,
	    "1 validation error detected: Value null at "
	    "'transactItems.1.member.update.updateExpression' failed to satisfy constraint: Member "
	    "must not be null"),
	/* streams */
	ROW(CREATE_TABLE, COMPLETE "\"StreamSpecification\":{}}", VALIDATION,
	    "1 validation error detected: Value null at 'streamSpecification.streamEnabled' failed "
	    "to satisfy constraint: Member must not be null"),
	ROW(CREATE_TABLE, COMPLETE "\"StreamSpecification\":{\"StreamEnabled\":true}}", VALIDATION,
	    "One or more parameter values were invalid: Table is being created with a stream "
	    "enabled, UpdateViewType is required"),
	ROW(CREATE_TABLE,
	    COMPLETE "\"StreamSpecification\":{\"StreamEnabled\":false,\"StreamViewType\":"
		     "\"KEYS_ONLY\"}}",
	    VALIDATION,
	    "One or more parameter values were invalid: Table is being created with a stream "
	    "disabled, UpdateViewType should not be specified"),
	ROW(CREATE_TABLE,
	    COMPLETE "\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"X\"}}",
	    VALIDATION,
	    "1 validation error detected: Value 'X' at 'streamSpecification.streamViewType' failed "
	    "to satisfy constraint: Member must satisfy enum value set: [NEW_AND_OLD_IMAGES, "
	    "NEW_IMAGE, OLD_IMAGE, KEYS_ONLY]"),
	ROW(UPDATE_TABLE,
	    "{\"TableName\":\"abc\",\"StreamSpecification\":{\"StreamEnabled\":true}}", VALIDATION,
	    "One or more parameter values were invalid: If stream is being enabled then "
	    "UpdateViewType is required"),
	ROW(UPDATE_TABLE,
	    "{\"TableName\":\"abc\",\"StreamSpecification\":{\"StreamEnabled\":false,"
	    "\"StreamViewType\":\"KEYS_ONLY\"}}",
	    VALIDATION,
	    "One or more parameter values were invalid: If stream is being disabled, then "
	    "UpdateViewType must not be specified"),
	ROW(UPDATE_TABLE, "{\"TableName\":\"abc\",\"StreamSpecification\":[]}", SERIALIZATION,
	    NULL),
	ROW(UPDATE_TABLE,
	    "{\"TableName\":\"abc\",\"StreamSpecification\":{\"StreamEnabled\":\"x\"}}",
	    SERIALIZATION, NULL),
	ROW(LIST_STREAMS, "{\"Limit\":0}", VALIDATION,
	    "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member "
	    "must have value greater than or equal to 1"),
	ROW(DESCRIBE_STREAM, "{\"StreamArn\":5}", SERIALIZATION, NULL),
	ROW(DESCRIBE_STREAM, "{\"StreamArn\":\"a\",\"ShardFilter\":{\"Type\":\"CHILD_SHARDS\"}}",
	    VALIDATION,
	    "1 validation error detected: Value null at 'shardFilter.shardId' failed to satisfy "
	    "constraint: Member must not be null"),
	ROW(GET_SHARD_ITERATOR, "{\"ShardId\":[]}", SERIALIZATION, NULL),
	ROW(GET_RECORDS, "{\"Limit\":-1}", VALIDATION,
	    "1 validation error detected: Value '-1' at 'limit' failed to satisfy constraint: "
	    "Member must have value greater than or equal to 1"),
	/* not supported yet, with a message that says so */
	ROW(CREATE_TABLE, COMPLETE "\"ResourcePolicy\":\"{}\"}", NOT_SUPPORTED,
	    "ResourcePolicy is not supported yet"),
	ROW(CREATE_TABLE, "{\"TableName\":\"abc\",\"WarmThroughput\":{}}", VALIDATION, NULL),
#undef ROW
};

static void
complains_in_the_words_of_the_service(void)
{
	for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
		struct op_in in = {.type = complaints[i].type};

		c.error = (struct error){0};
		int r = codec_decode_in(&c, CODEC_FOREIGN, slice_from(complaints[i].body), &in);

		r = r < 0 ? r : op_validate(&c, &in);
		bool good = r == -(int)complaints[i].code && c.error.code == complaints[i].code &&
			    (complaints[i].message == NULL ||
			     strcmp(c.error.message, complaints[i].message) == 0);

		if (!good) {
			printf("%s:%d: %d, \"%s\"\n", __FILE__, complaints[i].line, r,
			       c.error.code == ERR_NONE ? "" : c.error.message);
		}
		CU_ASSERT_TRUE(good);
	}
}

/* ------------------------------------------------------------ accepted variations */

static void
ignores_unknown_members(void)
{
	struct op_in in = {.type = OP_GET_ITEM};
	int r = codec_decode_in(&c, CODEC_FOREIGN,
				SLICE("{\"TableName\":\"abc\",\"Key\":{},\"Nonsense\":[1,{}],"
				      "\"ReturnConsumedCapacity\":\"TOTAL\",\"ConsistentRead\":"
				      "null}"),
				&in);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_FALSE(in.get_item.consistent);
}

static void
the_last_of_duplicate_members_counts(void)
{
	struct op_in in = {.type = OP_DESCRIBE_TABLE};
	int r = codec_decode_in(&c, CODEC_FOREIGN,
				SLICE("{\"TableName\":\"abc\",\"TableName\":\"def\"}"), &in);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(slice_is(in.describe_table.table, "def"));
}

static void
whole_numbers_come_in_many_spellings(void)
{
	static const struct {
		const char *text;
		uint32_t value;
	} rows[] = {{"1", 1},           {"1.0", 1},   {"2.9", 2},
		    {"1e2", 100},       {"100", 100}, {"2147483647", INT32_MAX},
		    {"1e30", INT32_MAX}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct op_in in = {.type = OP_SCAN};
		char body[80];

		(void)snprintf(body, sizeof(body), "{\"TableName\":\"abc\",\"Limit\":%s}",
			       rows[i].text);
		int r = codec_decode_in(&c, CODEC_FOREIGN, slice_from(body), &in);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(in.scan.read.has_limit);
		CU_ASSERT_EQUAL(in.scan.read.limit, rows[i].value);
	}
}

static void
empty_maps_of_placeholders_differ_from_missing_ones(void)
{
	struct op_in in = {.type = OP_SCAN};
	int r = codec_decode_in(&c, CODEC_FOREIGN,
				SLICE("{\"TableName\":\"abc\",\"ExpressionAttributeNames\":{},"
				      "\"ExpressionAttributeValues\":{}}"),
				&in);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(in.scan.read.ph.names_given);
	CU_ASSERT_TRUE(in.scan.read.ph.values_given);
	r = codec_decode_in(&c, CODEC_FOREIGN, SLICE("{\"TableName\":\"abc\"}"), &in);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_FALSE(in.scan.read.ph.names_given);
	CU_ASSERT_FALSE(in.scan.read.ph.values_given);
}

static void
depth_is_bounded(void)
{
	struct buf body;
	struct op_in in = {.type = OP_PUT_ITEM};

	buf_init(&body, &c.arena);
	buf_str(&body, "{\"TableName\":\"abc\",\"Item\":{\"a\":");
	for (int i = 0; i < 100000; i++) {
		buf_str(&body, "{\"L\":[");
	}
	int r = codec_decode_in(&c, CODEC_FOREIGN, buf_view(&body), &in);

	CU_ASSERT_EQUAL(r, -ERR_SERIALIZATION);
}

static void
invalid_answers_are_errors(void)
{
	static const struct {
		enum op_type type;
		const char *body;
	} rows[] = {
		{OP_GET_ITEM, ""},
		{OP_GET_ITEM, "<html>"},
		{OP_GET_ITEM, "{\"Item\":3}"},
		{OP_GET_ITEM, "{\"Item\":{\"a\":{}}}"},
		{OP_QUERY, "{\"Count\":2,\"Items\":[{}]}"},
		{OP_QUERY, "{\"Count\":2}"},
		{OP_QUERY, "{\"Count\":-1}"},
		{OP_QUERY, "{\"Count\":1.5}"},
		{OP_DESCRIBE_TABLE, "{}"},
		{OP_DESCRIBE_TABLE, "{\"Table\":{\"TableName\":\"abc\"}}"},
		{OP_DESCRIBE_TABLE, "{\"Table\":[]}"},
		{OP_TRANSACT_GET_ITEMS, "{\"Responses\":[{}]}"},
		{OP_LIST_TABLES, "{\"TableNames\":{}}"},
		{OP_CHECK, "{\"Problems\":[{\"N\":\"1\"}]}"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct op_in in = {.type = rows[i].type};
		struct op_out out;

		c.error = (struct error){0};
		int r = codec_decode_out(&c, slice_from(rows[i].body), &in, &out);

		if (r >= 0) {
			printf("accepted: %s\n", rows[i].body);
		}
		CU_ASSERT_TRUE(r < 0);
		CU_ASSERT_EQUAL(-r, (int)c.error.code);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(requests_of_the_service_are_understood),
	UNIT_TEST(members_may_be_missing),
	UNIT_TEST(complains_in_the_words_of_the_service),
	UNIT_TEST(ignores_unknown_members),
	UNIT_TEST(the_last_of_duplicate_members_counts),
	UNIT_TEST(whole_numbers_come_in_many_spellings),
	UNIT_TEST(empty_maps_of_placeholders_differ_from_missing_ones),
	UNIT_TEST(depth_is_bounded),
	UNIT_TEST(invalid_answers_are_errors),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(decode, setup, teardown, tests);
