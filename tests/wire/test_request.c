/* Valid and invalid HTTP requests and their answers, in raw bytes. */
#include <sys/socket.h>

#include "store/wire/proto/gzip.h"

#include "tests/support/unit.h"
#include "tests/wire/server_fixture.h"

/* ------------------------------------------------------------ valid requests */

static void
says_that_it_is_healthy(void)
{
	CU_ASSERT_EQUAL(server_fixture_say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_body(), "healthy: localhost\n");
	CU_ASSERT_EQUAL(server_fixture_say_tcp("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
}

/* Return: the status of an answer without a body */
static unsigned
say_head(const char *url, const char *host)
{
	char request[128];

	(void)snprintf(request, sizeof(request),
		       "HEAD %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", url, host);
	unsigned status = server_fixture_say_tcp(request);

	CU_ASSERT_STRING_EQUAL(server_fixture_body(), "");
	return status;
}

/* HEAD returns the length of the answer to GET, without the body. */
static void
head_is_a_get_without_its_body(void)
{
	static const char *const urls[] = {"/", "/health", "/_localstack/health"};

	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		CU_ASSERT_EQUAL(say_head(urls[i], "localhost"), 200);
		CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Length"), "19");
		CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Type"), "text/plain");
	}
	CU_ASSERT_EQUAL(say_head("/x", "localhost"), 404);
	CU_ASSERT_EQUAL(say_head("/", "evil.example"), 400);
}

static void
carries_out_an_operation(void)
{
	char sum[16];

	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("DynamoDB_20120810.GetItem",
							       SERVER_FIXTURE_GET_ITEM)),
			200);
	CU_ASSERT_TRUE(server_fixture_saw(OP_GET_ITEM, SERVER_FIXTURE_GET_ITEM));
	CU_ASSERT_STRING_EQUAL(server_fixture_body(), "{}");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Type"), "application/x-amz-json-1.0");
	(void)snprintf(sum, sizeof(sum), "%u", gzip_sum(SLICE("{}")));
	CU_ASSERT_STRING_EQUAL(server_fixture_header("x-amz-crc32"), sum);
}

/* Send a request with the header lines @head.  Return: the status */
static unsigned
say_tcp_headed(const char *head, const char *body)
{
	struct buf b;

	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b, "POST / HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %zu\r\n\r\n%s", head,
		strlen(body), body);
	return server_fixture_say_tcp(slice_cstr(&server_fixture.c.arena, buf_view(&b)));
}

#define LIST_TABLES "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"

static void
the_answer_has_the_type_of_the_request(void)
{
	CU_ASSERT_EQUAL(say_tcp_headed(LIST_TABLES SERVER_FIXTURE_TYPE, "{}"), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Type"), "application/x-amz-json-1.0");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Server"), "Server");
	CU_ASSERT_EQUAL(say_tcp_headed(LIST_TABLES
				       "Content-Type: application/json; charset=utf-8\r\n",
				       "{}"),
			200);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Type"), "application/json");
	CU_ASSERT_EQUAL(say_tcp_headed("", ""), 400);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Type"), "application/json");
	CU_ASSERT_EQUAL(say_tcp_headed(LIST_TABLES "Content-Type: text/plain\r\n", "{}"), 404);
	CU_ASSERT_EQUAL(say_tcp_headed(LIST_TABLES, "{}"), 404);
}

#define REFUSED(name) "{\"__type\":\"com.amazon.coral.service#" name "Exception\"}"

