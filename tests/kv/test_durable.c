/* How much of a log was on disk is written down beside it. */
#include <stdio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/support/crash.h"
#include "tests/support/harm.h"

/* With its attributes, which a copy does not have. */
static int
shortened(off_t to, unsigned of)
{
	char path[128];
	char whole[128];

	/* Opening reads the log back, so each time it is another one. */
	crash_remove(harm.copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy_whole(harm.made, harm.copy), 0);
	(void)snprintf(path, sizeof(path), "%s/%s", harm.copy, harm.logs[0].name);
	(void)snprintf(whole, sizeof(whole), "%s/%s", harm.made, harm.logs[0].name);
	char digits[32];
	ssize_t n = getxattr(whole, "user.itemfs.durable", digits, sizeof(digits));

	CU_ASSERT_TRUE_FATAL(n > 0);
	CU_ASSERT_EQUAL(setxattr(path, "user.itemfs.durable", digits, (size_t)n, 0), 0);
	harm_cut(harm.logs[0].name, to);
	return harm_survivors(of);
}

static bool
has_attributes(void)
{
	if (setxattr(harm.base, "user.itemfs.test", "", 0, 0) == 0) {
		return true;
	}
	(void)printf("\nin part: there are no extended attributes here\n");
	return false;
}

/* Nothing follows that would say so, but it is written down how much was there. */
static void
a_log_that_lost_what_was_synced_is_refused(void)
{
	enum { N = 5 };
	struct kv *kv = harm_make(N, 10, true);
	char command[512];

	kv->ops->close(kv);
	if (!has_attributes()) {
		return;
	}
	for (int i = 0; i < N; i++) {
		harm_expect(shortened(i == 0 ? 0 : harm.ends[i - 1], N), HARM_REFUSED, i);
		harm_expect(shortened(harm.ends[i] - 1, N), HARM_REFUSED, harm.ends[i] - 1);
	}
	harm_expect(shortened(0, N), HARM_REFUSED, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(harm.c.error.message, "is cut short"));
	(void)snprintf(command, sizeof(command), "\"head -c 0 %s/%s >%s/rest && mv %s/rest %s/%s\"",
		       harm.copy, harm.logs[0].name, harm.copy, harm.copy, harm.copy,
		       harm.logs[0].name);
	CU_ASSERT_PTR_NOT_NULL(strstr(harm.c.error.message, command));
	harm_expect(shortened(harm.ends[N - 1], N), N, harm.ends[N - 1]);
}

/* What a process that stopped had noted is no more than was synced. */
static void
what_was_not_synced_may_be_gone(void)
{
	enum { N = 6 };
	struct kv *kv = harm_make(3, 10, true);

	for (unsigned i = 3; i < N; i++) {
		CU_ASSERT_EQUAL(harm_commit(kv, i, 10, false), 0);
	}
	if (has_attributes()) {
		harm_expect(shortened(harm.ends[2], N), 3, harm.ends[2]);
		harm_expect(shortened(harm.ends[2] + 1, N), 3, harm.ends[2] + 1);
		harm_expect(shortened(0, N), HARM_REFUSED, 0);
	}
	kv->ops->close(kv);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_log_that_lost_what_was_synced_is_refused),
	UNIT_TEST(what_was_not_synced_may_be_gone),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(durable, harm_setup, harm_teardown, tests);
