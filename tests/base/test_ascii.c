#include "store/base/core/base.h"

#include "tests/support/unit.h"

/* Return how many of all 256 bytes are of the kind. */
static unsigned
count(bool (*is)(char))
{
	unsigned n = 0;

	for (int b = 0; b < 256; b++) {
		n += is((char)b);
	}
	return n;
}

static void
classifies_every_byte(void)
{
	CU_ASSERT_TRUE(ascii_digit('0') && ascii_digit('9'));
	CU_ASSERT_EQUAL(count(ascii_digit), 10);
	CU_ASSERT_TRUE(ascii_blank(' ') && ascii_blank('\t') && ascii_blank('\r') &&
		       ascii_blank('\n'));
	CU_ASSERT_EQUAL(count(ascii_blank), 4);
	CU_ASSERT_TRUE(ascii_word('a') && ascii_word('Z') && ascii_word('0') && ascii_word('_'));
	CU_ASSERT_EQUAL(count(ascii_word), 26 + 26 + 10 + 1);
}

static void
finds_the_end_of_digits(void)
{
	CU_ASSERT_EQUAL(ascii_digits_end(SLICE("a123b"), 1), 4);
	CU_ASSERT_EQUAL(ascii_digits_end(SLICE("a123"), 1), 4);
	CU_ASSERT_EQUAL(ascii_digits_end(SLICE("abc"), 1), 1);
	CU_ASSERT_EQUAL(ascii_digits_end(SLICE("a"), 1), 1);
}

static void
ignores_case(void)
{
	CU_ASSERT_TRUE(ascii_same(SLICE("And"), SLICE("aND")));
	CU_ASSERT_FALSE(ascii_same(SLICE("And"), SLICE("An")));
	CU_ASSERT_FALSE(ascii_same(SLICE("And"), SLICE("Ant")));
	CU_ASSERT_TRUE(ascii_same(slice_from(NULL), SLICE("")));
}

static void
trims_both_ends(void)
{
	CU_ASSERT_TRUE(slice_is(ascii_trim(SLICE(" \n a b\t\r\n")), "a b"));
	CU_ASSERT_EQUAL(ascii_trim(SLICE(" \n ")).len, 0);
	CU_ASSERT_EQUAL(ascii_trim(SLICE("")).len, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(classifies_every_byte),
	UNIT_TEST(finds_the_end_of_digits),
	UNIT_TEST(ignores_case),
	UNIT_TEST(trims_both_ends),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(ascii, NULL, NULL, tests);
