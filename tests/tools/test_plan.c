#include "tools/query/shard.h"

#include "tests/support/unit.h"

static void
agrees_with_the_worked_example(void)
{
	struct shard_plan p = {.items = 3e6, .fraction = 0.2, .item_size = 250, .rate = 1};

	shard_plan(&p);
	CU_ASSERT_EQUAL(p.items_per_rcu, 16);
	CU_ASSERT_EQUAL(p.partition_rate, 48000);
	CU_ASSERT_EQUAL(p.required, 600000);
	CU_ASSERT_EQUAL(p.exact, 12.5);
	CU_ASSERT_EQUAL(p.n, 13);
	CU_ASSERT_EQUAL(p.padded, 15);
}

static void
needs_one_partition_for_a_small_table(void)
{
	struct shard_plan p = {.items = 100, .fraction = 1, .item_size = 100, .rate = 1};

	shard_plan(&p);
	CU_ASSERT_EQUAL(p.n, 1);
	CU_ASSERT_EQUAL(p.padded, 1);
}

static void
counts_large_items_as_several_units(void)
{
	struct shard_plan p = {.items = 3000, .fraction = 1, .item_size = 10000, .rate = 1};

	shard_plan(&p);
	CU_ASSERT_DOUBLE_EQUAL(p.items_per_rcu, 1.0 / 3, 1e-12);
	CU_ASSERT_EQUAL(p.partition_rate, 1000);
	CU_ASSERT_EQUAL(p.n, 3);
	CU_ASSERT_EQUAL(p.padded, 4);
}

static void
multiplies_by_the_rate(void)
{
	struct shard_plan p = {.items = 3e6, .fraction = 0.2, .item_size = 250, .rate = 2};

	shard_plan(&p);
	CU_ASSERT_EQUAL(p.n, 25);
	CU_ASSERT_EQUAL(p.padded, 30);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(agrees_with_the_worked_example),
	UNIT_TEST(needs_one_partition_for_a_small_table),
	UNIT_TEST(counts_large_items_as_several_units),
	UNIT_TEST(multiplies_by_the_rate),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(plan, NULL, NULL, tests);
