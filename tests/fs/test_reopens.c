/* Tests of the record of threads whose OPEN came too late. */
#include "fs/core/reopens.h"

#include "tests/support/unit.h"

static struct reopens set;
static const struct node *const dir = (const struct node *)&set;
static const struct node *const other = (const struct node *)&set.next;

enum { NOW = 5000 };

static bool
has(pid_t thread, const char *name)
{
	return reopens_look(&set, thread, dir, slice_from(name), NOW);
}

static void
setup(void)
{
	set = (struct reopens){.lock = PTHREAD_MUTEX_INITIALIZER};
}

static void
teardown(void)
{
	(void)pthread_mutex_destroy(&set.lock);
}

static void
finds_the_thread_and_name_that_came_too_late(void)
{
	CU_ASSERT_FALSE(has(7, "a"));
	reopens_begin(&set, 7, dir, SLICE("a"), NOW);
	CU_ASSERT_TRUE(has(7, "a"));
	CU_ASSERT_FALSE(has(8, "a"));
	CU_ASSERT_FALSE(has(7, "b"));
	CU_ASSERT_FALSE(reopens_look(&set, 7, other, SLICE("a"), NOW));
}

static void
forgets_a_thread_that_created_the_file(void)
{
	reopens_begin(&set, 7, dir, SLICE("a"), NOW);
	reopens_begin(&set, 7, dir, SLICE("b"), NOW);
	reopens_begin(&set, 8, dir, SLICE("a"), NOW);
	reopens_end(&set, 7);
	CU_ASSERT_FALSE(has(7, "a"));
	CU_ASSERT_FALSE(has(7, "b"));
	CU_ASSERT_TRUE(has(8, "a"));
}

static void
forgets_a_thread_that_never_came_back(void)
{
	reopens_begin(&set, 7, dir, SLICE("a"), NOW);
	CU_ASSERT_TRUE(reopens_look(&set, 7, dir, SLICE("a"), NOW + REOPENS_MS - 1));
	CU_ASSERT_FALSE(reopens_look(&set, 7, dir, SLICE("a"), NOW + REOPENS_MS));
}

static void
counts_the_lookups_of_a_path_walk(void)
{
	reopens_begin(&set, 7, dir, SLICE("a"), NOW);
	for (unsigned i = 0; i < REOPENS_LOOKUPS; i++) {
		CU_ASSERT_TRUE(has(7, "a"));
	}
	CU_ASSERT_FALSE(has(7, "a"));
	reopens_begin(&set, 7, dir, SLICE("a"), NOW);
	CU_ASSERT_TRUE(has(7, "a"));
}

static void
keeps_only_the_newest(void)
{
	for (pid_t thread = 1; thread <= REOPENS_MAX + 1; thread++) {
		reopens_begin(&set, thread, dir, SLICE("a"), NOW);
	}
	CU_ASSERT_FALSE(has(1, "a"));
	CU_ASSERT_TRUE(has(2, "a"));
	CU_ASSERT_TRUE(has(REOPENS_MAX + 1, "a"));
}

static void
ignores_threads_without_a_number(void)
{
	reopens_begin(&set, 0, dir, SLICE("a"), NOW);
	CU_ASSERT_FALSE(has(0, "a"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(finds_the_thread_and_name_that_came_too_late),
	UNIT_TEST(forgets_a_thread_that_created_the_file),
	UNIT_TEST(forgets_a_thread_that_never_came_back),
	UNIT_TEST(counts_the_lookups_of_a_path_walk),
	UNIT_TEST(keeps_only_the_newest),
	UNIT_TEST(ignores_threads_without_a_number),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(reopens, setup, teardown, tests);
