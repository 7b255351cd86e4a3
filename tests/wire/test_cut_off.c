/* Connections that are about to be cut off while their loop moves them on: the first of both wins. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "store/base/core/clock.h"
#include "store/wire/server/connections.h"

#include "tests/support/unit.h"

enum { PER_ADDRESS = 2, MOST = PER_ADDRESS + 1, LONG_MS = 60000 };

/* socket[1] is the end of the server and its connections. */
struct cut_off_client {
	int socket[2];
	struct connection *cn;
};

static struct {
	struct connections *all;
	struct cut_off_client c[MOST];
	/* The request of this client arrives just when its socket is checked for unread bytes; NULL: of none. */
	_Atomic(struct cut_off_client *) meanwhile;
	bool sends;           /* its answer begins as well */
	unsigned received_ms; /* since the last bytes of each client with @receives */
	bool receives[MOST];
} t;

static _Atomic(uint64_t) now_ns = NS_PER_S;

/* Gives later connections a later time. */
static uint64_t
tell_ns(void)
{
	return atomic_fetch_add(&now_ns, 1);
}

static void
setup(void)
{
	static const struct connection_limits limits = {.most = MOST,
							.per_address = PER_ADDRESS,
							.head_ms = LONG_MS,
							.body_ms = LONG_MS,
							.answer_ms = LONG_MS,
							.idle_ms = LONG_MS,
							.steady_ns = tell_ns};

	memset(t.receives, 0, sizeof(t.receives));
	t.all = connections_new(&limits);
}

static void
teardown(void)
{
	connections_free(t.all);
}

static void
client_asks(struct cut_off_client *c)
{
	connection_began(t.all, c->cn);
	connection_head(c->cn);
	CU_ASSERT_TRUE(connection_arrived(c->cn));
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */

ssize_t __real_recv(int fd, void *to, size_t n, int flags);
ssize_t __wrap_recv(int fd, void *to, size_t n, int flags);

ssize_t
__wrap_recv(int fd, void *to, size_t n, int flags)
{
	struct cut_off_client *c = (flags & MSG_PEEK) != 0 ? atomic_load(&t.meanwhile) : NULL;

	if (c != NULL && c->socket[1] == fd) {
		atomic_store(&t.meanwhile, NULL);
		client_asks(c);
		if (t.sends) {
			connection_sends(t.all, c->cn);
		}
	}
	return __real_recv(fd, to, n, flags);
}

int __real_getsockopt(int fd, int level, int option, void *value, socklen_t *n);
int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *n);

int
__wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *n)
{
	for (int i = 0; level == IPPROTO_TCP && option == TCP_INFO && i < MOST; i++) {
		if (t.receives[i] && t.c[i].socket[1] == fd) {
			*(struct tcp_info *)value =
				(struct tcp_info){.tcpi_last_data_recv = t.received_ms};
			return 0;
		}
	}
	return __real_getsockopt(fd, level, option, value, n);
}

/* NOLINTEND(bugprone-reserved-identifier) */

/* Open the connections @from to @to - 1, with an address of another machine. */
static void
clients_open(int from, int to)
{
	struct sockaddr_in remote = {.sin_family = AF_INET};

	(void)inet_pton(AF_INET, "192.0.2.1", &remote.sin_addr);
	for (int i = from; i < to; i++) {
		int r = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, t.c[i].socket);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		t.c[i].cn = connection_opened(t.all, t.c[i].socket[1],
					      (const struct sockaddr *)&remote);
	}
}

static void
clients_close(int n)
{
	for (int i = 0; i < n; i++) {
		connection_closed(t.all, t.c[i].cn);
		(void)close(t.c[i].socket[0]);
		(void)close(t.c[i].socket[1]);
	}
}

static bool
client_is_shut(int i)
{
	char byte;

	return recv(t.c[i].socket[1], &byte, 1, MSG_DONTWAIT) == 0;
}

