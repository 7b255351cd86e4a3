#include "tools/patterns/script.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
reads_every_verb(void)
{
	static const char text[] = "# an order is shipped\n"
				   "check orders C#1 P if Credit >= 1000\n"
				   "\n"
				   "put orders '{\"PK\":\"O#1\"}' if attribute_not_exists(PK)\n"
				   "delete orders O#1 'a b'\n"
				   "delete orders \"O#2\" if #s = :s\n"
				   "update orders O#3 'SET n = 1, m = 2' if n = 0\n";
	struct script s;

	CU_ASSERT_EQUAL_FATAL(script_parse(&c, &(struct text_origin){0}, slice_from(text), &s), 0);
	CU_ASSERT_EQUAL_FATAL(s.n_actions, 5);
	CU_ASSERT_FALSE(s.reads);

	const struct script_action *a = s.actions;
	CU_ASSERT_EQUAL(a[0].verb, SCRIPT_CHECK);
	CU_ASSERT_EQUAL(a[0].line, 2);
	CU_ASSERT_TRUE(slice_is(a[0].table, "orders"));
	CU_ASSERT_EQUAL(a[0].n_words, 2);
	CU_ASSERT_TRUE(slice_is(a[0].words[1], "P"));
	CU_ASSERT_TRUE(slice_is(a[0].tail, "Credit >= 1000"));
	CU_ASSERT_EQUAL(a[1].verb, SCRIPT_PUT);
	CU_ASSERT_EQUAL(a[1].line, 4);
	CU_ASSERT_TRUE(slice_is(a[1].words[0], "{\"PK\":\"O#1\"}"));
	CU_ASSERT_TRUE(slice_is(a[1].tail, "attribute_not_exists(PK)"));
	CU_ASSERT_EQUAL(a[2].n_words, 2);
	CU_ASSERT_TRUE(slice_is(a[2].words[1], "a b"));
	CU_ASSERT_EQUAL(a[2].tail.len, 0);
	CU_ASSERT_EQUAL(a[3].n_words, 1);
	CU_ASSERT_TRUE(slice_is(a[3].tail, "#s = :s"));
	CU_ASSERT_EQUAL(a[4].verb, SCRIPT_UPDATE);
	CU_ASSERT_EQUAL(a[4].n_words, 2);
	CU_ASSERT_TRUE(slice_is(a[4].words[1], "SET n = 1, m = 2"));
	CU_ASSERT_TRUE(slice_is(a[4].tail, "n = 0"));
}

static void
reads_gets_with_projections(void)
{
	struct script s;

	CU_ASSERT_EQUAL_FATAL(script_parse(&c, &(struct text_origin){0},
					   SLICE("get t a b project x, y[0]\nget t a"), &s),
			      0);
	CU_ASSERT_TRUE(s.reads);
	CU_ASSERT_EQUAL_FATAL(s.n_actions, 2);
	CU_ASSERT_TRUE(slice_is(s.actions[0].tail, "x, y[0]"));
	CU_ASSERT_EQUAL(s.actions[1].line, 2);
}

static void
joins_indented_lines(void)
{
	static const char text[] = "put t {\"PK\": \"a\",\n"
				   "       \"n\": 1}\n"
				   "\n"
				   "    # a remark\n"
				   "    if attribute_not_exists(PK)\n"
				   "# at the margin\n"
				   "\t#n = :v\n"
				   "delete t b\n";
	struct script s;

	CU_ASSERT_EQUAL_FATAL(script_parse(&c, &(struct text_origin){0}, slice_from(text), &s), 0);
	CU_ASSERT_EQUAL_FATAL(s.n_actions, 2);
	CU_ASSERT_TRUE(slice_is(s.actions[0].words[0], "{\"PK\": \"a\",\n       \"n\": 1}"));
	CU_ASSERT_TRUE(slice_is(s.actions[0].tail, "attribute_not_exists(PK)\n\t#n = :v"));
	CU_ASSERT_EQUAL(s.actions[1].line, 8);
}

static void
keeps_a_quoted_if_as_a_key(void)
{
	struct script s;

	CU_ASSERT_EQUAL_FATAL(
		script_parse(&c, &(struct text_origin){0}, SLICE("check t 'if' if a = 1"), &s), 0);
	CU_ASSERT_EQUAL(s.actions[0].n_words, 1);
	CU_ASSERT_TRUE(slice_is(s.actions[0].words[0], "if"));
	CU_ASSERT_TRUE(slice_is(s.actions[0].tail, "a = 1"));
}

static void
refuses(void)
{
	static const struct {
		const char *text;
		enum err code;
		const char *message;
	} cases[] = {
		{"", ERR_USAGE, "a transaction needs at least one action"},
		{"# nothing\n", ERR_USAGE, "a transaction needs at least one action"},
		{"\nfrob t a", ERR_USAGE,
		 "line 2: unknown action \"frob\": use put, update, delete, check or get"},
		{"update t a", ERR_USAGE, "line 1: syntax: update TABLE PK [SK] EXPR [if EXPR]"},
		{"update t a b 'SET x = 1' c", ERR_USAGE,
		 "line 1: unexpected \"c\": quote the expression; syntax: "
		 "update TABLE PK [SK] EXPR [if EXPR]"},
		{"delete t a # c", ERR_USAGE,
		 "line 1: unexpected \"c\": put a comment on its own line; syntax: "
		 "delete TABLE PK [SK] [if EXPR]"},
		{"delete t a '#' c", ERR_USAGE,
		 "line 1: unexpected \"c\"; syntax: delete TABLE PK [SK] [if EXPR]"},
		{"put t", ERR_USAGE, "line 1: syntax: put TABLE ITEM [if EXPR]"},
		{"put", ERR_USAGE, "line 1: syntax: put TABLE ITEM [if EXPR]"},
		{"put t {} {}", ERR_USAGE,
		 "line 1: unexpected \"{}\"; syntax: put TABLE ITEM [if EXPR]"},
		{"check t a", ERR_USAGE, "line 1: syntax: check TABLE PK [SK] if EXPR"},
		{"check t a if", ERR_USAGE, "line 1: nothing follows \"if\""},
		{"delete t 'a", ERR_USAGE, "line 1: a ' is not closed"},
		{"get t a\ndelete t a", ERR_USAGE,
		 "line 2: a transaction has only get lines or none"},
		{"delete t a\nget t a", ERR_USAGE,
		 "line 2: a transaction has only get lines or none"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct script s;

		call_close(&c);
		CU_ASSERT_EQUAL(
			script_parse(&c, &(struct text_origin){0}, slice_from(cases[i].text), &s),
			-(int)cases[i].code);
		CU_ASSERT_STRING_EQUAL(c.error.message, cases[i].message);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_every_verb),
	UNIT_TEST(reads_gets_with_projections),
	UNIT_TEST(joins_indented_lines),
	UNIT_TEST(keeps_a_quoted_if_as_a_key),
	UNIT_TEST(refuses),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(script, setup, teardown, tests);
