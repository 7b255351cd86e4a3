/* The legacy parameters, from before expressions: decoding, encoding, validation errors. */
#include "store/wire/codec/codec.h"

#include "tests/support/unit_call.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(c);

/* A request is the same after decoding and encoding; "given" and "not given" are kept apart. */
static void
requests_of_old_clients_are_understood(void)
{
	static const enum op_type types[] = {OP_GET_ITEM,    OP_BATCH_GET_ITEM, OP_PUT_ITEM,
					     OP_UPDATE_ITEM, OP_DELETE_ITEM,    OP_QUERY,
					     OP_SCAN};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct op_in in = {.type = types[i]};
		struct slice request = wire_vector(&c, op_name(types[i]), "legacy");
		struct buf again;
		int r = codec_decode_in(&c, CODEC_FOREIGN, request, &in);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		buf_init(&again, &c.arena);
		codec_encode_in(&again, CODEC_FOREIGN, &in);
		bool same = wire_same_json(&c, request, buf_view(&again));

		if (!same) {
			printf("%s: %.*s\n", op_name(types[i]), SLICE_ARG(buf_view(&again)));
		}
		CU_ASSERT_TRUE(same);
	}
}

static void
empty_maps_differ_from_missing_ones(void)
{
	struct op_in in = {.type = OP_UPDATE_ITEM};
	struct slice body = SLICE("{\"TableName\":\"abc\",\"Key\":{},\"AttributeUpdates\":{},"
				  "\"Expected\":null}");
	struct buf again;
	int r = codec_decode_in(&c, CODEC_FOREIGN, body, &in);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_TRUE(in.update_item.updates.given);
	CU_ASSERT_EQUAL(in.update_item.updates.n, 0);
	CU_ASSERT_FALSE(in.update_item.write.expected.given);
	buf_init(&again, &c.arena);
	codec_encode_in(&again, CODEC_FOREIGN, &in);
	CU_ASSERT_TRUE(wire_same_json(&c, buf_view(&again),
				      SLICE("{\"TableName\":\"abc\",\"Key\":{},"
					    "\"AttributeUpdates\":{}}")));
}

#define CLASS "com.amazonaws.dynamodb.v20120810."
#define MAP "Unrecognized collection type java.util.Map<java.lang.String, " CLASS
#define DETECTED "1 validation error detected: Value "
#define UNMET " failed to satisfy constraint: Member must "
#define OPERATORS \
	"satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, " \
	"BEGINS_WITH, GE, CONTAINS]"

