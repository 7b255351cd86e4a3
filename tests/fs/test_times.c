/* Tests of the times that only the mount keeps: exact while there is room, never too old afterwards. */
#include "fs/core/times.h"

#include "tests/support/unit.h"

static struct times t;

static void
begin(void)
{
	times_init(&t);
	times_raise(&t, 1000);
}

static void
end(void)
{
	times_release(&t);
}

static uint64_t
mtime(uint64_t ino, uint64_t since_ns)
{
	struct times_entry e;

	(void)times_get(&t, ino, since_ns, &e);
	return e.mtime_ns;
}

static void
an_unchanged_file_shows_the_bound(void)
{
	CU_ASSERT_EQUAL(mtime(7, 0), 1000);
	CU_ASSERT_EQUAL(mtime(7, 2000), 2000);
	CU_ASSERT_EQUAL(times_newest(&t, 7), 0);
}

static void
a_change_counts_until_a_newer_one(void)
{
	times_touch(&t, 7, 1500);
	CU_ASSERT_EQUAL(mtime(7, 0), 1500);
	CU_ASSERT_EQUAL(mtime(8, 0), 1000);
	times_touch(&t, 7, 1600);
	CU_ASSERT_EQUAL(mtime(7, 0), 1600);
	CU_ASSERT_EQUAL(mtime(7, 1700), 1700);
	times_raise(&t, 1800);
	times_raise(&t, 1100);
	CU_ASSERT_EQUAL(mtime(7, 0), 1800);
}

static void
a_time_that_was_set_counts_until_a_change(void)
{
	struct times_entry e;

	times_set(&t, &(struct times_entry){7, 5, 6, 1500}, 0);
	CU_ASSERT_TRUE(times_get(&t, 7, 1400, &e));
	CU_ASSERT_EQUAL(e.mtime_ns, 5);
	CU_ASSERT_EQUAL(e.atime_ns, 6);
	CU_ASSERT_EQUAL(e.ctime_ns, 1500);
	CU_ASSERT_EQUAL(mtime(7, 1600), 1600);
	times_touch(&t, 7, 1700);
	CU_ASSERT_EQUAL(mtime(7, 1600), 1700);
}

static void
newer_times_are_exact_and_no_time_is_too_old(void)
{
	uint64_t n = 5 * TIMES_MAX + 17;
	uint64_t exact = 0;

	for (uint64_t i = 1; i <= n; i++) {
		times_touch(&t, i, 1000 + i);
	}
	CU_ASSERT_TRUE(t.n <= TIMES_MAX);
	for (uint64_t i = 1; i <= n; i++) {
		uint64_t shown = mtime(i, 0);

		if (shown < 1000 + i || shown > 1000 + n) {
			CU_FAIL_FATAL("a time is before the change");
		}
		exact += shown == 1000 + i;
	}
	CU_ASSERT_TRUE(exact >= TIMES_MAX / 2);
	CU_ASSERT_EQUAL(mtime(n, 0), 1000 + n);
	CU_ASSERT_TRUE(mtime(n + 1, 0) < 1000 + n);
}

static void
the_bound_covers_many_changes_at_one_moment(void)
{
	for (uint64_t i = 1; i <= TIMES_MAX + 1; i++) {
		times_touch(&t, i, 5000);
	}
	CU_ASSERT_EQUAL(mtime(1, 0), 5000);
	CU_ASSERT_EQUAL(mtime(TIMES_MAX + 1, 0), 5000);
	CU_ASSERT_EQUAL(t.n, 1);
}

static void
a_renamed_file_keeps_its_times(void)
{
	struct times_entry e;

	times_set(&t, &(struct times_entry){7, 5, 6, 1500}, 0);
	times_move(&t, 7, 8);
	CU_ASSERT_TRUE(times_get(&t, 8, 0, &e));
	CU_ASSERT_EQUAL(e.atime_ns, 6);
	CU_ASSERT_FALSE(times_get(&t, 7, 0, &e));
	times_move(&t, 9, 8);
	CU_ASSERT_FALSE(times_get(&t, 8, 0, &e));
}

static void
a_file_renamed_to_its_own_name_keeps_its_times(void)
{
	times_set(&t, &(struct times_entry){7, 5, 6, 1500}, 0);
	times_move(&t, 7, 7);
	CU_ASSERT_EQUAL(mtime(7, 0), 5);
	times_exchange(&t, 7, 7);
	CU_ASSERT_EQUAL(mtime(7, 0), 5);
}

