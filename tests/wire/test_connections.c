/* Which clients may stay connected, how long without a complete request, and which ones are closed to make room. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "store/base/core/clock.h"
#include "store/wire/server/connections.h"

#include "tests/support/unit.h"

enum {
	HEAD_MS = 50,
	BODY_MS = 100,
	IDLE_MS = 200,
	ANSWER_MS = 300,
	ANSWERS = 4 * CONNECTION_SMALL,
	LONG_MS = 60000,
	GRACE_MS = 50,
	MOST = 3,
	PER_ADDRESS = 2
};

/* socket[0] is the end of the client, socket[1] that of the server and its connections. */
struct client {
	int socket[2];
	struct connection *cn;
};

static struct {
	struct connections *all;
	struct client one;
} t;

/* The only clock here: it moves only when a test moves it, however slow the machine is. */
static _Atomic(uint64_t) now_ns = NS_PER_S;

static uint64_t
tell_ns(void)
{
	return atomic_load(&now_ns);
}

static void
client_open(struct client *c, const char *address)
{
	struct sockaddr_in from = {.sin_family = AF_INET};
	int r = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, c->socket);

	CU_ASSERT_EQUAL(r, 0);
	(void)setsockopt(c->socket[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 120},
			 sizeof(struct timeval));
	(void)inet_pton(AF_INET, address == NULL ? "127.0.0.1" : address, &from.sin_addr);
	atomic_fetch_add(&now_ns, 1); /* gives later clients a later time */
	c->cn = connection_opened(t.all, c->socket[1],
				  address == NULL ? NULL : (const struct sockaddr *)&from);
}

static void
client_close(struct client *c)
{
	connection_closed(t.all, c->cn);
	(void)close(c->socket[0]);
	(void)close(c->socket[1]);
}

static void
client_asks(struct client *c)
{
	connection_began(t.all, c->cn);
	connection_head(c->cn);
	CU_ASSERT_TRUE(connection_arrived(c->cn));
}

static void
client_is_answered(struct client *c)
{
	client_asks(c);
	atomic_fetch_add(&now_ns, 1);
	connection_answered(t.all, c->cn);
}

/* Has the server shut down its end of this client's connection? */
static bool
client_is_shut(const struct client *c)
{
	char byte;

	return recv(c->socket[1], &byte, 1, MSG_DONTWAIT) == 0;
}

/* Limits that no client exceeds. */
static void
begin(void)
{
	static const struct connection_limits limits = {.most = MOST,
							.per_address = PER_ADDRESS,
							.head_ms = LONG_MS,
							.body_ms = LONG_MS,
							.answer_ms = LONG_MS,
							.idle_ms = LONG_MS,
							.answers = ANSWERS,
							.answers_of_address = ANSWERS / 2,
							.steady_ns = tell_ns};

	t.all = connections_new(&limits);
}

static void
end(void)
{
	connections_free(t.all);
}

/* ------------------------------------------------------------ late requests */

static void
begin_to_be_late(void)
{
	static const struct connection_limits limits = {.most = MOST,
							.per_address = PER_ADDRESS,
							.head_ms = HEAD_MS,
							.body_ms = BODY_MS,
							.answer_ms = ANSWER_MS,
							.idle_ms = IDLE_MS,
							.steady_ns = tell_ns};

	end();
	t.all = connections_new(&limits);
	client_open(&t.one, NULL);
}

/* Expect that the client is closed @ms from now, and not earlier. */
static void
end_late(uint64_t ms)
{
	atomic_fetch_add(&now_ns, ms * NS_PER_MS - 1);
	connections_look(t.all);
	CU_ASSERT_FALSE(client_is_shut(&t.one));
	atomic_fetch_add(&now_ns, 1);
	connections_look(t.all);
	CU_ASSERT_TRUE(client_is_shut(&t.one));
	client_close(&t.one);
}

/* The thread of the connections finds late clients, too. */
static void
late_clients_are_found_by_a_thread(void)
{
	char byte;

	begin_to_be_late();
	atomic_fetch_add(&now_ns, HEAD_MS * NS_PER_MS);
	ssize_t n = recv(t.one.socket[1], &byte, 1, 0);

	CU_ASSERT_EQUAL(n, 0);
	client_close(&t.one);
}

