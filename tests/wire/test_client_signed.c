/* A client with a key: requests to ItemFS's own server, which knows some keys, and the bytes that the client sends. */
#include <sys/stat.h>
#include <time.h>

#include "store/base/core/clock.h"
#include "store/wire/client/aws_keys.h"
#include "store/wire/client/client.h"
#include "store/wire/proto/sigv4.h"
#include "store/wire/server/server.h"

#include "tests/support/unit.h"
#include "tests/wire/script.h"
#include "tests/wire/wire_test.h"

#define KEYS \
	"[default]\naws_access_key_id = AKIDONE\naws_secret_access_key = se/cr+et=\n" \
	"[guest]\naws_access_key_id = ASIATWO\naws_secret_access_key = other\n" \
	"aws_session_token = to/ken==\n"

static const struct credential known[] = {
	{SLICE_INIT("default"), SLICE_INIT("AKIDONE"), SLICE_INIT("se/cr+et="), {0}},
	{SLICE_INIT("guest"), SLICE_INIT("ASIATWO"), SLICE_INIT("other"), SLICE_INIT("to/ken==")},
};

static struct call c;
static struct fake_engine fake;
static const char *folder;
static struct server *server;
static uint64_t ahead_ms; /* of the server's clock before ours */

static uint64_t
servers_time(void)
{
	return clock_now_ms() + ahead_ms;
}

static void
setup(void)
{
	char path[160];
	struct server_options o = {
		.listen = "127.0.0.1:0", .credentials = path, .now_ms = servers_time};

	call_open(&c, clock_now_ms(), 256 << 20);
	folder = wire_folder();
	fake_engine_init(&fake);
	ahead_ms = 0;
	(void)snprintf(path, sizeof(path), "%s/keys", folder);
	FILE *f = fopen(path, "we");

	(void)fputs(KEYS, f);
	(void)fclose(f);
	CU_ASSERT_EQUAL(chmod(path, 0600), 0);
	if (server_start(&c, &fake.engine, &o, &server) != 0) {
		abort();
	}
}

static void
teardown(void)
{
	server_stop(server);
	fake_engine_release(&fake);
	wire_folder_remove(folder);
	call_close(&c);
}

static const struct credential *present; /* the key in the environment of the test, or NULL */

static const char *
variable(const char *name)
{
	const char *value = NULL;

	if (present != NULL && strcmp(name, "AWS_ACCESS_KEY_ID") == 0) {
		value = present->id.at;
	} else if (present != NULL && strcmp(name, "AWS_SECRET_ACCESS_KEY") == 0) {
		value = present->secret.at;
	} else if (present != NULL && strcmp(name, "AWS_SESSION_TOKEN") == 0) {
		value = present->token.at;
	}
	return value;
}

/* Return keys that are always @key, which must stay; NULL: none */
static struct aws_keys *
keys_of(const struct credential *key)
{
	present = key;
	return aws_keys_new(variable, "eu-north-1", false);
}

/* PutItem of @text with that key; NULL: without a signature. */
static int
put(const struct credential *key, struct slice text)
{
	char url[64];
	struct attr a = {SLICE("text"), value_string(text)};
	struct engine *e = NULL;
	struct put_item_out out;

	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%d", server_port(server));
	c.error = (struct error){0};
	int r = client_open_url(
		&c,
		&(struct client_options){.url = url, .keys = keys_of(key), .region = "eu-north-1"},
		&e);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	r = engine_put_item(
		e, &c, &(struct put_item_in){.write = {.table = SLICE("abc"), .item = {&a, 1}}},
		&out);
	engine_close(e);
	return r;
}

static void
a_client_with_a_key_is_answered(void)
{
	enum { BYTES = 3 << 20 };
	char *text = malloc(BYTES);

	memset(text, 'x', BYTES);
	CU_ASSERT_EQUAL(put(&known[0], SLICE("")), 0);
	CU_ASSERT_EQUAL(put(&known[1], SLICE("h\xc3\xa4 \"quoted\"")), 0);
	CU_ASSERT_EQUAL(put(&known[0], slice_of(text, BYTES)), 0);
	CU_ASSERT_EQUAL(fake.calls, 3);
	free(text);
}

