#include "store/model/limits.h"
#include "store/op/validate.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

#define T .table = SLICE_INIT("table")
#define READ_T .read.table = SLICE_INIT("table")

static struct attr key_attrs[] = {{SLICE_INIT("k"), {.type = VALUE_S, .text = SLICE_INIT("v")}}};
static struct attr empty_set[] = {{SLICE_INIT("k"), {.type = VALUE_SS}}};
static const struct item good = {key_attrs, 1};
static const struct item bad = {empty_set, 1};

static const struct batch_get get_table[] = {{T, .keys = &good, .n_keys = 1}};
static const struct slice name = SLICE_INIT("a");
static const struct batch_get get_both[] = {
	{T, .keys = &good, .n_keys = 1, .projection = SLICE_INIT("a")},
	{T, .keys = &good, .n_keys = 1, .attributes = {&name, 1}}};
static const struct batch_get get_nothing[] = {{T}};
static const struct item many_keys[LIMIT_BATCH_GET + 1];
static const struct batch_get get_many[] = {{T, .keys = many_keys, .n_keys = LIMIT_BATCH_GET}};
static const struct batch_get get_too_many[] = {
	{T, .keys = many_keys, .n_keys = LIMIT_BATCH_GET},
	{T, .keys = many_keys, .n_keys = 1},
};
static const struct batch_action many_actions[LIMIT_BATCH_WRITE + 1];
static const struct batch_action bad_action[] = {{.item = {empty_set, 1}}};
static const struct batch_write write_many[] = {
	{T, .actions = many_actions, .n_actions = LIMIT_BATCH_WRITE}};
static const struct batch_write write_too_many[] = {
	{T, .actions = many_actions, .n_actions = LIMIT_BATCH_WRITE + 1}};
static const struct batch_write write_nothing[] = {{T}};
static const struct batch_write write_bad[] = {{T, .actions = bad_action, .n_actions = 1}};
static const struct transact_action put_good[] = {{.kind = TRANSACT_PUT, T}};
static const struct transact_action check_nothing[] = {{.kind = TRANSACT_PUT, T},
						       {.kind = TRANSACT_CHECK, T}};
static const struct transact_get transact_gets[LIMIT_TRANSACTION + 1] = {{T}};
static const struct schema unnamed;

#define MISSING_TABLE "The parameter 'TableName' is required but was not present in the request"
#define NAME_LENGTH "TableName must be at least 3 characters long and at most 255 characters long"
#define DETECTED "1 validation error detected: Value "
#define UNMET "failed to satisfy constraint: Member must "
#define BOTH(old, updated) \
	"Can not use both expression and non-expression parameters in the same request: " \
	"Non-expression parameters: {" old "} Expression parameters: {" updated "}"
#define ENVELOPE "1 validation error detected: "
#define AT_LEAST_1 "have length greater than or equal to 1"

#define A16 "aaaaaaaaaaaaaaaa"
#define A64 A16 A16 A16 A16
#define A256 A64 A64 A64 A64
static const char long_name[] = A256;

