/* Which clients may stay connected, how long without a complete request, and which ones are closed to make room. */
#include <sys/socket.h>

#include "store/base/core/clock.h"
#include "store/wire/server/connections.h"

#include "tests/support/unit.h"
#include "tests/wire/peers.h"

enum { HEAD_MS = 50, BODY_MS = 100, IDLE_MS = 200, ANSWER_MS = 300, GRACE_MS = 50 };

/* The client of the tests of late requests */
static struct peer one;

/* ------------------------------------------------------------ late requests */

static void
begin_to_be_late(void)
{
	struct connection_limits limits = peers_limits();

	limits.head_ms = HEAD_MS;
	limits.body_ms = BODY_MS;
	limits.answer_ms = ANSWER_MS;
	limits.idle_ms = IDLE_MS;
	peers_end();
	peers_all = connections_new(&limits);
	peer_open(&one, NULL);
}

/* Expect that the client is closed @ms from now, and not earlier. */
static void
end_late(uint64_t ms)
{
	atomic_fetch_add(&peers_now_ns, ms * NS_PER_MS - 1);
	connections_look(peers_all);
	CU_ASSERT_FALSE(peer_is_shut(&one));
	atomic_fetch_add(&peers_now_ns, 1);
	connections_look(peers_all);
	CU_ASSERT_TRUE(peer_is_shut(&one));
	peer_close(&one);
}

/* The thread of the connections finds late clients, too. */
static void
late_clients_are_found_by_a_thread(void)
{
	char byte;

	begin_to_be_late();
	atomic_fetch_add(&peers_now_ns, HEAD_MS * NS_PER_MS);
	ssize_t n = recv(one.socket[1], &byte, 1, 0);

	CU_ASSERT_EQUAL(n, 0);
	peer_close(&one);
}

static void
the_first_head_must_arrive_in_time(void)
{
	begin_to_be_late();
	atomic_fetch_add(&peers_now_ns, NS_PER_MS);
	/* A request that has begun gets no more time: its time runs from the connecting. */
	connection_began(peers_all, one.cn);
	end_late(HEAD_MS - 1);
}

static void
the_rest_must_arrive_in_time(void)
{
	begin_to_be_late();
	connection_head(one.cn);
	end_late(BODY_MS);
}

static void
a_request_that_was_cut_off_is_not_executed(void)
{
	begin_to_be_late();
	connection_head(one.cn);
	atomic_fetch_add(&peers_now_ns, BODY_MS * NS_PER_MS);
	connections_look(peers_all);
	CU_ASSERT_FALSE(connection_arrived(one.cn));
	peer_close(&one);
}

static void
between_requests_there_is_more_time(void)
{
	begin_to_be_late();
	peer_is_answered(&one);
	end_late(IDLE_MS);
}

static void
a_later_head_must_arrive_in_time_too(void)
{
	begin_to_be_late();
	peer_is_answered(&one);
	atomic_fetch_add(&peers_now_ns, (IDLE_MS - 1) * NS_PER_MS);
	connection_began(peers_all, one.cn);
	end_late(HEAD_MS);
}

static void
an_answer_must_be_read_in_time(void)
{
	begin_to_be_late();
	peer_asks(&one);
	atomic_fetch_add(&peers_now_ns, PEERS_LONG_MS * NS_PER_MS);
	connection_sends(peers_all, one.cn);
	end_late(ANSWER_MS);
}

/* ------------------------------------------------------------ answers */

static void
answers_that_are_not_read_are_bounded(void)
{
	struct peer c[3];

	for (int i = 0; i < 3; i++) {
		peer_open(&c[i], NULL);
	}
	CU_ASSERT_TRUE(connection_keep(peers_all, c[0].cn, PEERS_ANSWERS - 2, false));
	CU_ASSERT_FALSE(connection_keep(peers_all, c[1].cn, CONNECTION_SMALL + 1, false));
	CU_ASSERT_TRUE(connection_keep(peers_all, c[1].cn, CONNECTION_SMALL, false));
	CU_ASSERT_TRUE(connection_keep(peers_all, c[2].cn, PEERS_ANSWERS, true));
	/* A new amount replaces the previous one. */
	CU_ASSERT_TRUE(connection_keep(peers_all, c[2].cn, 0, true));
	CU_ASSERT_FALSE(connection_keep(peers_all, c[0].cn, PEERS_ANSWERS, false));
	CU_ASSERT_TRUE(
		connection_keep(peers_all, c[2].cn, PEERS_ANSWERS - CONNECTION_SMALL, false));
	/* The amount is returned with the answer, and with the connection. */
	connection_answered(peers_all, c[1].cn);
	peer_close(&c[2]);
	CU_ASSERT_TRUE(connection_keep(peers_all, c[0].cn, PEERS_ANSWERS, false));
	peer_close(&c[0]);
	peer_close(&c[1]);
}

