#include "store/base/core/utf8.h"

#include "tests/support/unit.h"

static void
accepts_what_rfc_3629_allows(void)
{
	static const struct slice good[] = {
		SLICE_INIT(""),
		SLICE_INIT("a"),
		SLICE_INIT("\0"),
		SLICE_INIT("\x7f"),
		SLICE_INIT("twelve bytes"),
		SLICE_INIT("\xc2\x80"),
		SLICE_INIT("\xdf\xbf"),
		SLICE_INIT("\xe0\xa0\x80"),
		SLICE_INIT("\xed\x9f\xbf"),
		SLICE_INIT("\xee\x80\x80"),
		SLICE_INIT("\xef\xbf\xbf"),
		SLICE_INIT("\xf0\x90\x80\x80"),
		SLICE_INIT("\xf4\x8f\xbf\xbf"),
		SLICE_INIT("seven b\xc3\xa9 and more \xf0\x9f\x98\x80 of it"),
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CU_ASSERT_TRUE(utf8_valid(good[i]));
	}
}

static void
refuses_everything_else(void)
{
	static const struct slice bad[] = {
		SLICE_INIT("\x80"),             /* continuation byte alone */
		SLICE_INIT("\xbf"),             /* the same */
		SLICE_INIT("\xc0\x80"),         /* overlong NUL */
		SLICE_INIT("\xc1\xbf"),         /* overlong */
		SLICE_INIT("\xe0\x9f\xbf"),     /* overlong */
		SLICE_INIT("\xf0\x8f\xbf\xbf"), /* overlong */
		SLICE_INIT("\xed\xa0\x80"),     /* surrogate */
		SLICE_INIT("\xed\xbf\xbf"),     /* surrogate */
		SLICE_INIT("\xf4\x90\x80\x80"), /* above 10FFFF */
		SLICE_INIT("\xf5\x80\x80\x80"),
		SLICE_INIT("\xff"),
		SLICE_INIT("\xfe"),
		SLICE_INIT("\xc3"),
		SLICE_INIT("\xe2\x82"),
		SLICE_INIT("\xf0\x9f\x98"),
		SLICE_INIT("\xc3("),
		SLICE_INIT("\xe2\x82("),
		SLICE_INIT("\xf0\x9f\x98("),
		SLICE_INIT("\xe2(\xa1"),
		SLICE_INIT("12345678\x80"),
		SLICE_INIT("1234567\x80"),
		SLICE_INIT("\xc3\xa9\xa9"),
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_FALSE(utf8_valid(bad[i]));
	}
}

/* Bytes after the end must not be read, even if they would complete the character. */
static void
refuses_a_character_cut_short(void)
{
	static const char *const whole[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		size_t len = strlen(whole[i]);

		CU_ASSERT_TRUE(utf8_valid(slice_of(whole[i], len)));
		for (size_t n = 1; n < len; n++) {
			CU_ASSERT_FALSE(utf8_valid(slice_of(whole[i], n)));
		}
	}
}

/* A text may be cut before the first byte of a character, and nowhere else. */
static void
cuts_between_characters_only(void)
{
	struct slice s = SLICE("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	static const size_t want[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};

	for (size_t max = 0; max < sizeof(want) / sizeof(want[0]); max++) {
		struct slice cut = utf8_cut(s, max);

		CU_ASSERT_EQUAL(cut.len, want[max]);
		CU_ASSERT_PTR_EQUAL(cut.at, s.at);
		CU_ASSERT_TRUE(utf8_valid(cut));
	}
}

static void
skips_a_byte_order_mark_at_the_beginning(void)
{
	static const struct {
		const char *text;
		const char *past;
	} cases[] = {
		{"", ""},
		{"\xef\xbb", "\xef\xbb"},
		{"\xef\xbb\xbf", ""},
		{"\xef\xbb\xbf{}", "{}"},
		{"{\xef\xbb\xbf}", "{\xef\xbb\xbf}"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CU_ASSERT_TRUE(slice_is(utf8_past_mark(slice_from(cases[i].text)), cases[i].past));
	}
}

static void
counts_characters(void)
{
	CU_ASSERT_EQUAL(utf8_characters(SLICE("")), 0);
	CU_ASSERT_EQUAL(utf8_characters(SLICE("abc")), 3);
	CU_ASSERT_EQUAL(utf8_characters(SLICE("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z")), 5);
}

static void
counts_utf16_units(void)
{
	CU_ASSERT_EQUAL(utf8_units(SLICE("")), 0);
	CU_ASSERT_EQUAL(utf8_units(SLICE("abc")), 3);
	CU_ASSERT_EQUAL(utf8_units(SLICE("\xc3\xa9")), 1);
	CU_ASSERT_EQUAL(utf8_units(SLICE("\xe2\x82\xac")), 1);
	CU_ASSERT_EQUAL(utf8_units(SLICE("\xf0\x9f\x98\x80")), 2);
	CU_ASSERT_EQUAL(utf8_units(SLICE("a\xc3\xa9\xf0\x9f\x98\x80z")), 5);
}

static void
measures_the_first_character(void)
{
	CU_ASSERT_EQUAL(utf8_length(SLICE("ab")), 1);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\xc3\xa9z")), 2);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\xe2\x82\xac")), 3);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\xe2")), 3);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\xf0\x9f\x98")), 4);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\xe0\x9f")), 0);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\xe2\x82z")), 0);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\x80")), 0);
	CU_ASSERT_EQUAL(utf8_length(SLICE("\xff")), 0);
}

static void
encodes_the_first_and_the_last_character_of_each_length(void)
{
	static const struct {
		uint32_t ch;
		const char *bytes;
	} all[] = {
		{0x01, "\x01"},
		{0x7f, "\x7f"},
		{0x80, "\xc2\x80"},
		{0x7ff, "\xdf\xbf"},
		{0x800, "\xe0\xa0\x80"},
		{0xd7ff, "\xed\x9f\xbf"},
		{0xe000, "\xee\x80\x80"},
		{0xffff, "\xef\xbf\xbf"},
		{0x10000, "\xf0\x90\x80\x80"},
		{0x10ffff, "\xf4\x8f\xbf\xbf"},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char bytes[4];
		struct slice s = slice_of(bytes, utf8_encode(bytes, all[i].ch));

		CU_ASSERT_TRUE(slice_is(s, all[i].bytes));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(accepts_what_rfc_3629_allows),
	UNIT_TEST(refuses_everything_else),
	UNIT_TEST(refuses_a_character_cut_short),
	UNIT_TEST(cuts_between_characters_only),
	UNIT_TEST(skips_a_byte_order_mark_at_the_beginning),
	UNIT_TEST(counts_characters),
	UNIT_TEST(counts_utf16_units),
	UNIT_TEST(measures_the_first_character),
	UNIT_TEST(encodes_the_first_and_the_last_character_of_each_length),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(utf8, NULL, NULL, tests);
