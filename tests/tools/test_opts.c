#include "tools/cli/opts.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

struct sample {
	bool flag;
	const char *text;
	struct words list;
	struct opt_count count;
	const char *pair[2];
	const char *expr;
	bool other;
};

static const struct opt opts[] = {
	{"flag", 'f', OPT_FLAG, NULL, offsetof(struct sample, flag), ""},
	{"other", 'o', OPT_FLAG, NULL, offsetof(struct sample, other), ""},
	{"text", 't', OPT_TEXT, "TEXT", offsetof(struct sample, text), ""},
	{"list", 0, OPT_LIST, "WORD", offsetof(struct sample, list), ""},
	{"count", 'n', OPT_COUNT, "N", offsetof(struct sample, count), ""},
	{"between", 0, OPT_PAIR, "A B", offsetof(struct sample, pair), ""},
	{"if", 0, OPT_EXPR, "EXPR", offsetof(struct sample, expr), ""},
	OPTS_END(struct sample),
};

static struct sample got;
static struct words words;
static int used;

static int
parse(bool leading, const char *const *argv)
{
	struct opt_target target = {opts, &got, NULL, 0, NULL};
	int argc = 0;

	got = (struct sample){0};
	words = (struct words){0};
	while (argv[argc] != NULL) {
		argc++;
	}
	return opts_parse(&c, &target, 1, argc, (char **)argv, leading, &words, &used);
}

#define PARSE(...) parse(false, (const char *const[]){__VA_ARGS__, NULL})

static void
sorts_options_and_words(void)
{
	CU_ASSERT_EQUAL(
		PARSE("one", "--text", "x", "two", "--flag", "-n3", "--list=a", "--list", "b"), 0);
	CU_ASSERT_EQUAL_FATAL(words.n, 2);
	CU_ASSERT_STRING_EQUAL(words.at[0], "one");
	CU_ASSERT_STRING_EQUAL(words.at[1], "two");
	CU_ASSERT_STRING_EQUAL(got.text, "x");
	CU_ASSERT_TRUE(got.flag);
	CU_ASSERT_TRUE(got.count.given);
	CU_ASSERT_EQUAL(got.count.n, 3);
	CU_ASSERT_EQUAL_FATAL(got.list.n, 2);
	CU_ASSERT_STRING_EQUAL(got.list.at[1], "b");
}

static void
takes_short_options_in_clusters(void)
{
	CU_ASSERT_EQUAL(PARSE("-fot", "x"), 0);
	CU_ASSERT_TRUE(got.flag);
	CU_ASSERT_TRUE(got.other);
	CU_ASSERT_STRING_EQUAL(got.text, "x");
	CU_ASSERT_EQUAL(PARSE("-ftx"), 0);
	CU_ASSERT_STRING_EQUAL(got.text, "x");
}

static void
takes_negative_numbers_and_the_dash_as_words(void)
{
	CU_ASSERT_EQUAL(PARSE("-5", "-.5", "-", "--text", "-x"), 0);
	CU_ASSERT_EQUAL_FATAL(words.n, 3);
	CU_ASSERT_STRING_EQUAL(words.at[0], "-5");
	CU_ASSERT_STRING_EQUAL(words.at[1], "-.5");
	CU_ASSERT_STRING_EQUAL(words.at[2], "-");
	CU_ASSERT_STRING_EQUAL(got.text, "-x");
}

static void
takes_two_words_for_a_pair(void)
{
	CU_ASSERT_EQUAL(PARSE("--between", "a", "-b", "c"), 0);
	CU_ASSERT_STRING_EQUAL(got.pair[0], "a");
	CU_ASSERT_STRING_EQUAL(got.pair[1], "-b");
	CU_ASSERT_EQUAL(words.n, 1);
	CU_ASSERT_EQUAL(PARSE("--between", "a"), -ERR_USAGE);
}

static void
leaves_words_after_two_dashes_unchanged(void)
{
	CU_ASSERT_EQUAL(PARSE("--", "--flag", "-x"), 0);
	CU_ASSERT_EQUAL(words.n, 2);
	CU_ASSERT_FALSE(got.flag);
}

static void
stops_at_the_command(void)
{
	CU_ASSERT_EQUAL(parse(true, (const char *const[]){"-f", "get", "--no-such", NULL}), 0);
	CU_ASSERT_EQUAL(used, 1);
	CU_ASSERT_TRUE(got.flag);
}

