/* More clients than a server keeps: which connections are accepted or closed, and what the closed ones receive. */
#include <sys/socket.h>

#include "store/wire/proto/wire.h"

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"
#include "tests/wire/server_fixture.h"

enum { MOST = 8 };

static struct server *server;

static void
setup(void)
{
	const struct server_options o = {.listen = "127.0.0.1:0",
					 .limits = {.head_ms = 60000, .most = MOST}};

	server_fixture_open();
	int r = server_start(&server_fixture.c, &server_fixture.fake.engine, &o, &server);

	CU_ASSERT_EQUAL(r, 0);
}

static void
teardown(void)
{
	server_stop(server);
	server_fixture_close();
}

static const char *
get_item(void)
{
	return server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
}

static void
send_text(int fd, const char *text)
{
	(void)send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* Return: bytes of the answer */
static size_t
ask(int fd, const char *request)
{
	send_text(fd, request);
	return wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
}

/* Has the server closed this idle connection?  A regular close, not a reset. */
static bool
is_closed(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Which one each client replaces is a matter of test_connections.c: two loops may mark theirs as idle in any order. */
static void
a_new_client_replaces_an_idle_one(void)
{
	enum { MANY = 5 * MOST };
	const char *request = get_item();
	int fd[MANY];
	int closed = 0;
	unsigned tries = 0;

	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(NULL, server_port(server));
		(void)ask(fd[i], request);
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		CU_ASSERT_STRING_EQUAL(server_fixture_header("Connection"), "");
	}
	do {
		closed = 0;
		for (int i = 0; i < MANY; i++) {
			closed += is_closed(fd[i]);
		}
	} while (closed < MANY - MOST && wait_again(&tries));
	CU_ASSERT_EQUAL(closed, MANY - MOST);
	for (int i = 0; i < MANY; i++) {
		if (!is_closed(fd[i])) {
			(void)ask(fd[i], request);
			CU_ASSERT_EQUAL(server_fixture_status(), 200);
		}
		(void)close(fd[i]);
	}
}

static void
half_open_connections_block_no_client(void)
{
	static const char *const begun[] = {
		"",
		"PO",
		"POST / HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
		"POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
		"Content-Length: 10\r\n\r\n{",
	};
	enum { KINDS = sizeof(begun) / sizeof(begun[0]), MANY = 330 };
	int fd[MANY];

	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(NULL, server_port(server));
		send_text(fd[i], begun[i % KINDS]);
	}
	int late = wire_connect(NULL, server_port(server));

	(void)ask(late, get_item());
	CU_ASSERT_EQUAL(server_fixture_status(), 200);
	(void)close(late);
	for (int i = 0; i < MANY; i++) {
		(void)close(fd[i]);
	}
}

/* Has the server closed this connection in any way? */
static bool
is_gone(int fd)
{
	char byte;

	return is_closed(fd) ||
	       (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno != EAGAIN);
}

static unsigned
running(void)
{
	lock_scope(&server_fixture.fake.lock);
	return server_fixture.fake.inside;
}

/*
 * Connect and send a request until it is the @n-th one that runs.  On a slow machine the server may close the newest
 * connection above its limit before the request has arrived.
 */
static int
begin_running(const char *request, unsigned n)
{
	unsigned tries = 0;
	int fd;

	do {
		fd = wire_connect(NULL, server_port(server));
		send_text(fd, request);
		while (running() < n && !is_gone(fd) && wait_again(&tries)) {
		}
	} while (is_gone(fd) && close(fd) == 0);
	CU_ASSERT_EQUAL(running(), n);
	return fd;
}

