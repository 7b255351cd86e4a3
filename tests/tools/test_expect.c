#include "tools/patterns/expect.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct expect all;

static int
parse(const char *text)
{
	c.error = (struct error){0};
	all = (struct expect){0};
	return expect_parse(&c, slice_from(text), &all);
}

/* The expectations of @text that @found does not meet, or "". */
static const char *
why(const char *text, const struct expect_found *found)
{
	struct buf b;

	buf_init(&b, &c.arena);
	CU_ASSERT_EQUAL_FATAL(parse(text), 0);
	for (size_t i = 0; i < all.n; i++) {
		(void)expect_holds(&c, &all.at[i], found, &b);
	}
	return slice_cstr(&c.arena, buf_view(&b));
}

static void
reads_several_expectations_on_a_line(void)
{
	CU_ASSERT_EQUAL_FATAL(
		parse(" with a=1 'b=x, y', at least 2 items, at most 1.5 units no scan, first n=5,"),
		0);
	CU_ASSERT_EQUAL_FATAL(all.with.n, 2);
	CU_ASSERT_STRING_EQUAL(all.with.at[1], "b=x, y");
	CU_ASSERT_EQUAL_FATAL(all.n, 4);
	CU_ASSERT_EQUAL(all.at[0].compare, EXPECT_AT_LEAST);
	CU_ASSERT_TRUE(slice_is(all.at[0].text, "at least 2 items"));
	CU_ASSERT_EQUAL(all.at[1].kind, EXPECT_UNITS);
	CU_ASSERT_EQUAL(all.at[1].compare, EXPECT_AT_MOST);
	CU_ASSERT_EQUAL(all.at[1].n, 1.5);
	CU_ASSERT_EQUAL(all.at[2].kind, EXPECT_NO_SCAN);
	CU_ASSERT_TRUE(slice_is(all.at[2].text, "no scan"));
	CU_ASSERT_TRUE(slice_is(all.at[3].first, "n=5"));
}

/* Expectations in the format of the report of run. */
static void
reads_a_report(void)
{
	struct expect_found found = {.items = 12,
				     .sums = {.requests = 2, .read_halves = 3, .write_halves = 4}};

	CU_ASSERT_STRING_EQUAL(why("2 requests, 12 items, 1.5 read units, 2.0 write units", &found),
			       "");
	CU_ASSERT_STRING_EQUAL(why("1 request", &found), "expected 1 request, found 2 requests");
	CU_ASSERT_STRING_EQUAL(why("at most 3 units", &found),
			       "expected at most 3 units, found 3.5 units");
	CU_ASSERT_STRING_EQUAL(why("at least 13 items", &found),
			       "expected at least 13 items, found 12 items");
	CU_ASSERT_STRING_EQUAL(why("exactly 12 items", &found), "");
	CU_ASSERT_STRING_EQUAL(why("1 write unit", &found), "expected 1 write unit, found 2 units");
}

static void
recognizes_a_scan(void)
{
	struct expect_found found = {.scans = 1};

	CU_ASSERT_STRING_EQUAL(why("no Scan", &found), "expected no Scan, found 1 Scan");
	found = (struct expect_found){.statements = 1};
	CU_ASSERT_PTR_NOT_NULL(strstr(why("no Scan", &found), "PartiQL, which may be a Scan"));
	CU_ASSERT_STRING_EQUAL(why("no Scan", &(struct expect_found){0}), "");
}

static void
compares_the_first_item(void)
{
	struct expect_found found = {
		.first = SLICE("{\"a\":\"x=y\",\"n\":10,\"t\":true,\"l\":[1]}\n")};
	static const char *const equal[] = {"first a=x=y",
					    "first n=10.0",
					    "first t=true",
					    "first l=[1]",
					    "first {\"n\":1e1}",
					    "first {}",
					    "first '{\"t\": true, \"a\": \"x=y\"}'"};
	static const char *const other[] = {
		"first a=x", "first n=11",         "first n=x",
		"first b=",  "first {\"b\":null}", "first {\"n\":\"10\"}"};

	for (size_t i = 0; i < sizeof(equal) / sizeof(equal[0]); i++) {
		CU_ASSERT_STRING_EQUAL(why(equal[i], &found), "");
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		CU_ASSERT_PTR_NOT_NULL(strstr(why(other[i], &found), ", found {\"a\":\"x=y\""));
		CU_ASSERT_EQUAL(c.error.code, ERR_NONE);
	}
	CU_ASSERT_STRING_EQUAL(why("first a=1", &(struct expect_found){0}),
			       "expected first a=1, found nothing");
	CU_ASSERT_STRING_EQUAL(why("first a=1", &(struct expect_found){.first = SLICE("12\n")}),
			       "expected first a=1, found 12");
}

static void
refuses(void)
{
	static const char *const cases[] = {
		"",           "items",        "2",          "2 apples",      "-1 items",
		"nan items",  "1e3 items",    "2 read",     "2 read items",  "at 2 items",
		"no scans",   "no",           "first",      "first x",       "first =x",
		"with",       "with 2 items", "1.5 items",  "first {\"a\":", "first {]}",
		"2 items, ,", "'2 items",     "0x10 items", "1.2.3 units",   ". units"};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (parse(cases[i]) >= 0) {
			CU_FAIL(cases[i]);
			(void)fprintf(stderr, "taken: %s\n", cases[i]);
		}
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_several_expectations_on_a_line),
	UNIT_TEST(reads_a_report),
	UNIT_TEST(recognizes_a_scan),
	UNIT_TEST(compares_the_first_item),
	UNIT_TEST(refuses),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(expect, setup, teardown, tests);
