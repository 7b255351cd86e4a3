#include "tests/expr/cases.h"
#include "tests/support/unit.h"

static void
evaluate(struct call *c, const struct test_case *t, struct buf *got)
{
	struct item it = cases_item(c, t);
	struct expr_scope *s = expr_scope_open(c, &t->ph);
	struct expr *e;
	int r = expr_condition(c, s, EXPR_FILTER, t->expression, &e);

	if (r == 0) {
		r = expr_scope_close(c, s);
	}
	if (r < 0) {
		cases_refused(c, got);
	} else {
		buf_str(got, expr_eval(c, e, &it) ? "true" : "false");
	}
}

static void
conditions_are_evaluated_as_in_dynamodb(void)
{
	cases_run("expr/condition.test", evaluate);
}

static void
no_expression_is_always_true(void)
{
	struct call c;
	struct item none = {NULL, 0};
	struct placeholders ph = {0};
	struct expr *e;

	call_open(&c, 0, 1U << 16);
	int r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER, (struct slice){NULL, 0},
			       &e);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_PTR_NULL(e);
	CU_ASSERT_TRUE(expr_eval(&c, e, &none));
	call_close(&c);
}

/* A filter over a million items must not use more and more memory. */
static void
evaluating_allocates_nothing(void)
{
	struct call c;
	struct value ten = {.type = VALUE_N, .text = SLICE("10")};
	struct value text = value_string(SLICE("some text"));
	struct attr attrs[] = {{SLICE("n"), ten}, {SLICE("s"), text}};
	struct attr values[] = {{SLICE(":n"), {.type = VALUE_N, .text = SLICE("9.5")}},
				{SLICE(":s"), value_string(SLICE("ext"))}};
	struct item it = {attrs, 2};
	struct placeholders ph = {.values = {values, 2}, .values_given = true};
	struct expr *e;

	call_open(&c, 0, 1U << 20);
	int r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER,
			       SLICE("n > :n AND size(s) < n AND contains(s, :s) AND NOT x = :n"),
			       &e);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	size_t used = c.arena.used;

	CU_ASSERT_TRUE(expr_eval(&c, e, &it));
	CU_ASSERT_EQUAL(c.arena.used, used);
	call_close(&c);
}

static void
reports_the_attributes_of_an_expression(void)
{
	struct call c;
	struct placeholders ph = {0};
	struct expr *e;
	const struct slice *names;

	call_open(&c, 0, 1U << 16);
	int r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER,
			       SLICE("a.b = c[0] AND (size(d) > a.x OR NOT attribute_exists(c))"),
			       &e);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(expr_attributes(e, &names), 3);
	CU_ASSERT_TRUE(slice_is(names[0], "a"));
	CU_ASSERT_TRUE(slice_is(names[1], "c"));
	CU_ASSERT_TRUE(slice_is(names[2], "d"));
	CU_ASSERT_EQUAL(expr_attributes(NULL, &names), 0);
	call_close(&c);
}

static void
a_path_into_a_key_attribute_is_refused(void)
{
	struct call c;
	struct placeholders ph = {0};
	struct schema schema = {.key = {{{SLICE("PK"), VALUE_S}}, {{SLICE("SK"), VALUE_S}}}};
	struct expr *e;

	call_open(&c, 0, 1U << 16);
	int r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER,
			       SLICE("PK = x AND attribute_exists(SK.a)"), &e);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	r = expr_check_key(&c, e, &schema);
	CU_ASSERT_EQUAL_FATAL(r, -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "Key attributes must be scalars; list random access '[]' and map "
			       "lookup '.' are not allowed: Key: SK");
	CU_ASSERT_EQUAL(c.error.place, 29);
	call_close(&c);

	call_open(&c, 0, 1U << 16);
	r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER, SLICE("PK = x.SK"), &e);
	CU_ASSERT_EQUAL_FATAL(r, 0);
	r = expr_check_key(&c, e, &schema);
	CU_ASSERT_EQUAL(r, 0);
	r = expr_check_key(&c, NULL, &schema);
	CU_ASSERT_EQUAL(r, 0);
	call_close(&c);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(conditions_are_evaluated_as_in_dynamodb),
	UNIT_TEST(no_expression_is_always_true),
	UNIT_TEST(evaluating_allocates_nothing),
	UNIT_TEST(reports_the_attributes_of_an_expression),
	UNIT_TEST(a_path_into_a_key_attribute_is_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(eval, NULL, NULL, tests);
