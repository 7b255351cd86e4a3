/* Tests of the legacy parameters, without a table; engine/scripts/legacy.test has requests and answers. */
#include "store/expr/legacy.h"
#include "store/model/legacy_check.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct value
text(const char *s)
{
	return value_string(slice_from(s));
}

/* ------------------------------------------------------------ conditions */

/* Each operator applied to "there", which is "bcd", and to an absent attribute. */
static const struct {
	const char *a;
	const char *b; /* NULL: fewer values */
	enum comparison op;
	bool there;
	bool gone;
} rows[] = {
	{"bcd", NULL, COMPARISON_EQ, true, false},
	{"x", NULL, COMPARISON_EQ, false, false},
	{"x", NULL, COMPARISON_NE, true, true},
	{"bcd", NULL, COMPARISON_NE, false, true},
	{"x", "bcd", COMPARISON_IN, true, false},
	{"x", "y", COMPARISON_IN, false, false},
	{"bcd", NULL, COMPARISON_LE, true, false},
	{"bcd", NULL, COMPARISON_LT, false, false},
	{"bcd", NULL, COMPARISON_GE, true, false},
	{"bcd", NULL, COMPARISON_GT, false, false},
	{"a", "c", COMPARISON_BETWEEN, true, false},
	{"c", "d", COMPARISON_BETWEEN, false, false},
	{NULL, NULL, COMPARISON_NOT_NULL, true, false},
	{NULL, NULL, COMPARISON_NULL, false, true},
	{"c", NULL, COMPARISON_CONTAINS, true, false},
	{"c", NULL, COMPARISON_NOT_CONTAINS, false, false},
	{"x", NULL, COMPARISON_NOT_CONTAINS, true, false},
	{"bc", NULL, COMPARISON_BEGINS_WITH, true, false},
	{"cd", NULL, COMPARISON_BEGINS_WITH, false, false},
};

static bool
holds(size_t row, const char *name)
{
	struct attr attrs[] = {{SLICE("there"), text("bcd")}};
	struct item it = {attrs, 1};
	struct value values[2];
	struct condition one = {
		.name = slice_from(name), .comparison = rows[row].op, .values = values};
	struct conditions all = {.at = &one, .n = 1, .given = true};
	struct expr *e = NULL;

	if (rows[row].a != NULL) {
		values[one.n++] = text(rows[row].a);
	}
	if (rows[row].b != NULL) {
		values[one.n++] = text(rows[row].b);
	}
	CU_ASSERT_EQUAL_FATAL(legacy_check_filter(&c, &all), 0);
	e = legacy_condition(&c, EXPR_FILTER, &all);
	return expr_eval(&c, e, &it);
}

static void
every_operator_becomes_a_tree(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool good = holds(i, "there") == rows[i].there && holds(i, "gone") == rows[i].gone;

		if (!good) {
			printf("row %zu\n", i);
		}
		CU_ASSERT_TRUE(good);
	}
}

static void
conditions_are_joined_and_report_their_attributes(void)
{
	struct attr attrs[] = {{SLICE("x"), text("1")}};
	struct item it = {attrs, 1};
	struct condition two[] = {{.name = SLICE("x"), .comparison = COMPARISON_NOT_NULL},
				  {.name = SLICE("y.z"), .comparison = COMPARISON_NOT_NULL}};
	struct conditions all = {.at = two, .n = 2, .given = true};
	const struct slice *names;
	struct expr *e = NULL;

	CU_ASSERT_EQUAL_FATAL(legacy_check_filter(&c, &all), 0);
	e = legacy_condition(&c, EXPR_FILTER, &all);
	CU_ASSERT_FALSE(expr_eval(&c, e, &it));
	CU_ASSERT_EQUAL_FATAL(expr_attributes(e, &names), 2);
	CU_ASSERT_TRUE(slice_is(names[1], "y.z"));
	all.conditional = CONDITIONAL_OR;
	CU_ASSERT_EQUAL_FATAL(legacy_check_filter(&c, &all), 0);
	e = legacy_condition(&c, EXPR_FILTER, &all);
	CU_ASSERT_TRUE(expr_eval(&c, e, &it));
}

