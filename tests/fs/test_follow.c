/* Tests of the followers of .stream: which of them report that changes were lost. */
#include "fs/made/follow.h"
#include "fs/made/follow_int.h"

#include "tests/fs/mount_fixture.h"
#include "tests/support/unit.h"

/* The feed's reader may handle a loss after a file was opened that began after the lost changes. */
static void
a_file_reports_no_loss_from_before_it_was_opened(void)
{
	struct mount *m = mount_fixture.m;
	struct follower later = {.m = m, .from = 5};
	struct follower earlier = {.m = m, .from = 4, .next = &later};

	m->follow.first = &earlier;
	follow_lost(m, 5);
	m->follow.first = NULL;
	CU_ASSERT_TRUE(earlier.lost_unknown);
	CU_ASSERT_EQUAL(earlier.lost_seq, 5);
	CU_ASSERT_FALSE(later.lost_unknown);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_file_reports_no_loss_from_before_it_was_opened),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(follow, mount_fixture_open, mount_fixture_close, tests);
