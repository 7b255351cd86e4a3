#include "store/model/limits.h"

#include "tests/expr/cases.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* Run @filter (may be NULL) with @ph and expect @message, NULL for success. */
static void
expect(const char *filter, const struct placeholders *ph, const char *message)
{
	struct expr *e;
	struct expr_scope *s;

	call_close(&c);
	call_open(&c, 0, 1U << 24);
	s = expr_scope_open(&c, ph);
	int r = expr_condition(&c, s, EXPR_FILTER, slice_from(filter), &e);

	if (r == 0) {
		r = expr_scope_close(&c, s);
	}
	CU_ASSERT_EQUAL(r, message == NULL ? 0 : -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message == NULL ? "" : c.error.message,
			       message == NULL ? "" : message);
}

static void
every_placeholder_must_be_used(void)
{
	struct name_alias names[] = {{SLICE("#b"), SLICE("b")}, {SLICE("#a"), SLICE("a")}};
	struct attr values[] = {{SLICE(":y"), value_string(SLICE("y"))},
				{SLICE(":x"), value_string(SLICE("x"))}};
	struct placeholders ph = {names, 2, {values, 2}, true, true, NULL};

	expect("#a = :x AND #b = :y", &ph, NULL);
	expect("#a = :x AND #a = :y", &ph,
	       "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
	expect("#a = c AND #b = c", &ph,
	       "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y, :x}");
	expect("a = b", &ph,
	       "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #a}");
}

static void
a_placeholder_may_be_used_by_any_expression_of_the_request(void)
{
	struct name_alias names[] = {{SLICE("#b"), SLICE("b")}, {SLICE("#a"), SLICE("a")}};
	struct placeholders ph = {.names = names, .n_names = 2, .names_given = true};
	struct expr_scope *s = expr_scope_open(&c, &ph);
	struct expr *e;
	struct expr_projection *p;
	int r = expr_condition(&c, s, EXPR_FILTER, SLICE("attribute_exists(#a)"), &e);

	CU_ASSERT_EQUAL(r, 0);
	r = expr_projection(&c, s, SLICE("#b"), &p);
	CU_ASSERT_EQUAL(r, 0);
	r = expr_scope_close(&c, s);
	CU_ASSERT_EQUAL(r, 0);
}

static void
empty_maps_are_refused(void)
{
	struct placeholders names = {.names_given = true};
	struct placeholders values = {.values_given = true};

	expect("a = b", &names, "ExpressionAttributeNames must not be empty");
	expect("a = b", &values, "ExpressionAttributeValues must not be empty");
}

static void
an_empty_expression_is_refused(void)
{
	struct placeholders none = {0};

	expect("", &none, "Invalid FilterExpression: The expression can not be empty;");
}

static void
expect_name(struct slice alias, struct slice name, const char *message)
{
	struct name_alias names[] = {{alias, name}};
	struct placeholders ph = {.names = names, .n_names = 1, .names_given = true};

	expect("a = (", &ph, message);
}

static void
expect_value(struct slice key, struct value value, const char *message)
{
	struct attr values[] = {{key, value}};
	struct placeholders ph = {.values = {values, 1}, .values_given = true};

	expect("a = (", &ph, message);
}

static void
malformed_placeholders_come_before_syntax_errors(void)
{
	struct slice a = SLICE("a");
	struct value x = value_string(a);
	const char *syntax =
		"Invalid FilterExpression: Syntax error; token: \"<EOF>\", near: \"(\"";

	expect_name(SLICE("#a_1"), a, syntax);
	expect_name(SLICE("a"), a,
		    "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\"");
	expect_name(SLICE("#"), a,
		    "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\"");
	expect_name(SLICE("#a-b"), a,
		    "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\"");
	expect_name(SLICE(":a"), a,
		    "ExpressionAttributeNames contains invalid key: Syntax error; key: \":a\"");
	expect_name(SLICE("#a"), SLICE(""),
		    "ExpressionAttributeNames contains invalid value: Empty attribute name for key "
		    "#a");
	expect_value(SLICE(":1"), x, syntax);
	expect_value(SLICE(""), x,
		     "ExpressionAttributeValues contains invalid key: The expression attribute map "
		     "contains an empty key;");
	expect_value(SLICE("x"), x,
		     "ExpressionAttributeValues contains invalid key: Syntax error; key: \"x\"");
	expect_value(SLICE("#x"), x,
		     "ExpressionAttributeValues contains invalid key: Syntax error; key: \"#x\"");
}

static void
values_keep_the_limits_of_stored_values(void)
{
	struct value set = {.type = VALUE_SS, .list = {NULL, 0}};

	expect_value(SLICE(":x"), set,
		     "ExpressionAttributeValues contains invalid value: One or more parameter "
		     "values were invalid: An string set  may not be empty for key :x");
}

static struct slice
filled(char first, size_t len)
{
	char *at = arena_new(&c.arena, char, len);

	memset(at, 'x', len);
	at[0] = first;
	return slice_of(at, len);
}

static void
a_placeholder_has_at_most_255_bytes(void)
{
	struct name_alias names[] = {{filled('#', 256), SLICE("a")}};
	struct placeholders ph = {.names = names, .n_names = 1, .names_given = true};
	struct expr *e;
	int r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER, SLICE("a = ("), &e);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "ExpressionAttributeNames contains invalid key: The expression "
			       "attribute map contains a key that is too long; size of key: 256");
}

