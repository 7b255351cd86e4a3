#include <fcntl.h>
#include <sys/wait.h>

#include "store/base/core/base.h"
#include "store/base/system/descriptors.h"

#include "tests/support/unit.h"

/* Call @holds in a child process, which may lose its standard descriptors.  Return: exit status 0 if it is true */
static int
in_child(bool (*holds)(void))
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		_exit(holds() ? 0 : 1);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	return status;
}

static bool
all_closed(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		(void)close(fd);
	}
	stdfd_reserve();
	int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
	char byte = 'x';

	return next > 2 && read(0, &byte, 1) == -1 && write(1, &byte, 1) == -1 &&
	       write(2, &byte, 1) == -1;
}

static bool
one_closed(void)
{
	int before[2];

	if (pipe2(before, O_CLOEXEC) != 0 || dup2(before[1], 2) != 2 || close(1) != 0) {
		return false;
	}
	stdfd_reserve();
	char byte = 'x';

	return write(1, &byte, 1) == -1 && write(2, &byte, 1) == 1 &&
	       read(before[0], &byte, 1) == 1;
}

static void
closed_descriptors_are_reserved_and_stay_unusable(void)
{
	CU_ASSERT_EQUAL(in_child(all_closed), 0);
}

static void
open_descriptors_are_left_alone(void)
{
	CU_ASSERT_EQUAL(in_child(one_closed), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(closed_descriptors_are_reserved_and_stay_unusable),
	UNIT_TEST(open_descriptors_are_left_alone),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stdfd, NULL, NULL, tests);
