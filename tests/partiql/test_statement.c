/* Tests of statements that are long, deeply nested, or have the wrong parameters. */
#include "store/partiql/statement.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* Build @before, @n times @part, and @after. */
static struct slice
repeated(const char *before, const char *part, size_t n, const char *after)
{
	struct buf b;

	buf_init(&b, &c.arena);
	buf_str(&b, before);
	for (size_t i = 0; i < n; i++) {
		buf_str(&b, part);
	}
	buf_str(&b, after);
	return buf_view(&b);
}

static int
parse(struct slice text)
{
	struct statement st;

	c.error = (struct error){0};
	return statement_parse(&c, text, NULL, 0, &st);
}

static void
the_depth_of_parentheses_is_limited(void)
{
	struct buf deep;

	for (size_t n = 300; n <= 3000; n += 2700) {
		buf_init(&deep, &c.arena);
		buf_slice(&deep, repeated("SELECT a FROM tab WHERE ", "(", n, "a=1"));
		buf_slice(&deep, repeated("", ")", n, ""));
		int r = parse(buf_view(&deep));

		CU_ASSERT_EQUAL(r, n == 300 ? 0 : -ERR_VALIDATION);
	}
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE ", "(", 8000, "")),
			-ERR_VALIDATION);
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE a=", "size(", 1600, "")),
			-ERR_VALIDATION);
}

static void
repeated_nots_do_not_count_as_depth(void)
{
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE ", "NOT ", 290, "a=1")), 0);
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE ", "NOT ", 2000, "a=1")),
			-ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "The expression contains too many operators; operator count: 2001");
}

static void
operators_are_counted(void)
{
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE a=1", " OR a=1", 149, "")), 0);
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE a=1", " OR a=1", 150, "")),
			-ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "The expression contains too many operators; operator count: 301");
	CU_ASSERT_EQUAL(parse(repeated("UPDATE tab SET a=a", "+a", 300, " WHERE p=1")), 0);
	CU_ASSERT_EQUAL(parse(repeated("UPDATE tab SET a=a", "+a", 301, " WHERE p=1")),
			-ERR_VALIDATION);
}

static void
values_may_nest_as_deeply_as_items(void)
{
	struct buf b;

	for (size_t n = 31; n <= 32; n++) {
		buf_init(&b, &c.arena);
		buf_slice(&b, repeated("INSERT INTO tab VALUE {'a':", "[", n, "1"));
		buf_slice(&b, repeated("", "]", n, "}"));
		CU_ASSERT_EQUAL(parse(buf_view(&b)), n == 31 ? 0 : -ERR_VALIDATION);
	}
	CU_ASSERT_TRUE(slice_starts(slice_from(c.error.message), SLICE("Nesting Levels")));
	CU_ASSERT_EQUAL(parse(repeated("INSERT INTO tab VALUE {'a':", "[", 8000, "")),
			-ERR_VALIDATION);
	CU_ASSERT_EQUAL(parse(repeated("INSERT INTO tab VALUE ", "{'a':", 1600, "")),
			-ERR_VALIDATION);
}

static void
in_takes_a_hundred_values(void)
{
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE a IN (1", ",1", 99, ")")), 0);
	CU_ASSERT_EQUAL(parse(repeated("SELECT a FROM tab WHERE a IN (1", ",1", 100, ")")),
			-ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(
		c.error.message,
		"The IN operator is provided with too many operands; number of operands: 101");
}

/* Each parameter needs a question mark; a nested value counts with the depth of its position. */
static void
parameters_are_counted_and_checked(void)
{
	static struct value list[32];
	struct value two[2] = {value_string(SLICE("x")), {.type = VALUE_N, .text = SLICE("1")}};
	struct slice text = SLICE("SELECT a FROM tab WHERE p=? AND s IN (?)");
	struct statement st;

	for (size_t n = 0; n <= 2; n++) {
		c.error = (struct error){0};
		int r = statement_parse(&c, text, two, n, &st);

		CU_ASSERT_EQUAL(r, n == 2 ? 0 : -ERR_VALIDATION);
		CU_ASSERT_TRUE(n == 2 ||
			       strcmp(c.error.message, "Number of parameters in request and "
						       "statement don't match.") == 0);
	}
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(statement_parse(&c, SLICE("SELECT a FROM tab"), two, 1, &st),
			-ERR_VALIDATION);

	list[0] = value_string(SLICE("x"));
	for (size_t i = 1; i < 31; i++) {
		list[i] = (struct value){.type = VALUE_L, .list = {&list[i - 1], 1}};
	}
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(
		statement_parse(&c, SLICE("INSERT INTO tab VALUE {'a':?}"), &list[30], 1, &st), 0);
	list[31] = (struct value){.type = VALUE_L, .list = {&list[30], 1}};
	CU_ASSERT_EQUAL(
		statement_parse(&c, SLICE("SELECT a FROM tab WHERE a=[?]"), &list[31], 1, &st),
		-ERR_VALIDATION);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_depth_of_parentheses_is_limited),
	UNIT_TEST(repeated_nots_do_not_count_as_depth),
	UNIT_TEST(operators_are_counted),
	UNIT_TEST(values_may_nest_as_deeply_as_items),
	UNIT_TEST(in_takes_a_hundred_values),
	UNIT_TEST(parameters_are_counted_and_checked),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(statement, setup, teardown, tests);
