#include "tests/expr/cases.h"
#include "tests/support/unit.h"

/* The second line names the kind of expression. */
static void
parse(struct call *c, const struct test_case *t, struct buf *got)
{
	struct expr_scope *s = expr_scope_open(c, &t->ph);
	struct expr *e;
	struct expr_projection *p;
	int r;

	if (slice_is(t->item, "projection")) {
		r = expr_projection(c, s, t->expression, &p);
	} else {
		r = expr_condition(c, s, slice_is(t->item, "filter") ? EXPR_FILTER : EXPR_CONDITION,
				   t->expression, &e);
	}
	if (r < 0) {
		cases_refused(c, got);
	} else {
		buf_str(got, "ok");
	}
}

static void
syntax_errors_quote_the_token_and_its_neighbours(void)
{
	cases_run("expr/syntax.test", parse);
}

static void
operands_and_placeholders_are_checked(void)
{
	cases_run("expr/check.test", parse);
}

/* Parse @text without placeholders and expect @message; NULL: success. */
static void
expect(struct slice text, const char *message)
{
	struct call c;
	struct placeholders ph = {0};
	struct expr *e;

	call_open(&c, 0, 1U << 24);
	int r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER, text, &e);

	if (message == NULL) {
		CU_ASSERT_EQUAL(r, 0);
	} else {
		CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
		CU_ASSERT_STRING_EQUAL(c.error.message == NULL ? "" : c.error.message, message);
	}
	call_close(&c);
}

/* Build @head, @n times @part, and @tail. */
static void
expect_repeated(const char *head, const char *part, size_t n, const char *tail, const char *message)
{
	struct buf b;

	buf_init(&b, NULL);
	buf_str(&b, head);
	for (size_t i = 0; i < n; i++) {
		buf_str(&b, part);
	}
	buf_str(&b, tail);
	expect(buf_view(&b), message);
	buf_release(&b);
}

static void
holds_at_most_4_kilobytes(void)
{
	expect_repeated("a = b", " ", 4091, "", NULL);
	expect_repeated("a = b", " ", 4092, "",
			"Invalid FilterExpression: Expression size has exceeded the maximum "
			"allowed size; expression size: 4097");
}

static void
holds_at_most_300_operators(void)
{
	const char *many = "Invalid FilterExpression: The expression contains too many operators; "
			   "operator count: 301";

	expect_repeated("a=b", " OR a=b", 149, "", NULL);
	expect_repeated("a=b", " OR a=b", 149, " OR size(a) = b",
			"Invalid FilterExpression: The expression contains too many operators; "
			"operator count: 302");
	expect_repeated("a=b", " OR a=b", 150, "", many);
	expect_repeated("", "NOT ", 299, "a = b", NULL);
	expect_repeated("", "NOT ", 300, "a = b", many);
	expect_repeated("a BETWEEN b AND c", " OR a BETWEEN b AND c", 149, "", NULL);
	expect_repeated("a BETWEEN b AND c", " OR a BETWEEN b AND c", 150, "", many);
}

static void
an_in_has_at_most_100_operands(void)
{
	expect_repeated("a IN (b", ",b", 99, ")", NULL);
	expect_repeated("a IN (b", ",b", 100, ")",
			"Invalid FilterExpression: The IN operator is provided with too many "
			"operands; number of operands: 101");
}

static void
a_path_has_at_most_32_levels(void)
{
	expect_repeated("a", ".b", 31, " = c", NULL);
	expect_repeated("a", "[0]", 32, " = c",
			"Invalid FilterExpression: The document path has too many nesting levels; "
			"nesting levels: 33");
}

static void
nesting_is_bounded(void)
{
	expect_repeated("", "(NOT ", 299, "a = b",
			"Invalid FilterExpression: Syntax error; token: "
			"\"<EOF>\", near: \"b\"");
	expect_repeated("", "(", 4096, "",
			"Invalid FilterExpression: The expression has redundant parentheses;");
	expect_repeated("", "a(", 2048, "",
			"Invalid FilterExpression: The expression contains too many operators; "
			"operator count: 321");
	expect_repeated("a = ", "(", 4000, "",
			"Invalid FilterExpression: The expression has redundant parentheses;");
}

static void
blanks_are_space_tab_and_line_ends(void)
{
	expect(SLICE("a\t=\r\nb"), NULL);
	expect(SLICE("a =\vb"),
	       "Invalid FilterExpression: Syntax error; token: \"\v\", near: \"=\vb\"");
	expect(SLICE("a = b\0"),
	       "Invalid FilterExpression: Syntax error; token: \"\", near: \"b\"");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(syntax_errors_quote_the_token_and_its_neighbours),
	UNIT_TEST(operands_and_placeholders_are_checked),
	UNIT_TEST(holds_at_most_4_kilobytes),
	UNIT_TEST(holds_at_most_300_operators),
	UNIT_TEST(an_in_has_at_most_100_operands),
	UNIT_TEST(a_path_has_at_most_32_levels),
	UNIT_TEST(nesting_is_bounded),
	UNIT_TEST(blanks_are_space_tab_and_line_ends),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(parse, NULL, NULL, tests);