/* Requests with the messages of DynamoDB; NULL: the request is valid. */
static const struct {
	int line;
	struct op_in in;
	const char *message;
} rows[] = {
#define ROW(NAME, name, message, ...) \
	{ \
		__LINE__, {.type = OP_##NAME, .name = {__VA_ARGS__}}, message \
	}
	ROW(GET_ITEM, get_item, NULL, T),
	ROW(GET_ITEM, get_item, NULL, .table = SLICE_INIT("a.-_Z9")),
	ROW(GET_ITEM, get_item, MISSING_TABLE, .consistent = true),
	ROW(DESCRIBE_TIME_TO_LIVE, describe_time_to_live, NAME_LENGTH, .table = SLICE_INIT("ab")),
	ROW(UPDATE_TIME_TO_LIVE, update_time_to_live, MISSING_TABLE, .attribute = SLICE_INIT("a")),
	ROW(UPDATE_TIME_TO_LIVE, update_time_to_live, NULL, T, .attribute = {long_name, 255}),
	ROW(UPDATE_TIME_TO_LIVE, update_time_to_live,
	    DETECTED "'" A256 "' at 'timeToLiveSpecification.attributeName' " UNMET
		     "have length less than or equal to 255",
	    T, .attribute = {long_name, 256}),
	ROW(UPDATE_TIME_TO_LIVE, update_time_to_live,
	    "TimeToLiveSpecification.AttributeName must be non empty", T),
	ROW(SWEEP, sweep, NULL, .any_age = true),
	ROW(SWEEP, sweep, NAME_LENGTH, .table = SLICE_INIT("ab")),
	ROW(BACKUP_STORE, backup_store, NULL, .dir = SLICE_INIT("/a/b")),
	ROW(BACKUP_STORE, backup_store, "a backup needs an absolute path", .dir = SLICE_INIT("b")),
	ROW(BACKUP_STORE, backup_store, "a backup needs an absolute path", .mark = 1),
	ROW(BACKUP_STORE, backup_store, "a backup needs an absolute path",
	    .dir = SLICE_INIT("/\0")),
	ROW(DELETE_ITEM, delete_item, NAME_LENGTH, .write.table = SLICE_INIT("ab")),
	ROW(DESCRIBE_TABLE, describe_table,
	    DETECTED "'a$b' at 'tableName' " UNMET
		     "satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
	    .table = SLICE_INIT("a$b")),
	ROW(UPDATE_TABLE, update_table, NAME_LENGTH, .table = SLICE_INIT("t")),
	ROW(UPDATE_TABLE, update_table,
	    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
	    "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, "
	    "MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "
	    "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is "
	    "required",
	    .table = SLICE_INIT("abc")),
	ROW(DELETE_TABLE, delete_table, NAME_LENGTH, .table = SLICE_INIT("t")),
	ROW(CREATE_TABLE, create_table, MISSING_TABLE, .schema = NULL),
	ROW(CREATE_TABLE, create_table, MISSING_TABLE, .schema = &unnamed),
	ROW(LIST_TABLES, list_tables, NULL, .limit = 100),
	ROW(LIST_TABLES, list_tables,
	    DETECTED "'101' at 'limit' " UNMET "have value less than or equal to 100",
	    .limit = 101),
	ROW(PUT_ITEM, put_item, NULL, .write = {T, .item = {key_attrs, 1}}),
	ROW(PUT_ITEM, put_item,
	    ENVELOPE "One or more parameter values were invalid: An string set  may not "
		     "be empty",
	    .write = {T, .item = {empty_set, 1}}),
	ROW(QUERY, query, NULL, READ_T, .key_condition = SLICE_INIT("k = :v")),
	ROW(QUERY, query, DETECTED "'0' at 'limit' " UNMET "have value greater than or equal to 1",
	    READ_T, .key_condition = SLICE_INIT("k = :v"), .read.has_limit = true),
	ROW(QUERY, query,
	    "Either the KeyConditions or KeyConditionExpression parameter must be "
	    "specified in the request.",
	    READ_T),
	ROW(QUERY, query, NULL, READ_T, .key_conditions.given = true),
	ROW(QUERY, query, NULL, READ_T, .key_conditions.given = true,
	    .read.filter = SLICE_INIT("a = b"), .read.projection = SLICE_INIT("a")),
	ROW(QUERY, query, BOTH("AttributesToGet", "KeyConditionExpression"), READ_T,
	    .key_condition = SLICE_INIT("k = :v"), .read.attributes = {&name, 1}),
	ROW(QUERY, query, BOTH("QueryFilter, KeyConditions", "KeyConditionExpression"), READ_T,
	    .key_condition = SLICE_INIT("k = :v"), .key_conditions.given = true,
	    .read.conditions.given = true),
	ROW(SCAN, scan,
	    BOTH("AttributesToGet, ScanFilter, ConditionalOperator",
		 "ProjectionExpression, FilterExpression"),
	    READ_T, .read.attributes = {&name, 1},
	    .read.conditions = {.given = true, .conditional = CONDITIONAL_OR},
	    .read.filter = SLICE_INIT("a = b"), .read.projection = SLICE_INIT("a")),
	ROW(GET_ITEM, get_item, BOTH("AttributesToGet", "ProjectionExpression"), T,
	    .projection = SLICE_INIT("a"), .attributes = {&name, 1}),
	ROW(BATCH_GET_ITEM, batch_get_item, BOTH("AttributesToGet", "ProjectionExpression"),
	    .tables = get_both, .n_tables = 2),
	ROW(PUT_ITEM, put_item, ENVELOPE BOTH("Expected", "ConditionExpression"),
	    .write = {T, .condition = SLICE_INIT("a = b"), .expected.given = true}),
	ROW(DELETE_ITEM, delete_item, ENVELOPE BOTH("ConditionalOperator", "ConditionExpression"),
	    .write = {T, .condition = SLICE_INIT("a = b"),
		      .expected.conditional = CONDITIONAL_AND}),
	ROW(UPDATE_ITEM, update_item,
	    ENVELOPE BOTH("AttributeUpdates, Expected, ConditionalOperator",
			  "UpdateExpression, ConditionExpression"),
	    .write = {T, .condition = SLICE_INIT("a = b"),
		      .expected = {.given = true, .conditional = CONDITIONAL_AND}},
	    .update = SLICE_INIT("REMOVE a"), .updates.given = true),
	ROW(UPDATE_ITEM, update_item, NULL, .write = {T, .expected.given = true},
	    .updates.given = true),
	ROW(SCAN, scan, NULL, READ_T, .read.has_limit = true, .read.limit = 1),
	ROW(SCAN, scan, DETECTED "'0' at 'limit' " UNMET "have value greater than or equal to 1",
	    READ_T, .read.has_limit = true),
	ROW(SCAN, scan, NULL, READ_T, .has_segment = true, .has_total_segments = true, .segment = 3,
	    .total_segments = 4),
	ROW(SCAN, scan,
	    "The TotalSegments parameter is required but was not present in the request "
	    "when Segment parameter is present",
	    READ_T, .has_segment = true),
	ROW(SCAN, scan,
	    "The Segment parameter is required but was not present in the request when "
	    "parameter TotalSegments is present",
	    READ_T, .has_total_segments = true),
	ROW(SCAN, scan,
	    "The Segment parameter is zero-based and must be less than parameter "
	    "TotalSegments: Segment: 4 is not less than TotalSegments: 4",
	    READ_T, .has_segment = true, .has_total_segments = true, .segment = 4,
	    .total_segments = 4),
	ROW(SCAN, scan,
	    DETECTED "'0' at 'totalSegments' " UNMET "have value greater than or equal to 1",
	    READ_T, .has_segment = true, .has_total_segments = true),
	ROW(SCAN, scan,
	    DETECTED "'1000001' at 'totalSegments' " UNMET
		     "have value less than or equal to 1000000",
	    READ_T, .has_segment = true, .has_total_segments = true, .total_segments = 1000001),
	ROW(BATCH_GET_ITEM, batch_get_item, NULL, .tables = get_table, .n_tables = 1),
	ROW(BATCH_GET_ITEM, batch_get_item, NULL, .tables = get_many, .n_tables = 1),
	ROW(BATCH_GET_ITEM, batch_get_item, DETECTED "at 'RequestItems' " UNMET AT_LEAST_1,
	    .n_tables = 0),
	ROW(BATCH_GET_ITEM, batch_get_item,
	    DETECTED "'[]' at 'requestItems.member.keys' " UNMET AT_LEAST_1, .tables = get_nothing,
	    .n_tables = 1),
	ROW(BATCH_GET_ITEM, batch_get_item, "Too many items requested for the BatchGetItem call",
	    .tables = get_too_many, .n_tables = 2),
	ROW(BATCH_WRITE_ITEM, batch_write_item, NULL, .tables = write_many, .n_tables = 1),
	ROW(BATCH_WRITE_ITEM, batch_write_item,
	    "Too many items requested for the BatchWriteItem call", .tables = write_too_many,
	    .n_tables = 1),
	ROW(BATCH_WRITE_ITEM, batch_write_item,
	    "The requestItems parameter is required for BatchWriteItem", .n_tables = 0),
	ROW(BATCH_WRITE_ITEM, batch_write_item,
	    DETECTED "'[]' at 'requestItems.member' " UNMET AT_LEAST_1, .tables = write_nothing,
	    .n_tables = 1),
	ROW(BATCH_WRITE_ITEM, batch_write_item,
	    "One or more parameter values were invalid: An "
	    "string set  may not be empty",
	    .tables = write_bad, .n_tables = 1),
	ROW(TRANSACT_WRITE_ITEMS, transact_write_items, NULL, .actions = put_good, .n_actions = 1,
	    .token = SLICE_INIT("012345678901234567890123456789012345")),
	ROW(TRANSACT_WRITE_ITEMS, transact_write_items,
	    DETECTED "'0123456789012345678901234567890123456' at 'clientRequestToken' " UNMET
		     "have length less than or equal to 36",
	    .actions = put_good, .n_actions = 1,
	    .token = SLICE_INIT("0123456789012345678901234567890123456")),
	ROW(TRANSACT_WRITE_ITEMS, transact_write_items,
	    DETECTED "at 'TransactItems' " UNMET AT_LEAST_1, .n_actions = 0),
	ROW(TRANSACT_WRITE_ITEMS, transact_write_items,
	    DETECTED "at 'TransactItems' " UNMET "have length less than or equal to 100",
	    .actions = put_good, .n_actions = 101),
	ROW(TRANSACT_WRITE_ITEMS, transact_write_items,
	    DETECTED "null at "
		     "'transactItems.2.member.conditionCheck.conditionExpression' " UNMET
		     "not be null",
	    .actions = check_nothing, .n_actions = 2),
	ROW(TRANSACT_GET_ITEMS, transact_get_items, MISSING_TABLE, .gets = transact_gets,
	    .n_gets = 2),
	ROW(TRANSACT_GET_ITEMS, transact_get_items, NULL, .gets = transact_gets, .n_gets = 1),
	ROW(TRANSACT_GET_ITEMS, transact_get_items,
	    DETECTED "at 'TransactItems' " UNMET "have length less than or equal to 100",
	    .gets = transact_gets, .n_gets = LIMIT_TRANSACTION + 1),
	ROW(LIST_PARTITIONS, list_partitions, MISSING_TABLE, .limit = 1),
	ROW(LIST_ENTRIES, list_entries, MISSING_TABLE, .limit = 1),
	ROW(SET_TIME, set_time, MISSING_TABLE, .mtime_ns = 1),
	ROW(LOAD_ITEMS, load_items, NULL, T, &good, 1),
	ROW(LOAD_ITEMS, load_items,
	    "One or more parameter values were invalid: An string set  may "
	    "not be empty",
	    T, &bad, 1),
	ROW(CHANGE_ITEMS, change_items, NULL, T, &good, 1),
	ROW(CHANGE_ITEMS, change_items, "there are no keys", T),
	ROW(DESCRIBE_KEY_USAGE, describe_key_usage, MISSING_TABLE, .limit = 1),
	ROW(DESCRIBE_KEY_USAGE, describe_key_usage, NULL, T, .since_s = KEY_USAGE_SINCE_MAX_S),
	ROW(DESCRIBE_KEY_USAGE, describe_key_usage,
	    "the usage of partition keys is kept for an hour", T,
	    .since_s = KEY_USAGE_SINCE_MAX_S + 1),
	ROW(COMPACT, compact, NULL, .next = {0}),
	ROW(COMPACT, compact, NULL, T),
	ROW(SYNC, sync, NULL, 0),
	ROW(CHECK, check, NULL, .next = {0}),
	ROW(REFUSED, refused, NULL, .path = {0}),
#undef ROW
};

static void
every_request_gets_the_message_of_dynamodb(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c.error = (struct error){0};
		int r = op_validate(&c, &rows[i].in);
		const char *got = r == 0 ? NULL : c.error.message;
		bool right = got == NULL ? rows[i].message == NULL
					 : rows[i].message != NULL &&
						   strcmp(got, rows[i].message) == 0 &&
						   r == -ERR_VALIDATION;

		if (!right) {
			printf("line %d: %s\n", rows[i].line, got == NULL ? "accepted" : got);
		}
		CU_ASSERT_TRUE(right);
	}
}