static void
keeps_many_words(void)
{
	const char *argv[101] = {0};

	for (int i = 0; i < 100; i++) {
		argv[i] = i % 2 == 0 ? "a" : "b";
	}
	CU_ASSERT_EQUAL(parse(false, argv), 0);
	CU_ASSERT_EQUAL_FATAL(words.n, 100);
	for (int i = 0; i < 100; i++) {
		CU_ASSERT_STRING_EQUAL(words.at[i], i % 2 == 0 ? "a" : "b");
	}
}

static void
refuses(void)
{
	static const struct {
		const char *argv[7];
		enum err code;
		const char *message;
	} cases[] = {
		{{"--none"}, ERR_USAGE, "unknown option --none"},
		{{"--none=3"}, ERR_USAGE, "unknown option --none"},
		{{"--fla"}, ERR_USAGE, "unknown option --fla: did you mean --flag?"},
		{{"-fz"}, ERR_USAGE, "unknown option -z"},
		{{"-zfz"}, ERR_USAGE, "unknown option -zfz"},
		{{"-fla"}, ERR_USAGE, "unknown option -l"},
		{{"-betwen"}, ERR_USAGE, "unknown option -betwen: did you mean --between?"},
		{{"--text"}, ERR_USAGE, "--text needs TEXT"},
		{{"-t"}, ERR_USAGE, "--text needs TEXT"},
		{{"--flag=x"}, ERR_USAGE, "--flag takes no value"},
		{{"--count", "x"}, ERR_USAGE, "--count needs a whole number, not \"x\""},
		{{"--text", "x", "--text", "x"}, ERR_USAGE, "--text is given twice"},
		{{"--text=", "-tx"}, ERR_USAGE, "--text is given twice"},
		{{"-n1", "--count=2"}, ERR_USAGE, "--count is given twice"},
		{{"--between", "a", "b", "--between", "c", "d"},
		 ERR_USAGE,
		 "--between is given twice"},
		{{"--if", "a = 1", "--if", "b = 1"},
		 ERR_USAGE,
		 "--if is given twice: join them with AND"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		call_close(&c);
		CU_ASSERT_EQUAL(parse(false, cases[i].argv), -(int)cases[i].code);
		CU_ASSERT_STRING_EQUAL(c.error.message, cases[i].message);
	}
}

static void
a_second_parse_knows_the_options_of_the_first(void)
{
	struct opt_target target = {opts, &got, NULL, 0, NULL};
	char *before[] = {(char *)"-f", (char *)"--text", (char *)"x"};
	char *behind[] = {(char *)"-f", (char *)"--text", (char *)"y"};

	words = (struct words){0};
	CU_ASSERT_EQUAL(opts_parse(&c, &target, 1, 3, before, true, NULL, NULL), 0);
	CU_ASSERT_EQUAL(opts_parse(&c, &target, 1, 3, behind, false, &words, NULL), -ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(c.error.message, "--text is given twice");
}

static void
counts_with_and_without_unit(void)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t n;
	} cases[] = {
		{"0", true, 0},
		{"12", true, 12},
		{"3M", true, 3000000},
		{"1.5k", true, 1500},
		{"2G", true, 2000000000},
		{"10K", true, 10000},
		{"", false, 0},
		{"-1", false, 0},
		{"1.5", false, 0},
		{"1x", false, 0},
		{"1kk", false, 0},
		{"0x10", false, 0},
		{"1e3", false, 0},
		{" 1", false, 0},
		{"inf", false, 0},
		{"1e400", false, 0},
		{"99999999999999999999", false, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t n = 0;

		CU_ASSERT_EQUAL(opts_count(cases[i].text, &n), cases[i].good);
		CU_ASSERT_EQUAL(n, cases[i].n);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(sorts_options_and_words),
	UNIT_TEST(takes_short_options_in_clusters),
	UNIT_TEST(takes_negative_numbers_and_the_dash_as_words),
	UNIT_TEST(takes_two_words_for_a_pair),
	UNIT_TEST(leaves_words_after_two_dashes_unchanged),
	UNIT_TEST(stops_at_the_command),
	UNIT_TEST(keeps_many_words),
	UNIT_TEST(refuses),
	UNIT_TEST(a_second_parse_knows_the_options_of_the_first),
	UNIT_TEST(counts_with_and_without_unit),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(opts, setup, teardown, tests);
