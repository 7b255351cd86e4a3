/* Tests of the socket in place of a mount point. */
#include <fcntl.h>
#include <sys/socket.h>

#include "fs/daemon/device.h"

#include "tests/support/unit.h"

/* Is @fd a socket that can be given in place of a mount point? */
static bool
is_given(int fd)
{
	char path[32];
	int found = -1;

	(void)snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	bool given = device_given(path, &found);

	CU_ASSERT_EQUAL(found, given ? fd : -1);
	return given;
}

static void
only_a_socket_with_messages_is_given(void)
{
	static const struct {
		int type;
		bool given;
	} cases[] = {{SOCK_SEQPACKET, true}, {SOCK_STREAM, false}, {SOCK_DGRAM, false}};
	int ends[2];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, cases[i].type, 0, ends), 0);
		CU_ASSERT_EQUAL(is_given(ends[0]), cases[i].given);
		(void)close(ends[0]);
		CU_ASSERT_FALSE(is_given(ends[0]));
		(void)close(ends[1]);
	}
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	CU_ASSERT_FALSE(is_given(ends[0]));
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void
a_standard_descriptor_is_not_given(void)
{
	int before = dup(STDIN_FILENO);
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	(void)dup2(ends[0], STDIN_FILENO);
	CU_ASSERT_FALSE(is_given(STDIN_FILENO));
	(void)dup2(before, STDIN_FILENO);
	(void)close(before);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(only_a_socket_with_messages_is_given),
	UNIT_TEST(a_standard_descriptor_is_not_given),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(device, NULL, NULL, tests);
