#include <locale.h>

#include "tools/text/wrap.h"

#include "tests/support/unit.h"

static struct buf text;
static struct wrap f;

static void
setup(void)
{
	(void)setlocale(LC_CTYPE, "C.UTF-8"); /* NOLINT(concurrency-mt-unsafe): one thread */
	buf_init(&text, NULL);
	f = (struct wrap){.out = &text, .width = 16};
}

static void
teardown(void)
{
	buf_release(&text);
}

static void
add(const char *name, const char *value)
{
	wrap_add(&f, slice_from(name), slice_from(value));
}

static bool
reads(const char *expected)
{
	return slice_is(buf_view(&text), expected);
}

static void
attributes_share_a_line_while_they_fit(void)
{
	add("a", "1");
	add("b", "22");
	add("c", "3");
	CU_ASSERT_TRUE(reads("a: 1  b: 22\nc: 3"));
}

static void
a_line_may_be_full_to_the_last_column(void)
{
	add("a", "1");
	add("bcdef", "234");
	CU_ASSERT_TRUE(reads("a: 1  bcdef: 234"));
}

static void
words_wider_than_a_line_are_broken(void)
{
	add("a", "1");
	add("b", "0123456789abcdefg");
	add("c", "3");
	CU_ASSERT_TRUE(reads("a: 1\nb: 0123456789abc\ndefg  c: 3"));
}

static void
lines_are_broken_between_words(void)
{
	add("a", "one two three  four");
	CU_ASSERT_TRUE(reads("a: one two three\nfour"));
	buf_clear(&text);
	f.column = 0;
	add("a", "0123456789abcdef two");
	CU_ASSERT_TRUE(reads("a:\n0123456789abcdef\ntwo"));
}

static void
text_keeps_blanks_except_at_line_ends(void)
{
	wrap_text(&f, SLICE("  time: a  query for each one, 0123456789abcdefg"));
	CU_ASSERT_TRUE(reads("  time: a  query\nfor each one, 01\n23456789abcdefg"));
	buf_clear(&text);
	f.column = 0;
	wrap_text(&f, SLICE("                    x "));
	CU_ASSERT_TRUE(reads("                \n    x "));
	buf_clear(&text);
	wrap_text(&f, SLICE(""));
	CU_ASSERT_TRUE(reads(""));
}

static void
width_counts_columns_not_bytes(void)
{
	CU_ASSERT_EQUAL(wrap_width(SLICE("")), 0);
	CU_ASSERT_EQUAL(wrap_width(SLICE("Größe")), 5);
	CU_ASSERT_EQUAL(wrap_width(SLICE("日本")), 4);
	CU_ASSERT_EQUAL(wrap_width(SLICE("\xff\x01")), 2);
	add("a", "日本日本日本日本日");
	CU_ASSERT_TRUE(reads("a: 日本日本日本\n日本日"));
}

static void
a_line_may_have_one_column(void)
{
	f.width = 1;
	add("a", "日");
	CU_ASSERT_TRUE(reads("a\n:\n \n日"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(attributes_share_a_line_while_they_fit),
	UNIT_TEST(a_line_may_be_full_to_the_last_column),
	UNIT_TEST(words_wider_than_a_line_are_broken),
	UNIT_TEST(lines_are_broken_between_words),
	UNIT_TEST(text_keeps_blanks_except_at_line_ends),
	UNIT_TEST(width_counts_columns_not_bytes),
	UNIT_TEST(a_line_may_have_one_column),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(wrap, setup, teardown, tests);
