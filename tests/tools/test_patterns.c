#include "tools/patterns/patterns.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static const char file[] = "# orders\n"
			   "pattern open  Open orders, newest first\n"
			   "    param customer=CUSTOMER3  who ordered\n"
			   "    param least:N\n"
			   "    # a remark\n"
			   "    query shop ${customer} --reverse\n"
			   "        --filter 'Total >= ${least}'\n"
			   "\n"
			   "    get shop ${customer}\n"
			   "\n"
			   "# writes\n"
			   "pattern ship\n"
			   "\ttransact\n"
			   "\t\tput shop {\"PK\":\"a\",\n"
			   "\t\t          \"n\":1}\n"
			   "\t\t# the other one\n"
			   "\t\tdelete shop b\n"
			   "\t\t    if #n = 1\n";

static struct patterns all;

static void
parse(const char *text)
{
	c.error = (struct error){0};
	CU_ASSERT_EQUAL_FATAL(patterns_parse(&c, &(struct text_origin){0}, slice_from(text), &all),
			      0);
}

static void
reads_patterns_parameters_and_commands(void)
{
	parse(file);
	CU_ASSERT_EQUAL_FATAL(all.n, 2);

	const struct pattern *p = &all.at[0];

	CU_ASSERT_TRUE(slice_is(p->name, "open"));
	CU_ASSERT_TRUE(slice_is(p->about, "Open orders, newest first"));
	CU_ASSERT_EQUAL_FATAL(p->n_params, 2);
	CU_ASSERT_TRUE(slice_is(p->params[0].name, "customer"));
	CU_ASSERT_TRUE(p->params[0].has_preset);
	CU_ASSERT_TRUE(slice_is(p->params[0].preset, "CUSTOMER3"));
	CU_ASSERT_TRUE(slice_is(p->params[0].about, "who ordered"));
	CU_ASSERT_FALSE(p->params[0].number);
	CU_ASSERT_TRUE(slice_is(p->params[1].name, "least"));
	CU_ASSERT_TRUE(p->params[1].number);
	CU_ASSERT_FALSE(p->params[1].has_preset);
	CU_ASSERT_EQUAL_FATAL(p->n_lines, 2);
	CU_ASSERT_EQUAL(p->lines[0].line, 6);
	CU_ASSERT_TRUE(slice_is(p->lines[0].text, "query shop ${customer} --reverse\n"
						  "        --filter 'Total >= ${least}'\n"));
	CU_ASSERT_EQUAL(p->lines[1].line, 9);
	CU_ASSERT_EQUAL(all.at[1].about.len, 0);
}

static void
gives_a_transaction_its_actions(void)
{
	parse(file);
	CU_ASSERT_EQUAL_FATAL(all.at[1].n_lines, 1);
	struct slice script = patterns_script(&c, &all.at[1].lines[0]);

	CU_ASSERT_TRUE(slice_is(script, "\n\n\n\n\n\n\n\n\n\n\n\n\n"
					"put shop {\"PK\":\"a\",\n"
					"          \"n\":1}\n"
					"\n"
					"delete shop b\n"
					"    if #n = 1\n"));
}

static void
prefers_given_values_to_defaults(void)
{
	static const char *const typed[] = {"least=-2.5", "customer=a=b"};
	struct fill fill;

	parse(file);
	CU_ASSERT_EQUAL_FATAL(patterns_values(&c, &all.at[0], typed, 2, &fill), 0);
	CU_ASSERT_EQUAL_FATAL(fill.n, 2);
	CU_ASSERT_TRUE(slice_is(fill.at[0].text, "a=b"));
	CU_ASSERT_TRUE(slice_is(fill.at[1].text, "-2.5"));
	CU_ASSERT_TRUE(fill.at[1].number);
	CU_ASSERT_EQUAL_FATAL(patterns_values(&c, &all.at[0], typed, 1, &fill), 0);
	CU_ASSERT_TRUE(slice_is(fill.at[0].text, "CUSTOMER3"));
}

