/* Many clients at once, mounts that must see writes, and stopping the server. */
#include <poll.h>
#include <sys/socket.h>

#include "store/base/core/clock.h"
#include "store/engine/feed.h"
#include "store/wire/proto/wire.h"

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"
#include "tests/wire/server_fixture.h"

/* ------------------------------------------------------------ many, slow and disconnected clients */

static void
a_client_that_leaves_does_no_harm(void)
{
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);

	server_fixture.fake.answer_bytes = 8 << 20;
	for (int i = 0; i < 20; i++) {
		int fd = wire_connect(server_fixture.path, 0);

		(void)send(fd, request, strlen(request), MSG_NOSIGNAL);
		(void)close(fd);
	}
	server_fixture.fake.answer_bytes = 0;
	CU_ASSERT_EQUAL(server_fixture_say(request), 200);
}

static void
a_client_that_leaves_before_the_answer_is_made_does_no_harm(void)
{
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);

	server_fixture.fake.answer_bytes = 1 << 20;
	for (int when = FAKE_NOT_TAKEN; when <= FAKE_LATER; when += FAKE_LATER - FAKE_NOT_TAKEN) {
		int fd = wire_connect(server_fixture.path, 0);

		fake_engine_hold(&server_fixture.fake);
		server_fixture.fake.submit = when;
		(void)send(fd, request, strlen(request), MSG_NOSIGNAL);
		fake_engine_wait_inside(&server_fixture.fake, 1);
		(void)close(fd);
		fake_engine_open(&server_fixture.fake);
		CU_ASSERT_EQUAL(server_fixture_say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
				200);
	}
}

static unsigned
count_answers(void)
{
	unsigned n = 0;

	for (const char *at = server_fixture.answer; (at = strstr(at, "HTTP/1.1 200 ")) != NULL;
	     at++) {
		n++;
	}
	return n;
}

static void
pipelined_requests_are_answered_in_order(void)
{
	enum { MANY = 10 };
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	int fd = wire_connect(server_fixture.path, 0);
	unsigned answers = 0;
	size_t n = 0;

	server_fixture.fake.submit = FAKE_LATER;
	for (int i = 0; i < MANY; i++) {
		(void)send(fd, request, strlen(request), MSG_NOSIGNAL);
	}
	while (answers < MANY) {
		ssize_t got = recv(fd, server_fixture.answer + n,
				   sizeof(server_fixture.answer) - 1 - n, 0);

		if (got <= 0) {
			break;
		}
		n += (size_t)got;
		server_fixture.answer[n] = '\0';
		answers = count_answers();
	}
	CU_ASSERT_EQUAL(answers, MANY);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, MANY);
	(void)close(fd);
}

static void
requests_run_concurrently(void)
{
	enum { MANY = 32 };
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	int fd[MANY];

	fake_engine_hold(&server_fixture.fake);
	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(server_fixture.path, 0);
		(void)send(fd[i], request, strlen(request), MSG_NOSIGNAL);
	}
	fake_engine_wait_inside(&server_fixture.fake, MANY);
	fake_engine_open(&server_fixture.fake);
	for (int i = 0; i < MANY; i++) {
		(void)wire_read(fd[i], server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		(void)close(fd[i]);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.most_inside, MANY);
}