static void
a_client_without_a_key_is_refused(void)
{
	CU_ASSERT_EQUAL(put(NULL, SLICE("x")), -ERR_NO_SIGNATURE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message,
				      "Request is missing Authentication Token (not signed: "
				      "AWS_ACCESS_KEY_ID is not set"));
}

static void
a_wrong_key_is_refused_and_named(void)
{
	struct credential wrong = known[0];

	wrong.secret = SLICE("guess");
	CU_ASSERT_EQUAL(put(&wrong, SLICE("x")), -ERR_BAD_SIGNATURE);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(c.error.message, "(signed with the key AKIDONE of AWS_ACCESS_KEY_ID)"));
	wrong.id = SLICE("AKIDTHREE");
	CU_ASSERT_EQUAL(put(&wrong, SLICE("x")), -ERR_UNKNOWN_CLIENT);
	CU_ASSERT_STRING_EQUAL(
		c.error.message,
		"The security token included in the request is invalid. (signed with the key "
		"AKIDTHREE of AWS_ACCESS_KEY_ID)");
	CU_ASSERT_EQUAL(fake.calls, 0);
}

static void
a_session_is_refused_without_its_token(void)
{
	struct credential guest = known[1];

	guest.token = SLICE("");
	CU_ASSERT_EQUAL(put(&guest, SLICE("x")), -ERR_UNKNOWN_CLIENT);
	guest.token = SLICE("another");
	CU_ASSERT_EQUAL(put(&guest, SLICE("x")), -ERR_UNKNOWN_CLIENT);
	CU_ASSERT_EQUAL(fake.calls, 0);
}

static void
clock_differences_are_reported(void)
{
	ahead_ms = 14 * 60 * 1000ULL;
	CU_ASSERT_EQUAL(put(&known[0], SLICE("x")), 0);
	ahead_ms = 16 * 60 * 1000ULL;
	CU_ASSERT_EQUAL(put(&known[0], SLICE("x")), -ERR_BAD_SIGNATURE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "Signature expired: "));
	ahead_ms = (uint64_t)-16 * 60 * 1000;
	CU_ASSERT_EQUAL(put(&known[0], SLICE("x")), -ERR_BAD_SIGNATURE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "Signature not yet current: "));
	CU_ASSERT_EQUAL(fake.calls, 1);
}

/* ------------------------------------------------------------ bytes of requests */

/* Parse the text of a request into the input of sigv4_check(). */
static struct sigv4_request
request_of(const char *text)
{
	enum { HEADERS_MAX = 16 };
	struct sigv4_header *headers = arena_new(&c.arena, struct sigv4_header, HEADERS_MAX);
	struct sigv4_request rq = {.method = "POST", .path = "/", .headers = headers};
	const char *end = strstr(text, "\r\n\r\n");
	const char *line = strstr(text, "\r\n") + 2;

	while (line < end && rq.n_headers < HEADERS_MAX) {
		const char *colon = strchr(line, ':');
		const char *next = strstr(line, "\r\n") + 2;

		headers[rq.n_headers++] = (struct sigv4_header){
			slice_of(line, (size_t)(colon - line)),
			ascii_trim(slice_of(colon + 1, (size_t)(next - colon) - 3))};
		line = next;
	}
	rq.body = slice_from(end + 4);
	return rq;
}

static bool
has(const char *request, const char *text)
{
	return strstr(request, text) != NULL;
}

