#include "store/model/item_json.h"

#include "tests/expr/cases.h"
#include "tests/support/unit.h"

static void
project(struct call *c, const struct test_case *t, struct buf *got)
{
	struct item it = cases_item(c, t);
	struct expr_scope *s = expr_scope_open(c, &t->ph);
	struct expr_projection *p;
	int r = expr_projection(c, s, t->expression, &p);

	if (r == 0) {
		r = expr_scope_close(c, s);
	}
	if (r < 0) {
		cases_refused(c, got);
	} else {
		struct item out = expr_project(c, p, &it);

		item_put_json(got, &out, ITEM_PLAIN);
	}
}

static void
keeps_only_what_is_named(void)
{
	cases_run("expr/projection.test", project);
}

static void
no_projection_keeps_everything(void)
{
	struct call c;
	struct attr attrs[] = {{SLICE("a"), value_string(SLICE("x"))}};
	struct item it = {attrs, 1};
	struct placeholders ph = {0};
	struct expr_projection *p;
	const struct slice *names;

	call_open(&c, 0, 1U << 16);
	int r = expr_projection(&c, expr_scope_open(&c, &ph), (struct slice){NULL, 0}, &p);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_PTR_NULL(p);
	CU_ASSERT_EQUAL(expr_project(&c, p, &it).n, 1);
	CU_ASSERT_EQUAL(expr_projection_attributes(p, &names), 0);
	call_close(&c);
}

static void
a_path_into_a_key_attribute_is_refused(void)
{
	struct call c;
	struct placeholders ph = {0};
	struct schema schema = {.key = {{{SLICE("PK"), VALUE_S}}, {{SLICE("SK"), VALUE_S}}}};
	struct expr_projection *p;

	call_open(&c, 0, 1U << 16);
	int r = expr_projection(&c, expr_scope_open(&c, &ph), SLICE("PK, a.SK, SK[1]"), &p);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	r = expr_projection_check_key(&c, p, &schema);
	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_EQUAL(c.error.place, 11);
	call_close(&c);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(keeps_only_what_is_named),
	UNIT_TEST(no_projection_keeps_everything),
	UNIT_TEST(a_path_into_a_key_attribute_is_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(project, NULL, NULL, tests);
