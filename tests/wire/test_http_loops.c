/* The loops of a server on TCP: they share the connections, and end while they are busy. */
#include <sched.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"
#include "tests/wire/server_fixture.h"

enum { LOOPS_MAX = 4 };

/* Send @n requests on connections of their own, and read their answers when the engine has all of them. */
static void
ask_concurrently(int port, unsigned n)
{
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	int fd[LOOPS_MAX];

	fake_engine_hold(&server_fixture.fake);
	for (unsigned i = 0; i < n; i++) {
		fd[i] = wire_connect(NULL, port);
		(void)send(fd[i], request, strlen(request), MSG_NOSIGNAL);
	}
	fake_engine_wait_inside(&server_fixture.fake, n);
	fake_engine_open(&server_fixture.fake);
	for (unsigned i = 0; i < n; i++) {
		(void)wire_read(fd[i], server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		(void)close(fd[i]);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.most_inside, n);
}

/* Of as many connections as there are loops, each loop gets one, also when idle ones exist. */
static void
connections_are_spread_over_the_loops(void)
{
	int port = server_port(server_fixture.tcp);
	int idle[2 * LOOPS_MAX];
	cpu_set_t cpus;

	CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof(cpus), &cpus), 0);
	int loops = CPU_COUNT(&cpus) < LOOPS_MAX ? CPU_COUNT(&cpus) : LOOPS_MAX;

	for (int i = 0; i < 2 * loops; i++) {
		idle[i] = wire_connect(NULL, port);
	}
	server_fixture.fake.submit = FAKE_AT_ONCE; /* in the loop */
	ask_concurrently(port, (unsigned)loops);
	for (int i = 0; i < 2 * loops; i++) {
		(void)close(idle[i]);
	}
}

struct client {
	pthread_t thread;
	int port;
	atomic_uint *answered;
};

/* Send requests on one connection until the server closes it. */
static void *
ask_until_it_ends(void *arg)
{
	static const char request[] = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
	const struct client *client = arg;
	int fd = wire_connect(NULL, client->port);
	char said[SERVER_FIXTURE_ANSWER_BYTES];

	while (send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) > 0 &&
	       wire_read(fd, said, sizeof(said)) > 0) {
		atomic_fetch_add(client->answered, 1);
	}
	(void)close(fd);
	return NULL;
}

static void
the_server_stops_while_its_loops_are_busy(void)
{
	enum { ROUNDS = 50, MANY = 8 };
	const struct server_options o = {.listen = "127.0.0.1:0",
					 .limits = {.stop_ms = SERVER_FIXTURE_STOP_MS}};

	for (int round = 0; round < ROUNDS; round++) {
		struct client clients[MANY];
		struct server *s = NULL;
		atomic_uint answered = 0;
		unsigned tries = 0;

		CU_ASSERT_EQUAL_FATAL(
			server_start(&server_fixture.c, &server_fixture.fake.engine, &o, &s), 0);
		for (int i = 0; i < MANY; i++) {
			clients[i].port = server_port(s);
			clients[i].answered = &answered;
			(void)pthread_create(&clients[i].thread, NULL, ask_until_it_ends,
					     &clients[i]);
		}
		while (atomic_load(&answered) < 2 * MANY && wait_again(&tries)) {
		}
		CU_ASSERT_TRUE(atomic_load(&answered) >= 2 * MANY);
		server_stop(s);
		for (int i = 0; i < MANY; i++) {
			(void)pthread_join(clients[i].thread, NULL);
		}
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(connections_are_spread_over_the_loops),
	UNIT_TEST(the_server_stops_while_its_loops_are_busy),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(http_loops, server_fixture_open, server_fixture_close, tests);