static void
absent_parameters_have_no_effect(void)
{
	const struct conditions conditions = {.given = true};
	const struct attribute_updates updates = {.given = true};
	const struct attributes_to_get names = {0};

	CU_ASSERT_EQUAL(legacy_check_expected(&c, &conditions), 0);
	CU_ASSERT_PTR_NULL(legacy_condition(&c, EXPR_CONDITION, &conditions));
	CU_ASSERT_EQUAL(legacy_check_updates(&c, &updates), 0);
	CU_ASSERT_PTR_NULL(legacy_update(&c, &updates));
	CU_ASSERT_EQUAL(legacy_check_names(&c, &names), 0);
	CU_ASSERT_PTR_NULL(legacy_projection(&c, &names));
}

/* Legacy parameters have no text to point into. */
static void
an_error_has_no_position(void)
{
	struct schema s = {.key = {.pk = {{SLICE("P"), VALUE_S}}, .sk = {{SLICE("S"), VALUE_S}}}};
	struct value v = text("x");
	struct condition one = {
		.name = SLICE("q"), .comparison = COMPARISON_EQ, .values = &v, .n = 1};
	struct conditions all = {.at = &one, .n = 1, .given = true};
	struct key_terms *terms;
	struct keycond out;

	CU_ASSERT_EQUAL_FATAL(legacy_key_condition(&c, &all, &terms), 0);
	int r = expr_key_condition_match(&c, terms, &s, NULL, &out);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message, "Query condition missed key schema element: P");
	CU_ASSERT_EQUAL(c.error.place, 0);
}

/* ------------------------------------------------------------ names */

enum { MANY = 5000 };

static void
there_may_be_many_names_in_any_order(void)
{
	static struct slice names[MANY];
	static char digits[MANY][8];
	struct attr attrs[] = {
		{SLICE("4711"), text("a")}, {SLICE("x"), text("b")}, {SLICE("0"), text("c")}};
	struct item it = {attrs, 3};
	struct expr_projection *p = NULL;

	for (size_t i = 0; i < MANY; i++) {
		(void)snprintf(digits[i], sizeof(digits[i]), "%zu", i * 7 % MANY);
		names[i] = slice_from(digits[i]);
	}
	const struct attributes_to_get wanted = {names, MANY};

	CU_ASSERT_EQUAL_FATAL(legacy_check_names(&c, &wanted), 0);
	p = legacy_projection(&c, &wanted);
	struct item out = expr_project(&c, p, &it);

	CU_ASSERT_EQUAL_FATAL(out.n, 2);
	CU_ASSERT_TRUE(slice_is(out.at[0].name, "4711"));
	CU_ASSERT_TRUE(slice_is(out.at[1].name, "0"));
	names[17] = names[4000];
	CU_ASSERT_EQUAL(legacy_check_names(&c, &wanted), -ERR_VALIDATION);
}

/* Return an item with the attributes "4998", "4996" ... "0". */
static struct item
many_attributes(void)
{
	static char digits[MANY][8];
	struct item it = {arena_new(&c.arena, struct attr, MANY), 0};

	for (size_t i = 0; i < MANY; i += 2) {
		(void)snprintf(digits[i], sizeof(digits[i]), "%zu", MANY - 2 - i);
		it.at[it.n++] = (struct attr){slice_from(digits[i]), text("x")};
	}
	return it;
}

static struct conditions
many_conditions(enum comparison op, size_t step, enum conditional_operator conditional)
{
	static char digits[MANY][8];
	struct condition *at = arena_new(&c.arena, struct condition, MANY);
	struct conditions all = {.at = at, .given = true, .conditional = conditional};

	for (size_t i = 0; i < MANY; i += step) {
		(void)snprintf(digits[i], sizeof(digits[i]), "%zu", i);
		at[all.n++] = (struct condition){.name = slice_from(digits[i]), .comparison = op};
	}
	return all;
}