/* @members are added to a table's name and an empty key. */
static const struct {
	int line;
	enum op_type type;
	const char *members;
	enum err code;
	const char *message;
} complaints[] = {
#define ROW(op, members, code, message) \
	{ \
		__LINE__, OP_##op, members, ERR_##code, message \
	}
	ROW(SCAN, "\"ScanFilter\":[]", SERIALIZATION, MAP "Condition>"),
	ROW(SCAN, "\"ScanFilter\":1", SERIALIZATION, "Unexpected field type"),
	ROW(SCAN, "\"ScanFilter\":{\"a\":[]}", SERIALIZATION,
	    "Unrecognized collection type class " CLASS "Condition"),
	ROW(SCAN, "\"ScanFilter\":{\"a\":null}", SERIALIZATION, "Unexpected value type in payload"),
	ROW(SCAN, "\"ScanFilter\":{\"a\":{\"ComparisonOperator\":1}}", SERIALIZATION,
	    "NUMBER_VALUE cannot be converted to String"),
	ROW(SCAN, "\"ScanFilter\":{\"a\":{\"AttributeValueList\":{}}}", SERIALIZATION,
	    "Start of structure or map found where not expected"),
	ROW(SCAN, "\"ScanFilter\":{\"a\":{\"AttributeValueList\":[[]]}}", SERIALIZATION,
	    "Unrecognized collection type class " CLASS "AttributeValue"),
	ROW(SCAN, "\"ScanFilter\":{\"a\":{\"AttributeValueList\":[{}]}}", VALIDATION,
	    DETECTED "null at 'scanFilter.a.member.comparisonOperator'" UNMET "not be null"),
	ROW(SCAN,
	    "\"ScanFilter\":{\"a\":{\"AttributeValueList\":[{}],\"ComparisonOperator\":\"EQ\"}}",
	    VALIDATION,
	    "Supplied AttributeValue is empty, must contain exactly one of the supported "
	    "datatypes"),
	ROW(SCAN, "\"ScanFilter\":{\"a\":{}}", VALIDATION,
	    DETECTED "null at 'scanFilter.a.member.comparisonOperator'" UNMET "not be null"),
	ROW(QUERY, "\"KeyConditions\":{\"a\":{\"ComparisonOperator\":\"\"}}", VALIDATION,
	    DETECTED "'' at 'keyConditions.a.member.comparisonOperator'" UNMET OPERATORS),
	ROW(QUERY, "\"QueryFilter\":{\"a\":{\"ComparisonOperator\":\"eq\"}}", VALIDATION,
	    DETECTED "'eq' at 'queryFilter.a.member.comparisonOperator'" UNMET OPERATORS),
	ROW(QUERY, "\"KeyConditions\":[]", SERIALIZATION, MAP "Condition>"),
	ROW(QUERY, "\"ConditionalOperator\":\"XOR\"", VALIDATION,
	    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"),
	ROW(DELETE_ITEM, "\"ConditionalOperator\":true", SERIALIZATION,
	    "TRUE_VALUE cannot be converted to String"),
	ROW(DELETE_ITEM, "\"Expected\":[]", SERIALIZATION, MAP "ExpectedAttributeValue>"),
	ROW(DELETE_ITEM, "\"Expected\":{\"a\":{\"Exists\":\"never\"}}", SERIALIZATION,
	    "Unexpected token received from parser"),
	ROW(DELETE_ITEM, "\"Expected\":{\"a\":{\"Value\":\"x\"}}", SERIALIZATION,
	    "Unexpected field type"),
	ROW(DELETE_ITEM,
	    "\"Expected\":{\"a\":{\"ComparisonOperator\":\"IS\"}},\"ReturnValues\":\"SOME\"",
	    VALIDATION,
	    "2 validation errors detected: Failed to satisfy constraint: Member must satisfy enum "
	    "value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]; Value 'IS' at "
	    "'expected.a.member.comparisonOperator'" UNMET OPERATORS),
	ROW(UPDATE_ITEM, "\"AttributeUpdates\":[]", SERIALIZATION, MAP "AttributeValueUpdate>"),
	ROW(UPDATE_ITEM, "\"AttributeUpdates\":{\"a\":1}", SERIALIZATION,
	    "Unexpected value type in payload"),
	ROW(UPDATE_ITEM, "\"AttributeUpdates\":{\"a\":{\"Value\":{\"N\":\"x\"}}}", VALIDATION,
	    "1 validation error detected: The parameter cannot be converted to a numeric value: "
	    "x"),
	ROW(UPDATE_ITEM, "\"AttributeUpdates\":{\"a\":{\"Action\":\"\"}}", VALIDATION,
	    DETECTED "'' at 'attributeUpdates.a.member.action'" UNMET
		     "satisfy enum value set: [ADD, PUT, DELETE]"),
	ROW(GET_ITEM, "\"AttributesToGet\":{}", SERIALIZATION,
	    "Start of structure or map found where not expected"),
	ROW(GET_ITEM, "\"AttributesToGet\":\"a\"", SERIALIZATION, "Unexpected field type"),
	ROW(GET_ITEM, "\"AttributesToGet\":[1]", SERIALIZATION,
	    "NUMBER_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "\"AttributesToGet\":[null]", SERIALIZATION,
	    "NULL_VALUE cannot be converted to String"),
	ROW(GET_ITEM, "\"AttributesToGet\":[]", VALIDATION,
	    DETECTED "'[]' at 'attributesToGet'" UNMET "have length greater than or equal to 1"),
	ROW(BATCH_GET_ITEM, "\"RequestItems\":{\"abc\":{\"Keys\":[],\"AttributesToGet\":[]}}",
	    VALIDATION,
	    "2 validation errors detected: Value '[]' at "
	    "'requestItems.abc.member.attributesToGet'" UNMET
	    "have length greater than or equal to 1; Value at "
	    "'RequestItems.abc.member.Keys'" UNMET "have length greater than or equal to 1"),
#undef ROW
};

static void
complains_in_the_words_of_the_service(void)
{
	for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
		struct op_in in = {.type = complaints[i].type};
		struct buf body;

		c.error = (struct error){0};
		buf_init(&body, &c.arena);
		buf_fmt(&body, "{\"TableName\":\"abc\",\"Key\":{},%s}", complaints[i].members);
		int r = codec_decode_in(&c, CODEC_FOREIGN, buf_view(&body), &in);
		bool good = r == -(int)complaints[i].code &&
			    strcmp(c.error.message, complaints[i].message) == 0;

		if (!good) {
			printf("%s:%d: %d, \"%s\"\n", __FILE__, complaints[i].line, r,
			       c.error.code == ERR_NONE ? "" : c.error.message);
		}
		CU_ASSERT_TRUE(good);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(requests_of_old_clients_are_understood),
	UNIT_TEST(empty_maps_differ_from_missing_ones),
	UNIT_TEST(complains_in_the_words_of_the_service),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_legacy, setup, teardown, tests);
