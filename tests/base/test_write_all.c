#include <fcntl.h>

#include "store/base/system/write_all.h"

#include "tests/support/unit.h"

static char sent[1 << 18]; /* more than a pipe takes at once */

static void *
read_to_the_end(void *arg)
{
	const int *fd = arg;
	static char got[sizeof(sent) + 1];
	size_t n = 0;
	ssize_t more;

	while ((more = read(*fd, got + n, sizeof(got) - n)) > 0) {
		n += (size_t)more;
	}
	return n == sizeof(sent) && memcmp(got, sent, n) == 0 ? got : NULL;
}

static void
partial_writes_are_completed(void)
{
	pthread_t reader;
	void *arrived = NULL;
	int ends[2];

	for (size_t i = 0; i < sizeof(sent); i++) {
		sent[i] = (char)(i * 7 >> 3);
	}
	CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&reader, NULL, read_to_the_end, &ends[0]), 0);
	CU_ASSERT_EQUAL(write_all(ends[1], slice_of(sent, sizeof(sent))), 0);
	(void)close(ends[1]);
	CU_ASSERT_EQUAL(pthread_join(reader, &arrived), 0);
	CU_ASSERT_PTR_NOT_NULL(arrived);
	(void)close(ends[0]);
}

static void
a_full_device_is_reported(void)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write_all(fd, SLICE("text")), ENOSPC);
	CU_ASSERT_EQUAL(write_all(fd, SLICE("")), 0);
	(void)close(fd);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(partial_writes_are_completed),
	UNIT_TEST(a_full_device_is_reported),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(write_all, NULL, NULL, tests);
