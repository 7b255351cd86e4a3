/* Bare words in expressions. */
#include "tools/text/bare.h"

#include "tests/support/unit.h"

static void
finds_a_word_without_quotes(void)
{
	static const struct {
		const char *text;
		const char *name; /* NULL: no word is found */
		const char *comparator;
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
			CU_ASSERT_TRUE(slice_is(b.comparator, cases[i].comparator));
			CU_ASSERT_TRUE(slice_is(b.word, cases[i].word));
		}
	}
}

static void
finds_literals(void)
{
	static const struct {
		const char *text;
		const char *found; /* "name operator literal;" for each */
	} cases[] = {
		{"", ""},
		{"a", ""},
		{"a = 1", "a = 1;"},
		{"a.b >= 'x' AND #c <> :d", "a.b >= 'x';#c <> :d;"},
		{"a BETWEEN 1 AND 5 OR b = -2.5", "a BETWEEN 1;b = -2.5;"},
		{"a in ('x', 'y') and b = true", "a in 'x';b = true;"},
		{"begins_with(a, 'x') AND contains(b, 'y')", "a begins_with 'x';"},
		{"\"a\" = 'x' AND b = null", "a = 'x';b = null;"},
		{"1 = a AND size(b) = 5", ""},
		{"a = 'x", ""},
		{"a = b AND NOT = 5", ""},
		{"= 5 ( [ , 'x' :", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf found = {0};
		struct bare b;
		size_t at = 0;

		while (bare_literal(slice_from(cases[i].text), &at, &b)) {
			buf_fmt(&found, "%.*s %.*s %.*s;", SLICE_ARG(b.name),
				SLICE_ARG(b.comparator), SLICE_ARG(b.word));
		}
		CU_ASSERT_TRUE(slice_is(buf_view(&found), cases[i].found));
		buf_release(&found);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(finds_a_word_without_quotes),
	UNIT_TEST(finds_literals),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(bare, NULL, NULL, tests);
