/* What web pages of another origin may do, in raw bytes. */
#include "store/wire/server/access.h"

#include "tests/support/unit.h"
#include "tests/wire/server_fixture.h"

#define PAGE "http://localhost:3000"
#define HEADERS \
	"amz-sdk-invocation-id,amz-sdk-request,authorization,content-type,x-amz-date,x-amz-" \
	"target,x-amz-user-agent"

static const char preflight[] =
	"OPTIONS / HTTP/1.1\r\nHost: localhost:8000\r\nOrigin: " PAGE "\r\n"
	"Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: " HEADERS
	"\r\n\r\n";

/* Restart the TCP server so that it accepts pages of @origin. */
static void
open_for(const char *origin)
{
	struct server_options o = {.listen = "127.0.0.1:0", .cors = origin};

	server_fixture_restart(&o);
}

/* Send an operation as a page of @origin does.  Return: the status */
static unsigned
ask_from(const char *origin, const char *target)
{
	struct buf b;

	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b,
		"POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: %s\r\n" SERVER_FIXTURE_TYPE
		"X-Amz-Target: %s\r\nContent-Length: %zu\r\n\r\n" SERVER_FIXTURE_GET_ITEM,
		origin, target, strlen(SERVER_FIXTURE_GET_ITEM));
	buf_char(&b, '\0');
	return server_fixture_say_tcp(b.at);
}

static bool
says_nothing_of_it(void)
{
	return strcasestr(server_fixture.answer, "Access-Control-") == NULL;
}

static void
no_headers_are_sent_by_default(void)
{
	CU_ASSERT_EQUAL(server_fixture_say_tcp(preflight), 404);
	CU_ASSERT_TRUE(says_nothing_of_it());
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Vary"), "");
	CU_ASSERT_EQUAL(ask_from(PAGE, "DynamoDB_20120810.GetItem"), 200);
	CU_ASSERT_TRUE(says_nothing_of_it());
}

static void
a_page_may_send_the_headers_it_requests(void)
{
	open_for(PAGE);
	CU_ASSERT_EQUAL(server_fixture_say_tcp(preflight), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_body(), "");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Origin"), PAGE);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Methods"), "POST");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Headers"), HEADERS);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Private-Network"), "");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Max-Age"), "172800");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Vary"), "Origin");
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
	CU_ASSERT_EQUAL(
		server_fixture_say_tcp("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: " PAGE
				       "\r\nAccess-Control-Request-Method: POST\r\n"
				       "Access-Control-Request-Private-Network: true\r\n\r\n"),
		200);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Private-Network"),
			       "true");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Headers"), "");
}

static void
its_answers_and_errors_can_be_read(void)
{
	open_for(PAGE);
	CU_ASSERT_EQUAL(ask_from(PAGE, "DynamoDB_20120810.GetItem"), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Origin"), PAGE);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Expose-Headers"),
			       "x-amzn-RequestId, x-amz-crc32, Date");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Methods"), "");
	CU_ASSERT_EQUAL(ask_from(PAGE, "DynamoDB_20120810.Nonsense"), 400);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Origin"), PAGE);
	CU_ASSERT_EQUAL(server_fixture_say_tcp("PUT / HTTP/1.1\r\nHost: localhost\r\nOrigin: " PAGE
					       "\r\n\r\n"),
			404);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Origin"), PAGE);
}

static void
pages_of_other_origins_get_no_headers(void)
{
	open_for("http://localhost:3001");
	CU_ASSERT_EQUAL(server_fixture_say_tcp(preflight), 404);
	CU_ASSERT_TRUE(says_nothing_of_it());
	CU_ASSERT_EQUAL(ask_from(PAGE, "DynamoDB_20120810.GetItem"), 200);
	CU_ASSERT_TRUE(says_nothing_of_it());
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Vary"), "Origin");
}

static void
a_star_allows_every_origin(void)
{
	open_for("*");
	CU_ASSERT_EQUAL(server_fixture_say_tcp(preflight), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Origin"), "*");
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Vary"), "");
	CU_ASSERT_EQUAL(ask_from("null", "DynamoDB_20120810.GetItem"), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Access-Control-Allow-Origin"), "*");
}

static void
requests_without_an_origin_are_answered_as_usual(void)
{
	open_for("*");
	CU_ASSERT_EQUAL(server_fixture_say_tcp("OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
			404);
	CU_ASSERT_EQUAL(
		server_fixture_say_tcp("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: " PAGE
				       "\r\n\r\n"),
		200);
	CU_ASSERT_EQUAL(server_fixture_say_tcp("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
	CU_ASSERT_TRUE(says_nothing_of_it());
}

static void
a_host_elsewhere_is_refused_first(void)
{
	open_for("*");
	CU_ASSERT_EQUAL(
		server_fixture_say_tcp("OPTIONS / HTTP/1.1\r\nHost: evil.example\r\nOrigin: " PAGE
				       "\r\nAccess-Control-Request-Method: POST\r\n\r\n"),
		400);
}

static void
invalid_origins_are_refused(void)
{
	static const char *const wrong[] = {"",
					    "localhost",
					    "localhost:3000",
					    "://localhost",
					    "http://",
					    "http://localhost/",
					    "http://localhost/path",
					    "http:///localhost",
					    "HTTP://localhost",
					    "http://localhost:1, http://localhost:2",
					    "http://a\r\nSet-Cookie: b",
					    "http://\xc3\xa4"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct server_options o = {.listen = "127.0.0.1:0", .cors = wrong[i]};
		struct server *s = NULL;

		server_fixture.c.error = (struct error){0};
		CU_ASSERT_EQUAL(
			server_start(&server_fixture.c, &server_fixture.fake.engine, &o, &s),
			-ERR_VALIDATION);
		CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture.c.error.message, "is not an origin"));
	}
	CU_ASSERT_EQUAL(cors_check_origin(&server_fixture.c, "http://localhost:3000"), 0);
	CU_ASSERT_EQUAL(cors_check_origin(&server_fixture.c, "https://[::1]:8443"), 0);
	CU_ASSERT_EQUAL(cors_check_origin(&server_fixture.c, "chrome-extension://abc"), 0);
	CU_ASSERT_EQUAL(cors_check_origin(&server_fixture.c, "*"), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(no_headers_are_sent_by_default),
	UNIT_TEST(a_page_may_send_the_headers_it_requests),
	UNIT_TEST(its_answers_and_errors_can_be_read),
	UNIT_TEST(pages_of_other_origins_get_no_headers),
	UNIT_TEST(a_star_allows_every_origin),
	UNIT_TEST(requests_without_an_origin_are_answered_as_usual),
	UNIT_TEST(a_host_elsewhere_is_refused_first),
	UNIT_TEST(invalid_origins_are_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(cors, server_fixture_open, server_fixture_close, tests);
