#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "tools/out/sink.h"

#include "tests/support/unit.h"

static struct sink s;

static void
teardown(void)
{
	if (s.fd > 2) {
		(void)close(s.fd);
	}
	sink_release(&s);
}

static void
buffers_small_writes_until_flushed(void)
{
	int fds[2];
	char got[16];

	CU_ASSERT_EQUAL_FATAL(pipe(fds), 0);
	sink_init(&s, fds[1]);
	CU_ASSERT_TRUE(sink_put(&s, SLICE("abc")));
	CU_ASSERT_EQUAL(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
	CU_ASSERT_EQUAL(read(fds[0], got, sizeof(got)), -1);
	CU_ASSERT_TRUE(sink_flush(&s));
	CU_ASSERT_EQUAL(read(fds[0], got, sizeof(got)), 3);
	(void)close(fds[0]);
}

static void
writes_every_byte_in_order(void)
{
	char name[] = "/tmp/sink-XXXXXX";
	int fd = mkstemp(name);
	size_t size = 0;

	CU_ASSERT_NOT_EQUAL_FATAL(fd, -1);
	(void)unlink(name);
	sink_init(&s, fd);
	struct buf big;
	buf_init(&big, NULL);
	memset(buf_room(&big, SINK_PIECE + 7), 'x', SINK_PIECE + 7);
	big.len = SINK_PIECE + 7;
	for (int i = 0; i < 10; i++) {
		CU_ASSERT_TRUE(sink_put(&s, SLICE("<")));
		CU_ASSERT_TRUE(sink_put(&s, buf_view(&big)));
		size += big.len + 1;
	}
	CU_ASSERT_TRUE(sink_flush(&s));
	CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_END), (off_t)size);
	for (size_t at = 0; at < size; at += big.len + 1) {
		char ch = 0;

		CU_ASSERT_EQUAL(pread(fd, &ch, 1, (off_t)at), 1);
		CU_ASSERT_EQUAL(ch, '<');
	}
	buf_release(&big);
}

static void
keeps_the_first_failure(void)
{
	sink_init(&s, open("/dev/full", O_WRONLY));
	CU_ASSERT_TRUE(sink_put(&s, SLICE("abc")));
	CU_ASSERT_FALSE(sink_flush(&s));
	CU_ASSERT_EQUAL(s.failed, ENOSPC);
	CU_ASSERT_FALSE(sink_put(&s, SLICE("more")));
	CU_ASSERT_FALSE(sink_flush(&s));
	CU_ASSERT_EQUAL(s.failed, ENOSPC);
}

static void
keeps_only_the_first_line(void)
{
	struct buf first;

	buf_init(&first, NULL);
	sink_init(&s, -1);
	s.first = &first;
	CU_ASSERT_TRUE(sink_put(&s, SLICE("ab")));
	CU_ASSERT_TRUE(sink_flush(&s));
	CU_ASSERT_TRUE(sink_put(&s, SLICE("c\nd\n")));
	CU_ASSERT_TRUE(sink_flush(&s));
	CU_ASSERT_TRUE(sink_put(&s, SLICE("e\n")));
	CU_ASSERT_TRUE(sink_finish(&s));
	CU_ASSERT_TRUE(slice_is(buf_view(&first), "abc\n"));
	CU_ASSERT_EQUAL(s.failed, 0);
	buf_release(&first);
}

static int interrupts;

static void
count_interrupt(int signal_no)
{
	(void)signal_no;
	interrupts++;
}

static void
ends_with_its_pager(void)
{
	struct sigaction count = {.sa_handler = count_interrupt};
	struct sigaction before;
	siginfo_t ended;

	interrupts = 0;
	CU_ASSERT_EQUAL(sigaction(SIGINT, &count, &before), 0);
	CU_ASSERT_EQUAL(setenv("ITEMCTL_PAGER", "sed 1q >/dev/null", 1), 0);
	sink_init(&s, open("/dev/null", O_WRONLY));
	s.paged = true;
	CU_ASSERT_TRUE_FATAL(pager_start(&s.pager));
	CU_ASSERT_EQUAL(raise(SIGINT), 0);
	CU_ASSERT_EQUAL(interrupts, 0);
	CU_ASSERT_TRUE(sink_put(&s, SLICE("a line\n")));
	CU_ASSERT_FALSE(sink_quit(&s));
	CU_ASSERT_TRUE(sink_flush(&s)); /* now the pager ends */
	CU_ASSERT_EQUAL(waitid(P_PID, (id_t)s.pager.pid, &ended, WEXITED | WNOWAIT), 0);
	CU_ASSERT_EQUAL(raise(SIGINT), 0);
	CU_ASSERT_EQUAL(interrupts, 1);
	CU_ASSERT_FALSE(sink_drain(&s));
	CU_ASSERT_TRUE(sink_quit(&s));
	CU_ASSERT_FALSE(sink_finish(&s));
	CU_ASSERT_EQUAL(unsetenv("ITEMCTL_PAGER"), 0);
	CU_ASSERT_EQUAL(sigaction(SIGINT, &before, NULL), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(buffers_small_writes_until_flushed),
	UNIT_TEST(writes_every_byte_in_order),
	UNIT_TEST(keeps_the_first_failure),
	UNIT_TEST(keeps_only_the_first_line),
	UNIT_TEST(ends_with_its_pager),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sink, NULL, teardown, tests);
