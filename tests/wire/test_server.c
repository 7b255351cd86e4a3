/* The HTTP door over an engine that only takes notes, spoken to in raw bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "store/base/clock.h"
#include "store/base/json.h"
#include "store/engine/feed.h"
#include "store/wire/crc32.h"
#include "store/wire/server.h"
#include "store/wire/wire.h"

#include "tests/support/unit.h"
#include "tests/wire/wire_test.h"

enum { ANSWER_BYTES = 64 * 1024, MB = 1024 * 1024 };

static struct call c;
static struct fake_engine fake;
static const char *folder;
static char path[128];
static struct server *local; /* on the Unix socket */
static struct server *tcp;
static char answer[ANSWER_BYTES];

static int
tell_refused(void *arg, struct call *call, const struct refused_in *in, struct refused_out *out)
{
	static const struct slice line = SLICE_INIT("a line");

	(void)call;
	(void)in;
	*(bool *)arg = true;
	*out = (struct refused_out){&line, 1};
	return 0;
}

static bool asked_refused;

static void
setup(void)
{
	call_open(&c, 0, 1 << 20);
	folder = wire_folder();
	(void)snprintf(path, sizeof(path), "%s/socket", folder);
	fake_engine_init(&fake);
	asked_refused = false;

	struct server_options on_socket = {
		.socket = path, .refused = tell_refused, .refused_arg = &asked_refused};
	struct server_options on_tcp = {.listen = "127.0.0.1:0"};

	if (server_start(&c, &fake.engine, &on_socket, &local) != 0 ||
	    server_start(&c, &fake.engine, &on_tcp, &tcp) != 0) {
		printf("%s\n", c.error.message);
		abort();
	}
}

static void
teardown(void)
{
	server_stop(local);
	server_stop(tcp);
	feed_free(fake.feed);
	fake_engine_release(&fake);
	wire_folder_remove(folder);
	call_close(&c);
}

#define TYPE "Content-Type: application/x-amz-json-1.0\r\n"

/* A request with a body and its length. */
static const char *
post(const char *target, const char *body)
{
	struct buf b;

	buf_init(&b, &c.arena);
	buf_fmt(&b,
		"POST / HTTP/1.1\r\nHost: localhost\r\n" TYPE
		"X-Amz-Target: %s\r\nContent-Length: %zu\r\n\r\n%s",
		target, strlen(body), body);
	buf_char(&b, '\0');
	return b.at;
}

static unsigned
status_of(const char *text)
{
	return strncmp(text, "HTTP/1.1 ", 9) == 0 ? (unsigned)strtoul(text + 9, NULL, 10) : 0;
}

/* Say @bytes on the Unix socket; the status, and the answer in "answer". */
static unsigned
say(const char *bytes)
{
	(void)wire_talk(path, 0, bytes, strlen(bytes), answer, sizeof(answer));
	return status_of(answer);
}

static unsigned
say_tcp(const char *bytes)
{
	(void)wire_talk(NULL, server_port(tcp), bytes, strlen(bytes), answer, sizeof(answer));
	return status_of(answer);
}

static const char *
body_of(const char *text)
{
	const char *end = strstr(text, "\r\n\r\n");

	return end == NULL ? "" : end + 4;
}

/* The value of a header, in the call's arena. */
static const char *
header_of(const char *text, const char *name)
{
	struct buf line;

	buf_init(&line, &c.arena);
	buf_fmt(&line, "\r\n%s: ", name);
	buf_char(&line, '\0');
	const char *at = strcasestr(text, line.at);

	if (at == NULL) {
		return "";
	}
	at += strlen(line.at);
	return slice_cstr(&c.arena, slice_of(at, strcspn(at, "\r")));
}

#define GET_ITEM "{\"TableName\":\"abc\",\"Key\":{\"PK\":{\"S\":\"x\"}}}"

static bool
saw(enum op_type type, const char *body)
{
	return fake.type == type && slice_is(buf_view(&fake.seen), body);
}

/* ------------------------------------------------------------ the usual */

