#include "store/expr/expr.h"

#include "tests/support/unit.h"

static void
knows_the_words_in_any_case(void)
{
	static const char *const reserved[] = {"ABORT", "zone",   "Name",     "sTaTuS", "Role",
					       "Year",  "Views",  "Users",    "URL",    "Size",
					       "AND",   "Bucket", "Timestamp"};
	static const char *const others[] = {"",        "Actor",  "Movie",           "Genre", "PK",
					     "SK",      "Amount", "Username",        "NAMED", "NAM",
					     "ABORTED", "ZONEZ",  "attribute_exists"};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		CU_ASSERT_TRUE(expr_reserved(slice_from(reserved[i])));
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		CU_ASSERT_FALSE(expr_reserved(slice_from(others[i])));
	}
	CU_ASSERT_FALSE(expr_reserved(SLICE("ADD\0")));
	CU_ASSERT_FALSE(expr_reserved(SLICE("ADD\0ALL")));
}

/* Check all words, so that a missing or misplaced word of the table is found. */
static void
there_are_573_reserved_words(void)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char *const some[] = {
#include "tests/expr/reserved_words.inc"
	};
	size_t n = sizeof(some) / sizeof(some[0]);

	CU_ASSERT_EQUAL(n, 573);
	for (size_t i = 0; i < n; i++) {
		CU_ASSERT_TRUE(expr_reserved(slice_from(some[i])));
		CU_ASSERT_EQUAL(strspn(some[i], letters), strlen(some[i]));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(knows_the_words_in_any_case),
	UNIT_TEST(there_are_573_reserved_words),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(reserved, NULL, NULL, tests);
