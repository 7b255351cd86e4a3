/* Splitting a text into statements at its semicolons. */
#include "tools/text/sql_text.h"

#include "tests/support/unit.h"

static void
semicolons_separate_statements(void)
{
	static const struct {
		const char *text;
		const char *first; /* NULL: no statement */
		size_t questions;
		size_t n; /* number of all statements */
	} cases[] = {
		{"", NULL, 0, 0},
		{" ; ;; -- x\n /* ; */ ;", NULL, 0, 0},
		{"SELECT 1", "SELECT 1", 0, 1},
		{"a; b;c", "a", 0, 3},
		{";a;", "a", 0, 1},
		{"a ';' b; c", "a ';' b", 0, 2},
		{"a \";\" b; c", "a \";\" b", 0, 2},
		{"a /* ; */ ? -- ;\n ?; c", "a /* ; */ ? -- ;\n ?", 2, 2},
		{"a '?' ?; ?", "a '?' ?", 1, 2},
		{"a 'b; c", "a 'b; c", 0, 1},
		{"a # ; c", "a # ; c", 0, 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct statements s = {.text = slice_from(cases[i].text)};
		struct slice got;
		size_t questions;
		size_t n = 0;

		while (statements_next(&s, &got, &questions)) {
			if (n++ == 0) {
				CU_ASSERT_TRUE(slice_is(got, cases[i].first));
				CU_ASSERT_EQUAL(questions, cases[i].questions);
			}
		}
		CU_ASSERT_EQUAL(n, cases[i].n);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(semicolons_separate_statements),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(statements, NULL, NULL, tests);