/* One connection too many of an address: the one that is idle longest moves on, so the other one is cut off. */
static void
open_one_too_many(bool sends)
{
	clients_open(0, PER_ADDRESS);
	for (int i = PER_ADDRESS - 1; i >= 0; i--) {
		client_asks(&t.c[i]);
		connection_answered(t.all, t.c[i].cn);
	}
	t.sends = sends;
	atomic_store(&t.meanwhile, &t.c[1]); /* the search comes to it last */
	clients_open(PER_ADDRESS, PER_ADDRESS + 1);
	CU_ASSERT_PTR_NULL(atomic_load(&t.meanwhile));
	CU_ASSERT_FALSE(client_is_shut(1));
	CU_ASSERT_TRUE(client_is_shut(0));
	CU_ASSERT_FALSE(connection_surplus(t.c[PER_ADDRESS].cn));
	clients_close(PER_ADDRESS + 1);
}

static void
a_request_that_arrives_meanwhile_keeps_its_connection(void)
{
	open_one_too_many(false);
}

static void
an_answer_that_begins_meanwhile_is_not_cut_short(void)
{
	open_one_too_many(true);
}

static void
a_client_is_surplus_if_the_only_idle_connection_moves_on(void)
{
	clients_open(0, PER_ADDRESS);
	for (int i = 0; i < PER_ADDRESS; i++) {
		client_asks(&t.c[i]);
	}
	connection_answered(t.all, t.c[0].cn);
	t.sends = false;
	atomic_store(&t.meanwhile, &t.c[0]);
	clients_open(PER_ADDRESS, PER_ADDRESS + 1);
	CU_ASSERT_FALSE(client_is_shut(0));
	CU_ASSERT_TRUE(connection_surplus(t.c[PER_ADDRESS].cn));
	clients_close(PER_ADDRESS + 1);
}

/* Two connections of an address are idle for @idle_ms, the second one longer.  Then another client connects. */
static void
open_beside_idle_ones(uint64_t idle_ms, unsigned received_ms)
{
	t.received_ms = received_ms;
	clients_open(0, PER_ADDRESS);
	for (int i = PER_ADDRESS - 1; i >= 0; i--) {
		client_asks(&t.c[i]);
		connection_answered(t.all, t.c[i].cn);
	}
	(void)atomic_fetch_add(&now_ns, idle_ms * NS_PER_MS);
	clients_open(PER_ADDRESS, PER_ADDRESS + 1);
}

/* Its loop may have read a request that is not under way yet. */
static void
a_connection_that_receives_is_spared(void)
{
	t.receives[1] = true;
	open_beside_idle_ones(100, 49);
	CU_ASSERT_FALSE(client_is_shut(1));
	CU_ASSERT_TRUE(client_is_shut(0));
	clients_close(PER_ADDRESS + 1);
}

static void
a_connection_that_received_long_ago_is_not_spared(void)
{
	t.receives[1] = true;
	open_beside_idle_ones(100, 50);
	CU_ASSERT_TRUE(client_is_shut(1));
	clients_close(PER_ADDRESS + 1);
}

/* The bytes were those of the request before. */
static void
a_connection_that_became_idle_since_is_not_spared(void)
{
	t.receives[1] = true;
	open_beside_idle_ones(10, 11);
	CU_ASSERT_TRUE(client_is_shut(1));
	clients_close(PER_ADDRESS + 1);
}

static void
a_connection_that_receives_goes_if_there_is_no_other(void)
{
	t.receives[0] = true;
	t.receives[1] = true;
	open_beside_idle_ones(100, 0);
	CU_ASSERT_TRUE(client_is_shut(1));
	CU_ASSERT_FALSE(client_is_shut(0));
	CU_ASSERT_FALSE(connection_surplus(t.c[PER_ADDRESS].cn));
	clients_close(PER_ADDRESS + 1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_request_that_arrives_meanwhile_keeps_its_connection),
	UNIT_TEST(an_answer_that_begins_meanwhile_is_not_cut_short),
	UNIT_TEST(a_client_is_surplus_if_the_only_idle_connection_moves_on),
	UNIT_TEST(a_connection_that_receives_is_spared),
	UNIT_TEST(a_connection_that_received_long_ago_is_not_spared),
	UNIT_TEST(a_connection_that_became_idle_since_is_not_spared),
	UNIT_TEST(a_connection_that_receives_goes_if_there_is_no_other),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(cut_off, setup, teardown, tests);
