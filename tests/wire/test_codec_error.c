/* Errors keep their fields in a round trip from one end to the other. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"

static void
every_row_of_the_error_table_survives(void)
{
	for (int code = ERR_NONE + 1; code < ERR_COUNT; code++) {
		struct error e = {
			.code = (enum err)code, .message = "why \"it\" failed", .place = 3};

		buf_clear(&codec.body);
		codec_encode_error(&codec.body, CODEC_OWN, &e);
		codec.c.error = (struct error){0};
		int r = codec_decode_error(&codec.c, buf_view(&codec.body),
					   error_http((enum err)code));

		CU_ASSERT_EQUAL(r, -code);
		CU_ASSERT_EQUAL((int)codec.c.error.code, code);
		CU_ASSERT_STRING_EQUAL(codec.c.error.message, "why \"it\" failed");
		CU_ASSERT_EQUAL(codec.c.error.place, 3);
	}
}

static void
a_cancelled_transaction_keeps_its_reasons(void)
{
	struct item old = codec_thing();
	struct cancel_reason reasons[] = {
		{.code = SLICE("None")},
		{.code = SLICE("ConditionalCheckFailed"),
		 .message = SLICE("The conditional request failed"),
		 .item = &old},
	};
	struct error e = {
		.code = ERR_CANCELED, .message = "cancelled", .reasons = reasons, .n_reasons = 2};

	codec_encode_error(&codec.body, CODEC_FOREIGN, &e);
	int r = codec_decode_error(&codec.c, buf_view(&codec.body), 400);

	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(codec.c.error.n_reasons, 2);
	SAME_SLICE(codec.c.error.reasons[0].code, SLICE("None"));
	CU_ASSERT_EQUAL(codec.c.error.reasons[0].message.len, 0);
	CU_ASSERT_PTR_NULL(codec.c.error.reasons[0].item);
	SAME_SLICE(codec.c.error.reasons[1].code, SLICE("ConditionalCheckFailed"));
	SAME_SLICE(codec.c.error.reasons[1].message, SLICE("The conditional request failed"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(codec.c.error.reasons[1].item);
	CU_ASSERT_TRUE(item_eq(codec.c.error.reasons[1].item, &old));
}

static void
a_failed_condition_shows_the_item(void)
{
	struct item old = codec_thing();
	struct error e = {.code = ERR_CONDITION, .message = "no", .item = &old};

	codec_encode_error(&codec.body, CODEC_FOREIGN, &e);
	int r = codec_decode_error(&codec.c, buf_view(&codec.body), 400);

	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	CU_ASSERT_PTR_NOT_NULL_FATAL(codec.c.error.item);
	CU_ASSERT_TRUE(item_eq(codec.c.error.item, &old));
}

#define READS "TableReadProvisionedThroughputExceeded"
#define KEYS "IndexWriteKeyRangeThroughputExceeded"
#define ARN "arn:aws:dynamodb:us-east-1:000000000000:table/T"

static const struct throttled_why two[] = {{SLICE_INIT(READS), SLICE_INIT(ARN)},
					   {SLICE_INIT(KEYS), SLICE_INIT(ARN "/index/I")}};

/* Is the error equal to @expected when it is encoded for @peer? */
static bool
encodes_to(enum codec_peer peer, const struct error *e, const char *expected)
{
	buf_clear(&codec.body);
	codec_encode_error(&codec.body, peer, e);
	bool same = slice_is(buf_view(&codec.body), expected);

	if (!same) {
		printf("%.*s\n", SLICE_ARG(buf_view(&codec.body)));
	}
	return same;
}

