#include "store/expr/inline.h"
#include "store/model/item_json.h"

#include "tests/expr/cases.h"
#include "tests/support/unit.h"

/* Append the rewritten text, then each added name and value. */
static void
rewrite(struct call *c, const struct test_case *t, struct buf *got)
{
	struct inline_request request = {.ph = t->ph};
	struct inline_text text;
	int r = inline_expression(c, &request, t->expression, &text);

	if (r < 0) {
		cases_refused(c, got);
		return;
	}
	buf_slice(got, text.text);
	for (size_t i = t->ph.n_names; i < request.ph.n_names; i++) {
		buf_fmt(got, " %.*s=%.*s", SLICE_ARG(request.ph.names[i].alias),
			SLICE_ARG(request.ph.names[i].name));
	}
	for (size_t i = t->ph.values.n; i < request.ph.values.n; i++) {
		buf_fmt(got, " %.*s=", SLICE_ARG(request.ph.values.at[i].name));
		value_put_json(got, &request.ph.values.at[i].value, ITEM_PLAIN);
	}
}

static void
literals_and_names_become_placeholders(void)
{
	cases_run("expr/inline.test", rewrite);
}

/* Evaluate the rewritten expression: its meaning must be the same. */
static void
evaluate(struct call *c, const struct test_case *t, struct buf *got)
{
	struct item it = cases_item(c, t);
	struct inline_request request = {.ph = t->ph};
	struct inline_text text;
	struct expr *e;
	int r = inline_expression(c, &request, t->expression, &text);

	if (r == 0) {
		struct expr_scope *s = expr_scope_open(c, &request.ph);

		r = expr_condition(c, s, EXPR_FILTER, text.text, &e);
		if (r == 0) {
			r = expr_scope_close(c, s);
		}
	}
	if (r < 0) {
		cases_refused(c, got);
	} else {
		buf_str(got, expr_eval(c, e, &it) ? "true" : "false");
	}
}

static void
rewritten_conditions_hold(void)
{
	cases_run("expr/inline_condition.test", evaluate);
}

static void
offsets_map_back_to_the_typed_text(void)
{
	struct call c;
	struct inline_request r = {0};
	struct inline_text t;

	call_open(&c, 0, 1U << 16);
	int status = inline_expression(&c, &r, SLICE("Status = \"OPEN\" AND x.y<5"), &t);

	CU_ASSERT_EQUAL_FATAL(status, 0);
	CU_ASSERT_TRUE(slice_is(t.text, "#i0 = :i0 AND #i1.#i2<:i1"));
	CU_ASSERT_EQUAL(t.offset[0], 0);
	CU_ASSERT_EQUAL(t.offset[2], 0);
	CU_ASSERT_EQUAL(t.offset[4], 7);
	CU_ASSERT_EQUAL(t.offset[6], 9);
	CU_ASSERT_EQUAL(t.offset[10], 16);
	CU_ASSERT_EQUAL(t.offset[14], 20);
	CU_ASSERT_EQUAL(t.offset[17], 21);
	CU_ASSERT_EQUAL(t.offset[21], 23);
	CU_ASSERT_EQUAL(t.offset[t.text.len], 25);
	call_close(&c);
}

static void
expressions_of_a_request_share_placeholders(void)
{
	struct call c;
	struct name_alias mine[] = {{SLICE("#u"), SLICE("Name")}, {SLICE("#i0"), SLICE("x")}};
	struct inline_request r = {.ph = {.names = mine, .n_names = 2, .names_given = true}};
	struct inline_text t;

	call_open(&c, 0, 1U << 16);
	int status = inline_expression(&c, &r, SLICE("Status = 'a'"), &t);

	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_TRUE(slice_is(t.text, "#i1 = :i0"));
	status = inline_expression(&c, &r, SLICE("Total, Status, #u, Name"), &t);
	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_TRUE(slice_is(t.text, "#i2, #i1, #u, #i3"));
	CU_ASSERT_EQUAL(r.ph.n_names, 5);
	CU_ASSERT_EQUAL(r.ph.values.n, 1);
	CU_ASSERT_TRUE(r.ph.values_given);
	call_close(&c);
}

static void
absent_expressions_stay_absent(void)
{
	struct call c;
	struct inline_request r = {0};
	struct inline_text t;

	call_open(&c, 0, 1U << 16);
	int status = inline_expression(&c, &r, (struct slice){NULL, 0}, &t);

	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_PTR_NULL(t.text.at);
	status = inline_expression(&c, &r, SLICE(""), &t);
	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_PTR_NOT_NULL(t.text.at);
	CU_ASSERT_EQUAL(t.text.len, 0);
	CU_ASSERT_EQUAL(t.offset[0], 0);
	CU_ASSERT_FALSE(r.ph.names_given);
	call_close(&c);
}

static void
text_must_be_utf8(void)
{
	struct call c;
	struct inline_request r = {0};
	struct inline_text t;

	call_open(&c, 0, 1U << 16);
	int status = inline_expression(&c, &r, SLICE("a = '\xff'"), &t);

	CU_ASSERT_EQUAL(status, -ERR_VALIDATION);
	call_close(&c);
}

static void
many_names_stay_distinct(void)
{
	struct call c;
	struct inline_request r = {0};
	struct inline_text t;
	struct buf text;

	call_open(&c, 0, 1U << 24);
	buf_init(&text, NULL);
	for (int i = 0; i < 500; i++) {
		buf_fmt(&text, "n%d = %d OR ", i, i);
	}
	int status = inline_expression(&c, &r, buf_view(&text), &t);

	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_EQUAL_FATAL(r.ph.n_names, 500);
	CU_ASSERT_EQUAL_FATAL(r.ph.values.n, 500);
	CU_ASSERT_TRUE(slice_is(r.ph.names[499].name, "n499"));
	CU_ASSERT_TRUE(slice_is(r.ph.values.at[499].value.text, "499"));
	buf_release(&text);
	call_close(&c);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(literals_and_names_become_placeholders),
	UNIT_TEST(rewritten_conditions_hold),
	UNIT_TEST(offsets_map_back_to_the_typed_text),
	UNIT_TEST(expressions_of_a_request_share_placeholders),
	UNIT_TEST(absent_expressions_stay_absent),
	UNIT_TEST(text_must_be_utf8),
	UNIT_TEST(many_names_stay_distinct),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(inline, NULL, NULL, tests);