/* Return: the thread that executes the request */
static pthread_t
thread_of(int fd, const char *operation, const char *body)
{
	const char *request = server_fixture_post(operation, body);

	(void)send(fd, request, strlen(request), MSG_NOSIGNAL);
	(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
	CU_ASSERT_EQUAL(server_fixture_status(), 200);
	return server_fixture.fake.thread;
}

static void
the_loop_itself_runs_queries_of_a_single_client(void)
{
	static const char query[] = "DynamoDB_20120810.Query";
	static const char of_x[] = "{\"TableName\":\"abc\",\"KeyConditionExpression\":\"PK = :p\","
				   "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"x\"}}}";
	int fd = wire_connect(server_fixture.path, 0);

	server_fixture.fake.submit = FAKE_AT_ONCE;
	pthread_t loop = thread_of(fd, "DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);

	server_fixture.fake.submit = FAKE_NOT_TAKEN;
	CU_ASSERT_TRUE(pthread_equal(thread_of(fd, query, of_x), loop));
	CU_ASSERT_FALSE(pthread_equal(
		thread_of(fd, "DynamoDB_20120810.Scan", "{\"TableName\":\"abc\"}"), loop));

	int other = wire_connect(server_fixture.path, 0);

	CU_ASSERT_FALSE(pthread_equal(thread_of(other, query, of_x), loop));
	CU_ASSERT_FALSE(pthread_equal(thread_of(fd, query, of_x), loop));
	(void)close(other);
	(void)close(fd);
}

/* Send @bytes repeatedly until the peer closes. */
static void
send_until_closed(int fd, const char *bytes, size_t n)
{
	struct pollfd end = {.fd = fd, .events = POLLIN};

	do {
		(void)send(fd, bytes, n, MSG_NOSIGNAL);
	} while (poll(&end, 1, 5) == 0);
}

static void
a_slow_trickle_does_not_keep_a_connection(void)
{
	static const char *const begun[] = {
		"",
		"POST / HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
		"POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
		"Content-Length: 1000000\r\n\r\n",
	};
	const struct server_options o = {.listen = "127.0.0.1:0",
					 .limits = {.head_ms = 100, .arrival_ms = 100}};
	struct server *s = NULL;
	int r = server_start(&server_fixture.c, &server_fixture.fake.engine, &o, &s);

	CU_ASSERT_EQUAL(r, 0);
	for (size_t i = 0; i < sizeof(begun) / sizeof(begun[0]); i++) {
		uint64_t before = clock_steady_ms();
		int fd = wire_connect(NULL, server_port(s));

		(void)send(fd, begun[i], strlen(begun[i]), MSG_NOSIGNAL);
		send_until_closed(fd, "a", 1);
		(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 0);
		CU_ASSERT_TRUE(clock_steady_ms() - before >= 100);
		(void)close(fd);
	}
	server_stop(s);
}

static void
submitted_requests_are_answered_when_they_complete(void)
{
	static const char put[] = "{\"TableName\":\"abc\",\"Item\":{\"PK\":{\"S\":\"x\"}}}";

	for (int when = FAKE_NOT_TAKEN; when <= FAKE_LATER; when++) {
		server_fixture.fake.submit = when;
		server_fixture.fake.fail = ERR_NONE;
		server_fixture.fake.calls = 0;
		CU_ASSERT_EQUAL(server_fixture_say_tcp(
					server_fixture_post("DynamoDB_20120810.PutItem", put)),
				200);
		CU_ASSERT_STRING_EQUAL(server_fixture_body(), "{}");
		server_fixture.fake.fail = ERR_CONDITION;
		CU_ASSERT_EQUAL(server_fixture_say_tcp(
					server_fixture_post("DynamoDB_20120810.PutItem", put)),
				400);
		CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "the fake engine fails"));
		CU_ASSERT_EQUAL(server_fixture.fake.calls, 2);
	}
}

static void
many_requests_are_completed_later_on_kept_connections(void)
{
	enum { MANY = 16, TIMES = 20 };
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	int fd[MANY];

	server_fixture.fake.submit = FAKE_LATER;
	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(server_fixture.path, 0);
	}
	for (int t = 0; t < TIMES; t++) {
		for (int i = 0; i < MANY; i++) {
			(void)send(fd[i], request, strlen(request), MSG_NOSIGNAL);
		}
		for (int i = 0; i < MANY; i++) {
			(void)wire_read(fd[i], server_fixture.answer,
					sizeof(server_fixture.answer));
			CU_ASSERT_EQUAL(server_fixture_status(), 200);
		}
	}
	for (int i = 0; i < MANY; i++) {
		(void)close(fd[i]);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, MANY * TIMES);
}

/* ------------------------------------------------------------ writes and mounts */

