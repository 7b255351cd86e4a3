#include "tools/visible.h"

#include "tests/support/unit.h"

static struct buf text;

static void
setup(void)
{
	buf_init(&text, NULL);
}

static void
teardown(void)
{
	buf_release(&text);
}

static bool
shows(struct slice in, size_t most, const char *expected)
{
	buf_clear(&text);
	(void)visible_put(&text, in, most);
	return slice_is(buf_view(&text), expected);
}

static void
plain_text_stays(void)
{
	CU_ASSERT_TRUE(shows(SLICE("a b\xc3\xa9\xe6\x97\xa5\xf0\x9f\x8e\x89"), 99,
			     "a b\xc3\xa9\xe6\x97\xa5\xf0\x9f\x8e\x89"));
	CU_ASSERT_TRUE(shows(SLICE(""), 9, ""));
}

static void
what_acts_is_written_out(void)
{
	CU_ASSERT_TRUE(shows(SLICE("\n\t\r\x1b\x7f"), 99, "\\n\\t\\r\\u001b\\u007f"));
	CU_ASSERT_TRUE(shows(SLICE("\0a"), 99, "\\u0000a"));
	CU_ASSERT_TRUE(
		shows(SLICE("\xe2\x80\xae\xef\xbf\xbf\xef\xbb\xbf"), 99, "\\u202e\\uffff\\ufeff"));
	CU_ASSERT_TRUE(shows(SLICE("\xf0\x9f\xbf\xbe"), 99, "\\u1fffe"));
}

static void
a_cut_counts_characters(void)
{
	CU_ASSERT_FALSE(visible_put(&text, SLICE("\xc3\xa9\xc3\xa9"), 2));
	buf_clear(&text);
	CU_ASSERT_TRUE(visible_put(&text, SLICE("\xc3\xa9\xc3\xa9z"), 2));
	CU_ASSERT_TRUE(slice_is(buf_view(&text), "\xc3\xa9\xc3\xa9"));
}

static void
a_character_that_is_cut_off_reads_no_further(void)
{
	CU_ASSERT_EQUAL(visible_columns(SLICE("a\xf0")), 2);
	CU_ASSERT_EQUAL(visible_columns(SLICE("a\xe6\x97")), 3);
}

static void
no_byte_that_acts_hides_behind_half_a_character(void)
{
	struct buf b;

	buf_init(&b, NULL);
	CU_ASSERT_FALSE(visible_put(&b, SLICE("\xc3\33[2J\xe6\x97\7"), SIZE_MAX));
	CU_ASSERT_TRUE(slice_is(buf_view(&b), "\xc3\\u001b[2J\xe6\\u0097\\u0007"));
	buf_release(&b);
}

static void
wide_characters_take_two_columns(void)
{
	CU_ASSERT_EQUAL(visible_columns(SLICE("a\xc3\xa9\xe6\x97\xa5\xe2\x80\xa6")), 5);
}

static void
markup_is_escaped(void)
{
	visible_markup(&text, SLICE("<a b=\"'\">&amp;"));
	CU_ASSERT_TRUE(slice_is(buf_view(&text), "&lt;a b=&quot;&#39;&quot;&gt;&amp;amp;"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(plain_text_stays),
	UNIT_TEST(what_acts_is_written_out),
	UNIT_TEST(a_cut_counts_characters),
	UNIT_TEST(a_character_that_is_cut_off_reads_no_further),
	UNIT_TEST(no_byte_that_acts_hides_behind_half_a_character),
	UNIT_TEST(wide_characters_take_two_columns),
	UNIT_TEST(markup_is_escaped),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(visible, setup, teardown, tests);