static void
signatures_cover_host_target_and_token(void)
{
	static const char *const answers[] = {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
					      SCRIPT_END};
	struct script s;
	struct engine *e = script_start_as(
		&s, &c, answers,
		(struct client_options){.keys = keys_of(&known[1]), .region = "eu-north-1"});
	struct list_tables_out out;
	int r = engine_list_tables(e, &c, &(struct list_tables_in){0}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(has(s.request, "/eu-north-1/dynamodb/aws4_request, SignedHeaders="
				      "content-type;host;x-amz-date;x-amz-security-token;"
				      "x-amz-target, Signature="));
	CU_ASSERT_TRUE(has(s.request, "X-Amz-Security-Token: to/ken==\r\n"));
	CU_ASSERT_FALSE(has(s.request, "other"));
	struct sigv4_request rq = request_of(s.request);

	CU_ASSERT_EQUAL(sigv4_check(&c, &(struct credentials){known, 2}, &rq), 0);
	rq.body = SLICE("{ }");
	CU_ASSERT_EQUAL(sigv4_check(&c, &(struct credentials){known, 2}, &rq), -ERR_BAD_SIGNATURE);
	script_stop(&s, e);
}

static void
streams_have_an_endpoint_of_their_own(void)
{
	static const char *const answers[] = {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
					      SCRIPT_END};
	struct script s;
	char streams[64];
	struct list_streams_out out;
	struct list_tables_out tables;

	(void)snprintf(streams, sizeof(streams), "http://127.0.0.1:%d", server_port(server));
	struct engine *e = script_start_as(&s, &c, answers,
					   (struct client_options){.streams_url = streams,
								   .keys = keys_of(&known[0]),
								   .region = "eu-north-1"});
	int r = engine_list_streams(e, &c, &(struct list_streams_in){0}, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fake.calls, 1);
	CU_ASSERT_EQUAL(s.requests, 0);
	r = engine_list_tables(e, &c, &(struct list_tables_in){0}, &tables);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(fake.calls, 1);
	CU_ASSERT_EQUAL(s.requests, 1);
	script_stop(&s, e);
}

/* ------------------------------------------------------------ signing again */

#define FINE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
#define EXPIRED \
	"HTTP/1.1 400 Bad\r\nContent-Length: 105\r\n\r\n" \
	"{\"__type\":\"com.amazon.coral.service#ExpiredTokenException\",\"message\":\"The token has " \
	"expired, as it must\"}"

static int looks; /* number of look-ups of the key */

/* Each look-up returns the next key: K1, K2 ... */
static const char *
newer_each_time(const char *name)
{
	static char id[8];

	if (strcmp(name, "AWS_ACCESS_KEY_ID") == 0) {
		looks++;
	}
	(void)snprintf(id, sizeof(id), "K%d", looks);
	return strcmp(name, "AWS_ACCESS_KEY_ID") == 0       ? id
	       : strcmp(name, "AWS_SECRET_ACCESS_KEY") == 0 ? "secret"
							    : NULL;
}

static const char *
always_the_same(const char *name)
{
	const char *value = newer_each_time(name);

	return strcmp(name, "AWS_ACCESS_KEY_ID") == 0 ? "K1" : value;
}

static int
list_tables(struct script *s, const char *const *answers, struct aws_keys *keys)
{
	struct list_tables_out out;

	looks = 0;
	c.error = (struct error){0};
	struct engine *e = script_start_as(
		s, &c, answers, (struct client_options){.keys = keys, .region = "eu-north-1"});
	int r = engine_list_tables(e, &c, &(struct list_tables_in){0}, &out);

	script_stop(s, e);
	return r;
}

static void
an_expired_token_is_renewed_within_the_request(void)
{
	static const char *const answers[] = {EXPIRED, FINE, SCRIPT_END};
	struct script s;
	int r = list_tables(&s, answers, aws_keys_new(newer_each_time, "eu-north-1", false));

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(s.requests, 2);
	CU_ASSERT_EQUAL(looks, 2);
	CU_ASSERT_TRUE(has(s.request, "Credential=K2/"));
}

static void
a_key_without_a_successor_is_refused_by_name(void)
{
	static const char *const answers[] = {EXPIRED, FINE, SCRIPT_END};
	struct script s;
	int r = list_tables(&s, answers, aws_keys_new(always_the_same, "eu-north-1", false));

	CU_ASSERT_EQUAL(r, -ERR_EXPIRED_TOKEN);
	CU_ASSERT_EQUAL(s.requests, 1);
	CU_ASSERT_EQUAL(looks, 2);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "The token has expired, as it must (signed with the "
			       "key K1 of AWS_ACCESS_KEY_ID)");
}

