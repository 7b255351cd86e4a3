#include "store/model/item_json.h"

#include "tests/expr/cases.h"
#include "tests/support/items.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* Append the attributes of @new that differ from @old, then "-name" for the removed ones. */
static void
put_difference(struct call *own, struct buf *got, const struct item *old,
	       const struct item *updated)
{
	struct item changed = {arena_new(&own->arena, struct attr, updated->n), 0};

	for (size_t i = 0; i < updated->n; i++) {
		const struct value *before = item_get(old, updated->at[i].name);

		if (before == NULL || !value_eq(before, &updated->at[i].value)) {
			changed.at[changed.n++] = updated->at[i];
		}
	}
	item_put_json(got, &changed, ITEM_PLAIN);
	for (size_t i = 0; i < old->n; i++) {
		if (item_get(updated, old->at[i].name) == NULL) {
			buf_fmt(got, " -%.*s", SLICE_ARG(old->at[i].name));
		}
	}
}

static void
update(struct call *own, const struct test_case *t, struct buf *got)
{
	struct item old = cases_item(own, t);
	struct expr_scope *s = expr_scope_open(own, &t->ph);
	struct expr_update *u;
	struct item updated;
	int r = expr_update(own, s, t->expression, &u);

	if (r == 0) {
		r = expr_scope_close(own, s);
	}
	if (r == 0) {
		r = expr_update_apply(own, u, &old, &updated);
	}
	if (r < 0) {
		cases_refused(own, got);
	} else {
		put_difference(own, got, &old, &updated);
	}
}

/* Source: BEHAVIOUR E */
static void
an_update_changes_an_item_as_in_dynamodb(void)
{
	cases_run("expr/update.test", update);
}

static void
an_invalid_update_gets_the_message_of_dynamodb(void)
{
	cases_run("expr/update_refused.test", update);
}

/* ------------------------------------------------------------ without a file */

/* Parse and bind the text; its only placeholder is ":v". */
static struct expr_update *
bound(struct call *call, const char *text, struct value v)
{
	struct attr *values = arena_new(&call->arena, struct attr, 1);
	struct placeholders *ph = arena_new(&call->arena, struct placeholders, 1);
	struct expr_update *u = NULL;

	values[0] = (struct attr){SLICE(":v"), v};
	*ph = (struct placeholders){.values = {values, 1}, .values_given = true};
	int r = expr_update(call, expr_scope_open(call, ph), slice_from(text), &u);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return u;
}

static void
no_update_changes_nothing(void)
{
	struct attr attrs[] = {{SLICE("a"), value_string(SLICE("x"))}};
	struct item old = {attrs, 1};
	struct placeholders ph = {0};
	struct expr_update *u;
	struct item updated;
	int r = expr_update(&c, expr_scope_open(&c, &ph), (struct slice){NULL, 0}, &u);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_PTR_NULL(u);
	r = expr_update_apply(&c, u, &old, &updated);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(item_eq(&old, &updated));
}

static void
the_old_item_is_unchanged(void)
{
	struct value inner[] = {value_string(SLICE("x")), value_string(SLICE("y"))};
	struct attr attrs[] = {{SLICE("a"), {.type = VALUE_L, .list = {inner, 2}}}};
	struct item old = {attrs, 1};
	struct item copy = item_copy(&c.arena, &old);
	struct item updated;
	struct expr_update *u = bound(&c, "SET a[0] = :v REMOVE a[1]", value_string(SLICE("z")));
	int r = expr_update_apply(&c, u, &old, &updated);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_TRUE(item_eq(&old, &copy));
	CU_ASSERT_EQUAL(updated.at[0].value.list.n, 1);
}

static int
check_key(const char *text)
{
	struct schema s = {.key = {{{SLICE("PK"), VALUE_S}}, {{SLICE("SK"), VALUE_S}}}};
	struct call own;

	call_open(&own, 0, 1U << 16);
	const struct expr_update *u = bound(&own, text, value_string(SLICE("x")));
	int r = expr_update_check_key(&own, u, &s);

	r = r < 0 ? r : expr_update_check_scalars(&own, u, &s);
	call_close(&own);
	return r;
}

/* Source: BEHAVIOUR 3.12, E.9 */
static void
a_key_cannot_be_updated(void)
{
	CU_ASSERT_EQUAL(check_key("SET a = PK"), 0);
	CU_ASSERT_EQUAL(check_key("SET a.PK = :v"), 0);
	CU_ASSERT_EQUAL(check_key("SET SK = :v"), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(check_key("REMOVE a, PK"), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(check_key("SET a = PK.a"), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(check_key("SET a = if_not_exists(SK[0], :v)"), -ERR_VALIDATION);
}

static void
the_effect_of_an_update_on_an_attribute_is_known(void)
{
	struct expr_update *u = bound(&c, "SET a = :v, b = a, d.e = :v, g = a + a REMOVE f",
				      value_string(SLICE("x")));
	enum value_type type;

	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("a"), &type), UPDATES_WHOLE);
	CU_ASSERT_EQUAL(type, VALUE_S);
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("b"), &type), UPDATES_WHOLE);
	CU_ASSERT_EQUAL(type, VALUE_TYPES);
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("g"), &type), UPDATES_WHOLE);
	CU_ASSERT_EQUAL(type, VALUE_N);
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("f"), &type), UPDATES_WHOLE);
	CU_ASSERT_EQUAL(type, VALUE_TYPES);
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("d"), &type), UPDATES_PART);
	CU_ASSERT_EQUAL(type, VALUE_TYPES);
	CU_ASSERT_EQUAL(expr_update_effect(u, SLICE("e"), &type), UPDATES_NOTHING);
}

