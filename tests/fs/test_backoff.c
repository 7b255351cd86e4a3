/* Tests of retries after a temporary failure. */
#include "store/base/core/clock.h"

#include "fs/core/backoff.h"

#include "tests/support/unit.h"

enum { LONG_MS = 1000 * 1000, LONGEST_MS = 500 };

static void
only_errors_of_requests_that_had_no_effect_are_retried(void)
{
	unsigned n = 0;

	for (int code = ERR_NONE; code < ERR_COUNT; code++) {
		n += backoff_passes(-code);
		/* A program sees such an error as EBUSY. */
		CU_ASSERT(!backoff_passes(-code) || error_posix((enum err)code) == EBUSY);
	}
	CU_ASSERT_EQUAL(n, 4);
	CU_ASSERT(backoff_passes(-ERR_THROTTLED) && backoff_passes(-ERR_BUSY));
	CU_ASSERT(!backoff_passes(-ERR_UNREACHABLE) && !backoff_passes(-ERR_IN_PROGRESS));
	CU_ASSERT(!backoff_passes(0) && !backoff_passes(ERR_BUSY));
}

static void
pauses_double_up_to_half_a_second(void)
{
	struct backoff b = backoff_start(LONG_MS);
	uint64_t longest = 20;

	for (int i = 0; i < 20; i++) {
		uint64_t before = clock_steady_ms();

		CU_ASSERT(backoff_plan(&b));
		CU_ASSERT(b.next_ms >= before + longest / 2);
		CU_ASSERT(b.next_ms <= clock_steady_ms() + longest);
		longest = longest * 2 < LONGEST_MS ? longest * 2 : LONGEST_MS;
	}
	CU_ASSERT(!backoff_is_due(&b));
}

static void
no_retry_is_planned_after_the_end(void)
{
	struct backoff b = backoff_start(LONG_MS);

	b.until_ms = clock_steady_ms() + 1;
	if (backoff_plan(&b)) { /* false if the clock passed the end in between */
		CU_ASSERT_EQUAL(b.next_ms, b.until_ms);
		CU_ASSERT(backoff_pause(&b, &(struct call){0}));
		CU_ASSERT(backoff_is_due(&b));
	}
	CU_ASSERT(!backoff_plan(&b) || !backoff_is_due(&b));
	b = backoff_start(0);
	CU_ASSERT(!backoff_plan(&b));
}

static bool
nobody_waits(const void *asker)
{
	(void)asker;
	return true;
}

static void
a_pause_ends_when_the_caller_gives_up(void)
{
	struct backoff b = backoff_start(LONG_MS);

	b.pause_ms = LONG_MS;
	CU_ASSERT(backoff_plan(&b));
	CU_ASSERT(!backoff_pause(&b, &(struct call){.given_up = nobody_waits}));
}

/* Both codes have another meaning to the kernel or to programs; see error.def. */
static void
no_error_is_eagain_or_enosys(void)
{
	for (int code = ERR_NONE + 1; code < ERR_COUNT; code++) {
		int e = error_posix((enum err)code);

		CU_ASSERT(e != 0 && e != EAGAIN && e != ENOSYS);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(only_errors_of_requests_that_had_no_effect_are_retried),
	UNIT_TEST(pauses_double_up_to_half_a_second),
	UNIT_TEST(no_retry_is_planned_after_the_end),
	UNIT_TEST(a_pause_ends_when_the_caller_gives_up),
	UNIT_TEST(no_error_is_eagain_or_enosys),
	CU_TEST_INFO_NULL,
};
UNIT_SUITE(backoff, NULL, NULL, tests);
