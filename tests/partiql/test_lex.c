/* Tests of the lexer. */
#include "store/partiql/partiql_lex.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* Return the lexemes of @text as one letter each. */
static struct slice
letters(const char *text)
{
	static const char names[] = {
		[LEXEME_END] = '.',     [LEXEME_WORD] = 'w',      [LEXEME_QUOTED] = 'q',
		[LEXEME_STRING] = 's',  [LEXEME_NUMBER] = 'n',    [LEXEME_EQ] = '=',
		[LEXEME_NE] = '!',      [LEXEME_LT] = '<',        [LEXEME_LE] = 'l',
		[LEXEME_GT] = '>',      [LEXEME_GE] = 'g',        [LEXEME_OPEN] = '(',
		[LEXEME_CLOSE] = ')',   [LEXEME_LEFT] = '[',      [LEXEME_RIGHT] = ']',
		[LEXEME_TUPLE] = '{',   [LEXEME_TUPLE_END] = '}', [LEXEME_BAG] = 'b',
		[LEXEME_BAG_END] = 'e', [LEXEME_COMMA] = ',',     [LEXEME_DOT] = 'd',
		[LEXEME_COLON] = ':',   [LEXEME_SEMICOLON] = ';', [LEXEME_PARAMETER] = '?',
		[LEXEME_STAR] = '*',    [LEXEME_PLUS] = '+',      [LEXEME_MINUS] = '-',
		[LEXEME_SLASH] = '/',   [LEXEME_PERCENT] = '%',   [LEXEME_CONCAT] = '|',
		[LEXEME_OTHER] = 'o',
	};
	struct slice s = slice_from(text);
	struct buf got;
	struct lexeme l = lex(s, 0);

	buf_init(&got, &c.arena);
	while (l.type != LEXEME_END) {
		buf_char(&got, names[l.type]);
		l = lex(s, l.end);
	}
	CU_ASSERT_EQUAL(l.end, s.len);
	return buf_view(&got);
}

#define EXPECT(text, wanted) CU_ASSERT_TRUE(slice_is(letters(text), wanted))

static void
statements_are_split_into_lexemes(void)
{
	EXPECT("", "");
	EXPECT("SELECT a.b[0] FROM \"t 1\" WHERE x>=?", "wwdw[n]wqwwg?");
	EXPECT("<<1,'a'>>{'k':-1.5e3}", "bn,se{s:-n}");
	EXPECT("a<>b a!=b a<=b a<b a||b", "w!ww!wwlww<ww|w");
	EXPECT("*/%+-;", "*/%+-;");
}

static void
quoted_text_extends_to_the_closing_quote(void)
{
	EXPECT("'it''s' \"a\"\"b\" '' \"\"", "sqsq");
	EXPECT("'-- no comment /* either'", "s");
	EXPECT("'open", "ow");
	EXPECT("\"open''", "ows");
	EXPECT("'", "o");
}

static void
numbers_end_at_the_right_character(void)
{
	EXPECT("1", "n");
	EXPECT("1.5", "n");
	EXPECT("1.", "n");
	EXPECT(".5", "n");
	EXPECT("1e5 1E+5 1e-5", "nnn");
	EXPECT("1e", "nw");
	EXPECT("1e+", "nw+");
	EXPECT("1.2.3", "nn");
	EXPECT("1x", "nw");
}

static void
comments_and_blanks_are_skipped(void)
{
	EXPECT(" \t\r\n", "");
	EXPECT("a--b\nc", "ww");
	EXPECT("a--b", "w");
	EXPECT("a/* b\n * c */d", "ww");
	EXPECT("a/**/b", "ww");
	EXPECT("a/**/b/*", "wwo");
	EXPECT("a - -b", "w--w");
}

static void
an_unknown_character_is_a_lexeme(void)
{
	EXPECT("a@b", "wow");
	EXPECT("`a`", "owo");
	EXPECT("a\xc3\xa9", "woo");
	EXPECT("a | b ! c", "wowow");
	EXPECT("$a_1 _b", "ww");
}

static void
reserved_words_are_known_in_any_case(void)
{
	static const char *const reserved[] = {"select", "SELECT", "Zone", "absolute",
					       "current_timestamp"};
	static const char *const names[] = {
		"",     "a",      "zon",  "zonee",
		"name", "status", "year", "a_word_that_is_longer_than_all"};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		CU_ASSERT_TRUE(lex_reserved(slice_from(reserved[i])));
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CU_ASSERT_FALSE(lex_reserved(slice_from(names[i])));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(statements_are_split_into_lexemes),
	UNIT_TEST(quoted_text_extends_to_the_closing_quote),
	UNIT_TEST(numbers_end_at_the_right_character),
	UNIT_TEST(comments_and_blanks_are_skipped),
	UNIT_TEST(an_unknown_character_is_a_lexeme),
	UNIT_TEST(reserved_words_are_known_in_any_case),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(lex, setup, teardown, tests);