/* Many copies of a 400 KB item must not use more memory than one. */
static void
an_item_that_must_be_too_big_is_not_built(void)
{
	enum { ELEMENTS = 150000 };
	struct value *elements = arena_new(&c.arena, struct value, ELEMENTS);
	struct attr attrs[] = {{SLICE("l"), {.type = VALUE_L, .list = {elements, ELEMENTS}}}};
	struct item old = {attrs, 1};
	struct item updated;
	struct buf text;

	for (size_t i = 0; i < ELEMENTS; i++) {
		elements[i] = (struct value){.type = VALUE_BOOL, .truth = true};
	}
	buf_init(&text, &c.arena);
	buf_str(&text, "SET z = :v");
	for (int i = 0; i < 100; i++) {
		buf_fmt(&text, ", a%d = list_append(l, l)", i);
	}
	buf_char(&text, '\0');
	struct expr_update *u = bound(&c, text.at, value_string(SLICE("x")));
	size_t before = c.arena.used;
	int r = expr_update_apply(&c, u, &old, &updated);

	CU_ASSERT_EQUAL(r, -ERR_ITEM_TOO_BIG);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "Item size to update has exceeded the maximum allowed size");
	CU_ASSERT_TRUE(c.arena.used - before < 3 * ELEMENTS * sizeof(struct value));
}

/* The charges that the documented limits of the service give for each clause, plus 3 for the update. */
static void
an_update_is_charged_for_its_text_and_values(void)
{
	static const struct {
		const char *text;
		const char *value;
		size_t charge;
	} rows[] = {
		{"SET c = :v", "{\"S\":\"x\"}", 19 + 1 + 1},
		{"SET c = abcdefghij", "{\"S\":\"x\"}", 45},
		{"SET c = m.z", "{\"S\":\"x\"}", 51},
		{"SET c = m.a.z", "{\"S\":\"x\"}", 66},
		{"SET c = l[10]", "{\"S\":\"x\"}", 52},
		{"SET l = list_append(l, :v)", "{\"L\":[{\"S\":\"0123456789\"}]}", 87},
		{"SET c = if_not_exists(c, :v)", "{\"M\":{\"a\":{\"S\":\"12345\"}}}", 85},
		{"SET n = n + :v", "{\"N\":\"1\"}", 72},
		{"SET n = n - :v", "{\"N\":\"1\"}", 75},
		{"ADD abcdefghij :v", "{\"N\":\"1\"}", 31},
		{"ADD ss :v", "{\"SS\":[\"12345\"]}", 26},
		{"SET a = :v, b = :v", "{\"S\":\"x\"}", 42},
		{"REMOVE r", "{\"S\":\"x\"}", 2},
		{"REMOVE abcdefghij", "{\"S\":\"x\"}", 11},
		{"REMOVE m.yyyyyyyyyy", "{\"S\":\"x\"}", 16},
		{"REMOVE abcdefghij[1]", "{\"S\":\"x\"}", 16},
		{"REMOVE l[10]", "{\"S\":\"x\"}", 8},
		{"DELETE ss :v", "{\"SS\":[\"12345\"]}", 3},
		{"SET d[0] = :v", "{\"S\":\"x\"}", 19 + 1 + 5 + 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct expr_update *u = bound(&c, rows[i].text, value_of(&c, rows[i].value));

		CU_ASSERT_EQUAL(expr_update_charge(u), 3 + rows[i].charge);
	}
	CU_ASSERT_EQUAL(expr_update_charge(NULL), 3);
}

static void
recognizes_an_update_that_only_removes(void)
{
	struct value set = value_of(&c, "{\"SS\":[\"a\"]}");

	CU_ASSERT_TRUE(expr_update_removes(bound(&c, "REMOVE a DELETE b :v", set)));
	CU_ASSERT_FALSE(expr_update_removes(bound(&c, "REMOVE a ADD b :v", set)));
	CU_ASSERT_FALSE(expr_update_removes(bound(&c, "REMOVE a SET b = :v", set)));
	CU_ASSERT_FALSE(expr_update_removes(NULL));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_update_changes_an_item_as_in_dynamodb),
	UNIT_TEST(an_invalid_update_gets_the_message_of_dynamodb),
	UNIT_TEST(no_update_changes_nothing),
	UNIT_TEST(the_old_item_is_unchanged),
	UNIT_TEST(a_key_cannot_be_updated),
	UNIT_TEST(the_effect_of_an_update_on_an_attribute_is_known),
	UNIT_TEST(an_item_that_must_be_too_big_is_not_built),
	UNIT_TEST(an_update_is_charged_for_its_text_and_values),
	UNIT_TEST(recognizes_an_update_that_only_removes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(update, setup, teardown, tests);
