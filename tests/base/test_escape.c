#include "store/base/core/escape.h"

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
	(void)escape_put(&text, in, most);
	return slice_is(buf_view(&text), expected);
}

static void
plain_text_is_unchanged(void)
{
	CU_ASSERT_TRUE(shows(SLICE("a b\xc3\xa9\xe6\x97\xa5\xf0\x9f\x8e\x89"), 99,
			     "a b\xc3\xa9\xe6\x97\xa5\xf0\x9f\x8e\x89"));
	CU_ASSERT_TRUE(shows(SLICE(""), 9, ""));
}

static void
control_characters_are_escaped(void)
{
	CU_ASSERT_TRUE(shows(SLICE("\n\t\r\x1b\x7f"), 99, "\\n\\t\\r\\u001b\\u007f"));
	CU_ASSERT_TRUE(shows(SLICE("\0a"), 99, "\\u0000a"));
	CU_ASSERT_TRUE(
		shows(SLICE("\xe2\x80\xae\xef\xbf\xbf\xef\xbb\xbf"), 99, "\\u202e\\uffff\\ufeff"));
	CU_ASSERT_TRUE(shows(SLICE("\xf0\x9f\xbf\xbe"), 99, "\\u1fffe"));
}

/* Return true if a terminal gets @in as @expected. */
static bool
lines_show(struct slice in, bool colors, const char *expected)
{
	buf_clear(&text);
	escape_lines(&text, in, colors);
	return slice_is(buf_view(&text), expected);
}

static void
line_ends_and_json_are_preserved(void)
{
	CU_ASSERT_TRUE(lines_show(SLICE("{\"a\":\"\xc2\x9b\x7f\xe2\x80\xae\"}\n\t"), false,
				  "{\"a\":\"\\u009b\\u007f\\u202e\"}\n\t"));
	CU_ASSERT_TRUE(
		lines_show(SLICE("\xf0\x9f\xbf\xbe\xc3\xa9"), false, "\xf0\x9f\xbf\xbe\xc3\xa9"));
	CU_ASSERT_TRUE(lines_show(SLICE("\x9b\x31m\r"), false, "\\u009b1m\\r"));
}

static void
only_our_own_colours_are_preserved(void)
{
	CU_ASSERT_TRUE(lines_show(SLICE("\033[1;31mx\033[m"), true, "\033[1;31mx\033[m"));
	CU_ASSERT_TRUE(lines_show(SLICE("\033[1mx"), false, "\\u001b[1mx"));
	CU_ASSERT_TRUE(lines_show(SLICE("\033[2J\033]0;x\007\033["), true,
				  "\\u001b[2J\\u001b]0;x\\u0007\\u001b["));
}

static void
an_incomplete_character_waits_for_its_end(void)
{
	CU_ASSERT_EQUAL(escape_whole(SLICE("")), 0);
	CU_ASSERT_EQUAL(escape_whole(SLICE("ab")), 2);
	CU_ASSERT_EQUAL(escape_whole(SLICE("a\xc2")), 1);
	CU_ASSERT_EQUAL(escape_whole(SLICE("a\xe2\x80")), 1);
	CU_ASSERT_EQUAL(escape_whole(SLICE("a\xe2\x80\xae")), 4);
	CU_ASSERT_EQUAL(escape_whole(SLICE("\xf0\x9f\xbf")), 0);
	CU_ASSERT_EQUAL(escape_whole(SLICE("\x80\x80\x80\x80")), 4);
}

static void
the_limit_counts_characters(void)
{
	CU_ASSERT_FALSE(escape_put(&text, SLICE("\xc3\xa9\xc3\xa9"), 2));
	buf_clear(&text);
	CU_ASSERT_TRUE(escape_put(&text, SLICE("\xc3\xa9\xc3\xa9z"), 2));
	CU_ASSERT_TRUE(slice_is(buf_view(&text), "\xc3\xa9\xc3\xa9"));
}

static void
an_incomplete_character_is_not_read_past_its_end(void)
{
	CU_ASSERT_EQUAL(escape_columns(SLICE("a\xf0")), 2);
	CU_ASSERT_EQUAL(escape_columns(SLICE("a\xe6\x97")), 3);
}

static void
control_characters_after_an_incomplete_character_are_escaped(void)
{
	struct buf b;

	buf_init(&b, NULL);
	CU_ASSERT_FALSE(escape_put(&b, SLICE("\xc3\33[2J\xe6\x97\7"), SIZE_MAX));
	CU_ASSERT_TRUE(slice_is(buf_view(&b), "\xc3\\u001b[2J\xe6\\u0097\\u0007"));
	buf_release(&b);
}

static void
wide_characters_take_two_columns(void)
{
	CU_ASSERT_EQUAL(escape_columns(SLICE("a\xc3\xa9\xe6\x97\xa5\xe2\x80\xa6")), 5);
}

static void
markup_is_escaped(void)
{
	escape_markup(&text, SLICE("<a b=\"'\">&amp;"));
	CU_ASSERT_TRUE(slice_is(buf_view(&text), "&lt;a b=&quot;&#39;&quot;&gt;&amp;amp;"));
}

static bool
all_but_a_slash(char ch)
{
	return ch != '/';
}

static void
bytes_are_percent_encoded(void)
{
	escape_percent(&text, SLICE("aZ_9-.~ /%\xc3\x01"), escape_unreserved);
	CU_ASSERT_TRUE(slice_is(buf_view(&text), "aZ_9-.~%20%2F%25%C3%01"));
	buf_clear(&text);
	escape_percent(&text, SLICE("a/\xc3"), all_but_a_slash);
	CU_ASSERT_TRUE(slice_is(buf_view(&text), "a%2F\xc3"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(line_ends_and_json_are_preserved),
	UNIT_TEST(only_our_own_colours_are_preserved),
	UNIT_TEST(an_incomplete_character_waits_for_its_end),
	UNIT_TEST(plain_text_is_unchanged),
	UNIT_TEST(control_characters_are_escaped),
	UNIT_TEST(the_limit_counts_characters),
	UNIT_TEST(an_incomplete_character_is_not_read_past_its_end),
	UNIT_TEST(control_characters_after_an_incomplete_character_are_escaped),
	UNIT_TEST(wide_characters_take_two_columns),
	UNIT_TEST(markup_is_escaped),
	UNIT_TEST(bytes_are_percent_encoded),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(escape, setup, teardown, tests);