static void
no_values(const char *typed, const char *why)
{
	struct fill fill;

	parse(file);
	CU_ASSERT_EQUAL(patterns_values(&c, &all.at[0], &typed, typed != NULL, &fill), -ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, why));
}

static void
refuses_values(void)
{
	no_values(NULL, "open needs least=");
	no_values("least=many", "least is a number, not \"many\"");
	no_values("other=1", "open has no parameter \"other=1\"; there are customer=, least=");
	no_values("customer", "no parameter \"customer\"");
}

static void
refuses_two_values_for_one_parameter(void)
{
	static const char *const typed[] = {"least=1", "customer=a", "least=1"};
	struct fill fill;

	parse(file);
	CU_ASSERT_EQUAL(patterns_values(&c, &all.at[0], typed, 3, &fill), -ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(c.error.message, "least= is given twice");
}

/* Numbers in the syntax of JSON. */
static void
fills_in_canonical_numbers(void)
{
	static const char *const rows[][2] = {
		{"least=+5", "5"}, {"least=05", "5"}, {"least=.5", "0.5"}, {"least=1e2", "100"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fill fill;

		parse(file);
		CU_ASSERT_EQUAL_FATAL(patterns_values(&c, &all.at[0], &rows[i][0], 1, &fill), 0);
		CU_ASSERT_TRUE(slice_is(fill.at[1].text, rows[i][1]));
	}
}

static void
refuses(void)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
		{"query t a\n",
		 "line 1: a line that is not indented begins a pattern: pattern NAME"},
		{"pattern\n", "line 1: a line that is not indented"},
		{"pattern a/b\n", "line 1: a line that is not indented"},
		{"  query t a\n", "line 1: this line does not belong"},
		{"pattern a\n", "line 1: the pattern a has no commands"},
		{"pattern a\n\nget t a\n", "line 3: a line that is not indented"},
		{"pattern a\n get t a\npattern a\n get t a\n",
		 "line 3: there is already a pattern a, in line 1"},
		{"pattern a\n param x\n param x=1\n get t a\n",
		 "line 3: there is already a parameter x"},
		{"pattern a\n param =1\n get t a\n", "line 2: write a parameter as: param NAME"},
		{"pattern a\n param\n get t a\n", "line 2: write a parameter as"},
		{"pattern a\n param x\n  more\n get t a\n",
		 "line 3: a parameter must be on one line"},
		{"pattern a\n  get t a\n get t b\n", "line 3: this is indented less"},
		{"pattern a\n get t a\n expect frob\n", "line 3: unexpected \"frob\": write"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		c.error = (struct error){0};
		CU_ASSERT_EQUAL(patterns_parse(&c, &(struct text_origin){0},
					       slice_from(cases[i].text), &all),
				-ERR_USAGE);
		CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, cases[i].why));
	}
}

static void
reads_expectations_over_several_lines(void)
{
	parse("pattern a\n expect 2 items\n get t a\n expect with k=1,\n  first {\"a\":\n  1}\n");
	CU_ASSERT_EQUAL_FATAL(all.n, 1);
	CU_ASSERT_EQUAL(all.at[0].n_lines, 1);
	CU_ASSERT_EQUAL_FATAL(all.at[0].expect.n, 2);
	CU_ASSERT_TRUE(slice_is(all.at[0].expect.at[1].first, "{\"a\":\n  1}"));
	CU_ASSERT_EQUAL_FATAL(all.at[0].expect.with.n, 1);
	CU_ASSERT_STRING_EQUAL(all.at[0].expect.with.at[0], "k=1");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_patterns_parameters_and_commands),
	UNIT_TEST(gives_a_transaction_its_actions),
	UNIT_TEST(prefers_given_values_to_defaults),
	UNIT_TEST(refuses_values),
	UNIT_TEST(refuses_two_values_for_one_parameter),
	UNIT_TEST(fills_in_canonical_numbers),
	UNIT_TEST(refuses),
	UNIT_TEST(reads_expectations_over_several_lines),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(patterns, setup, teardown, tests);
