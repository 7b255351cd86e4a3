#include "tools/text/fill.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static const struct fill_value values[] = {
	{SLICE_INIT("name"), SLICE_INIT("O'Hara \"x\"\\"), false},
	{SLICE_INIT("date"), SLICE_INIT("2018-09"), false},
	{SLICE_INIT("n"), SLICE_INIT("-5"), true},
	{SLICE_INIT("evil"), SLICE_INIT("\" OR 1 = 1"), false},
	{SLICE_INIT("nested"), SLICE_INIT("${n}"), false},
};
static const struct fill fill = {.at = values, .n = 5};

static struct slice
filled(enum fill_as as, const char *text)
{
	struct slice out;

	CU_ASSERT_EQUAL_FATAL(fill_text(&c, &fill, as, slice_from(text), &out), 0);
	return out;
}

#define IS(as, text, expected) CU_ASSERT_TRUE(slice_is(filled(as, text), expected))

static void
inserts_values_into_words(void)
{
	IS(FILL_WORD, "OPEN#${date}-${n}", "OPEN#2018-09--5");
	IS(FILL_WORD, "${name}", "O'Hara \"x\"\\");
	IS(FILL_WORD, "'${date}", "'2018-09");
	IS(FILL_WORD, "no $ {date} here $", "no $ {date} here $");
	IS(FILL_WORD, "$${date}${date}", "${date}2018-09");
}

static void
makes_literals_in_expressions(void)
{
	IS(FILL_EXPRESSION, "d = ${date}", "d =  \"2018-09\" ");
	IS(FILL_EXPRESSION, "d > ${n}AND", "d >  -5 AND");
	IS(FILL_EXPRESSION, "d = ${evil}", "d =  \"\\\" OR 1 = 1\" ");
	IS(FILL_EXPRESSION, "d = \"a${evil}\"", "d = \"a\\\" OR 1 = 1\"");
	IS(FILL_EXPRESSION, "d = 'a${name}'", "d = 'aO\\'Hara \\\"x\\\"\\\\'");
	IS(FILL_EXPRESSION, "d = \"\\\"${date}\" AND e = ${n}", "d = \"\\\"2018-09\" AND e =  -5 ");
}

static void
makes_values_in_json(void)
{
	IS(FILL_JSON, "{\"a\":\"x#${evil}\",\"n\":${n},\"s\":${date}}",
	   "{\"a\":\"x#\\\" OR 1 = 1\",\"n\": -5 ,\"s\": \"2018-09\" }");
	IS(FILL_JSON, "{\"a\":\"it's ${date}\"}", "{\"a\":\"it's 2018-09\"}");
}

static void
does_not_expand_parameters_in_values(void)
{
	IS(FILL_WORD, "${nested}", "${n}");
	IS(FILL_EXPRESSION, "a = ${nested}", "a =  \"${n}\" ");
}

static void
refuses(enum fill_as as, const char *text, const char *why)
{
	struct slice out;

	c.error = (struct error){0};
	CU_ASSERT_EQUAL(fill_text(&c, &fill, as, slice_from(text), &out), -ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, why));
}

static void
refuses_a_value_in_place_of_a_name(void)
{
	refuses(FILL_EXPRESSION, "a.${n} = 1", "cannot be used here");
	refuses(FILL_EXPRESSION, "#${date} = 1", "cannot be used here");
	refuses(FILL_EXPRESSION, ":${date} = 1", "cannot be used here");
	refuses(FILL_EXPRESSION, "`${date}` = 1", "cannot be used here");
	refuses(FILL_EXPRESSION, "a. ${n} = 1", "cannot be used here");
	refuses(FILL_NOTHING, "a, ${date}", "cannot be used here");
}

static void
refuses_unknown_and_unclosed_parameters(void)
{
	refuses(FILL_WORD, "${other}", "no parameter \"other\"");
	refuses(FILL_WORD, "x ${date", "not closed");
}

static void
leaves_texts_without_parameters_unchanged(void)
{
	struct slice out;
	const char *same = NULL;

	CU_ASSERT_EQUAL(fill_text(&c, NULL, FILL_WORD, SLICE("${x}"), &out), 0);
	CU_ASSERT_TRUE(slice_is(out, "${x}"));
	CU_ASSERT_EQUAL(fill_text(&c, &fill, FILL_NOTHING, SLICE("a, b"), &out), 0);
	CU_ASSERT_TRUE(slice_is(out, "a, b"));
	CU_ASSERT_EQUAL(fill_string(&c, &fill, FILL_WORD, "${date}", &same), 0);
	CU_ASSERT_STRING_EQUAL(same, "2018-09");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(inserts_values_into_words),
	UNIT_TEST(makes_literals_in_expressions),
	UNIT_TEST(makes_values_in_json),
	UNIT_TEST(does_not_expand_parameters_in_values),
	UNIT_TEST(refuses_a_value_in_place_of_a_name),
	UNIT_TEST(refuses_unknown_and_unclosed_parameters),
	UNIT_TEST(leaves_texts_without_parameters_unchanged),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(fill, setup, teardown, tests);