static void
a_write_waits_for_mounts_for_a_limited_time(void)
{
	const struct server_options o = {.listen = "127.0.0.1:0", .limits = {.fresh_ms = 100}};
	const char *request =
		server_fixture_post("DynamoDB_20120810.PutItem",
				    "{\"TableName\":\"abc\",\"Item\":{\"PK\":{\"S\":\"x\"}}}");
	struct server *s = NULL;

	CU_ASSERT_EQUAL_FATAL(server_start(&server_fixture.c, &server_fixture.fake.engine, &o, &s),
			      0);
	server_fixture.fake.feed = feed_new();
	struct feed_reader *deaf = feed_open(server_fixture.fake.feed);

	for (int when = FAKE_NOT_TAKEN; when <= FAKE_LATER; when++) {
		server_fixture.fake.submit = when;
		(void)wire_talk(NULL, server_port(s), request, strlen(request),
				server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		CU_ASSERT_EQUAL(feed_overdue(server_fixture.fake.feed),
				(uint64_t)(when - FAKE_NOT_TAKEN + 1));
	}
	feed_close(deaf);
	CU_ASSERT_EQUAL(server_fixture_say(request), 200);
	CU_ASSERT_EQUAL(feed_overdue(server_fixture.fake.feed), FAKE_LATER - FAKE_NOT_TAKEN + 1);
	server_stop(s);
}

/* ------------------------------------------------------------ stopping */

static void *
ask(void *arg)
{
	const char *request = arg;

	(void)wire_talk(server_fixture.path, 0, request, strlen(request), server_fixture.answer,
			sizeof(server_fixture.answer));
	return NULL;
}

static void *
stop(void *arg)
{
	(void)arg;
	server_stop(server_fixture.local);
	return NULL;
}

/* Send requests on a kept connection until the server stops; each request that was sent is answered. */
static void
ask_until_it_stops(int fd)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
	char said[SERVER_FIXTURE_ANSWER_BYTES];

	while (send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) > 0) {
		CU_ASSERT_NOT_EQUAL(wire_read(fd, said, sizeof(said)), 0);
		if (strncmp(said, "HTTP/1.1 200 ", 13) != 0) {
			CU_ASSERT_EQUAL(strncmp(said, "HTTP/1.1 503 ", 13), 0);
			CU_ASSERT_PTR_NOT_NULL(strstr(said, "the server is stopping"));
			break;
		}
	}
}

/* @when: enum fake_submit, when the engine executes the request */
static void
stop_while_it_runs(int when)
{
	char *request =
		(char *)server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	pthread_t asking;
	pthread_t stopping;
	int other = wire_connect(server_fixture.path, 0);

	server_fixture.fake.submit = when;
	fake_engine_hold(&server_fixture.fake);
	(void)pthread_create(&asking, NULL, ask, request);
	fake_engine_wait_inside(&server_fixture.fake, 1);
	(void)pthread_create(&stopping, NULL, stop, NULL);
	ask_until_it_stops(other);
	(void)close(other);
	fake_engine_open(&server_fixture.fake);
	(void)pthread_join(asking, NULL);
	(void)pthread_join(stopping, NULL);
	server_fixture.local = NULL;
	CU_ASSERT_EQUAL(server_fixture_status(), 200);
	CU_ASSERT_EQUAL(wire_connect(server_fixture.path, 0), -1);
	CU_ASSERT_NOT_EQUAL(access(server_fixture.path, F_OK), 0);
}

static void
stopping_lets_running_requests_end(void)
{
	stop_while_it_runs(FAKE_NOT_TAKEN);
}

static void
stopping_lets_submitted_requests_end(void)
{
	stop_while_it_runs(FAKE_LATER);
}

static void *
ask_without_end(void *arg)
{
	const char *request = arg;
	int fd = wire_connect(server_fixture.path, 0);
	char said[SERVER_FIXTURE_ANSWER_BYTES];

	do {
		(void)send(fd, request, strlen(request), MSG_NOSIGNAL);
	} while (wire_read(fd, said, sizeof(said)) > 0);
	(void)close(fd);
	return NULL;
}