static void
the_first_head_must_arrive_in_time(void)
{
	begin_to_be_late();
	atomic_fetch_add(&now_ns, NS_PER_MS);
	/* A request that has begun gets no more time: its time runs from the connecting. */
	connection_began(t.all, t.one.cn);
	end_late(HEAD_MS - 1);
}

static void
the_rest_must_arrive_in_time(void)
{
	begin_to_be_late();
	connection_head(t.one.cn);
	end_late(BODY_MS);
}

static void
a_request_that_was_cut_off_is_not_executed(void)
{
	begin_to_be_late();
	connection_head(t.one.cn);
	atomic_fetch_add(&now_ns, BODY_MS * NS_PER_MS);
	connections_look(t.all);
	CU_ASSERT_FALSE(connection_arrived(t.one.cn));
	client_close(&t.one);
}

static void
between_requests_there_is_more_time(void)
{
	begin_to_be_late();
	client_is_answered(&t.one);
	end_late(IDLE_MS);
}

static void
a_later_head_must_arrive_in_time_too(void)
{
	begin_to_be_late();
	client_is_answered(&t.one);
	atomic_fetch_add(&now_ns, (IDLE_MS - 1) * NS_PER_MS);
	connection_began(t.all, t.one.cn);
	end_late(HEAD_MS);
}

static void
an_answer_must_be_read_in_time(void)
{
	begin_to_be_late();
	client_asks(&t.one);
	atomic_fetch_add(&now_ns, LONG_MS * NS_PER_MS);
	connection_sends(t.all, t.one.cn);
	end_late(ANSWER_MS);
}

/* ------------------------------------------------------------ answers */

static void
answers_that_are_not_read_are_bounded(void)
{
	struct client c[3];

	for (int i = 0; i < 3; i++) {
		client_open(&c[i], NULL);
	}
	CU_ASSERT_TRUE(connection_keep(t.all, c[0].cn, ANSWERS - 2, false));
	CU_ASSERT_FALSE(connection_keep(t.all, c[1].cn, CONNECTION_SMALL + 1, false));
	CU_ASSERT_TRUE(connection_keep(t.all, c[1].cn, CONNECTION_SMALL, false));
	CU_ASSERT_TRUE(connection_keep(t.all, c[2].cn, ANSWERS, true));
	/* A new amount replaces the previous one. */
	CU_ASSERT_TRUE(connection_keep(t.all, c[2].cn, 0, true));
	CU_ASSERT_FALSE(connection_keep(t.all, c[0].cn, ANSWERS, false));
	CU_ASSERT_TRUE(connection_keep(t.all, c[2].cn, ANSWERS - CONNECTION_SMALL, false));
	/* The amount is returned with the answer, and with the connection. */
	connection_answered(t.all, c[1].cn);
	client_close(&c[2]);
	CU_ASSERT_TRUE(connection_keep(t.all, c[0].cn, ANSWERS, false));
	client_close(&c[0]);
	client_close(&c[1]);
}

static void
each_address_has_its_own_limit(void)
{
	struct client c[3];

	client_open(&c[0], "203.0.113.1");
	client_open(&c[1], "203.0.113.1");
	client_open(&c[2], "203.0.113.2");
	CU_ASSERT_TRUE(connection_keep(t.all, c[0].cn, CONNECTION_SMALL + 1, false));
	CU_ASSERT_FALSE(connection_keep(t.all, c[1].cn, CONNECTION_SMALL + 1, false));
	CU_ASSERT_TRUE(connection_keep(t.all, c[2].cn, ANSWERS / 2, false));
	for (int i = 0; i < 3; i++) {
		client_close(&c[i]);
	}
}

static void
a_complete_request_may_take_any_time(void)
{
	struct client late;

	begin_to_be_late();
	client_asks(&t.one);
	client_open(&late, NULL);
	atomic_fetch_add(&now_ns, 10 * IDLE_MS * NS_PER_MS);
	connections_look(t.all);
	CU_ASSERT_TRUE(client_is_shut(&late));
	CU_ASSERT_FALSE(client_is_shut(&t.one));
	client_close(&late);
	client_close(&t.one);
}

/* ------------------------------------------------------------ too many clients */