static void
values_have_at_most_2_megabytes(void)
{
	struct attr values[] = {
		{SLICE(":x"), value_string(filled('x', LIMIT_SUBSTITUTION_BYTES - 2))},
		{SLICE(":y"), value_string(SLICE(""))}};
	struct placeholders ph = {.values = {values, 1}, .values_given = true};
	struct expr_scope *s = expr_scope_open(&c, &ph);
	struct expr *e;
	int r = expr_condition(&c, s, EXPR_FILTER, SLICE("a = :x"), &e);

	CU_ASSERT_EQUAL(r, 0);
	ph.values.n = 2;
	r = expr_condition(&c, expr_scope_open(&c, &ph), EXPR_FILTER, SLICE("a = :x"), &e);
	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message, "ExpressionAttributeValues exceeds max size");
}

static void
finds_a_placeholder_among_many(void)
{
	enum { MANY = 1000 };
	struct name_alias *names = arena_new(&c.arena, struct name_alias, MANY);
	struct placeholders ph = {.names = names, .n_names = MANY, .names_given = true};
	struct buf text;

	buf_init(&text, NULL);
	for (int i = 0; i < MANY; i++) {
		struct buf alias;

		buf_init(&alias, &c.arena);
		buf_fmt(&alias, "#%d", (i * 7919) % MANY);
		names[i].alias = buf_view(&alias);
		names[i].name = slice_of(alias.at + 1, alias.len - 1);
	}
	for (int i = 0; i < 700; i++) {
		buf_fmt(&text, "%s#%d", i == 0 ? "" : ",", i);
	}
	struct expr_scope *s = expr_scope_open(&c, &ph);
	struct expr_projection *p;
	const struct slice *found;
	int r = expr_projection(&c, s, buf_view(&text), &p);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL(expr_projection_attributes(p, &found), 700);
	CU_ASSERT_TRUE(slice_is(found[123], "123"));
	r = expr_scope_close(&c, s);
	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	buf_release(&text);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_placeholder_must_be_used),
	UNIT_TEST(a_placeholder_may_be_used_by_any_expression_of_the_request),
	UNIT_TEST(empty_maps_are_refused),
	UNIT_TEST(an_empty_expression_is_refused),
	UNIT_TEST(malformed_placeholders_come_before_syntax_errors),
	UNIT_TEST(values_keep_the_limits_of_stored_values),
	UNIT_TEST(a_placeholder_has_at_most_255_bytes),
	UNIT_TEST(values_have_at_most_2_megabytes),
	UNIT_TEST(finds_a_placeholder_among_many),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(scope, setup, teardown, tests);