static void
many_conditions_work_on_many_attributes(void)
{
	const struct {
		enum comparison op;
		size_t step;
		enum conditional_operator conditional;
		bool expected;
	} many[] = {
		{COMPARISON_NOT_NULL, 2, CONDITIONAL_AND, true},
		{COMPARISON_NOT_NULL, 1, CONDITIONAL_AND, false},
		{COMPARISON_NOT_NULL, 1, CONDITIONAL_OR, true},
		{COMPARISON_NULL, 2, CONDITIONAL_OR, false},
		{COMPARISON_NULL, 1, CONDITIONAL_OR, true},
	};
	struct item it = many_attributes();

	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
		struct conditions all =
			many_conditions(many[i].op, many[i].step, many[i].conditional);
		struct expr *e = NULL;

		CU_ASSERT_EQUAL_FATAL(legacy_check_filter(&c, &all), 0);
		e = legacy_condition(&c, EXPR_FILTER, &all);
		CU_ASSERT_EQUAL(expr_eval(&c, e, &it), many[i].expected);
	}
}

/* ------------------------------------------------------------ updates */

static void
many_attributes_are_changed_in_place(void)
{
	static char digits[MANY][8];
	struct attribute_update *at = arena_new(&c.arena, struct attribute_update, MANY);
	struct item old = many_attributes();
	struct value v = text("new");
	struct expr_update *u = NULL;
	struct item updated;

	/* Delete the existing attributes and put the others, alternately. */
	for (size_t i = 0; i < MANY; i++) {
		(void)snprintf(digits[i], sizeof(digits[i]), "%zu", i);
		at[i].name = slice_from(digits[i]);
		at[i].action = i % 2 == 0 ? ACTION_DELETE : ACTION_PUT;
		at[i].value = i % 2 == 0 ? NULL : &v;
	}
	const struct attribute_updates updates = {.at = at, .n = MANY, .given = true};

	CU_ASSERT_EQUAL_FATAL(legacy_check_updates(&c, &updates), 0);
	u = legacy_update(&c, &updates);
	CU_ASSERT_EQUAL_FATAL(expr_update_apply(&c, u, &old, &updated), 0);
	CU_ASSERT_EQUAL_FATAL(updated.n, MANY / 2);
	for (size_t i = 0; i < updated.n; i++) {
		CU_ASSERT_TRUE(slice_eq(updated.at[i].name, at[2 * i + 1].name));
	}
	CU_ASSERT_EQUAL(expr_project(&c, expr_update_touched(u), &old).n, MANY / 2);
}

static void
the_effect_of_an_update_is_known_without_an_item(void)
{
	struct value list = {.type = VALUE_L};
	struct attribute_update at[] = {
		{.name = SLICE("l"), .action = ACTION_ADD, .value = &list},
		{.name = SLICE("gone"), .action = ACTION_DELETE},
	};
	enum value_type type;
	struct expr_update *u =
		legacy_update(&c, &(struct attribute_updates){.at = at, .n = 2, .given = true});

	CU_ASSERT_PTR_NOT_NULL_FATAL(u);
	CU_ASSERT_TRUE(expr_update_is_legacy(u));
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("l"), &type), UPDATES_WHOLE);
	CU_ASSERT_EQUAL(type, VALUE_L);
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("gone"), &type), UPDATES_WHOLE);
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("other"), &type), UPDATES_NOTHING);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_operator_becomes_a_tree),
	UNIT_TEST(conditions_are_joined_and_report_their_attributes),
	UNIT_TEST(absent_parameters_have_no_effect),
	UNIT_TEST(an_error_has_no_position),
	UNIT_TEST(there_may_be_many_names_in_any_order),
	UNIT_TEST(many_conditions_work_on_many_attributes),
	UNIT_TEST(many_attributes_are_changed_in_place),
	UNIT_TEST(the_effect_of_an_update_is_known_without_an_item),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(legacy, setup, teardown, tests);
