/* Tests of the suggestion of similar names. */
#include "store/base/text/near.h"

#include "tests/support/unit.h"

static const char *
nearest(const char *typed, const char *const *names)
{
	struct near n = near_start(slice_from(typed));

	for (; *names != NULL; names++) {
		near_try(&n, slice_from(*names));
	}
	return n.best.len == 0 ? "" : n.best.at;
}

static void
typing_errors_are_near(void)
{
	static const char *const names[] = {"query", "scan", "describe", "create-table", NULL};

	CU_ASSERT_STRING_EQUAL(nearest("qurey", names), "query");
	CU_ASSERT_STRING_EQUAL(nearest("Query", names), "query");
	CU_ASSERT_STRING_EQUAL(nearest("queery", names), "query");
	CU_ASSERT_STRING_EQUAL(nearest("scn", names), "scan");
	CU_ASSERT_STRING_EQUAL(nearest("sacn", names), "scan");
	CU_ASSERT_STRING_EQUAL(nearest("desc", names), "describe");
	CU_ASSERT_STRING_EQUAL(nearest("create_table", names), "create-table");
	CU_ASSERT_STRING_EQUAL(nearest("create-tabel", names), "create-table");
	CU_ASSERT_STRING_EQUAL(nearest("creat-tabels", names), "create-table");
}

static void
other_words_are_not_near(void)
{
	static const char *const names[] = {"query", "scan", "describe", "get", NULL};
	char longer[100];

	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	CU_ASSERT_STRING_EQUAL(nearest("xyzzy", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("de", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("describe-tables", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("scanning", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("got it", names), "");
	CU_ASSERT_STRING_EQUAL(nearest(longer, names), "");
}

static void
short_words_allow_one_error(void)
{
	static const char *const names[] = {"alter", "drop", "tail", "backup", "x", NULL};

	CU_ASSERT_STRING_EQUAL(nearest("filter", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("from", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("group", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("wait", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("backup-table", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("y", names), "");
	CU_ASSERT_STRING_EQUAL(nearest("dorp", names), "drop");
	CU_ASSERT_STRING_EQUAL(nearest("atler", names), "alter");
	CU_ASSERT_STRING_EQUAL(nearest("bakcpu", names), "backup");
}

static void
the_nearest_one_is_taken(void)
{
	static const char *const names[] = {"orders", "order", "border", NULL};

	CU_ASSERT_STRING_EQUAL(nearest("ordr", names), "order");
	CU_ASSERT_STRING_EQUAL(nearest("bordr", names), "border");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(typing_errors_are_near),
	UNIT_TEST(other_words_are_not_near),
	UNIT_TEST(short_words_allow_one_error),
	UNIT_TEST(the_nearest_one_is_taken),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(near, NULL, NULL, tests);
