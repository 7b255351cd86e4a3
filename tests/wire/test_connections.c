/* Who may stay connected, and for how long without a whole request. */
#include <sys/socket.h>
#include <unistd.h>

#include "store/base/clock.h"
#include "store/wire/connections.h"

#include "tests/support/unit.h"

enum { ARRIVAL_MS = 60 };

/* One connection; the client's end is socket[0]. */
static struct {
	struct connections *all;
	struct connection *one;
	int socket[2];
	uint64_t since;
} t;

static void
begin(void)
{
	t.since = clock_steady_ms();
	t.all = connections_new(1, ARRIVAL_MS);
	(void)socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, t.socket);
	(void)setsockopt(t.socket[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 120},
			 sizeof(struct timeval));
	t.one = connection_opened(t.all, t.socket[1]);
}

static void
end(void)
{
	connection_closed(t.all, t.one);
	connections_free(t.all);
	(void)close(t.socket[0]);
	(void)close(t.socket[1]);
}

/* Milliseconds from the beginning until the client sees the end. */
static uint64_t
shut_after(void)
{
	char byte;
	ssize_t n = recv(t.socket[0], &byte, 1, 0);

	CU_ASSERT_EQUAL(n, 0);
	return clock_steady_ms() - t.since;
}

static void
a_first_request_must_arrive_in_time(void)
{
	/* That it has begun gives no more time: the time runs from connecting. */
	connection_began(t.all, t.one);
	CU_ASSERT_TRUE(shut_after() >= ARRIVAL_MS);
}

static void
between_requests_there_is_twice_the_time(void)
{
	connection_arrived(t.one);
	connection_answered(t.all, t.one);
	CU_ASSERT_TRUE(shut_after() / 2 >= ARRIVAL_MS);
}

static void
a_later_request_must_arrive_in_time_too(void)
{
	connection_answered(t.all, t.one);
	connection_began(t.all, t.one);
	CU_ASSERT_TRUE(shut_after() >= ARRIVAL_MS);
}

static void
what_has_arrived_may_take_as_long_as_it_likes(void)
{
	int other[2];
	char byte;

	(void)socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, other);
	connection_arrived(t.one);
	struct connection *late = connection_opened(t.all, other[1]);
	ssize_t n = recv(other[0], &byte, 1, 0);

	CU_ASSERT_EQUAL(n, 0);
	n = recv(t.socket[0], &byte, 1, MSG_DONTWAIT);
	CU_ASSERT_EQUAL(n, -1);
	connection_closed(t.all, late);
	(void)close(other[0]);
	(void)close(other[1]);
}

static void
more_than_the_most_are_surplus(void)
{
	struct connection *second = connection_opened(t.all, -1);

	CU_ASSERT_FALSE(connection_surplus(t.one));
	CU_ASSERT_TRUE(connection_surplus(second));
	connection_closed(t.all, t.one);
	CU_ASSERT_TRUE(connection_surplus(second));
	connection_closed(t.all, second);
	t.one = connection_opened(t.all, t.socket[1]);
	CU_ASSERT_FALSE(connection_surplus(t.one));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_first_request_must_arrive_in_time),
	UNIT_TEST(between_requests_there_is_twice_the_time),
	UNIT_TEST(a_later_request_must_arrive_in_time_too),
	UNIT_TEST(what_has_arrived_may_take_as_long_as_it_likes),
	UNIT_TEST(more_than_the_most_are_surplus),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(connections, begin, end, tests);