/* The member's name begins with a lower-case letter in one of the two errors, as in the service's model. */
static void
throttled_requests_have_reasons(void)
{
	struct error e = {.code = ERR_THROTTLED, .message = "no", .throttled = {.at = two, .n = 2}};

	CU_ASSERT_TRUE(encodes_to(
		CODEC_FOREIGN, &e,
		"{\"__type\":\"com.amazonaws.dynamodb.v20120810#"
		"ProvisionedThroughputExceededException\",\"message\":\"no\",\"ThrottlingReasons\":["
		"{\"reason\":\"" READS "\",\"resource\":\"" ARN "\"},"
		"{\"reason\":\"" KEYS "\",\"resource\":\"" ARN "/index/I\"}]}"));
	int r = codec_decode_error(&codec.c, buf_view(&codec.body), 400);

	CU_ASSERT_EQUAL(r, -ERR_THROTTLED);
	CU_ASSERT_EQUAL_FATAL(codec.c.error.throttled.n, 2);
	SAME_SLICE(codec.c.error.throttled.at[1].reason, SLICE(KEYS));
	SAME_SLICE(codec.c.error.throttled.at[1].resource, SLICE(ARN "/index/I"));
	e.code = ERR_THROTTLED_ON_DEMAND;
	e.throttled.n = 1;
	CU_ASSERT_TRUE(encodes_to(
		CODEC_FOREIGN, &e,
		"{\"__type\":\"com.amazon.coral.availability#ThrottlingException\",\"message\":\"no\","
		"\"throttlingReasons\":[{\"reason\":\"" READS "\",\"resource\":\"" ARN "\"}]}"));
	e.throttled.n = 0;
	CU_ASSERT_TRUE(
		encodes_to(CODEC_FOREIGN, &e,
			   "{\"__type\":\"com.amazon.coral.availability#ThrottlingException\","
			   "\"message\":\"no\"}"));
}

/* In the service's model, CancellationReason has no such member. */
static void
throttling_reasons_of_actions_are_sent_between_our_own_ends(void)
{
	struct cancel_reason reason = {.code = SLICE("ThrottlingError"),
				       .message = SLICE("slow"),
				       .throttled = {.at = two, .n = 2}};
	struct error e = {
		.code = ERR_CANCELED, .message = "no", .reasons = &reason, .n_reasons = 1};

	CU_ASSERT_TRUE(encodes_to(
		CODEC_FOREIGN, &e,
		"{\"__type\":\"com.amazonaws.dynamodb.v20120810#TransactionCanceledException\","
		"\"Message\":\"no\",\"CancellationReasons\":[{\"Code\":\"ThrottlingError\","
		"\"Message\":\"slow\"}]}"));
	buf_clear(&codec.body);
	codec_encode_error(&codec.body, CODEC_OWN, &e);
	int r = codec_decode_error(&codec.c, buf_view(&codec.body), 400);

	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(codec.c.error.n_reasons, 1);
	CU_ASSERT_EQUAL_FATAL(codec.c.error.reasons[0].throttled.n, 2);
	SAME_SLICE(codec.c.error.reasons[0].throttled.at[0].reason, SLICE(READS));
	CU_ASSERT_EQUAL(codec.c.error.throttled.n, 0);
}

