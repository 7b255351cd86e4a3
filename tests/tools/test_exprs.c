#include "tools/session/exprs.h"

#include "tests/support/unit.h"

static struct call c;
static struct exprs e;

static void
setup(void)
{
	call_open(&c, 0, 1 << 20);
	e = (struct exprs){0};
}

static void
teardown(void)
{
	call_close(&c);
}

static size_t columns;

static struct slice
shown(const char *message, size_t place)
{
	struct error error = {.code = ERR_USAGE, .message = message, .place = place};
	struct buf b;

	buf_init(&b, &c.arena);
	exprs_show(&e, &error, columns, &b);
	return buf_view(&b);
}

static void
marks_the_place_in_the_typed_text(void)
{
	struct slice text;

	CU_ASSERT_EQUAL_FATAL(
		exprs_add(&c, &e, "FilterExpression", SLICE("Größe = \"x\" AN b"), &text), 0);
	CU_ASSERT_TRUE(slice_is(text, "#i0 = :i0 #i1 #i2"));
	CU_ASSERT_TRUE(slice_is(shown("Invalid FilterExpression", 11),
				"  Größe = \"x\" AN b\n              ^\n"));
	CU_ASSERT_EQUAL(shown("Invalid FilterExpression", 0).len, 0);
	CU_ASSERT_EQUAL(shown("Invalid FilterExpression", 99).len, 0);
	CU_ASSERT_TRUE(
		slice_ends(shown("at the end", text.len + 1), SLICE("                 ^\n")));
}

static void
finds_a_place_that_the_server_does_not_report(void)
{
	struct slice text;

	CU_ASSERT_EQUAL_FATAL(
		exprs_add(&c, &e, "UpdateExpression", SLICE("SET Status = 1, n == 2"), &text), 0);
	CU_ASSERT_TRUE(slice_is(text, "SET #i0 = :i0, #i1 == :i1"));
	CU_ASSERT_TRUE(slice_is(shown("Invalid UpdateExpression: Syntax error; token: \"=\", near: "
				      "\"== :i1\"",
				      0),
				"  SET Status = 1, n == 2\n                     ^\n"));
	CU_ASSERT_TRUE(slice_is(shown("token: \"#i0\", near: \"SET #i0 =\"", 0),
				"  SET Status = 1, n == 2\n      ^\n"));
	CU_ASSERT_TRUE(slice_is(shown("token: \"SET\", near: \"SET #i0\"", 0),
				"  SET Status = 1, n == 2\n  ^\n"));
	CU_ASSERT_EQUAL(shown("token: \"x\", near: \"y x\"", 0).len, 0);
	CU_ASSERT_EQUAL(shown("token: \"x\", near: \"", 0).len, 0);
	CU_ASSERT_EQUAL(shown("token: ", 0).len, 0);
}

static void
shows_only_the_line_with_the_mistake(void)
{
	struct slice text;

	CU_ASSERT_EQUAL_FATAL(exprs_add(&c, &e, "ConditionExpression",
					SLICE("#a = :a AND\n\t#b == :b\nOR #c = :c"), &text),
			      0);
	CU_ASSERT_TRUE(slice_is(shown("x", 18), "  \t#b == :b\n  \t    ^\n"));
}

/* Of a line wider than the terminal, only the part around the place is shown. */
static void
shows_a_part_of_a_long_line(void)
{
	struct slice text;

	/* 41 characters, 43 bytes */
	CU_ASSERT_EQUAL_FATAL(exprs_add(&c, &e, "FilterExpression",
					SLICE(":aäb + :cde + :fgh + :ijk + :lmn + :öpq ="), &text),
			      0);
	columns = 29;
	CU_ASSERT_TRUE(slice_is(shown("x", 1), "  :aäb + :cde + :fgh +...\n  ^\n"));
	CU_ASSERT_TRUE(
		slice_is(shown("x", 13), "  ...aäb + :cde + :fgh + ...\n               ^\n"));
	CU_ASSERT_TRUE(
		slice_is(shown("x", 22), "  ...e + :fgh + :ijk + :l...\n               ^\n"));
	CU_ASSERT_TRUE(
		slice_is(shown("x", 43), "  ...:ijk + :lmn + :öpq =\n                        ^\n"));
	CU_ASSERT_TRUE(slice_is(shown("x", 44),
				"  ...:ijk + :lmn + :öpq =\n                         ^\n"));
	columns = 50;
	CU_ASSERT_TRUE(slice_starts(shown("x", 22),
				    SLICE("  :aäb + :cde + :fgh + :ijk + :lmn + :öpq =\n")));
	columns = 19;
	CU_ASSERT_TRUE(slice_starts(shown("x", 22),
				    SLICE("  :aäb + :cde + :fgh + :ijk + :lmn + :öpq =\n")));
	columns = 0;
}