static void
says_that_it_is_healthy(void)
{
	CU_ASSERT_EQUAL(say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
	CU_ASSERT_STRING_EQUAL(body_of(answer), "healthy: itemfs\n");
	CU_ASSERT_EQUAL(say_tcp("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
}

static void
carries_out_an_operation(void)
{
	struct crc32 crc;
	char sum[16];

	CU_ASSERT_EQUAL(say(post("DynamoDB_20120810.GetItem", GET_ITEM)), 200);
	CU_ASSERT_TRUE(saw(OP_GET_ITEM, GET_ITEM));
	CU_ASSERT_STRING_EQUAL(body_of(answer), "{}");
	CU_ASSERT_STRING_EQUAL(header_of(answer, "Content-Type"), "application/x-amz-json-1.0");
	crc32_init(&crc);
	(void)snprintf(sum, sizeof(sum), "%u", crc32_of(&crc, SLICE("{}")));
	CU_ASSERT_STRING_EQUAL(header_of(answer, "x-amz-crc32"), sum);
}

static void
every_answer_has_its_own_id(void)
{
	char first[64];

	(void)say(post("DynamoDB_20120810.GetItem", GET_ITEM));
	(void)snprintf(first, sizeof(first), "%s", header_of(answer, "x-amzn-RequestId"));
	CU_ASSERT_EQUAL(strlen(first), 52);
	CU_ASSERT_EQUAL(strspn(first, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 52);
	(void)say(post("DynamoDB_20120810.GetItem", GET_ITEM));
	CU_ASSERT_EQUAL(strlen(header_of(answer, "x-amzn-RequestId")), 52);
	CU_ASSERT_STRING_NOT_EQUAL(first, header_of(answer, "x-amzn-RequestId"));
}

static void
one_connection_serves_many_requests(void)
{
	int fd = wire_connect(path, 0);
	const char *request = post("DynamoDB_20120810.GetItem", GET_ITEM);

	for (unsigned i = 1; i <= 3; i++) {
		ssize_t sent = send(fd, request, strlen(request), MSG_NOSIGNAL);

		CU_ASSERT_EQUAL((size_t)sent, strlen(request));
		(void)wire_read(fd, answer, sizeof(answer));
		CU_ASSERT_EQUAL(status_of(answer), 200);
		CU_ASSERT_EQUAL(fake.calls, i);
	}
	(void)close(fd);
}

static void
bodies_come_in_chunks_too(void)
{
	CU_ASSERT_EQUAL(say("POST / HTTP/1.1\r\nHost: localhost\r\n" TYPE
			    "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
			    "Transfer-Encoding: chunked\r\n\r\n"
			    "5\r\n{\"Lim\r\n8\r\nit\": 12}\r\n0\r\n\r\n"),
			200);
	CU_ASSERT_TRUE(saw(OP_LIST_TABLES, "{\"Limit\":12}"));
}

static void
a_body_may_come_byte_by_byte(void)
{
	const char *request = post("DynamoDB_20120810.GetItem", GET_ITEM);
	int fd = wire_connect(path, 0);

	for (size_t i = 0; request[i] != '\0'; i++) {
		ssize_t sent = send(fd, request + i, 1, MSG_NOSIGNAL);

		CU_ASSERT_EQUAL(sent, 1);
	}
	(void)wire_read(fd, answer, sizeof(answer));
	CU_ASSERT_EQUAL(status_of(answer), 200);
	CU_ASSERT_TRUE(saw(OP_GET_ITEM, GET_ITEM));
	(void)close(fd);
}

static void
failures_have_their_status(void)
{
	static const struct {
		enum err code;
		unsigned status;
	} rows[] = {{ERR_NO_TABLE, 400}, {ERR_CONDITION, 400}, {ERR_BUSY, 503},
		    {ERR_IO, 500},       {ERR_NO_SPACE, 500},  {ERR_READ_ONLY, 500}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fake.fail = rows[i].code;
		CU_ASSERT_EQUAL(say_tcp(post("DynamoDB_20120810.GetItem", GET_ITEM)),
				rows[i].status);
		CU_ASSERT_PTR_NOT_NULL(strstr(body_of(answer), "the fake engine fails"));
		CU_ASSERT_PTR_NOT_NULL(strstr(body_of(answer), error_wire(rows[i].code)));
	}
}

/* ------------------------------------------------------------ ItemFS's own */

static void
own_operations_are_answered_on_the_socket_only(void)
{
	const char *request = post("ItemFS_1.Sync", "{}");

	CU_ASSERT_EQUAL(say(request), 200);
	CU_ASSERT_EQUAL(fake.type, OP_SYNC);
	CU_ASSERT_EQUAL(say_tcp(request), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(body_of(answer), "UnknownOperationException"));
	CU_ASSERT_EQUAL(fake.calls, 1);
}

static void
groups_do_not_mix(void)
{
	CU_ASSERT_EQUAL(say(post("ItemFS_1.GetItem", GET_ITEM)), 400);
	CU_ASSERT_EQUAL(say(post("DynamoDB_20120810.Sync", "{}")), 400);
	CU_ASSERT_EQUAL(fake.calls, 0);
}

static void
refused_operations_are_asked_of_the_mount(void)
{
	CU_ASSERT_EQUAL(say(post("ItemFS_1.Refused", "{}")), 200);
	CU_ASSERT_STRING_EQUAL(body_of(answer), "{\"Lines\":[{\"S\":\"a line\"}]}");
	CU_ASSERT_TRUE(asked_refused);
	CU_ASSERT_EQUAL(fake.calls, 0);
}

/* ------------------------------------------------------------ not a request */

static void
other_methods_and_types_are_no_operations(void)
{
	static const char *const rows[] = {
		"PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n",
		"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
		"Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
		"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
		"Content-Length: 2\r\n\r\n{}",
		"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
		"Content-Type: application/jsonx\r\nContent-Length: 2\r\n\r\n{}",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(say_tcp(rows[i]), 404);
		CU_ASSERT_STRING_EQUAL(body_of(answer), "<UnknownOperationException/>\n");
		CU_ASSERT_STRING_EQUAL(header_of(answer, "x-amz-crc32"), "3552371480");
		CU_ASSERT_STRING_EQUAL(header_of(answer, "Access-Control-Allow-Origin"), "");
	}
	CU_ASSERT_EQUAL(fake.calls, 0);
}

static void
targets_that_are_no_operations_are_told_so(void)
{
	static const char *const targets[] = {
		"",
		"ListTables",
		"DynamoDB_20120810.",
		"DynamoDB_20120810.UpdateItem",
		"DynamoDB_20120810.listtables",
		"DynamoDB_20111205.ListTables",
		"DynamoDB_20120810.ListTables.",
	};

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		CU_ASSERT_EQUAL(say(post(targets[i], "{}")), 400);
		CU_ASSERT_PTR_NOT_NULL(strstr(
			body_of(answer), "com.amazon.coral.service#UnknownOperationException"));
	}
	CU_ASSERT_EQUAL(fake.calls, 0);
}

static void
a_body_that_is_not_json_is_told_so(void)
{
	CU_ASSERT_EQUAL(say(post("DynamoDB_20120810.ListTables", "hi")), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(body_of(answer), "SerializationException"));
	CU_ASSERT_EQUAL(say(post("DynamoDB_20120810.ListTables", "")), 400);
	CU_ASSERT_EQUAL(fake.calls, 0);
}

static void
garbage_does_no_harm(void)
{
	static const char *const rows[] = {
		"\r\n\r\n\r\n",
		"GET\r\n\r\n",
		"POST / HTTP/9.9\r\n\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int fd = wire_connect(path, 0);

		(void)send(fd, rows[i], strlen(rows[i]), MSG_NOSIGNAL);
		(void)shutdown(fd, SHUT_WR);
		(void)wire_read(fd, answer, sizeof(answer));
		CU_ASSERT_NOT_EQUAL(status_of(answer), 200);
		(void)close(fd);
	}
	CU_ASSERT_EQUAL(fake.calls, 0);
	CU_ASSERT_EQUAL(say(post("DynamoDB_20120810.GetItem", GET_ITEM)), 200);
}

static void
headers_without_end_are_cut_off(void)
{
	struct buf b;

	buf_init(&b, NULL);
	buf_str(&b, "GET / HTTP/1.1\r\nHost: localhost\r\n");
	for (int i = 0; i < 20000; i++) {
		buf_fmt(&b, "X-Long-%d: abcdefghijklmnopqrstuvwxyz\r\n", i);
	}
	(void)wire_talk(path, 0, b.at, b.len, answer, sizeof(answer));
	CU_ASSERT_NOT_EQUAL(status_of(answer), 200);
	buf_release(&b);
	CU_ASSERT_EQUAL(say(post("DynamoDB_20120810.GetItem", GET_ITEM)), 200);
}

static void
half_a_body_is_not_carried_out(void)
{
	const char *request = post("DynamoDB_20120810.GetItem", GET_ITEM);
	int fd = wire_connect(path, 0);

	(void)send(fd, request, strlen(request) - 1, MSG_NOSIGNAL);
	(void)shutdown(fd, SHUT_WR);
	(void)wire_read(fd, answer, sizeof(answer));
	(void)close(fd);
	CU_ASSERT_EQUAL(fake.calls, 0);
	CU_ASSERT_EQUAL(say(request), 200);
}

/* ------------------------------------------------------------ who may ask */

static void
a_foreign_host_header_is_refused_on_tcp(void)
{
	static const char request[] = "POST / HTTP/1.1\r\nHost: evil.example:8000\r\n" TYPE
				      "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
				      "Content-Length: 2\r\n\r\n{}";

	CU_ASSERT_EQUAL(say_tcp(request), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(body_of(answer), "AccessDeniedException"));
	CU_ASSERT_EQUAL(fake.calls, 0);
	CU_ASSERT_EQUAL(say_tcp("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 400);
	CU_ASSERT_EQUAL(say(request), 200);
}

/* ------------------------------------------------------------ sizes */

static void
a_body_announced_too_large_is_not_waited_for(void)
{
	static const char *const lengths[] = {"16777217", "99999999999", "18446744073709551615"};

	for (size_t i = 0; i < 3; i++) {
		struct buf b;

		buf_init(&b, &c.arena);
		buf_fmt(&b,
			"POST / HTTP/1.1\r\nHost: localhost\r\n" TYPE
			"X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: %s\r\n\r\n",
			lengths[i]);
		buf_char(&b, '\0');
		CU_ASSERT_EQUAL(say(b.at), 413);
	}
	CU_ASSERT_EQUAL(fake.calls, 0);
}

/* Send until all is out or the other end closes. */
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

/* @n bytes that are blank to JSON, whatever stands around them. */
static const char *
blanks(size_t n)
{
	char *at = malloc(n);

	memset(at, ' ', n);
	return at;
}

static void
a_chunked_body_is_counted_as_it_comes(void)
{
	static const char head[] = "POST / HTTP/1.1\r\nHost: localhost\r\n" TYPE
				   "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
				   "Transfer-Encoding: chunked\r\n\r\n";
	static const char chunk[] = "100000\r\n";
	const char *mb = blanks(MB);
	int fd = wire_connect(path, 0);

	send_all(fd, head, sizeof(head) - 1);
	for (int i = 0; i < 17; i++) {
		send_all(fd, chunk, sizeof(chunk) - 1);
		send_all(fd, mb, MB);
		send_all(fd, "\r\n", 2);
	}
	send_all(fd, "0\r\n\r\n", 5);
	(void)wire_read(fd, answer, sizeof(answer));
	CU_ASSERT_EQUAL(status_of(answer), 413);
	CU_ASSERT_EQUAL(fake.calls, 0);
	(void)close(fd);
	free((char *)mb);
}

/* The headers of a request whose body has @n bytes. */
static void
send_head(int fd, size_t n)
{
	char head[256];
	int len = snprintf(head, sizeof(head),
			   "POST / HTTP/1.1\r\nHost: localhost\r\n" TYPE
			   "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
			   "Content-Length: %zu\r\n\r\n",
			   n);

	send_all(fd, head, (size_t)len);
}

static void
the_largest_body_is_read(void)
{
	const char *most = blanks(WIRE_BODY_MAX);
	int fd = wire_connect(path, 0);

	send_head(fd, WIRE_BODY_MAX);
	send_all(fd, most, WIRE_BODY_MAX - 2);
	send_all(fd, "{}", 2);
	(void)wire_read(fd, answer, sizeof(answer));
	CU_ASSERT_EQUAL(status_of(answer), 200);
	CU_ASSERT_EQUAL(fake.calls, 1);
	(void)close(fd);
	free((char *)most);
}

static void
all_bodies_together_are_bounded(void)
{
	enum { WAITING = 4 };
	const char *most = blanks(WIRE_BODY_MAX);
	int fd[WAITING];

	/* What send() has taken the server has read, but for the kernel's small buffer. */
	for (int i = 0; i < WAITING; i++) {
		fd[i] = wire_connect(path, 0);
		send_head(fd[i], WIRE_BODY_MAX);
		send_all(fd[i], most, WIRE_BODY_MAX - 2);
	}
	int one_more = wire_connect(path, 0);

	send_head(one_more, WIRE_BODY_MAX);
	send_all(one_more, most, WIRE_BODY_MAX);
	(void)wire_read(one_more, answer, sizeof(answer));
	CU_ASSERT_EQUAL(status_of(answer), 503);
	CU_ASSERT_EQUAL(fake.calls, 0);
	(void)close(one_more);
	for (int i = 0; i < WAITING; i++) {
		send_all(fd[i], "{}", 2);
		(void)wire_read(fd[i], answer, sizeof(answer));
		CU_ASSERT_EQUAL(status_of(answer), 200);
		(void)close(fd[i]);
	}
	free((char *)most);

	/* Everything was given back. */
	CU_ASSERT_EQUAL(say(post("DynamoDB_20120810.GetItem", GET_ITEM)), 200);
}

static void
large_answers_arrive_whole(void)
{
	static char large[4 * MB];
	const char *request = post("DynamoDB_20120810.GetItem", GET_ITEM);

	fake.answer_bytes = 3 * MB;
	size_t n = wire_talk(path, 0, request, strlen(request), large, sizeof(large));

	CU_ASSERT_EQUAL(status_of(large), 200);
	CU_ASSERT_TRUE(n > 3 * MB);
	CU_ASSERT_STRING_EQUAL(large + n - 4, "\"}}}");
}

/* ------------------------------------------------------------ many, slow, gone */

static void
a_client_that_leaves_does_no_harm(void)
{
	const char *request = post("DynamoDB_20120810.GetItem", GET_ITEM);

	fake.answer_bytes = 8 * MB;
	for (int i = 0; i < 20; i++) {
		int fd = wire_connect(path, 0);

		(void)send(fd, request, strlen(request), MSG_NOSIGNAL);
		(void)close(fd);
	}
	fake.answer_bytes = 0;
	CU_ASSERT_EQUAL(say(request), 200);
}

static void
requests_run_beside_each_other(void)
{
	enum { MANY = 32 };
	const char *request = post("DynamoDB_20120810.GetItem", GET_ITEM);
	int fd[MANY];

	fake.hold = true;
	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(path, 0);
		(void)send(fd[i], request, strlen(request), MSG_NOSIGNAL);
	}
	fake_engine_wait_inside(&fake, MANY);
	fake_engine_open(&fake);
	for (int i = 0; i < MANY; i++) {
		(void)wire_read(fd[i], answer, sizeof(answer));
		CU_ASSERT_EQUAL(status_of(answer), 200);
		(void)close(fd[i]);
	}
	CU_ASSERT_EQUAL(fake.most_inside, MANY);
}

static void
more_connections_than_are_served_wait_their_turn(void)
{
	enum { MANY = WIRE_CONNECTIONS_MAX + 40 };
	const char *request = post("DynamoDB_20120810.GetItem", GET_ITEM);
	int fd[MANY];

	for (int i = 0; i < MANY; i++) {
		fd[i] = wire_connect(path, 0);
		CU_ASSERT_TRUE(fd[i] >= 0);
		(void)send(fd[i], request, strlen(request), MSG_NOSIGNAL);
	}
	unsigned served = 0;

	for (int i = 0; i < MANY; i++) {
		(void)wire_read(fd[i], answer, sizeof(answer));
		served += status_of(answer) == 200;
		(void)close(fd[i]);
	}
	CU_ASSERT_EQUAL(served, MANY);
}

/* ------------------------------------------------------------ writes and mounts */

static void
a_write_waits_for_mounts_but_not_for_ever(void)
{
	const char *request = post("DynamoDB_20120810.PutItem",
				   "{\"TableName\":\"abc\",\"Item\":{\"PK\":{\"S\":\"x\"}}}");

	fake.feed = feed_new();
	struct feed_reader *deaf = feed_open(fake.feed);
	uint64_t before = clock_steady_ms();

	CU_ASSERT_EQUAL(say(request), 200);
	CU_ASSERT_TRUE(clock_steady_ms() - before >= 99);
	feed_close(deaf);
	CU_ASSERT_EQUAL(say(request), 200);
}

/* ------------------------------------------------------------ the end */

static void *
ask(void *arg)
{
	const char *request = arg;

	(void)wire_talk(path, 0, request, strlen(request), answer, sizeof(answer));
	return NULL;
}

static void *
stop(void *arg)
{
	(void)arg;
	server_stop(local);
	return NULL;
}

static void
stopping_lets_running_requests_end(void)
{
	char *request = (char *)post("DynamoDB_20120810.GetItem", GET_ITEM);
	pthread_t asking;
	pthread_t stopping;

	fake.hold = true;
	(void)pthread_create(&asking, NULL, ask, request);
	fake_engine_wait_inside(&fake, 1);
	(void)pthread_create(&stopping, NULL, stop, NULL);
	fake_engine_open(&fake);
	(void)pthread_join(asking, NULL);
	(void)pthread_join(stopping, NULL);
	local = NULL;
	CU_ASSERT_EQUAL(status_of(answer), 200);
	CU_ASSERT_EQUAL(wire_connect(path, 0), -1);
	CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

static void
idle_connections_do_not_hold_up_the_end(void)
{
	int fd = wire_connect(path, 0);
	int half = wire_connect(path, 0);
	uint64_t before = clock_steady_ms();

	(void)send(half, "POST / HTTP/1.1\r\n", 17, MSG_NOSIGNAL);
	server_stop(local);
	local = NULL;
	CU_ASSERT_TRUE(clock_steady_ms() - before < 5000);
	(void)close(fd);
	(void)close(half);
}

static void
an_address_that_cannot_be_had_is_an_error(void)
{
	struct server *s = NULL;
	char again[32];

	(void)snprintf(again, sizeof(again), "127.0.0.1:%d", server_port(tcp));
	int r = server_start(&c, &fake.engine, &(struct server_options){.listen = again}, &s);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	c.error = (struct error){0};
	r = server_start(&c, &fake.engine, &(struct server_options){.listen = "0.0.0.0:0"}, &s);
	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_PTR_NULL(s);
	server_stop(NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(says_that_it_is_healthy),
	UNIT_TEST(carries_out_an_operation),
	UNIT_TEST(every_answer_has_its_own_id),
	UNIT_TEST(one_connection_serves_many_requests),
	UNIT_TEST(bodies_come_in_chunks_too),
	UNIT_TEST(a_body_may_come_byte_by_byte),
	UNIT_TEST(failures_have_their_status),
	UNIT_TEST(own_operations_are_answered_on_the_socket_only),
	UNIT_TEST(groups_do_not_mix),
	UNIT_TEST(refused_operations_are_asked_of_the_mount),
	UNIT_TEST(other_methods_and_types_are_no_operations),
	UNIT_TEST(targets_that_are_no_operations_are_told_so),
	UNIT_TEST(a_body_that_is_not_json_is_told_so),
	UNIT_TEST(garbage_does_no_harm),
	UNIT_TEST(headers_without_end_are_cut_off),
	UNIT_TEST(half_a_body_is_not_carried_out),
	UNIT_TEST(a_foreign_host_header_is_refused_on_tcp),
	UNIT_TEST(a_body_announced_too_large_is_not_waited_for),
	UNIT_TEST(a_chunked_body_is_counted_as_it_comes),
	UNIT_TEST(the_largest_body_is_read),
	UNIT_TEST(all_bodies_together_are_bounded),
	UNIT_TEST(large_answers_arrive_whole),
	UNIT_TEST(a_client_that_leaves_does_no_harm),
	UNIT_TEST(requests_run_beside_each_other),
	UNIT_TEST(more_connections_than_are_served_wait_their_turn),
	UNIT_TEST(a_write_waits_for_mounts_but_not_for_ever),
	UNIT_TEST(stopping_lets_running_requests_end),
	UNIT_TEST(idle_connections_do_not_hold_up_the_end),
	UNIT_TEST(an_address_that_cannot_be_had_is_an_error),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(server, setup, teardown, tests);