static void
connections_with_a_running_request_are_not_closed(void)
{
	enum { MANY = MOST + 4 };
	const char *request = get_item();
	int fd[MANY];

	fake_engine_hold(&server_fixture.fake);
	for (int i = 0; i < MANY; i++) {
		fd[i] = begin_running(request, (unsigned)i + 1);
	}
	fake_engine_open(&server_fixture.fake);
	for (int i = 0; i < MANY; i++) {
		(void)wire_read(fd[i], server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		(void)close(fd[i]);
	}
}

/* A client sends a request just when its connection is closed to make room: the request is answered or not executed. */
static void
a_request_on_a_closing_connection_is_executed_once_or_not_at_all(void)
{
	enum { TIMES = 300 };
	const char *request = get_item();
	int fd[MOST];
	unsigned answered = 0;

	for (int i = 0; i < MOST; i++) {
		fd[i] = wire_connect(NULL, server_port(server));
		(void)ask(fd[i], request);
	}
	server_fixture.fake.calls = 0;
	for (int i = 0; i < TIMES; i++) {
		int *oldest = &fd[i % MOST];
		int newer = wire_connect(NULL, server_port(server));

		if (ask(*oldest, request) > 0) {
			answered++;
			CU_ASSERT_EQUAL(server_fixture_status(), 200);
		}
		(void)ask(newer, request);
		answered += server_fixture_status() == 200;
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		(void)close(*oldest);
		*oldest = newer;
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, answered);
	for (int i = 0; i < MOST; i++) {
		(void)close(fd[i]);
	}
}

/* ------------------------------------------------------------ unread answers */

enum { LARGE = 15 * 1024 * 1024, HOARDERS = 16, LEFT = 64 * 1024 };

/* Connect and request a large answer; its first byte has arrived, and the rest waits. */
static int
hoard(const char *request)
{
	int fd = wire_connect(NULL, server_port(server));
	char byte;

	send_text(fd, request);
	ssize_t n = recv(fd, &byte, 1, MSG_PEEK);

	CU_ASSERT_EQUAL(n, 1);
	return fd;
}

static unsigned
status_of(const char *request)
{
	int fd = wire_connect(NULL, server_port(server));

	(void)ask(fd, request);
	(void)close(fd);
	return server_fixture_status();
}

static void
unread_answers_are_bounded(void)
{
	static const char put[] = "{\"TableName\":\"abc\",\"Item\":{\"PK\":{\"S\":\"x\"}}}";
	static const char put_back[] = "{\"TableName\":\"abc\",\"Item\":{\"PK\":{\"S\":\"x\"}},"
				       "\"ReturnValues\":\"ALL_OLD\"}";
	const char *get = get_item();
	int fd[HOARDERS + 1];

	server_fixture.fake.answer_bytes = LARGE;
	for (int i = 0; i < HOARDERS; i++) {
		fd[i] = hoard(get);
	}
	server_fixture.fake.answer_bytes = WIRE_ANSWERS_MAX - HOARDERS * LARGE - LEFT;
	fd[HOARDERS] = hoard(get);
	server_fixture.fake.answer_bytes = 2 * LEFT;
	CU_ASSERT_EQUAL(status_of(get), 503);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "not read yet"));

	/* Small answers are always sent. */
	server_fixture.fake.answer_bytes = 0;
	CU_ASSERT_EQUAL(status_of(get), 200);
	CU_ASSERT_EQUAL(status_of(server_fixture_post("DynamoDB_20120810.PutItem", put)), 200);

	/* A write is executed only if there is room for its answer. */
	server_fixture.fake.calls = 0;
	CU_ASSERT_EQUAL(status_of(server_fixture_post("DynamoDB_20120810.PutItem", put_back)), 503);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);

	/* Closed connections return their room. */
	for (int i = 0; i <= HOARDERS; i++) {
		(void)close(fd[i]);
	}
	while (status_of(server_fixture_post("DynamoDB_20120810.PutItem", put_back)) != 200) {
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_new_client_replaces_an_idle_one),
	UNIT_TEST(half_open_connections_block_no_client),
	UNIT_TEST(connections_with_a_running_request_are_not_closed),
	UNIT_TEST(a_request_on_a_closing_connection_is_executed_once_or_not_at_all),
	UNIT_TEST(unread_answers_are_bounded),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(server_room, setup, teardown, tests);
