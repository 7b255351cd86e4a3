/* Connections that are about to be cut off while their loop moves them on: the first of both wins. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "store/base/core/clock.h"
#include "store/wire/server/connections.h"

#include "tests/support/unit.h"
#include "tests/wire/peers.h"

static struct {
	struct peer c[PEERS_MOST];
	/* The request of this client arrives just when its socket is checked for unread bytes; NULL: of none. */
	_Atomic(struct peer *) meanwhile;
	bool sends;           /* its answer begins as well */
	unsigned received_ms; /* since the last bytes of each client with @receives */
	bool receives[PEERS_MOST];
} t;

static void
setup(void)
{
	memset(t.receives, 0, sizeof(t.receives));
	peers_begin();
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */

ssize_t __real_recv(int fd, void *to, size_t n, int flags);
ssize_t __wrap_recv(int fd, void *to, size_t n, int flags);

ssize_t
__wrap_recv(int fd, void *to, size_t n, int flags)
{
	struct peer *c = (flags & MSG_PEEK) != 0 ? atomic_load(&t.meanwhile) : NULL;

	if (c != NULL && c->socket[1] == fd) {
		atomic_store(&t.meanwhile, NULL);
		peer_asks(c);
		if (t.sends) {
			connection_sends(peers_all, c->cn);
		}
	}
	return __real_recv(fd, to, n, flags);
}

int __real_getsockopt(int fd, int level, int option, void *value, socklen_t *n);
int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *n);

int
__wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *n)
{
	for (int i = 0; level == IPPROTO_TCP && option == TCP_INFO && i < PEERS_MOST; i++) {
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
	for (int i = from; i < to; i++) {
		peer_open(&t.c[i], "192.0.2.1");
	}
}

static void
clients_close(int n)
{
	for (int i = 0; i < n; i++) {
		peer_close(&t.c[i]);
	}
}

/* One connection too many of an address: the one that is idle longest moves on, so the other one is cut off. */
static void
open_one_too_many(bool sends)
{
	clients_open(0, PEERS_PER_ADDRESS);
	for (int i = PEERS_PER_ADDRESS - 1; i >= 0; i--) {
		peer_is_answered(&t.c[i]);
	}
	t.sends = sends;
	atomic_store(&t.meanwhile, &t.c[1]); /* the search comes to it last */
	clients_open(PEERS_PER_ADDRESS, PEERS_PER_ADDRESS + 1);
	CU_ASSERT_PTR_NULL(atomic_load(&t.meanwhile));
	CU_ASSERT_FALSE(peer_is_shut(&t.c[1]));
	CU_ASSERT_TRUE(peer_is_shut(&t.c[0]));
	CU_ASSERT_FALSE(connection_surplus(t.c[PEERS_PER_ADDRESS].cn));
	clients_close(PEERS_PER_ADDRESS + 1);
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
	clients_open(0, PEERS_PER_ADDRESS);
	for (int i = 0; i < PEERS_PER_ADDRESS; i++) {
		peer_asks(&t.c[i]);
	}
	connection_answered(peers_all, t.c[0].cn);
	t.sends = false;
	atomic_store(&t.meanwhile, &t.c[0]);
	clients_open(PEERS_PER_ADDRESS, PEERS_PER_ADDRESS + 1);
	CU_ASSERT_FALSE(peer_is_shut(&t.c[0]));
	CU_ASSERT_TRUE(connection_surplus(t.c[PEERS_PER_ADDRESS].cn));
	clients_close(PEERS_PER_ADDRESS + 1);
}

/* Two connections of an address are idle for @idle_ms, the second one longer.  Then another client connects. */
static void
open_beside_idle_ones(uint64_t idle_ms, unsigned received_ms)
{
	t.received_ms = received_ms;
	clients_open(0, PEERS_PER_ADDRESS);
	for (int i = PEERS_PER_ADDRESS - 1; i >= 0; i--) {
		peer_is_answered(&t.c[i]);
	}
	(void)atomic_fetch_add(&peers_now_ns, idle_ms * NS_PER_MS);
	clients_open(PEERS_PER_ADDRESS, PEERS_PER_ADDRESS + 1);
}

/* Its loop may have read a request that is not under way yet. */
static void
a_connection_that_receives_is_spared(void)
{
	t.receives[1] = true;
	open_beside_idle_ones(100, 49);
	CU_ASSERT_FALSE(peer_is_shut(&t.c[1]));
	CU_ASSERT_TRUE(peer_is_shut(&t.c[0]));
	clients_close(PEERS_PER_ADDRESS + 1);
}

static void
a_connection_that_received_long_ago_is_not_spared(void)
{
	t.receives[1] = true;
	open_beside_idle_ones(100, 50);
	CU_ASSERT_TRUE(peer_is_shut(&t.c[1]));
	clients_close(PEERS_PER_ADDRESS + 1);
}

/* The bytes were those of the request before. */
static void
a_connection_that_became_idle_since_is_not_spared(void)
{
	t.receives[1] = true;
	open_beside_idle_ones(10, 11);
	CU_ASSERT_TRUE(peer_is_shut(&t.c[1]));
	clients_close(PEERS_PER_ADDRESS + 1);
}

static void
a_connection_that_receives_goes_if_there_is_no_other(void)
{
	t.receives[0] = true;
	t.receives[1] = true;
	open_beside_idle_ones(100, 0);
	CU_ASSERT_TRUE(peer_is_shut(&t.c[1]));
	CU_ASSERT_FALSE(peer_is_shut(&t.c[0]));
	CU_ASSERT_FALSE(connection_surplus(t.c[PEERS_PER_ADDRESS].cn));
	clients_close(PEERS_PER_ADDRESS + 1);
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

UNIT_SUITE(cut_off, setup, peers_end, tests);
