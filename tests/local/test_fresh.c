#include "store/local/commit/fresh.h"

#include "tests/support/unit.h"

/* The key of collection @n of table @id. */
static struct slice
key_of(uint32_t id, uint32_t n)
{
	static char key[] = "p\0\0\0\0\1\1nnnn";

	key[4] = (char)id;
	memcpy(key + 7, &n, sizeof(n));
	return slice_of(key, sizeof(key) - 1);
}

static void
only_young_tables_report_absent_keys(void)
{
	struct fresh y = {0};

	CU_ASSERT_FALSE(fresh_absent(&y, key_of(1, 0)));
	fresh_add(&y, key_of(1, 0));
	fresh_begin(&y, 1);
	CU_ASSERT_TRUE(fresh_absent(&y, key_of(1, 0)));
	CU_ASSERT_FALSE(fresh_absent(&y, key_of(2, 0)));
	fresh_add(&y, key_of(1, 0));
	fresh_add(&y, key_of(2, 0));
	CU_ASSERT_FALSE(fresh_absent(&y, key_of(1, 0)));
	CU_ASSERT_TRUE(fresh_absent(&y, key_of(1, 1)));
	fresh_begin(&y, 2);
	CU_ASSERT_TRUE(fresh_absent(&y, key_of(2, 0)));
	fresh_end(&y, 1);
	CU_ASSERT_FALSE(fresh_absent(&y, key_of(1, 1)));
	CU_ASSERT_TRUE(fresh_absent(&y, key_of(2, 1)));
	fresh_end(&y, 2);
	CU_ASSERT_PTR_NULL(y.slots);
	fresh_release(&y);
}

static void
an_added_key_is_never_reported_as_absent(void)
{
	enum { KEYS = 2500000 };
	struct fresh y = {0};
	uint32_t known = 0;
	uint32_t wrong = 0;

	fresh_begin(&y, 1);
	for (uint32_t n = 0; n < KEYS; n++) {
		known += fresh_absent(&y, key_of(1, n));
		fresh_add(&y, key_of(1, n));
		fresh_add(&y, key_of(1, n / 2));
		wrong += fresh_absent(&y, key_of(1, n)) || fresh_absent(&y, key_of(1, n / 3));
	}
	CU_ASSERT_EQUAL(wrong, 0);
	/* Almost every new key was known to be new until the set was full. */
	CU_ASSERT_TRUE(known > 2000000 && known <= 2 << 20);
	CU_ASSERT_EQUAL(y.n_tables, 0);
	fresh_release(&y);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(only_young_tables_report_absent_keys),
	UNIT_TEST(an_added_key_is_never_reported_as_absent),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(fresh, NULL, NULL, tests);