static void
the_longest_idle_connection_makes_room(void)
{
	struct client c[MOST + 2];

	for (int i = 0; i < MOST; i++) {
		client_open(&c[i], NULL);
		client_is_answered(&c[i]);
	}
	client_is_answered(&c[0]);
	for (int i = MOST; i < MOST + 2; i++) {
		client_open(&c[i], NULL);
		client_asks(&c[i]);
		CU_ASSERT_FALSE(connection_surplus(c[i].cn));
	}
	CU_ASSERT_FALSE(client_is_shut(&c[0]));
	for (int i = 1; i < MOST; i++) {
		CU_ASSERT_TRUE(client_is_shut(&c[i]));
		CU_ASSERT_FALSE(connection_arrived(c[i].cn));
	}
	for (int i = 0; i < MOST + 2; i++) {
		client_close(&c[i]);
	}
}

static void
incomplete_requests_make_room_next(void)
{
	struct client c[MOST + 2];

	for (int i = 0; i < MOST; i++) {
		client_open(&c[i], NULL);
	}
	client_asks(&c[0]);
	connection_head(c[1].cn);
	for (int i = MOST; i < MOST + 2; i++) {
		client_open(&c[i], NULL);
		client_asks(&c[i]);
	}
	/* They may be closed only after some time. */
	connections_look(t.all);
	for (int i = 1; i < MOST; i++) {
		CU_ASSERT_FALSE(client_is_shut(&c[i]));
	}
	atomic_fetch_add(&now_ns, GRACE_MS * NS_PER_MS);
	connections_look(t.all);
	for (int i = 1; i < MOST; i++) {
		CU_ASSERT_TRUE(client_is_shut(&c[i]));
		CU_ASSERT_FALSE(connection_arrived(c[i].cn));
	}
	CU_ASSERT_FALSE(client_is_shut(&c[0]));
	for (int i = 0; i < MOST + 2; i++) {
		client_close(&c[i]);
	}
}

static void
the_oldest_request_that_has_not_arrived_makes_room_first(void)
{
	struct client c[MOST + 1];
	char byte;

	for (int i = 0; i < MOST; i++) {
		client_open(&c[i], NULL);
	}
	client_asks(&c[0]);
	connection_head(c[1].cn); /* older than c[2], whose head has not arrived */
	client_open(&c[MOST], NULL);
	CU_ASSERT_FALSE(client_is_shut(&c[1]));
	atomic_fetch_add(&now_ns, GRACE_MS * NS_PER_MS);
	/* The thread of the connections closes it. */
	ssize_t n = recv(c[1].socket[1], &byte, 1, 0);

	CU_ASSERT_EQUAL(n, 0);
	CU_ASSERT_FALSE(client_is_shut(&c[2]));
	for (int i = 0; i <= MOST; i++) {
		client_close(&c[i]);
	}
}

/* The next request of the oldest connection is arriving, so the second oldest is closed. */
static void
another_connection_is_closed_instead_of_a_busy_one(void)
{
	struct client c[MOST + 1];

	for (int i = 0; i < MOST; i++) {
		client_open(&c[i], NULL);
		client_is_answered(&c[i]);
	}
	ssize_t n = send(c[0].socket[0], "P", 1, MSG_NOSIGNAL);

	CU_ASSERT_EQUAL(n, 1);
	client_open(&c[MOST], NULL);
	CU_ASSERT_TRUE(client_is_shut(&c[1]));
	CU_ASSERT_FALSE(client_is_shut(&c[2]));
	CU_ASSERT_TRUE(connection_arrived(c[0].cn));
	for (int i = 0; i <= MOST; i++) {
		client_close(&c[i]);
	}
}

static void
a_request_that_arrived_unread_keeps_its_connection(void)
{
	struct client c[MOST + 2];

	for (int i = 0; i < MOST; i++) {
		client_open(&c[i], NULL);
	}
	ssize_t n = send(c[0].socket[0], "P", 1, MSG_NOSIGNAL);

	CU_ASSERT_EQUAL(n, 1);
	client_asks(&c[1]);
	client_asks(&c[2]);
	client_open(&c[MOST], NULL);
	client_is_answered(&c[MOST]);
	client_open(&c[MOST + 1], NULL);
	CU_ASSERT_TRUE(client_is_shut(&c[MOST]));
	CU_ASSERT_TRUE(connection_arrived(c[0].cn));
	for (int i = 0; i < MOST + 2; i++) {
		client_close(&c[i]);
	}
}

