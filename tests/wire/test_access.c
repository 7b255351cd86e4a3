/* Who may send requests to the HTTP server, in raw bytes. */
#include <sys/stat.h>

#include "store/wire/server/access.h"

#include "tests/support/unit.h"
#include "tests/wire/server_fixture.h"

/* Signed with the openssl command at this time; see test_sigv4.c. */
enum { SIGNED_S = 1767323045 };
#define SIGNATURE "236d88c61a89bb8a79cb272595e31d20d262e98678b4de171d54956a3ca1f473"

/* ------------------------------------------------------------ Host */

static void
a_foreign_host_header_is_refused_on_tcp(void)
{
	static const char request[] =
		"POST / HTTP/1.1\r\nHost: evil.example:8000\r\n" SERVER_FIXTURE_TYPE
		"X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
		"Content-Length: 2\r\n\r\n{}";

	CU_ASSERT_EQUAL(server_fixture_say_tcp(request), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "AccessDeniedException"));
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
	CU_ASSERT_EQUAL(server_fixture_say_tcp("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
			400);
	CU_ASSERT_EQUAL(server_fixture_say(request), 200);
}

/* Restart the TCP server in a trusted network; @cors: NULL, or the origin of pages that may send requests. */
static void
trust_the_network(const char *cors)
{
	struct server_options o = {.listen = "0.0.0.0:0", .trust_network = true, .cors = cors};

	server_fixture_restart(&o);
}

/* Send an operation for the host @host with the headers @head.  Return: the status */
static unsigned
ask_host(const char *host, const char *head)
{
	struct buf b;

	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b,
		"POST / HTTP/1.1\r\nHost: %s\r\n%s" SERVER_FIXTURE_TYPE
		"X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: %zu\r\n\r\n"
		"%s",
		host, head, strlen(SERVER_FIXTURE_GET_ITEM), SERVER_FIXTURE_GET_ITEM);
	return server_fixture_say_tcp(slice_cstr(&server_fixture.c.arena, buf_view(&b)));
}

static void
a_trusted_network_may_use_any_address_and_name(void)
{
	trust_the_network(NULL);
	CU_ASSERT_EQUAL(ask_host("dynamodb:8000", ""), 200);
	CU_ASSERT_EQUAL(ask_host("db.default.svc.cluster.local", ""), 200);
	CU_ASSERT_EQUAL(ask_host("dynamodb:8000", "Accept: text/html, */*\r\n"), 200);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 3);
	CU_ASSERT_EQUAL(server_fixture_say_tcp("GET /health HTTP/1.1\r\nHost: dynamodb\r\n\r\n"),
			200);
}

static void
a_trusted_network_protects_against_dns_rebinding(void)
{
	static const char page[] = "GET /abc HTTP/1.1\r\nAccept: text/html\r\nHost: ";
	struct buf b;

	trust_the_network(NULL);
	CU_ASSERT_EQUAL(ask_host("evil.example:8000", "Origin: http://evil.example:8000\r\n"), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "AccessDeniedException"));
	CU_ASSERT_EQUAL(ask_host("evil.example:8000", "Origin: null\r\n"), 400);
	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b, "%sevil.example:8000\r\n\r\n", page);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(slice_cstr(&server_fixture.c.arena, buf_view(&b))),
			400);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
	CU_ASSERT_EQUAL(ask_host("localhost:8000", "Origin: http://localhost:8000\r\n"), 200);
}

static void
an_allowed_page_may_use_any_name_of_a_trusted_network(void)
{
	trust_the_network("http://app:3000");
	CU_ASSERT_EQUAL(ask_host("dynamodb:8000", "Origin: http://app:3000\r\n"), 200);
	CU_ASSERT_EQUAL(ask_host("dynamodb:8000", "Origin: http://dynamodb:8000\r\n"), 400);
}

/* ------------------------------------------------------------ signatures */

static uint64_t
when_it_was_signed(void)
{
	return SIGNED_S * 1000ULL;
}

/* Restart the TCP server so that it requires signatures. */
static void
ask_for_signatures(const char *address)
{
	char path[160];
	struct server_options o = {
		.listen = address, .credentials = path, .now_ms = when_it_was_signed};

	(void)snprintf(path, sizeof(path), "%s/credentials", server_fixture.folder);
	FILE *f = fopen(path, "we");

	(void)fputs("[default]\naws_access_key_id = AKIDONE\n"
		    "aws_secret_access_key = itemfs/test+SECRET\n",
		    f);
	(void)fclose(f);
	CU_ASSERT_EQUAL(chmod(path, 0600), 0);
	server_fixture_restart(&o);
}

/* A GetItem request with that signature; "" for none. */
static const char *
request_signed(const char *body, const char *signature)
{
	struct buf b;

	buf_init(&b, &server_fixture.c.arena);
	buf_str(&b, "POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
		    "X-Amz-Target: DynamoDB_20120810.GetItem\r\n");
	if (signature[0] != '\0') {
		buf_fmt(&b,
			"X-Amz-Date: 20260102T030405Z\r\nAuthorization: AWS4-HMAC-SHA256 "
			"Credential=AKIDONE/20260102/eu-north-1/dynamodb/aws4_request, "
			"SignedHeaders=host;x-amz-date;x-amz-target, Signature=%s\r\n",
			signature);
	}
	buf_fmt(&b, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
	buf_char(&b, '\0');
	return b.at;
}

static void
only_signed_requests_are_answered(void)
{
	ask_for_signatures("127.0.0.1:0");
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, SIGNATURE)),
			200);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 1);

	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, "")), 400);
	CU_ASSERT_STRING_EQUAL(
		server_fixture_body(),
		"{\"__type\":\"com.amazon.coral.service#MissingAuthenticationTokenException\","
		"\"message\":\"Request is missing Authentication Token\"}");
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed("", "")), 400);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(server_fixture_body(),
		       "com.amazon.coral.service#MissingAuthenticationTokenException"));
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed("{", "")), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "SerializationException"));
	CU_ASSERT_EQUAL(
		server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM " ", SIGNATURE)),
		400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(),
				      "com.amazon.coral.service#InvalidSignatureException"));
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 1);
}

