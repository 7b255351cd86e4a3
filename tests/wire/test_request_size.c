/* Sizes of HTTP requests and answers, and their limits. */
#include <sys/socket.h>

#include "store/wire/proto/wire.h"

#include "tests/support/unit.h"
#include "tests/wire/server_fixture.h"

enum { MB = 1024 * 1024 };

static void
a_body_announced_too_large_is_not_waited_for(void)
{
	static const char *const lengths[] = {"16777217", "99999999999", "18446744073709551615"};

	for (size_t i = 0; i < 3; i++) {
		struct buf b;

		buf_init(&b, &server_fixture.c.arena);
		buf_fmt(&b,
			"POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
			"X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: %s\r\n\r\n",
			lengths[i]);
		buf_char(&b, '\0');
		CU_ASSERT_EQUAL(server_fixture_say(b.at), 413);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

/* Send all bytes, or until the peer closes. */
static void
send_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent <= 0) {
			return;
		}
		bytes += sent;
		n -= (size_t)sent;
	}
}

/* @n spaces, which are valid around any JSON. */
static const char *
blanks(size_t n)
{
	char *at = malloc(n);

	memset(at, ' ', n);
	return at;
}

static void
a_chunked_body_is_counted_as_it_arrives(void)
{
	static const char head[] = "POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
				   "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
				   "Transfer-Encoding: chunked\r\n\r\n";
	static const char chunk[] = "100000\r\n";
	const char *mb = blanks(MB);
	int fd = wire_connect(server_fixture.path, 0);

	send_all(fd, head, sizeof(head) - 1);
	for (int i = 0; i < 17; i++) {
		send_all(fd, chunk, sizeof(chunk) - 1);
		send_all(fd, mb, MB);
		send_all(fd, "\r\n", 2);
	}
	send_all(fd, "0\r\n\r\n", 5);
	(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
	CU_ASSERT_EQUAL(server_fixture_status(), 413);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
	(void)close(fd);
	free((char *)mb);
}

/* Send the head of a request whose body has @n bytes. */
static void
send_head(int fd, size_t n)
{
	char head[256];
	int len = snprintf(head, sizeof(head),
			   "POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
			   "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
			   "Content-Length: %zu\r\n\r\n",
			   n);

	send_all(fd, head, (size_t)len);
}

static void
the_largest_body_is_read(void)
{
	const char *most = blanks(WIRE_BODY_MAX);
	int fd = wire_connect(server_fixture.path, 0);

	send_head(fd, WIRE_BODY_MAX);
	send_all(fd, most, WIRE_BODY_MAX - 2);
	send_all(fd, "{}", 2);
	(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
	CU_ASSERT_EQUAL(server_fixture_status(), 200);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 1);
	(void)close(fd);
	free((char *)most);
}

static void
all_bodies_together_are_bounded(void)
{
	enum { WAITING = 4 };
	const char *most = blanks(WIRE_BODY_MAX);
	int fd[WAITING];

	/*
	 * The server has read all bytes that send() accepted, except for those in kernel buffers, which are much less
	 * than a MB.
	 */
	for (int i = 0; i < WAITING; i++) {
		fd[i] = wire_connect(server_fixture.path, 0);
		send_head(fd[i], WIRE_BODY_MAX);
		send_all(fd[i], most, WIRE_BODY_MAX - MB);
	}
	int one_more = wire_connect(server_fixture.path, 0);

	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("DynamoDB_20120810.GetItem",
							       SERVER_FIXTURE_GET_ITEM)),
			200);
	server_fixture.fake.calls = 0;
	send_head(one_more, WIRE_BODY_MAX);
	send_all(one_more, most, WIRE_BODY_MAX);
	(void)wire_read(one_more, server_fixture.answer, sizeof(server_fixture.answer));
	CU_ASSERT_EQUAL(server_fixture_status(), 503);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
	(void)close(one_more);
	for (int i = 0; i < WAITING; i++) {
		send_all(fd[i], most, MB - 2);
		send_all(fd[i], "{}", 2);
		(void)wire_read(fd[i], server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		(void)close(fd[i]);
	}
	free((char *)most);

	/* All memory of bodies has been returned. */
	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("DynamoDB_20120810.GetItem",
							       SERVER_FIXTURE_GET_ITEM)),
			200);
}

static void
large_answers_arrive_whole(void)
{
	static char large[(size_t)4 * MB];
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);

	server_fixture.fake.answer_bytes = (size_t)3 * MB;
	size_t n =
		wire_talk(server_fixture.path, 0, request, strlen(request), large, sizeof(large));

	CU_ASSERT_EQUAL(strncmp(large, "HTTP/1.1 200 ", 13), 0);
	CU_ASSERT_TRUE(n > (size_t)3 * MB);
	CU_ASSERT_STRING_EQUAL(large + n - 4, "\"}}}");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_body_announced_too_large_is_not_waited_for),
	UNIT_TEST(a_chunked_body_is_counted_as_it_arrives),
	UNIT_TEST(the_largest_body_is_read),
	UNIT_TEST(all_bodies_together_are_bounded),
	UNIT_TEST(large_answers_arrive_whole),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(request_size, server_fixture_open, server_fixture_close, tests);
