/* Tests of stream names: each has one form, and no other is accepted. */
#include "store/base/core/clock.h"
#include "store/model/arn.h"
#include "store/model/stream_arn.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

#define TABLE "arn:aws:dynamodb:us-east-1:000000000000:table/"

static const char forum[] = TABLE "Forum/stream/2015-05-20T20:51:10.252";

static void
labels_are_dates(void)
{
	static const struct {
		uint64_t ms;
		const char *label;
	} dates[] = {
		{0, "1970-01-01T00:00:00.000"},
		{1432155070252, "2015-05-20T20:51:10.252"},
		{1709251199999, "2024-02-29T23:59:59.999"},
		{253402300799999, "9999-12-31T23:59:59.999"},
	};

	for (size_t i = 0; i < 4; i++) {
		uint64_t ms = 1;
		struct buf b;

		buf_init(&b, &c.arena);
		clock_put(&b, dates[i].ms);
		CU_ASSERT_TRUE(slice_is(buf_view(&b), dates[i].label));
		CU_ASSERT_TRUE(stream_arn_read_label(buf_view(&b), &ms));
		CU_ASSERT_EQUAL(ms, dates[i].ms);
	}
}

static void
a_label_must_be_a_date(void)
{
	static const char *const wrong[] = {
		"",
		"2015-05-20T20:51:10",
		"2015-05-20T20:51:10.25",
		"2015-05-20T20:51:10.2520",
		"2015-05-20 20:51:10.252",
		"2015-02-29T00:00:00.000",
		"2015-13-01T00:00:00.000",
		"2015-05-20T24:00:00.000",
		"1969-12-31T23:59:59.999",
		"2015-05-20T20:51:60.000",
		"x015-05-20T20:51:10.252",
		"2015-05-20T20:51:10.2x2",
		"+015-05-20T20:51:10.252",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint64_t ms;

		CU_ASSERT_FALSE(stream_arn_read_label(slice_from(wrong[i]), &ms));
	}
}

static void
streams_have_one_name_each(void)
{
	struct slice table;
	uint64_t ms = 0;
	struct buf b;

	buf_init(&b, &c.arena);
	stream_arn_put(&b, SLICE(""), SLICE("Forum"), 1432155070252);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), forum));
	CU_ASSERT_TRUE(stream_arn_read(buf_view(&b), &table, &ms));
	CU_ASSERT_TRUE(slice_is(table, "Forum"));
	CU_ASSERT_EQUAL(ms, 1432155070252);
	for (size_t i = 0; i < b.len; i++) {
		CU_ASSERT_FALSE(stream_arn_read(slice_of(b.at, i), &table, &ms));
	}
	CU_ASSERT_FALSE(
		stream_arn_read(SLICE(TABLE "/stream/2015-05-20T20:51:10.252"), &table, &ms));
	CU_ASSERT_FALSE(
		stream_arn_read(SLICE(TABLE "Forum/index//2015-05-20T20:51:10.252"), &table, &ms));
}

static void
sequence_numbers_are_shown_with_21_digits(void)
{
	uint64_t n = 0;

	CU_ASSERT_TRUE(slice_is(stream_seq(&c.arena, 0), "000000000000000000000"));
	CU_ASSERT_TRUE(slice_is(stream_seq(&c.arena, UINT64_MAX), "018446744073709551615"));
	CU_ASSERT_TRUE(stream_read_seq(SLICE("018446744073709551615"), &n) && n == UINT64_MAX);
	CU_ASSERT_TRUE(stream_read_seq(SLICE("0000000000000000000000000000000000000042"), &n) &&
		       n == 42);
	CU_ASSERT_FALSE(stream_read_seq(SLICE("018446744073709551616"), &n));
	CU_ASSERT_FALSE(stream_read_seq(SLICE("99999999999999999999999999999999"), &n));
	CU_ASSERT_FALSE(stream_read_seq(SLICE("00000000000000000000x"), &n));
	CU_ASSERT_FALSE(stream_read_seq(SLICE(""), &n));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(labels_are_dates),
	UNIT_TEST(a_label_must_be_a_date),
	UNIT_TEST(streams_have_one_name_each),
	UNIT_TEST(sequence_numbers_are_shown_with_21_digits),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_arn, setup, teardown, tests);