/* The body is checked before the operation, and the error has no message. */
static void
invalid_requests_are_refused_without_a_message(void)
{
	static const struct {
		const char *head;
		const char *body;
		const char *answer;
	} rows[] = {
		{"", "", REFUSED("UnknownOperation")},
		{SERVER_FIXTURE_TYPE, "", REFUSED("UnknownOperation")},
		{"X-Amz-Target: DynamoDB_20120810.ListTable\r\n", "", REFUSED("UnknownOperation")},
		{LIST_TABLES, "", REFUSED("Serialization")},
		{LIST_TABLES SERVER_FIXTURE_TYPE, "hello", REFUSED("Serialization")},
		{SERVER_FIXTURE_TYPE, "hello", REFUSED("Serialization")},
		{SERVER_FIXTURE_TYPE, "{}", REFUSED("UnknownOperation")},
		{"X-Amz-Target: DynamoDB_20120810.Nothing\r\n" SERVER_FIXTURE_TYPE, "{}",
		 REFUSED("UnknownOperation")}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(say_tcp_headed(rows[i].head, rows[i].body), 400);
		CU_ASSERT_STRING_EQUAL(server_fixture_body(), rows[i].answer);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

static void
a_head_has_at_most_16_kb(void)
{
	struct buf b;

	for (size_t n = 15; n <= 17; n += 2) {
		buf_init(&b, &server_fixture.c.arena);
		buf_str(&b, LIST_TABLES SERVER_FIXTURE_TYPE "X-Long: ");
		memset(buf_room(&b, n * 1024), 'a', n * 1024);
		b.len += n * 1024;
		buf_str(&b, "\r\n");
		CU_ASSERT_EQUAL(
			say_tcp_headed(slice_cstr(&server_fixture.c.arena, buf_view(&b)), "{}"),
			n < 16 ? 200 : 400);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 1);
}

#define CREDENTIAL(region) \
	LIST_TABLES SERVER_FIXTURE_TYPE \
		"Authorization: AWS4-HMAC-SHA256 Credential=AKID/20260101/" region \
		"/dynamodb/aws4_request SignedHeaders=host Signature=00\r\nX-Amz-Date: 20260101T000000Z\r\n"

static void
arns_name_the_region_that_is_signed_for(void)
{
	static const struct {
		const char *head;
		const char *region;
	} rows[] = {{LIST_TABLES SERVER_FIXTURE_TYPE, ""},
		    {CREDENTIAL("eu-west-2"), "eu-west-2"},
		    {CREDENTIAL("a\"b"), ""},
		    {CREDENTIAL("ap-south-1"), "ap-south-1"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(say_tcp_headed(rows[i].head, "{}"), 200);
		CU_ASSERT_STRING_EQUAL(server_fixture.fake.region, rows[i].region);
	}
}

static void
every_answer_has_its_own_id(void)
{
	char first[64];

	(void)server_fixture_say(
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM));
	(void)snprintf(first, sizeof(first), "%s", server_fixture_header("x-amzn-RequestId"));
	CU_ASSERT_EQUAL(strlen(first), 52);
	CU_ASSERT_EQUAL(strspn(first, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 52);
	(void)server_fixture_say(
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM));
	CU_ASSERT_EQUAL(strlen(server_fixture_header("x-amzn-RequestId")), 52);
	CU_ASSERT_STRING_NOT_EQUAL(first, server_fixture_header("x-amzn-RequestId"));
}

static void
one_connection_serves_many_requests(void)
{
	int fd = wire_connect(server_fixture.path, 0);
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);

	for (unsigned i = 1; i <= 3; i++) {
		CU_ASSERT_EQUAL((size_t)send(fd, request, strlen(request), MSG_NOSIGNAL),
				strlen(request));
		(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		CU_ASSERT_EQUAL(server_fixture.fake.calls, i);
	}
	(void)close(fd);
}

static void
bodies_come_in_chunks_too(void)
{
	CU_ASSERT_EQUAL(
		server_fixture_say(
			"POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE LIST_TABLES
			"Transfer-Encoding: chunked\r\n\r\n"
			"5\r\n{\"Lim\r\n8\r\nit\": 12}\r\n0\r\n\r\n"),
		200);
	CU_ASSERT_TRUE(server_fixture_saw(OP_LIST_TABLES, "{\"Limit\":12}"));
}

static void
a_body_may_come_byte_by_byte(void)
{
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	int fd = wire_connect(server_fixture.path, 0);

	for (size_t i = 0; request[i] != '\0'; i++) {
		CU_ASSERT_EQUAL(send(fd, request + i, 1, MSG_NOSIGNAL), 1);
	}
	(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
	CU_ASSERT_EQUAL(server_fixture_status(), 200);
	CU_ASSERT_TRUE(server_fixture_saw(OP_GET_ITEM, SERVER_FIXTURE_GET_ITEM));
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
		server_fixture.fake.fail = rows[i].code;
		CU_ASSERT_EQUAL(server_fixture_say_tcp(server_fixture_post(
					"DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM)),
				rows[i].status);
		CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "the fake engine fails"));
		CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), error_wire(rows[i].code)));
	}
}