static void
each_address_has_its_own_limit(void)
{
	struct peer c[3];

	peer_open(&c[0], "203.0.113.1");
	peer_open(&c[1], "203.0.113.1");
	peer_open(&c[2], "203.0.113.2");
	CU_ASSERT_TRUE(connection_keep(peers_all, c[0].cn, CONNECTION_SMALL + 1, false));
	CU_ASSERT_FALSE(connection_keep(peers_all, c[1].cn, CONNECTION_SMALL + 1, false));
	CU_ASSERT_TRUE(connection_keep(peers_all, c[2].cn, PEERS_ANSWERS / 2, false));
	for (int i = 0; i < 3; i++) {
		peer_close(&c[i]);
	}
}

static void
a_complete_request_may_take_any_time(void)
{
	struct peer late;

	begin_to_be_late();
	peer_asks(&one);
	peer_open(&late, NULL);
	atomic_fetch_add(&peers_now_ns, 10 * IDLE_MS * NS_PER_MS);
	connections_look(peers_all);
	CU_ASSERT_TRUE(peer_is_shut(&late));
	CU_ASSERT_FALSE(peer_is_shut(&one));
	peer_close(&late);
	peer_close(&one);
}

/* ------------------------------------------------------------ too many clients */

static void
the_longest_idle_connection_makes_room(void)
{
	struct peer c[PEERS_MOST + 2];

	for (int i = 0; i < PEERS_MOST; i++) {
		peer_open(&c[i], NULL);
		peer_is_answered(&c[i]);
	}
	peer_is_answered(&c[0]);
	for (int i = PEERS_MOST; i < PEERS_MOST + 2; i++) {
		peer_open(&c[i], NULL);
		peer_asks(&c[i]);
		CU_ASSERT_FALSE(connection_surplus(c[i].cn));
	}
	CU_ASSERT_FALSE(peer_is_shut(&c[0]));
	for (int i = 1; i < PEERS_MOST; i++) {
		CU_ASSERT_TRUE(peer_is_shut(&c[i]));
		CU_ASSERT_FALSE(connection_arrived(c[i].cn));
	}
	for (int i = 0; i < PEERS_MOST + 2; i++) {
		peer_close(&c[i]);
	}
}

static void
incomplete_requests_make_room_next(void)
{
	struct peer c[PEERS_MOST + 2];

	for (int i = 0; i < PEERS_MOST; i++) {
		peer_open(&c[i], NULL);
	}
	peer_asks(&c[0]);
	connection_head(c[1].cn);
	for (int i = PEERS_MOST; i < PEERS_MOST + 2; i++) {
		peer_open(&c[i], NULL);
		peer_asks(&c[i]);
	}
	/* They may be closed only after some time. */
	connections_look(peers_all);
	for (int i = 1; i < PEERS_MOST; i++) {
		CU_ASSERT_FALSE(peer_is_shut(&c[i]));
	}
	atomic_fetch_add(&peers_now_ns, GRACE_MS * NS_PER_MS);
	connections_look(peers_all);
	for (int i = 1; i < PEERS_MOST; i++) {
		CU_ASSERT_TRUE(peer_is_shut(&c[i]));
		CU_ASSERT_FALSE(connection_arrived(c[i].cn));
	}
	CU_ASSERT_FALSE(peer_is_shut(&c[0]));
	for (int i = 0; i < PEERS_MOST + 2; i++) {
		peer_close(&c[i]);
	}
}

static void
the_oldest_request_that_has_not_arrived_makes_room_first(void)
{
	struct peer c[PEERS_MOST + 1];
	char byte;

	for (int i = 0; i < PEERS_MOST; i++) {
		peer_open(&c[i], NULL);
	}
	peer_asks(&c[0]);
	connection_head(c[1].cn); /* older than c[2], whose head has not arrived */
	peer_open(&c[PEERS_MOST], NULL);
	CU_ASSERT_FALSE(peer_is_shut(&c[1]));
	atomic_fetch_add(&peers_now_ns, GRACE_MS * NS_PER_MS);
	/* The thread of the connections closes it. */
	ssize_t n = recv(c[1].socket[1], &byte, 1, 0);

	CU_ASSERT_EQUAL(n, 0);
	CU_ASSERT_FALSE(peer_is_shut(&c[2]));
	for (int i = 0; i <= PEERS_MOST; i++) {
		peer_close(&c[i]);
	}
}

/* The next request of the oldest connection is arriving, so the second oldest is closed. */
static void
another_connection_is_closed_instead_of_a_busy_one(void)
{
	struct peer c[PEERS_MOST + 1];

	for (int i = 0; i < PEERS_MOST; i++) {
		peer_open(&c[i], NULL);
		peer_is_answered(&c[i]);
	}
	ssize_t n = send(c[0].socket[0], "P", 1, MSG_NOSIGNAL);

	CU_ASSERT_EQUAL(n, 1);
	peer_open(&c[PEERS_MOST], NULL);
	CU_ASSERT_TRUE(peer_is_shut(&c[1]));
	CU_ASSERT_FALSE(peer_is_shut(&c[2]));
	CU_ASSERT_TRUE(connection_arrived(c[0].cn));
	for (int i = 0; i <= PEERS_MOST; i++) {
		peer_close(&c[i]);
	}
}

