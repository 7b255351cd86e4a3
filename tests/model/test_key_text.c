#include "store/model/key_text.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
types_values_by_the_schema(void)
{
	static const struct {
		enum value_type type;
		const char *text;
		const char *value;
	} cases[] = {
		{VALUE_S, "007", "007"},    {VALUE_S, "aGk=", "aGk="}, {VALUE_N, "007", "7"},
		{VALUE_N, "-1.50", "-1.5"}, {VALUE_N, "1e3", "1000"},  {VALUE_B, "aGk=", "hi"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct key_attr attr = {SLICE_INIT("k"), cases[i].type};
		struct value v;

		CU_ASSERT_EQUAL(key_text_parse(&c, &attr, slice_from(cases[i].text), &v), 0);
		CU_ASSERT_EQUAL(v.type, cases[i].type);
		CU_ASSERT_TRUE(slice_is(v.text, cases[i].value));
	}
}

static void
refuses_values_of_another_type(void)
{
	static const struct {
		enum value_type type;
		const char *text;
	} cases[] = {
		{VALUE_S, ""},   {VALUE_N, ""},    {VALUE_B, ""},     {VALUE_N, "x"},
		{VALUE_N, "1 "}, {VALUE_B, "aGk"}, {VALUE_B, "a b="}, {VALUE_S, "\xff"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct key_attr attr = {SLICE_INIT("k"), cases[i].type};
		struct value v;

		call_close(&c);
		int r = key_text_parse(&c, &attr, slice_from(cases[i].text), &v);

		CU_ASSERT_TRUE(r == -ERR_USAGE || r == -ERR_VALIDATION);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(types_values_by_the_schema),
	UNIT_TEST(refuses_values_of_another_type),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(key_text, setup, teardown, tests);