static void
a_failed_page_is_answered_with_only_the_error(void)
{
	const char *scan = server_fixture_post("DynamoDB_20120810.Scan", "{\"TableName\":\"abc\"}");

	server_fixture.fake.fail = ERR_CORRUPT;
	CU_ASSERT_EQUAL(server_fixture_say_tcp(scan), 500);
	CU_ASSERT_EQUAL(strncmp(server_fixture_body(), "{\"__type\"", strlen("{\"__type\"")), 0);
	server_fixture.fake.fail = ERR_NONE;
	CU_ASSERT_EQUAL(server_fixture_say_tcp(scan), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_body(),
			       "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}");
}

/* ------------------------------------------------------------ ItemFS's own operations */

static void
own_operations_are_answered_on_the_socket_only(void)
{
	const char *request = server_fixture_post("ItemFS_1.Sync", "{}");

	CU_ASSERT_EQUAL(server_fixture_say(request), 200);
	CU_ASSERT_EQUAL(server_fixture.fake.type, OP_SYNC);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "UnknownOperationException"));
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 1);
}

static void
targets_need_the_group_of_their_operation(void)
{
	CU_ASSERT_EQUAL(server_fixture_say(
				server_fixture_post("ItemFS_1.GetItem", SERVER_FIXTURE_GET_ITEM)),
			400);
	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("DynamoDB_20120810.Sync", "{}")),
			400);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

static void
the_mount_answers_the_operation_refused(void)
{
	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("ItemFS_1.Refused", "{}")), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_body(), "{\"Lines\":[{\"S\":\"a line\"}]}");
	CU_ASSERT_TRUE(server_fixture.asked_refused);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

/* ------------------------------------------------------------ invalid requests */

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
		"Content-Type: application/jsonx\r\nContent-Length: 2\r\n\r\n{}"};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(server_fixture_say_tcp(rows[i]), 404);
		CU_ASSERT_STRING_EQUAL(server_fixture_body(), "<UnknownOperationException/>\n");
		CU_ASSERT_STRING_EQUAL(server_fixture_header("x-amz-crc32"), "3552371480");
		CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Origin"), "");
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

static void
unknown_targets_are_errors(void)
{
	static const char *const targets[] = {"",
					      "ListTables",
					      "DynamoDB_20120810.",
					      "DynamoDB_20120810.UpdateItems",
					      "DynamoDB_20120810.listtables",
					      "DynamoDB_20111205.ListTables",
					      "DynamoDB_20120810.ListTables."};

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post(targets[i], "{}")), 400);
		CU_ASSERT_PTR_NOT_NULL(
			strstr(server_fixture_body(),
			       "com.amazon.coral.service#UnknownOperationException"));
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

static void
a_body_that_is_not_json_is_an_error(void)
{
	CU_ASSERT_EQUAL(
		server_fixture_say(server_fixture_post("DynamoDB_20120810.ListTables", "hi")), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "SerializationException"));
	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("DynamoDB_20120810.ListTables", "")),
			400);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