static void
clients_that_never_pause_do_not_delay_the_stop(void)
{
	enum { MANY = 16 };
	char *request =
		(char *)server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	pthread_t asking[MANY];

	server_fixture.fake.submit = FAKE_LATER;
	fake_engine_hold(&server_fixture.fake);
	for (int i = 0; i < MANY; i++) {
		(void)pthread_create(&asking[i], NULL, ask_without_end, request);
	}
	fake_engine_wait_inside(&server_fixture.fake, MANY);
	fake_engine_open(&server_fixture.fake);
	server_stop(server_fixture.local);
	server_fixture.local = NULL;
	for (int i = 0; i < MANY; i++) {
		(void)pthread_join(asking[i], NULL);
	}
}

/* Send each request on its own connection until none is accepted.  Return: NULL if one was sent and not answered */
static void *
connect_until_refused(void *arg)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
	char said[SERVER_FIXTURE_ANSWER_BYTES];
	bool good = true;
	int fd;

	while (good && (fd = wire_connect(server_fixture.path, 0)) >= 0) {
		if (send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) > 0) {
			good = wire_read(fd, said, sizeof(said)) > 0;
			atomic_fetch_add((atomic_uint *)arg, 1);
		}
		(void)close(fd);
	}
	return good ? arg : NULL;
}

static void
every_sent_request_is_answered(void)
{
	enum { ROUNDS = 20, MANY = 8 };

	for (int round = 0; round < ROUNDS; round++) {
		const struct server_options o = {.socket = server_fixture.path};
		pthread_t asking[MANY];
		atomic_uint answered = 0;
		unsigned tries = 0;

		for (int i = 0; i < MANY; i++) {
			(void)pthread_create(&asking[i], NULL, connect_until_refused, &answered);
		}
		while (atomic_load(&answered) < MANY && wait_again(&tries)) {
		}
		server_stop(server_fixture.local);
		for (int i = 0; i < MANY; i++) {
			void *good;

			(void)pthread_join(asking[i], &good);
			CU_ASSERT_PTR_NOT_NULL(good);
		}
		CU_ASSERT_EQUAL_FATAL(server_start(&server_fixture.c, &server_fixture.fake.engine,
						   &o, &server_fixture.local),
				      0);
	}
}

static void
idle_connections_do_not_delay_the_stop(void)
{
	int fd = wire_connect(server_fixture.path, 0);
	int half = wire_connect(server_fixture.path, 0);

	(void)send(half, "POST / HTTP/1.1\r\n", 17, MSG_NOSIGNAL);
	server_stop(server_fixture.local);
	server_fixture.local = NULL;
	(void)close(fd);
	(void)close(half);
}

static void
an_unavailable_address_is_an_error(void)
{
	struct server *s = NULL;
	char again[32];

	(void)snprintf(again, sizeof(again), "127.0.0.1:%d", server_port(server_fixture.tcp));
	int r = server_start(&server_fixture.c, &server_fixture.fake.engine,
			     &(struct server_options){.listen = again}, &s);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	server_fixture.c.error = (struct error){0};
	r = server_start(&server_fixture.c, &server_fixture.fake.engine,
			 &(struct server_options){.listen = "0.0.0.0:0"}, &s);
	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_PTR_NULL(s);
	server_stop(NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_client_that_leaves_does_no_harm),
	UNIT_TEST(a_client_that_leaves_before_the_answer_is_made_does_no_harm),
	UNIT_TEST(pipelined_requests_are_answered_in_order),
	UNIT_TEST(requests_run_concurrently),
	UNIT_TEST(the_loop_itself_runs_queries_of_a_single_client),
	UNIT_TEST(a_slow_trickle_does_not_keep_a_connection),
	UNIT_TEST(submitted_requests_are_answered_when_they_complete),
	UNIT_TEST(many_requests_are_completed_later_on_kept_connections),
	UNIT_TEST(a_write_waits_for_mounts_for_a_limited_time),
	UNIT_TEST(stopping_lets_running_requests_end),
	UNIT_TEST(stopping_lets_submitted_requests_end),
	UNIT_TEST(every_sent_request_is_answered),
	UNIT_TEST(clients_that_never_pause_do_not_delay_the_stop),
	UNIT_TEST(idle_connections_do_not_delay_the_stop),
	UNIT_TEST(an_unavailable_address_is_an_error),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(server, server_fixture_open, server_fixture_close, tests);