static void
two_exchanged_files_keep_their_times(void)
{
	times_set(&t, &(struct times_entry){7, 5, 6, 1500}, 0);
	times_exchange(&t, 7, 8);
	CU_ASSERT_EQUAL(mtime(8, 0), 5);
	CU_ASSERT_EQUAL(mtime(7, 0), 1000);
	times_set(&t, &(struct times_entry){7, 15, 16, 1600}, 0);
	times_exchange(&t, 7, 8);
	CU_ASSERT_EQUAL(mtime(7, 0), 5);
	CU_ASSERT_EQUAL(mtime(8, 0), 15);
	times_forget(&t, 7);
	CU_ASSERT_EQUAL(mtime(7, 0), 1000);
}

static void
a_time_that_is_not_given_is_unchanged(void)
{
	struct times_entry e;

	times_touch(&t, 7, 1500);
	times_set(&t, &(struct times_entry){.ino = 7, .atime_ns = 6, .ctime_ns = 1600}, 1400);
	CU_ASSERT_TRUE(times_get(&t, 7, 0, &e));
	CU_ASSERT_EQUAL(e.mtime_ns, 1500);
	CU_ASSERT_EQUAL(e.atime_ns, 6);
	CU_ASSERT_EQUAL(e.ctime_ns, 1600);
	/* A change came later: its time stays. */
	times_set(&t, &(struct times_entry){.ino = 7, .atime_ns = 8, .ctime_ns = 1800}, 1700);
	CU_ASSERT_EQUAL(mtime(7, 0), 1700);
	times_set(&t, &(struct times_entry){.ino = 9, .mtime_ns = 8, .ctime_ns = 1800}, 0);
	CU_ASSERT_TRUE(times_get(&t, 9, 0, &e));
	CU_ASSERT_EQUAL(e.atime_ns, 1000);
}

/* ------------------------------------------------------------ threads */

enum { ROUNDS = 200000 };

static void *
set_access_times(void *arg)
{
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		times_set(&t, &(struct times_entry){.ino = 7, .atime_ns = i, .ctime_ns = 2000}, 0);
	}
	return arg;
}

static void *
set_write_times(void *arg)
{
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		times_set(&t, &(struct times_entry){.ino = 7, .mtime_ns = i, .ctime_ns = 2000}, 0);
	}
	return arg;
}

/* Exchange the times of 7 and 8 an even number of times. */
static void *
exchange_with_next(void *arg)
{
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		times_exchange(&t, 7, 8);
	}
	return arg;
}

static void
at_once(void *(*a)(void *), void *(*b)(void *))
{
	pthread_t one, two;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&one, NULL, a, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&two, NULL, b, NULL), 0);
	(void)pthread_join(one, NULL);
	(void)pthread_join(two, NULL);
}

static void
threads_that_set_different_times_do_not_undo_each_other(void)
{
	struct times_entry e;

	at_once(set_access_times, set_write_times);
	CU_ASSERT_TRUE(times_get(&t, 7, 0, &e));
	CU_ASSERT_EQUAL(e.atime_ns, ROUNDS);
	CU_ASSERT_EQUAL(e.mtime_ns, ROUNDS);
}

static void
concurrent_exchanges_lose_and_duplicate_nothing(void)
{
	times_set(&t, &(struct times_entry){7, 5, 6, 1500}, 0);
	times_set(&t, &(struct times_entry){8, 15, 16, 1500}, 0);
	at_once(exchange_with_next, exchange_with_next);
	CU_ASSERT_EQUAL(mtime(7, 0), 5);
	CU_ASSERT_EQUAL(mtime(8, 0), 15);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_unchanged_file_shows_the_bound),
	UNIT_TEST(a_change_counts_until_a_newer_one),
	UNIT_TEST(a_time_that_was_set_counts_until_a_change),
	UNIT_TEST(newer_times_are_exact_and_no_time_is_too_old),
	UNIT_TEST(the_bound_covers_many_changes_at_one_moment),
	UNIT_TEST(a_renamed_file_keeps_its_times),
	UNIT_TEST(a_file_renamed_to_its_own_name_keeps_its_times),
	UNIT_TEST(two_exchanged_files_keep_their_times),
	UNIT_TEST(a_time_that_is_not_given_is_unchanged),
	UNIT_TEST(threads_that_set_different_times_do_not_undo_each_other),
	UNIT_TEST(concurrent_exchanges_lose_and_duplicate_nothing),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(times, begin, end, tests);