static void
garbage_does_no_harm(void)
{
	static const char *const rows[] = {
		"GET\r\n\r\n",
		"POST / HTTP/9.9\r\n\r\n",
		"\x16\x03\x01\x02\x01\x01\xfc\x03\x03\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int fd = wire_connect(server_fixture.path, 0);

		(void)send(fd, rows[i], strlen(rows[i]), MSG_NOSIGNAL);
		(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_NOT_EQUAL(server_fixture_status(), 200);
		(void)close(fd);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("DynamoDB_20120810.GetItem",
							       SERVER_FIXTURE_GET_ITEM)),
			200);
}

/* Like "nc -N": a client that closes during an operation may get no answer (DECISIONS 26). */
static void
a_client_that_closes_after_its_request_does_no_harm(void)
{
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);

	for (int when = FAKE_NOT_TAKEN; when <= FAKE_LATER; when++) {
		server_fixture.fake.submit = when;
		for (int i = 0; i < 20; i++) {
			int fd = wire_connect(server_fixture.path, 0);

			(void)send(fd, request, strlen(request), MSG_NOSIGNAL);
			(void)shutdown(fd, SHUT_WR);
			size_t n =
				wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));

			CU_ASSERT_TRUE(server_fixture_status() == 200 ||
				       (n == 0 && when != FAKE_AT_ONCE));
			(void)close(fd);
		}
	}
	CU_ASSERT_EQUAL(server_fixture_say(request), 200);
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
	(void)wire_talk(server_fixture.path, 0, b.at, b.len, server_fixture.answer,
			sizeof(server_fixture.answer));
	CU_ASSERT_NOT_EQUAL(server_fixture_status(), 200);
	buf_release(&b);
	CU_ASSERT_EQUAL(server_fixture_say(server_fixture_post("DynamoDB_20120810.GetItem",
							       SERVER_FIXTURE_GET_ITEM)),
			200);
}

static void
a_truncated_body_is_not_executed(void)
{
	const struct server_options o = {.listen = "127.0.0.1:0",
					 .limits = {.head_ms = 100, .arrival_ms = 100}};
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	struct server *s = NULL;

	CU_ASSERT_EQUAL_FATAL(server_start(&server_fixture.c, &server_fixture.fake.engine, &o, &s),
			      0);
	int fd = wire_connect(NULL, server_port(s));

	(void)send(fd, request, strlen(request) - 1, MSG_NOSIGNAL);
	/* The server sees an end that comes with the bytes only when it stops waiting for the rest. */
	(void)shutdown(fd, SHUT_WR);
	(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
	(void)close(fd);
	server_stop(s);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
	CU_ASSERT_EQUAL(server_fixture_say(request), 200);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(says_that_it_is_healthy),
	UNIT_TEST(head_is_a_get_without_its_body),
	UNIT_TEST(carries_out_an_operation),
	UNIT_TEST(the_answer_has_the_type_of_the_request),
	UNIT_TEST(invalid_requests_are_refused_without_a_message),
	UNIT_TEST(a_head_has_at_most_16_kb),
	UNIT_TEST(arns_name_the_region_that_is_signed_for),
	UNIT_TEST(every_answer_has_its_own_id),
	UNIT_TEST(one_connection_serves_many_requests),
	UNIT_TEST(bodies_come_in_chunks_too),
	UNIT_TEST(a_body_may_come_byte_by_byte),
	UNIT_TEST(failures_have_their_status),
	UNIT_TEST(a_failed_page_is_answered_with_only_the_error),
	UNIT_TEST(own_operations_are_answered_on_the_socket_only),
	UNIT_TEST(targets_need_the_group_of_their_operation),
	UNIT_TEST(the_mount_answers_the_operation_refused),
	UNIT_TEST(other_methods_and_types_are_no_operations),
	UNIT_TEST(unknown_targets_are_errors),
	UNIT_TEST(a_body_that_is_not_json_is_an_error),
	UNIT_TEST(garbage_does_no_harm),
	UNIT_TEST(a_client_that_closes_after_its_request_does_no_harm),
	UNIT_TEST(headers_without_end_are_cut_off),
	UNIT_TEST(a_truncated_body_is_not_executed),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(request, server_fixture_open, server_fixture_close, tests);
