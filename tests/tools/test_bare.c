/* Bare words in expressions. */
#include "tools/bare.h"

#include "tests/support/unit.h"

static void
finds_a_word_without_quotes(void)
{
	static const struct {
		const char *text;
		const char *name; /* NULL: nothing is found */
		const char *operator;
		const char *word;
	} cases[] = {
		{"Status = SHIPPED", "Status", "=", "SHIPPED"},
		{"Status=SHIPPED", "Status", "=", "SHIPPED"},
		{"a = 1 AND b <> x", "b", "<>", "x"},
		{"a = 'x' AND m.b >= y-z", "m.b", ">=", "y-z"},
		{"Name = \xc3\xa9t\xc3\xa9", "Name", "=", "\xc3\xa9t\xc3\xa9"},
		{"", NULL, NULL, NULL},
		{"a", NULL, NULL, NULL},
		{"a =", NULL, NULL, NULL},
		{"a = 'b'", NULL, NULL, NULL},
		{"a = \"b\"", NULL, NULL, NULL},
		{"a = 'b = c'", NULL, NULL, NULL},
		{"a = 'b = c", NULL, NULL, NULL},
		{"a = 12", NULL, NULL, NULL},
		{"a = -1", NULL, NULL, NULL},
		{"a = :b AND #c = :d", NULL, NULL, NULL},
		{"a = true OR b = null", NULL, NULL, NULL},
		{"1 < size (a)", NULL, NULL, NULL},
		{"a = size(b)", NULL, NULL, NULL},
		{"contains(a, b)", NULL, NULL, NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bare b;
		bool found = bare_find(slice_from(cases[i].text), &b);

		CU_ASSERT_EQUAL(found, cases[i].name != NULL);
		if (found && cases[i].name != NULL) {
			CU_ASSERT_TRUE(slice_is(b.name, cases[i].name));
			CU_ASSERT_TRUE(slice_is(b.operator, cases[i].operator));
			CU_ASSERT_TRUE(slice_is(b.word, cases[i].word));
		}
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(finds_a_word_without_quotes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(bare, NULL, NULL, tests);