static void
a_key_is_renewed_once_a_request(void)
{
	static const char *const answers[] = {EXPIRED, EXPIRED, FINE, SCRIPT_END};
	struct script s;
	int r = list_tables(&s, answers, aws_keys_new(newer_each_time, "eu-north-1", false));

	CU_ASSERT_EQUAL(r, -ERR_EXPIRED_TOKEN);
	CU_ASSERT_EQUAL(s.requests, 2);
}

/* An error answer of a server whose clock is @ahead_s seconds ahead. */
static const char *
too_late(int ahead_s)
{
	static char text[400];
	static const char body[] =
		"{\"__type\":\"com.amazon.coral.service#InvalidSignatureException\","
		"\"message\":\"Signature expired: now\"}";
	time_t now = (time_t)(clock_now_ms() / 1000) + ahead_s;
	char date[64];
	struct tm tm;

	(void)strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &tm));
	(void)snprintf(text, sizeof(text),
		       "HTTP/1.1 400 Bad\r\nDate: %s\r\nContent-Length: %zu\r\n\r\n%s", date,
		       strlen(body), body);
	return text;
}

static void
a_wrong_clock_is_corrected_by_the_answer(void)
{
	const char *const answers[] = {too_late(3 * 3600), FINE, SCRIPT_END};
	struct script s;
	int r = list_tables(&s, answers, keys_of(&known[1]));

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(s.requests, 2);
	struct sigv4_request rq = request_of(s.request);
	struct call theirs;

	call_open(&theirs, clock_now_ms() + 3 * 3600 * 1000ULL, 1 << 20);
	CU_ASSERT_EQUAL(sigv4_check(&theirs, &(struct credentials){known, 2}, &rq), 0);
	call_close(&theirs);
}

static void
a_right_clock_is_left_alone(void)
{
	const char *const answers[] = {too_late(60), FINE, SCRIPT_END};
	struct script s;
	int r = list_tables(&s, answers, keys_of(&known[1]));

	CU_ASSERT_EQUAL(r, -ERR_BAD_SIGNATURE);
	CU_ASSERT_EQUAL(s.requests, 1);
}

static void
a_clock_is_corrected_once_a_request(void)
{
	char first[400];

	(void)snprintf(first, sizeof(first), "%s", too_late(3600));
	const char *const answers[] = {first, too_late(7200), FINE, SCRIPT_END};
	struct script s;
	int r = list_tables(&s, answers, keys_of(&known[1]));

	CU_ASSERT_EQUAL(r, -ERR_BAD_SIGNATURE);
	CU_ASSERT_EQUAL(s.requests, 2);
}

static void
requests_carry_the_user_agent(void)
{
	static const char *const answers[] = {FINE, SCRIPT_END};
	struct script s;

	CU_ASSERT_EQUAL(list_tables(&s, answers, NULL), 0);
	CU_ASSERT_TRUE(has(s.request, "User-Agent: itemfs/"));
	CU_ASSERT_FALSE(has(s.request, "Authorization"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_expired_token_is_renewed_within_the_request),
	UNIT_TEST(a_key_without_a_successor_is_refused_by_name),
	UNIT_TEST(a_key_is_renewed_once_a_request),
	UNIT_TEST(a_wrong_clock_is_corrected_by_the_answer),
	UNIT_TEST(a_right_clock_is_left_alone),
	UNIT_TEST(a_clock_is_corrected_once_a_request),
	UNIT_TEST(requests_carry_the_user_agent),
	UNIT_TEST(a_client_with_a_key_is_answered),
	UNIT_TEST(a_client_without_a_key_is_refused),
	UNIT_TEST(a_wrong_key_is_refused_and_named),
	UNIT_TEST(a_session_is_refused_without_its_token),
	UNIT_TEST(clock_differences_are_reported),
	UNIT_TEST(signatures_cover_host_target_and_token),
	UNIT_TEST(streams_have_an_endpoint_of_their_own),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(client_signed, setup, teardown, tests);