static void
an_address_makes_room_for_itself(void)
{
	struct client c[PER_ADDRESS + 2];
	struct client other;

	client_open(&other, "192.0.2.7");
	client_is_answered(&other);
	for (int i = 0; i < PER_ADDRESS; i++) {
		client_open(&c[i], "192.0.2.1");
		client_asks(&c[i]);
	}
	connection_answered(t.all, c[1].cn);
	for (int i = PER_ADDRESS; i < PER_ADDRESS + 2; i++) {
		client_open(&c[i], "192.0.2.1");
		client_asks(&c[i]);
	}
	CU_ASSERT_FALSE(connection_surplus(c[PER_ADDRESS].cn));
	CU_ASSERT_TRUE(connection_surplus(c[PER_ADDRESS + 1].cn));
	CU_ASSERT_TRUE(client_is_shut(&c[1]));
	CU_ASSERT_FALSE(client_is_shut(&c[0]));
	for (int i = 0; i < PER_ADDRESS + 2; i++) {
		client_close(&c[i]);
	}
	client_close(&other);
}

static void
an_address_tries_all_its_own_connections(void)
{
	struct client c[PER_ADDRESS + 1];

	for (int i = 0; i < PER_ADDRESS; i++) {
		client_open(&c[i], "192.0.2.1");
		client_is_answered(&c[i]);
	}
	ssize_t n = send(c[0].socket[0], "P", 1, MSG_NOSIGNAL);

	CU_ASSERT_EQUAL(n, 1);
	client_open(&c[PER_ADDRESS], "192.0.2.1");
	CU_ASSERT_FALSE(connection_surplus(c[PER_ADDRESS].cn));
	CU_ASSERT_TRUE(client_is_shut(&c[1]));
	for (int i = 0; i <= PER_ADDRESS; i++) {
		client_close(&c[i]);
	}
}

/* The list of connections stays valid when its first, its last or a middle element is closed. */
static void
remaining_connections_make_room_after_others_closed(void)
{
	static const int closed[] = {1, MOST - 1, 0};

	for (size_t k = 0; k < 3; k++) {
		struct client c[MOST + 2];
		int oldest = closed[k] == 0 ? 1 : 0;

		for (int i = 0; i < MOST; i++) {
			client_open(&c[i], NULL);
			client_is_answered(&c[i]);
		}
		client_close(&c[closed[k]]);
		for (int i = MOST; i < MOST + 2; i++) {
			client_open(&c[i], NULL);
			client_is_answered(&c[i]);
		}
		for (int i = 0; i < MOST + 2; i++) {
			if (i != closed[k]) {
				CU_ASSERT_EQUAL(client_is_shut(&c[i]), i == oldest);
				client_close(&c[i]);
			}
		}
	}
}

static void
loopback_has_no_limit_of_its_own(void)
{
	struct client c[MOST];

	for (int i = 0; i < MOST; i++) {
		client_open(&c[i], "127.0.0.2");
		client_is_answered(&c[i]);
	}
	for (int i = 0; i < MOST; i++) {
		CU_ASSERT_FALSE(client_is_shut(&c[i]));
		client_close(&c[i]);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(late_clients_are_found_by_a_thread),
	UNIT_TEST(the_first_head_must_arrive_in_time),
	UNIT_TEST(the_rest_must_arrive_in_time),
	UNIT_TEST(a_request_that_was_cut_off_is_not_executed),
	UNIT_TEST(between_requests_there_is_more_time),
	UNIT_TEST(a_later_head_must_arrive_in_time_too),
	UNIT_TEST(an_answer_must_be_read_in_time),
	UNIT_TEST(answers_that_are_not_read_are_bounded),
	UNIT_TEST(each_address_has_its_own_limit),
	UNIT_TEST(a_complete_request_may_take_any_time),
	UNIT_TEST(the_longest_idle_connection_makes_room),
	UNIT_TEST(incomplete_requests_make_room_next),
	UNIT_TEST(the_oldest_request_that_has_not_arrived_makes_room_first),
	UNIT_TEST(another_connection_is_closed_instead_of_a_busy_one),
	UNIT_TEST(a_request_that_arrived_unread_keeps_its_connection),
	UNIT_TEST(an_address_makes_room_for_itself),
	UNIT_TEST(an_address_tries_all_its_own_connections),
	UNIT_TEST(remaining_connections_make_room_after_others_closed),
	UNIT_TEST(loopback_has_no_limit_of_its_own),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(connections, begin, end, tests);
