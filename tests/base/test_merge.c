#include "store/base/core/base.h"
#include "store/base/core/merge.h"

#include "tests/support/unit.h"

enum { INPUTS_MAX = 40, LENGTH_MAX = 60 };

/* Sorted inputs, each with a position. */
struct inputs {
	size_t n;
	int values[INPUTS_MAX][LENGTH_MAX];
	size_t length[INPUTS_MAX];
	size_t at[INPUTS_MAX];
	size_t comparisons;
};

static struct inputs in;

static bool
before(const void *arg, size_t a, size_t b)
{
	((struct inputs *)arg)->comparisons++;
	if (in.at[a] == in.length[a] || in.at[b] == in.length[b]) {
		return in.at[a] < in.length[a];
	}
	return in.values[a][in.at[a]] < in.values[b][in.at[b]];
}

static int
by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Fill inputs of random lengths, some of them empty. */
static size_t
fill(unsigned seed, size_t n)
{
	size_t total = 0;

	in = (struct inputs){.n = n};
	for (size_t i = 0; i < n; i++) {
		in.length[i] = (size_t)(rand_r(&seed) % LENGTH_MAX);
		for (size_t j = 0; j < in.length[i]; j++) {
			in.values[i][j] = rand_r(&seed) % 100;
		}
		qsort(in.values[i], in.length[i], sizeof(int), by_value);
		total += in.length[i];
	}
	return total;
}

static void
gives_all_values_in_order(void)
{
	for (unsigned seed = 1; seed <= 40; seed++) {
		size_t n = seed; /* 1 .. 40 inputs */
		size_t total = fill(seed, n);
		struct arena a;
		struct merge m;
		int last = -1;
		size_t taken = 0;

		arena_init(&a, 1 << 20);
		merge_init(&m, &a, n, before, &in);
		for (size_t w = merge_winner(&m); in.at[w] < in.length[w]; w = merge_winner(&m)) {
			int v = in.values[w][in.at[w]++];

			CU_ASSERT_TRUE(v >= last);
			last = v;
			taken++;
			merge_replay(&m);
		}
		CU_ASSERT_EQUAL(taken, total);
		arena_drop(&a);
	}
}

static void
compares_only_the_winners_path(void)
{
	struct arena a;
	struct merge m;

	(void)fill(7, 32);
	arena_init(&a, 1 << 20);
	merge_init(&m, &a, 32, before, &in);
	CU_ASSERT_EQUAL(in.comparisons, 31);
	in.comparisons = 0;
	merge_replay(&m);
	CU_ASSERT_EQUAL(in.comparisons, 5);
	arena_drop(&a);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_all_values_in_order),
	UNIT_TEST(compares_only_the_winners_path),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(merge, NULL, NULL, tests);