/* The error is the same even if its reasons are invalid. */
static void
reasons_of_foreign_servers_do_no_harm(void)
{
	static const struct {
		const char *members;
		size_t n;
	} rows[] = {
		{"\"ThrottlingReasons\":[{\"reason\":\"A\",\"resource\":\"r\"}]", 1},
		{"\"throttlingReasons\":[{\"reason\":\"A\"}]", 1},
		{"\"ThrottlingReasons\":[{\"reason\":\"A\"}],\"throttlingReasons\":[{\"reason\":\"A\"},"
		 "{\"reason\":\"B\"}]",
		 2},
		{"\"ThrottlingReasons\":null", 0},
		{"\"ThrottlingReasons\":[]", 0},
		{"\"ThrottlingReasons\":3", 0},
		{"\"ThrottlingReasons\":\"A\"", 0},
		{"\"ThrottlingReasons\":{\"reason\":\"A\"}", 0},
		{"\"ThrottlingReasons\":[null,3,\"A\",[],{},{\"reason\":3},{\"reason\":\"\"},"
		 "{\"resource\":\"r\"},{\"reason\":\"B\",\"resource\":{}}]",
		 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		codec.c.error = (struct error){0};
		buf_clear(&codec.body);
		buf_fmt(&codec.body,
			"{\"__type\":\"x#RequestLimitExceeded\",\"message\":\"no\",%s}",
			rows[i].members);
		int r = codec_decode_error(&codec.c, buf_view(&codec.body), 400);

		CU_ASSERT_EQUAL(r, -ERR_THROTTLED_ON_DEMAND);
		CU_ASSERT_STRING_EQUAL(codec.c.error.message, "no");
		CU_ASSERT_EQUAL(codec.c.error.throttled.n, rows[i].n);
	}
}

static void
the_number_of_kept_reasons_is_bounded(void)
{
	buf_str(&codec.body, "{\"__type\":\"x#ThrottlingException\",\"throttlingReasons\":[");
	for (int i = 0; i < 100000; i++) {
		buf_fmt(&codec.body, "%s{\"reason\":\"%d\"}", i == 0 ? "" : ",", i);
	}
	buf_str(&codec.body, "]}");
	int r = codec_decode_error(&codec.c, buf_view(&codec.body), 400);

	CU_ASSERT_EQUAL(r, -ERR_THROTTLED_ON_DEMAND);
	CU_ASSERT_EQUAL(codec.c.error.throttled.n, THROTTLED_MAX);
}

/* Errors other than throttling have no throttling reasons. */
static void
other_errors_have_no_such_reasons(void)
{
	int r = codec_decode_error(&codec.c,
				   SLICE("{\"__type\":\"x#ValidationException\",\"message\":\"no\","
					 "\"ThrottlingReasons\":[{\"reason\":\"A\"}]}"),
				   400);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_EQUAL(codec.c.error.throttled.n, 0);
}

static void
messages_that_are_not_utf8_become_readable(void)
{
	struct error e = {.code = ERR_IO, .message = "cannot open /m/\xff"};

	codec_encode_error(&codec.body, CODEC_OWN, &e);
	int r = codec_decode_error(&codec.c, buf_view(&codec.body), 500);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_STRING_EQUAL(codec.c.error.message, "cannot open /m/?");
}

static void
errors_of_foreign_servers_are_understood(void)
{
	static const struct {
		const char *body;
		int status;
		enum err code;
	} rows[] = {
		{"{\"__type\":\"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException\"}", 400,
		 ERR_NO_TABLE},
		{"{\"__type\":\"ValidationException\",\"message\":\"x\"}", 400, ERR_VALIDATION},
		{"{\"__type\":\"com.amazon.coral.availability#ThrottlingException\"}", 400,
		 ERR_THROTTLED_ON_DEMAND},
		{"{\"__type\":\"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded\"}", 400,
		 ERR_THROTTLED_ON_DEMAND},
		{"{\"__type\":\"com.amazon.coral.service#UnrecognizedClientException\"}", 400,
		 ERR_UNKNOWN_CLIENT},
		{"{\"__type\":\"com.amazon.coral.service#ExpiredTokenException\"}", 400,
		 ERR_EXPIRED_TOKEN},
		{"{\"__type\":\"something#Else\"}", 400, ERR_IO},
		{"<html>", 503, ERR_BUSY},
		{"", 500, ERR_IO},
		{"", 413, ERR_VALIDATION},
		{"[]", 404, ERR_UNKNOWN_OPERATION},
		{"{\"__type\":3}", 429, ERR_THROTTLED},
		{"{\"CancellationReasons\":[3]}", 502, ERR_UNREACHABLE},
		{"{\"__type\":\"TransactionInProgressException\"}", 400, ERR_IN_PROGRESS},
		{"{\"__type\":\"ResourceNotFoundException\",\"message\":3,\"Item\":[3]}", 400,
		 ERR_NO_TABLE},
		{"{\"__type\":\"TransactionCanceledException\",\"CancellationReasons\":\"none\"}",
		 400, ERR_CANCELED},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		codec.c.error = (struct error){0};
		int r = codec_decode_error(&codec.c, slice_from(rows[i].body), rows[i].status);

		if (r != -(int)rows[i].code) {
			printf("%s: got %d\n", rows[i].body, r);
		}
		CU_ASSERT_EQUAL(r, -(int)rows[i].code);
		CU_ASSERT_EQUAL(codec.c.error.code, rows[i].code);
		CU_ASSERT_TRUE(codec.c.error.message[0] != '\0');
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_row_of_the_error_table_survives),
	UNIT_TEST(a_cancelled_transaction_keeps_its_reasons),
	UNIT_TEST(a_failed_condition_shows_the_item),
	UNIT_TEST(throttled_requests_have_reasons),
	UNIT_TEST(throttling_reasons_of_actions_are_sent_between_our_own_ends),
	UNIT_TEST(reasons_of_foreign_servers_do_no_harm),
	UNIT_TEST(the_number_of_kept_reasons_is_bounded),
	UNIT_TEST(other_errors_have_no_such_reasons),
	UNIT_TEST(messages_that_are_not_utf8_become_readable),
	UNIT_TEST(errors_of_foreign_servers_are_understood),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_error, codec_setup, codec_teardown, tests);
