#include <sys/resource.h>
#include <sys/wait.h>

#include "store/base/core/base.h"
#include "store/base/system/descriptors.h"

#include "tests/support/unit.h"

enum { SMALL = 256, WANTED = 3000, TABLES = 500 };

/* Call @holds in a child process with these limits.  Return: its result */
static bool
with_limit(rlim_t soft, rlim_t hard, bool (*holds)(void))
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		bool set = setrlimit(RLIMIT_NOFILE, &(struct rlimit){soft, hard}) == 0;

		_exit(set && holds() ? 0 : 1);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

static bool
raised_to_small(void)
{
	struct rlimit limit;

	descriptors_raise();
	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == SMALL;
}

/* Half of the limit is never lent, regardless of the number of servers. */
static bool
half_is_kept(void)
{
	unsigned sum = descriptors_lend(WANTED);
	bool something = sum >= SMALL / 8;

	for (int i = 0; i < 8; i++) {
		unsigned more = descriptors_lend(WANTED);

		something = something && more > 0;
		sum += more;
	}
	return something && sum <= SMALL / 2 + 8 && descriptors_for_tables(TABLES) < SMALL / 2;
}

static bool
returned_is_lent_again(void)
{
	unsigned n = descriptors_lend(WANTED);

	descriptors_return(n);
	return descriptors_lend(WANTED) == n;
}

static bool
wanted_is_enough(void)
{
	return descriptors_lend(10) == 10 && descriptors_for_tables(20) == 20;
}

static void
the_soft_limit_is_raised_to_the_hard_limit(void)
{
	CU_ASSERT(with_limit(SMALL / 2, SMALL, raised_to_small));
}

static void
connections_leave_half_to_the_store(void)
{
	CU_ASSERT(with_limit(SMALL, SMALL, half_is_kept));
	CU_ASSERT(with_limit(SMALL, SMALL, returned_is_lent_again));
}

static void
no_caller_gets_more_than_it_wants(void)
{
	CU_ASSERT(with_limit(SMALL, SMALL, wanted_is_enough));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_soft_limit_is_raised_to_the_hard_limit),
	UNIT_TEST(connections_leave_half_to_the_store),
	UNIT_TEST(no_caller_gets_more_than_it_wants),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(descriptors, NULL, NULL, tests);
