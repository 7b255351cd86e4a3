#include "store/local/read/plan.h"

#include "tests/support/unit.h"

static void
one_segment_holds_everything(void)
{
	CU_ASSERT_EQUAL(segment_of(SLICE("a"), 1), 0);
	CU_ASSERT_EQUAL(segment_of(SLICE(""), 1), 0);
}

/* Keys that differ only in their last digits, as real keys do. */
static void
keys_spread_evenly(void)
{
	static const uint32_t totals[] = {2, 3, 15, 64, 1000};
	enum { KEYS = 20000 };

	for (size_t t = 0; t < sizeof(totals) / sizeof(*totals); t++) {
		static unsigned count[1000];
		unsigned fair = KEYS / totals[t];

		memset(count, 0, sizeof(count));
		for (int i = 0; i < KEYS; i++) {
			char key[32];
			int n = snprintf(key, sizeof(key), "ORDER#%d", i);
			uint32_t segment = segment_of(slice_of(key, (size_t)n), totals[t]);

			CU_ASSERT_FATAL(segment < totals[t]);
			count[segment]++;
		}
		for (uint32_t i = 0; i < totals[t]; i++) {
			CU_ASSERT_TRUE(count[i] > fair / 3);
			CU_ASSERT_TRUE(count[i] < fair * 3);
		}
	}
}

/* Clients store start keys between pages: a later version must assign keys to the same segments. */
static void
the_hash_never_changes(void)
{
	CU_ASSERT_EQUAL(segment_of(SLICE("ADA\0\1"), 1000000), 816513);
	CU_ASSERT_EQUAL(segment_of(SLICE("a\0\1"), 1000000), 925043);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(one_segment_holds_everything),
	UNIT_TEST(keys_spread_evenly),
	UNIT_TEST(the_hash_never_changes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(segment, NULL, NULL, tests);
