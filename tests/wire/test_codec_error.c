/* Errors survive the way from one end to the other. */
#include <stdio.h>

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
a_cancelled_transaction_tells_its_reasons(void)
{
	struct item old = codec_thing();
	struct cancel_reason reasons[] = {
		{.code = SLICE("None")},
		{SLICE("ConditionalCheckFailed"), SLICE("The conditional request failed"), &old},
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
	UNIT_TEST(a_cancelled_transaction_tells_its_reasons),
	UNIT_TEST(a_failed_condition_shows_the_item),
	UNIT_TEST(messages_that_are_not_utf8_become_readable),
	UNIT_TEST(errors_of_foreign_servers_are_understood),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_error, codec_setup, codec_teardown, tests);
