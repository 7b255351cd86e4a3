#include "tools/mask/mask_int.h"

#include "tests/support/unit.h"
#include "tests/support/unit_call.h"

UNIT_CALL(call);

static struct mask mask;
static struct masking masking;
static struct sha256_keyed key;

static void
begin(void)
{
	sha256_keyed_init(&key, SLICE("0123456789abcdef"));
	mask = (struct mask){.key = &key};
	masking = (struct masking){.c = &call, .m = &mask, .key = key};
}

/* Check the date @text moved by @n days; "-": not a date. */
static void
days(struct slice text, int64_t n, const char *want)
{
	struct mask_rule rule = {.action = MASK_SHIFT_DAYS, .days = n};
	struct slice out = SLICE("-");

	if (!mask_shift_days_text(&masking, &rule, text, &out)) {
		out = SLICE("-");
	}
	CU_ASSERT_TRUE(slice_is(out, want));
}

static void
dates_move_through_the_calendar(void)
{
	begin();
	days(SLICE("2020-02-28"), 1, "2020-02-29");
	days(SLICE("2020-02-28"), 2, "2020-03-01");
	days(SLICE("2019-02-28"), 1, "2019-03-01");
	days(SLICE("1900-02-28"), 1, "1900-03-01");
	days(SLICE("2000-02-28"), 1, "2000-02-29");
	days(SLICE("2020-12-31T23:59:59Z"), 1, "2021-01-01T23:59:59Z");
	days(SLICE("2020-01-01"), -1, "2019-12-31");
	days(SLICE("2020-01-01"), 366, "2021-01-01");
	days(SLICE("0001-01-01"), -1, "-");
	days(SLICE("9999-12-31"), 1, "-");
	struct mask_rule day = {.action = MASK_SHIFT_DAYS, .days = 1};
	struct slice out = SLICE("");

	CU_ASSERT_TRUE(mask_shift_days_text(&masking, &day, SLICE("2024-01-31\0xyz"), &out));
	CU_ASSERT_TRUE(slice_eq(out, SLICE("2024-02-01\0xyz")));
}

static void
invalid_dates_do_not_move(void)
{
	begin();
	days(SLICE("2020-02-30"), 1, "-");
	days(SLICE("2019-02-29"), 1, "-");
	days(SLICE("2020-13-01"), 1, "-");
	days(SLICE("2020-00-01"), 1, "-");
	days(SLICE("2020-01-00"), 1, "-");
	days(SLICE("0000-01-01"), 1, "-");
	days(SLICE("2020-01-011"), 1, "-");
	days(SLICE("2020-01-0"), 1, "-");
	days(SLICE("2020/01/01"), 1, "-");
	days(SLICE("x020-01-01"), 1, "-");
	days(SLICE(""), 1, "-");
}

static void
a_day_there_and_back_is_the_same(void)
{
	struct mask_rule there = {.action = MASK_SHIFT_DAYS, .days = 400};
	struct mask_rule back = {.action = MASK_SHIFT_DAYS, .days = -400};
	struct mask_rule next = {.action = MASK_SHIFT_DAYS, .days = 1};
	struct slice day = SLICE("1890-01-01");
	struct slice out;

	begin();
	for (int i = 0; i < 60000; i++) {
		CU_ASSERT_TRUE(mask_shift_days_text(&masking, &there, day, &out));
		CU_ASSERT_TRUE(mask_shift_days_text(&masking, &back, out, &out));
		CU_ASSERT_TRUE(slice_eq(out, day));
		CU_ASSERT_TRUE(mask_shift_days_text(&masking, &next, day, &out));
		CU_ASSERT_TRUE(slice_cmp(day, out) < 0);
		day = out;
	}
	CU_ASSERT_TRUE(slice_is(day, "2054-04-11"));
}

static struct slice
hashed(struct slice number)
{
	struct value v = {.type = VALUE_N, .text = number};

	return mask_hash(&masking, &v).text;
}

static void
numbers_stay_different(void)
{
	static bool seen[1 << 16];
	struct slice few = {0};

	begin();
	few = hashed(SLICE("7"));
	CU_ASSERT_TRUE(few.len <= 16);
	CU_ASSERT_TRUE(slice_eq(few, hashed(SLICE("7"))));
	CU_ASSERT_FALSE(slice_eq(few, hashed(SLICE("-7"))));
	CU_ASSERT_EQUAL(hashed(SLICE("7.5")).len, 36);
	CU_ASSERT_EQUAL(hashed(SLICE("-7")).len, 37);
	CU_ASSERT_EQUAL(hashed(SLICE("1234567890123456")).len, 36);
	/* Masking is a permutation of all numbers below 2^52: the results of several thousand differ. */
	for (int i = 0; i < 5000; i++) {
		struct buf b;
		uint64_t n = 0;

		buf_init(&b, &call.arena);
		buf_fmt(&b, "%d", i);
		struct slice out = hashed(buf_view(&b));

		for (size_t k = 0; k < out.len; k++) {
			n = n * 10 + (uint64_t)(out.at[k] - '0');
		}
		CU_ASSERT_TRUE(n < UINT64_C(1) << 52);
		seen[n >> 36] = true;
	}
	size_t places = 0;

	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		places += seen[i];
	}
	CU_ASSERT_TRUE(places > 4500); /* the results are spread */
}

static CU_TestInfo tests[] = {
	UNIT_TEST(dates_move_through_the_calendar),
	UNIT_TEST(invalid_dates_do_not_move),
	UNIT_TEST(a_day_there_and_back_is_the_same),
	UNIT_TEST(numbers_stay_different),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(mask, setup, teardown, tests);
