#include "store/base/text/shell_word.h"

#include "tools/text/words.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
splits_as_a_shell_does(void)
{
	static const struct {
		const char *line;
		const char *words[5];
	} cases[] = {
		{"", {0}},
		{"  \t\n ", {0}},
		{"a b", {"a", "b"}},
		{"  a \n\tb  ", {"a", "b"}},
		{"'a b' c", {"a b", "c"}},
		{"\"a b\"c'd e'", {"a bcd e"}},
		{"'' x", {"", "x"}},
		{"a\\ b \\'c", {"a b", "'c"}},
		{"\"a\\\"b\\\\c\\d\"", {"a\"b\\c\\d"}},
		{"'a\\b'", {"a\\b"}},
		{"a#b #c", {"a#b", "#c"}},
		{"{\"a b\": {\"c\":\"}\\\"}\"}} x", {"{\"a b\": {\"c\":\"}\\\"}\"}}", "x"}},
		{"'{\"a\":\"b c\"}'", {"{\"a\":\"b c\"}"}},
		{"trailing\\", {"trailing\\"}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct slice rest = slice_from(cases[i].line);
		struct word w;

		for (size_t n = 0; cases[i].words[n] != NULL; n++) {
			CU_ASSERT_EQUAL(words_next(&c, &rest, &w), 0);
			CU_ASSERT_TRUE(slice_is(w.text, cases[i].words[n]));
		}
		CU_ASSERT_EQUAL(words_next(&c, &rest, &w), WORD_END);
	}
}

static void
distinguishes_quoted_from_bare_words(void)
{
	struct slice rest = SLICE("if 'if' i\"f\" \\if");
	struct word w;

	for (int i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(words_next(&c, &rest, &w), 0);
		CU_ASSERT_TRUE(slice_is(w.text, "if"));
		CU_ASSERT_EQUAL(w.quoted, i > 0);
	}
}

static void
refuses_unclosed_quotes(void)
{
	static const char *const lines[] = {"'a",       "\"a",  "\"a\\\"", "a'b",
					    "{\"a\":1", "{\"}", "{}x"};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct slice rest = slice_from(lines[i]);
		struct word w;

		call_close(&c);
		CU_ASSERT_EQUAL(words_next(&c, &rest, &w), -ERR_USAGE);
	}
}

/* The parser of items says what is wrong inside. */
static void
takes_an_item_with_a_missing_bracket(void)
{
	static const char *const lines[] = {"{\"a\":[1,2}", "{'a':'[x'}"};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct slice rest = slice_from(lines[i]);
		struct word w;
		int r = words_next(&c, &rest, &w);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(slice_eq(w.text, slice_from(lines[i])));
	}
}

static void
shows_the_text_after_an_item(void)
{
	static const struct slice rows[][2] = {
		{SLICE_INIT("{}\0x"), SLICE_INIT("unexpected '\\u0000' after an item")},
		{SLICE_INIT("{}\33[2J"), SLICE_INIT("unexpected '\\u001b' after an item")},
		{SLICE_INIT("{}\xc3\xa9"), SLICE_INIT("unexpected '\xc3\xa9' after an item")},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice rest = rows[i][0];
		struct word w;

		call_close(&c);
		CU_ASSERT_EQUAL(words_next(&c, &rest, &w), -ERR_USAGE);
		CU_ASSERT_TRUE(slice_eq(slice_from(c.error.message), rows[i][1]));
	}
}

static void
quotes_for_a_shell(void)
{
	static const char *const rows[][2] = {
		{"", "''"},
		{"a b", "'a b'"},
		{"it's", "\"it's\""},
		{"A#1=x", "A#1=x"},
		{"#1", "'#1'"},
		{"=x", "=x"},
		{"$(x)", "'$(x)'"},
		{"~", "'~'"},
		{"a;b\n", "'a;b\n'"},
		{"x*", "'x*'"},
		{"\xc3\xa9", "\xc3\xa9"},
		{"a/b-c.d:e@f%g+h,i", "a/b-c.d:e@f%g+h,i"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out;

		buf_init(&out, &c.arena);
		shell_word(&out, slice_from(rows[i][0]));
		CU_ASSERT_TRUE(slice_is(buf_view(&out), rows[i][1]));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(takes_an_item_with_a_missing_bracket),
	UNIT_TEST(quotes_for_a_shell),
	UNIT_TEST(shows_the_text_after_an_item),
	UNIT_TEST(splits_as_a_shell_does),
	UNIT_TEST(distinguishes_quoted_from_bare_words),
	UNIT_TEST(refuses_unclosed_quotes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(words, setup, teardown, tests);
