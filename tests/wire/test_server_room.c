/* More clients than a server keeps: who gets in, who must go, and what the one who goes is told. */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "store/wire/proto/wire.h"

#include "tests/support/unit.h"
#include "tests/wire/door.h"

enum { MOST = 8 };

static struct server *server;

static void
setup(void)
{
	const struct server_options o = {.listen = "127.0.0.1:0",
					 .limits = {.head_ms = 60000, .most = MOST}};

	door_open();
	int r = server_start(&door.c, &door.fake.engine, &o, &server);

	CU_ASSERT_EQUAL(r, 0);
}

static void
teardown(void)
{
	server_stop(server);
	door_close();
}

static const char *
get_item(void)
{
	return door_post("DynamoDB_20120810.GetItem", DOOR_GET_ITEM);
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
	return wire_read(fd, door.answer, sizeof(door.answer));
}

static void
a_new_client_replaces_the_one_that_is_idle_longest(void)
{
	enum { MANY = 5 * MOST };
	const char *request = get_item();
	int fd[MANY];
	char byte;

	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(NULL, server_port(server));
		(void)ask(fd[i], request);
		CU_ASSERT_EQUAL(door_status(), 200);
		CU_ASSERT_STRING_EQUAL(door_header("Connection"), "");
	}
	for (int i = 0; i < MANY - MOST; i++) {
		/* An end, and no reset. */
		ssize_t n = recv(fd[i], &byte, 1, 0);

		CU_ASSERT_EQUAL(n, 0);
		(void)close(fd[i]);
	}
	for (int i = MANY - MOST; i < MANY; i++) {
		(void)ask(fd[i], request);
		CU_ASSERT_EQUAL(door_status(), 200);
		(void)close(fd[i]);
	}
}

static void
half_open_connections_keep_nobody_out(void)
{
	static const char *const begun[] = {
		"",
		"PO",
		"POST / HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
		"POST / HTTP/1.1\r\nHost: localhost\r\n" DOOR_TYPE "Content-Length: 10\r\n\r\n{",
	};
	enum { KINDS = sizeof(begun) / sizeof(begun[0]), MANY = 330 };
	int fd[MANY];

	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(NULL, server_port(server));
		send_text(fd[i], begun[i % KINDS]);
	}
	int late = wire_connect(NULL, server_port(server));

	(void)ask(late, get_item());
	CU_ASSERT_EQUAL(door_status(), 200);
	(void)close(late);
	for (int i = 0; i < MANY; i++) {
		(void)close(fd[i]);
	}
}

static void
nobody_is_closed_whose_request_is_under_way(void)
{
	enum { MANY = MOST + 4 };
	const char *request = get_item();
	int fd[MANY];

	fake_engine_hold(&door.fake);
	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(NULL, server_port(server));
		send_text(fd[i], request);
	}
	fake_engine_wait_inside(&door.fake, MANY);
	fake_engine_open(&door.fake);
	for (int i = 0; i < MANY; i++) {
		(void)wire_read(fd[i], door.answer, sizeof(door.answer));
		CU_ASSERT_EQUAL(door_status(), 200);
		(void)close(fd[i]);
	}
}

/* A client sends just when its connection must make room: it is answered, or nothing was carried out. */
static void
a_request_that_meets_the_end_is_carried_out_once_or_not_at_all(void)
{
	enum { TIMES = 300 };
	const char *request = get_item();
	int fd[MOST];
	unsigned answered = 0;

	for (int i = 0; i < MOST; i++) {
		fd[i] = wire_connect(NULL, server_port(server));
		(void)ask(fd[i], request);
	}
	door.fake.calls = 0;
	for (int i = 0; i < TIMES; i++) {
		int *oldest = &fd[i % MOST];
		int newer = wire_connect(NULL, server_port(server));

		if (ask(*oldest, request) > 0) {
			answered++;
			CU_ASSERT_EQUAL(door_status(), 200);
		}
		(void)ask(newer, request);
		answered += door_status() == 200;
		CU_ASSERT_EQUAL(door_status(), 200);
		(void)close(*oldest);
		*oldest = newer;
	}
	CU_ASSERT_EQUAL(door.fake.calls, answered);
	for (int i = 0; i < MOST; i++) {
		(void)close(fd[i]);
	}
}

/* ------------------------------------------------------------ answers that nobody reads */

enum { LARGE = 15 * 1024 * 1024, HOARDERS = 16, LEFT = 64 * 1024 };

/* Connect and ask for a large answer; it has begun to come, and the rest of it waits. */
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
	return door_status();
}

static void
answers_that_nobody_reads_are_bounded(void)
{
	static const char put[] = "{\"TableName\":\"abc\",\"Item\":{\"PK\":{\"S\":\"x\"}}}";
	static const char put_back[] = "{\"TableName\":\"abc\",\"Item\":{\"PK\":{\"S\":\"x\"}},"
				       "\"ReturnValues\":\"ALL_OLD\"}";
	const char *get = get_item();
	int fd[HOARDERS + 1];

	door.fake.answer_bytes = LARGE;
	for (int i = 0; i < HOARDERS; i++) {
		fd[i] = hoard(get);
	}
	door.fake.answer_bytes = WIRE_ANSWERS_MAX - HOARDERS * LARGE - LEFT;
	fd[HOARDERS] = hoard(get);
	door.fake.answer_bytes = 2 * LEFT;
	CU_ASSERT_EQUAL(status_of(get), 503);
	CU_ASSERT_PTR_NOT_NULL(strstr(door_body(), "not read yet"));

	/* What is little is always answered. */
	door.fake.answer_bytes = 0;
	CU_ASSERT_EQUAL(status_of(get), 200);
	CU_ASSERT_EQUAL(status_of(door_post("DynamoDB_20120810.PutItem", put)), 200);

	/* A write begins only if its answer has room. */
	door.fake.calls = 0;
	CU_ASSERT_EQUAL(status_of(door_post("DynamoDB_20120810.PutItem", put_back)), 503);
	CU_ASSERT_EQUAL(door.fake.calls, 0);

	/* Who goes gives back. */
	for (int i = 0; i <= HOARDERS; i++) {
		(void)close(fd[i]);
	}
	while (status_of(door_post("DynamoDB_20120810.PutItem", put_back)) != 200) {
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_new_client_replaces_the_one_that_is_idle_longest),
	UNIT_TEST(half_open_connections_keep_nobody_out),
	UNIT_TEST(nobody_is_closed_whose_request_is_under_way),
	UNIT_TEST(a_request_that_meets_the_end_is_carried_out_once_or_not_at_all),
	UNIT_TEST(answers_that_nobody_reads_are_bounded),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(server_room, setup, teardown, tests);