static void
a_request_that_arrived_unread_keeps_its_connection(void)
{
	struct peer c[PEERS_MOST + 2];

	for (int i = 0; i < PEERS_MOST; i++) {
		peer_open(&c[i], NULL);
	}
	ssize_t n = send(c[0].socket[0], "P", 1, MSG_NOSIGNAL);

	CU_ASSERT_EQUAL(n, 1);
	peer_asks(&c[1]);
	peer_asks(&c[2]);
	peer_open(&c[PEERS_MOST], NULL);
	peer_is_answered(&c[PEERS_MOST]);
	peer_open(&c[PEERS_MOST + 1], NULL);
	CU_ASSERT_TRUE(peer_is_shut(&c[PEERS_MOST]));
	CU_ASSERT_TRUE(connection_arrived(c[0].cn));
	for (int i = 0; i < PEERS_MOST + 2; i++) {
		peer_close(&c[i]);
	}
}

static void
an_address_makes_room_for_itself(void)
{
	struct peer c[PEERS_PER_ADDRESS + 2];
	struct peer other;

	peer_open(&other, "192.0.2.7");
	peer_is_answered(&other);
	for (int i = 0; i < PEERS_PER_ADDRESS; i++) {
		peer_open(&c[i], "192.0.2.1");
		peer_asks(&c[i]);
	}
	connection_answered(peers_all, c[1].cn);
	for (int i = PEERS_PER_ADDRESS; i < PEERS_PER_ADDRESS + 2; i++) {
		peer_open(&c[i], "192.0.2.1");
		peer_asks(&c[i]);
	}
	CU_ASSERT_FALSE(connection_surplus(c[PEERS_PER_ADDRESS].cn));
	CU_ASSERT_TRUE(connection_surplus(c[PEERS_PER_ADDRESS + 1].cn));
	CU_ASSERT_TRUE(peer_is_shut(&c[1]));
	CU_ASSERT_FALSE(peer_is_shut(&c[0]));
	for (int i = 0; i < PEERS_PER_ADDRESS + 2; i++) {
		peer_close(&c[i]);
	}
	peer_close(&other);
}

static void
an_address_tries_all_its_own_connections(void)
{
	struct peer c[PEERS_PER_ADDRESS + 1];

	for (int i = 0; i < PEERS_PER_ADDRESS; i++) {
		peer_open(&c[i], "192.0.2.1");
		peer_is_answered(&c[i]);
	}
	ssize_t n = send(c[0].socket[0], "P", 1, MSG_NOSIGNAL);

	CU_ASSERT_EQUAL(n, 1);
	peer_open(&c[PEERS_PER_ADDRESS], "192.0.2.1");
	CU_ASSERT_FALSE(connection_surplus(c[PEERS_PER_ADDRESS].cn));
	CU_ASSERT_TRUE(peer_is_shut(&c[1]));
	for (int i = 0; i <= PEERS_PER_ADDRESS; i++) {
		peer_close(&c[i]);
	}
}

/* The list of connections stays valid when its first, its last or a middle element is closed. */
static void
remaining_connections_make_room_after_others_closed(void)
{
	static const int closed[] = {1, PEERS_MOST - 1, 0};

	for (size_t k = 0; k < 3; k++) {
		struct peer c[PEERS_MOST + 2];
		int oldest = closed[k] == 0 ? 1 : 0;

		for (int i = 0; i < PEERS_MOST; i++) {
			peer_open(&c[i], NULL);
			peer_is_answered(&c[i]);
		}
		peer_close(&c[closed[k]]);
		for (int i = PEERS_MOST; i < PEERS_MOST + 2; i++) {
			peer_open(&c[i], NULL);
			peer_is_answered(&c[i]);
		}
		for (int i = 0; i < PEERS_MOST + 2; i++) {
			if (i != closed[k]) {
				CU_ASSERT_EQUAL(peer_is_shut(&c[i]), i == oldest);
				peer_close(&c[i]);
			}
		}
	}
}

static void
loopback_has_no_limit_of_its_own(void)
{
	struct peer c[PEERS_MOST];

	for (int i = 0; i < PEERS_MOST; i++) {
		peer_open(&c[i], "127.0.0.2");
		peer_is_answered(&c[i]);
	}
	for (int i = 0; i < PEERS_MOST; i++) {
		CU_ASSERT_FALSE(peer_is_shut(&c[i]));
		peer_close(&c[i]);
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

UNIT_SUITE(connections, peers_begin, peers_end, tests);