static void
a_transaction_has_at_most_4_megabytes(void)
{
	enum { PUTS = 11, BYTES = 381300 };
	static char text[BYTES];
	struct attr attr = {SLICE("k"), value_string(slice_of(text, sizeof(text)))};
	struct transact_action actions[PUTS];

	memset(text, 'x', sizeof(text));
	for (int i = 0; i < PUTS; i++) {
		actions[i] = (struct transact_action){T, .item = {&attr, 1}};
	}
	/* 11 * 381,301 = 4,194,311 bytes; the limit is 4,194,304. */
	struct op_in in = {
		.type = OP_TRANSACT_WRITE_ITEMS,
		.transact_write_items = {.actions = actions, .n_actions = PUTS},
	};
	int r = op_validate(&c, &in);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "Transaction payload size cannot exceed 4MB. Payload Size: 4194311");
	c.error = (struct error){0};
	attr.value.text.len--;
	r = op_validate(&c, &in);
	CU_ASSERT_EQUAL(r, 0);
}

static void
an_invalid_operation_is_refused(void)
{
	int r = op_validate(&c, &(struct op_in){.type = OP_COUNT});

	CU_ASSERT_EQUAL(r, -ERR_UNKNOWN_OPERATION);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_request_gets_the_message_of_dynamodb),
	UNIT_TEST(a_transaction_has_at_most_4_megabytes),
	UNIT_TEST(an_invalid_operation_is_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(validate, setup, teardown, tests);