static void
finds_the_expression_by_the_message(void)
{
	struct slice text;

	CU_ASSERT_EQUAL_FATAL(exprs_add(&c, &e, "FilterExpression", SLICE("a"), &text), 0);
	CU_ASSERT_EQUAL_FATAL(exprs_add(&c, &e, "ProjectionExpression", SLICE("b"), &text), 0);
	CU_ASSERT_TRUE(slice_is(shown("Invalid ProjectionExpression: ...", 1), "  b\n  ^\n"));
	CU_ASSERT_TRUE(slice_is(shown("Invalid FilterExpression: ...", 1), "  a\n  ^\n"));
	CU_ASSERT_EQUAL(shown("Invalid KeyConditionExpression: ...", 1).len, 0);
}

static void
shows_a_text_that_could_not_be_rewritten(void)
{
	struct slice text;

	CU_ASSERT_EQUAL(exprs_add(&c, &e, "FilterExpression", SLICE("a = \"b"), &text),
			-ERR_VALIDATION);
	CU_ASSERT_TRUE(slice_is(shown(c.error.message, c.error.place), "  a = \"b\n      ^\n"));
}

static void
accepts_names_and_values(void)
{
	struct slice text;

	CU_ASSERT_EQUAL_FATAL(exprs_placeholders(&c, &e, "{\"#n\":\"Name\"}",
						 "{\":v\":1,\":w\":{\"S\":\"x\"},\":x\":[true]}"),
			      0);
	CU_ASSERT_EQUAL_FATAL(
		exprs_add(&c, &e, "FilterExpression", SLICE("#n = :v OR a = 1"), &text), 0);
	CU_ASSERT_EQUAL(e.request.ph.n_names, 2);
	CU_ASSERT_EQUAL_FATAL(e.request.ph.values.n, 4);
	CU_ASSERT_EQUAL(e.request.ph.values.at[0].value.type, VALUE_N);
	CU_ASSERT_EQUAL(e.request.ph.values.at[1].value.type, VALUE_S);
	CU_ASSERT_EQUAL(e.request.ph.values.at[2].value.type, VALUE_L);
}

static void
refuses_invalid_names_and_values(void)
{
	static const struct {
		const char *names;
		const char *values;
	} cases[] = {
		{"[]", NULL},
		{"{\"#n\":1}", NULL},
		{"{", NULL},
		{NULL, "1"},
		{NULL, "{\":v\":{\"N\":\"x\"}}"},
		{NULL, "{\":v\":}"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		call_close(&c);
		CU_ASSERT_TRUE(exprs_placeholders(&c, &e, cases[i].names, cases[i].values) < 0);
	}
}

static void
adds_its_own_placeholders(void)
{
	struct value v = value_string(SLICE("p"));
	struct slice text;

	CU_ASSERT_EQUAL_FATAL(exprs_add(&c, &e, "FilterExpression", SLICE("a = 1"), &text), 0);
	struct exprs copy = e;

	exprs_value(&c, &e, ":one", &v);
	exprs_name(&c, &e, "#one", SLICE("PK"));
	exprs_value(&c, &copy, ":two", &v);
	CU_ASSERT_TRUE(slice_is(e.request.ph.values.at[1].name, ":one"));
	CU_ASSERT_TRUE(slice_is(e.request.ph.names[1].name, "PK"));
	CU_ASSERT_TRUE(slice_is(copy.request.ph.values.at[1].name, ":two"));
	CU_ASSERT_EQUAL(copy.request.ph.n_names, 1);
}

/* Messages use the placeholders of --names and --values. */
static void
keeps_the_users_placeholders_in_messages(void)
{
	struct slice text;
	struct buf b;

	CU_ASSERT_EQUAL_FATAL(exprs_placeholders(&c, &e, "{\"#x\":\"a-b\"}", "{\":z\":7}"), 0);
	CU_ASSERT_EQUAL_FATAL(exprs_add(&c, &e, "FilterExpression", SLICE("n = 8"), &text), 0);
	CU_ASSERT_TRUE(slice_is(text, "#i0 = :i0"));
	buf_init(&b, &c.arena);
	exprs_say(&e, "keys: {#x}, keys: {:z}, and #i0 = :i0", &b);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), "keys: {#x}, keys: {:z}, and n = 8"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(marks_the_place_in_the_typed_text),
	UNIT_TEST(finds_a_place_that_the_server_does_not_report),
	UNIT_TEST(shows_only_the_line_with_the_mistake),
	UNIT_TEST(shows_a_part_of_a_long_line),
	UNIT_TEST(finds_the_expression_by_the_message),
	UNIT_TEST(shows_a_text_that_could_not_be_rewritten),
	UNIT_TEST(accepts_names_and_values),
	UNIT_TEST(refuses_invalid_names_and_values),
	UNIT_TEST(adds_its_own_placeholders),
	UNIT_TEST(keeps_the_users_placeholders_in_messages),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(exprs, setup, teardown, tests);