static void
a_large_request_is_checked_too(void)
{
	char *body = arena_new(&server_fixture.c.arena, char, 20001);

	memset(body, ' ', 20000);
	memcpy(body, "{}", 2);
	ask_for_signatures("127.0.0.1:0");
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(body, SIGNATURE)), 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "InvalidSignatureException"));
}

static void
requests_on_the_socket_need_no_signature(void)
{
	ask_for_signatures("127.0.0.1:0");
	CU_ASSERT_EQUAL(server_fixture_say(request_signed(SERVER_FIXTURE_GET_ITEM, "")), 200);
	CU_ASSERT_EQUAL(server_fixture_say_tcp("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
}

static void
without_credentials_any_complete_signature_is_accepted(void)
{
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, "anything")),
			200);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, ", x")),
			400);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "IncompleteSignatureException"));
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 1);
}

/* Expect this error as the whole answer to a request of @path without a body and with the headers @head. */
static void
check_path(const char *path, const char *head, const char *type, const char *message)
{
	struct buf b;
	struct buf answer;

	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b,
		"POST %s HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: "
		"DynamoDB_20120810.ListTables\r\n%sContent-Length: 0\r\n\r\n",
		path, head);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(slice_cstr(&server_fixture.c.arena, buf_view(&b))),
			400);
	buf_init(&answer, &server_fixture.c.arena);
	buf_fmt(&answer, "{\"__type\":\"com.amazon.coral.service#%s\",\"message\":\"%s\"}", type,
		message);
	CU_ASSERT_STRING_EQUAL(server_fixture_body(),
			       slice_cstr(&server_fixture.c.arena, buf_view(&answer)));
}

#define MUST_INCLUDE(name) "AWS query-string parameters must include '" name "'. "

static void
a_signature_in_the_query_must_be_complete_and_the_only_one(void)
{
	static const char again[] = "Re-examine the query-string parameters.";
	struct buf b;

	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b, "%s%s", MUST_INCLUDE("X-Amz-SignedHeaders"), again);
	for (int known = 0; known < 2; known++) {
		check_path("/?X-Amz-Algorithm", "Authorization: X\r\n", "InvalidSignatureException",
			   "Found both 'X-Amz-Algorithm' as a query-string param and "
			   "'Authorization' as HTTP header.");
		check_path("/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d",
			   "", "IncompleteSignatureException",
			   slice_cstr(&server_fixture.c.arena, buf_view(&b)));
		ask_for_signatures("127.0.0.1:0");
	}
	check_path("/?X-Amz-Algorithm", "", "IncompleteSignatureException",
		   MUST_INCLUDE("X-Amz-Algorithm") MUST_INCLUDE("X-Amz-Credential") MUST_INCLUDE(
			   "X-Amz-Signature") MUST_INCLUDE("X-Amz-SignedHeaders")
			   MUST_INCLUDE("X-Amz-Date") "Re-examine the query-string parameters.");
	check_path("/?X-Amz-Credential=a&X-Amz-Signature=b", "",
		   "MissingAuthenticationTokenException",
		   "Request is missing Authentication Token");
}

static void
other_machines_need_credentials(void)
{
	struct server *s = NULL;
	int r = server_start(&server_fixture.c, &server_fixture.fake.engine,
			     &(struct server_options){.listen = "0.0.0.0:0"}, &s);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture.c.error.message, "credentials"));
	ask_for_signatures("0.0.0.0:0");
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, "")), 400);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, SIGNATURE)),
			200);
}

static void
a_trusted_network_does_not_replace_signatures(void)
{
	char path[160];

	ask_for_signatures("127.0.0.1:0");
	(void)snprintf(path, sizeof(path), "%s/credentials", server_fixture.folder);
	struct server_options o = {.listen = "0.0.0.0:0",
				   .trust_network = true,
				   .credentials = path,
				   .now_ms = when_it_was_signed};

	server_fixture_restart(&o);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, "")), 400);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(request_signed(SERVER_FIXTURE_GET_ITEM, SIGNATURE)),
			200);
}

static void
unreadable_credentials_prevent_the_start(void)
{
	struct server *s = NULL;
	int r = server_start(&server_fixture.c, &server_fixture.fake.engine,
			     &(struct server_options){.listen = "127.0.0.1:0",
						      .credentials = "/nonexistent/file"},
			     &s);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture.c.error.message, "/nonexistent/file"));
	CU_ASSERT_PTR_NULL(s);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_foreign_host_header_is_refused_on_tcp),
	UNIT_TEST(a_trusted_network_may_use_any_address_and_name),
	UNIT_TEST(a_trusted_network_protects_against_dns_rebinding),
	UNIT_TEST(an_allowed_page_may_use_any_name_of_a_trusted_network),
	UNIT_TEST(only_signed_requests_are_answered),
	UNIT_TEST(a_large_request_is_checked_too),
	UNIT_TEST(requests_on_the_socket_need_no_signature),
	UNIT_TEST(without_credentials_any_complete_signature_is_accepted),
	UNIT_TEST(a_signature_in_the_query_must_be_complete_and_the_only_one),
	UNIT_TEST(other_machines_need_credentials),
	UNIT_TEST(a_trusted_network_does_not_replace_signatures),
	UNIT_TEST(unreadable_credentials_prevent_the_start),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(access, server_fixture_open, server_fixture_close, tests);
