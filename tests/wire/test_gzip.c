/* Compressed bodies: the functions, and requests to the HTTP server. */
#include "store/wire/proto/gzip.h"
#include "store/wire/proto/wire.h"

#include "tests/support/unit.h"
#include "tests/wire/server_fixture.h"

/* printf '{"Limit":12}' | gzip -9n */
static const char limit12[] = "\037\213\010\000\000\000\000\000\002\003\253\126\362\311\314\315"
			      "\054\121\262\062\064\252\005\000\057\104\062\203\014\000\000\000";

/* python3: zlib.compress() of the same */
static const char limit12z[] =
	"\x78\x9c\xab\x56\xf2\xc9\xcc\xcd\x2c\x51\xb2\x32\x34\xaa\x05\x00\x19\xf4\x03\xd9";

static bool
take_all(void *arg, struct slice piece)
{
	buf_slice(arg, piece);
	return true;
}

static bool
take_one(void *arg, struct slice piece)
{
	buf_slice(arg, piece);
	return false;
}

static struct slice
packed_blanks(size_t n)
{
	struct buf plain;
	struct buf packed;

	buf_init(&plain, NULL);
	buf_init(&packed, &server_fixture.c.arena);
	memset(buf_room(&plain, n), ' ', n);
	plain.len = n;
	gzip_pack(buf_view(&plain), GZIP_GZIP, &packed);
	buf_release(&plain);
	return buf_view(&packed);
}

/* The first two bodies come from the service, with the checksums that it sends. */
static void
computes_the_known_checksums(void)
{
	CU_ASSERT_EQUAL(gzip_sum(SLICE("<UnknownOperationException/>\n")), 3552371480);
	CU_ASSERT_EQUAL(gzip_sum(SLICE("{\"__type\":\"com.amazon.coral.service#"
				       "SerializationException\"}")),
			3948637019);
	CU_ASSERT_EQUAL(gzip_sum(SLICE("123456789")), 0xcbf43926);
	CU_ASSERT_EQUAL(gzip_sum(SLICE("")), 0);
	CU_ASSERT_EQUAL(gzip_sum(slice_of(NULL, 0)), 0);
}

static void
compressed_data_is_decompressed(void)
{
	struct buf out;

	buf_init(&out, &server_fixture.c.arena);
	CU_ASSERT_TRUE(
		gzip_unpack(slice_of(limit12, sizeof(limit12) - 1), GZIP_GZIP, take_all, &out));
	CU_ASSERT_TRUE(slice_is(buf_view(&out), "{\"Limit\":12}"));
	buf_clear(&out);
	CU_ASSERT_TRUE(gzip_unpack(packed_blanks(300000), GZIP_GZIP, take_all, &out));
	CU_ASSERT_EQUAL(out.len, 300000);
	buf_clear(&out);
	CU_ASSERT_TRUE(gzip_unpack(packed_blanks(300000), GZIP_GZIP, take_one, &out));
	CU_ASSERT_TRUE(out.len < 300000);
}

static void
invalid_gzip_is_reported(void)
{
	struct buf out;

	buf_init(&out, &server_fixture.c.arena);
	CU_ASSERT_FALSE(gzip_unpack(SLICE("{}"), GZIP_GZIP, take_all, &out));
	CU_ASSERT_FALSE(gzip_unpack(SLICE(""), GZIP_GZIP, take_all, &out));
	CU_ASSERT_FALSE(
		gzip_unpack(slice_of(limit12, sizeof(limit12) - 2), GZIP_GZIP, take_all, &out));
}

static void
a_client_states_what_it_accepts(void)
{
	static const struct {
		const char *accept;
		enum gzip_coding best;
	} rows[] = {
		{"", GZIP_PLAIN},
		{"gzip", GZIP_GZIP},
		{"GZIP", GZIP_GZIP},
		{"deflate, gzip", GZIP_DEFLATE},
		{"br, gzip, deflate", GZIP_GZIP},
		{"gzip;q=0.5, deflate;q=0.8", GZIP_DEFLATE},
		{"deflate;q=0.1,gzip;q=0", GZIP_DEFLATE},
		{"br, gzip;q=0, deflate; q = 0.5 , identity;q=0", GZIP_DEFLATE},
		{"dog, gzip ,, cat", GZIP_GZIP},
		{"gzip;q=1.0, *;q=0", GZIP_GZIP},
		{"*", GZIP_GZIP},
		{"*;q=0", GZIP_PLAIN},
		{"*, deflate", GZIP_DEFLATE},
		{"*, deflate;q=0.5", GZIP_GZIP},
		{"*, gzip;q=0.5", GZIP_DEFLATE},
		{"*, gzip;q=0", GZIP_DEFLATE},
		{"*;q=0.5,identity", GZIP_GZIP},
		{"identity", GZIP_PLAIN},
		{"identity;q=0", GZIP_PLAIN},
		{"gzip;q=0", GZIP_PLAIN},
		{"gzip ;q=0", GZIP_PLAIN},
		{"gzip; q=0.000", GZIP_PLAIN},
		{"gzip;q=0.0001", GZIP_GZIP},
		{"gzip;nq=1;q=0 ", GZIP_PLAIN},
		{"gzip;q=0, gzip;q=1, gzip;q=0", GZIP_GZIP},
		{"gzip:q=1", GZIP_PLAIN},
		{"gzip br", GZIP_PLAIN},
		{"\"gzip\"", GZIP_PLAIN},
		/* An invalid weight and one above 1 count as 1; of several weights the first counts. */
		{"deflate;q=0.5, gzip;q=", GZIP_GZIP},
		{"deflate;q=0.5, gzip;q=0.x", GZIP_GZIP},
		{"deflate;q=0.5, gzip;q=nan", GZIP_GZIP},
		{"deflate;q=0.5, gzip;level=9", GZIP_GZIP},
		{"gzip;q=31, deflate;q=51", GZIP_GZIP},
		{"deflate;q=0.5, gzip;q=1;q=0.2", GZIP_GZIP},
		{"deflate;q=0.5, gzip;q=0.", GZIP_DEFLATE},
		{"deflate;q=-0.5, gzip;q=0.2", GZIP_GZIP},
		{"deflate;q=0.5, gzip;q=0.11111111111111111111", GZIP_DEFLATE},
		{"gzipped", GZIP_PLAIN}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(gzip_accepted(rows[i].accept), rows[i].best);
	}
}

/* ------------------------------------------------------------ requests to the server */

/* Send ListTables with an encoded body.  Return: the status */
static unsigned
say_coded(const char *coding, struct slice body)
{
	struct buf b;

	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b,
		"POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
		"X-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Encoding: %s\r\n"
		"Content-Length: %zu\r\n\r\n",
		coding, body.len);
	buf_slice(&b, body);
	(void)wire_talk(server_fixture.path, 0, b.at, b.len, server_fixture.answer,
			sizeof(server_fixture.answer));
	return server_fixture_status();
}

static unsigned
say_packed(struct slice body)
{
	return say_coded("gzip", body);
}

static void
requests_may_be_compressed(void)
{
	CU_ASSERT_EQUAL(say_packed(slice_of(limit12, sizeof(limit12) - 1)), 200);
	CU_ASSERT_TRUE(server_fixture_saw(OP_LIST_TABLES, "{\"Limit\":12}"));
	CU_ASSERT_EQUAL(say_coded("deflate", slice_of(limit12z, sizeof(limit12z) - 1)), 200);
	CU_ASSERT_TRUE(server_fixture_saw(OP_LIST_TABLES, "{\"Limit\":12}"));
	CU_ASSERT_EQUAL(say_coded("identity", SLICE("{\"Limit\":12}")), 200);
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 3);
}

/* Nothing is executed, and the bytes are not taken as an uncompressed body. */
static void
a_body_that_is_not_in_its_coding_is_an_internal_error(void)
{
	static const struct {
		const char *coding;
		struct slice body;
	} rows[] = {
		{"gzip", SLICE_INIT("{}")},
		{"gzip", SLICE_INIT(limit12z)},
		{"gzip", {limit12, sizeof(limit12) - 4}},
		{"deflate", SLICE_INIT("{}")},
		{"deflate", {limit12z, sizeof(limit12z) - 4}},
		{"br", SLICE_INIT("{}")},
		{"gzip, gzip", SLICE_INIT("{}")},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(say_coded(rows[i].coding, rows[i].body), 500);
		CU_ASSERT_PTR_NOT_NULL(strstr(server_fixture_body(), "InternalServerError"));
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

static void
two_streams_are_one_body(void)
{
	struct buf two;
	struct buf out;

	buf_init(&two, &server_fixture.c.arena);
	buf_init(&out, &server_fixture.c.arena);
	buf_slice(&two, slice_of(limit12, sizeof(limit12) - 1));
	buf_slice(&two, slice_of(limit12, sizeof(limit12) - 1));
	CU_ASSERT_TRUE(gzip_unpack(buf_view(&two), GZIP_GZIP, take_all, &out));
	CU_ASSERT_TRUE(slice_is(buf_view(&out), "{\"Limit\":12}{\"Limit\":12}"));
	buf_char(&two, 'x');
	CU_ASSERT_FALSE(gzip_unpack(buf_view(&two), GZIP_GZIP, take_all, &out));
}

static void
a_decompression_bomb_is_refused(void)
{
	struct slice bomb = packed_blanks(WIRE_BODY_MAX + 1);

	CU_ASSERT_TRUE(bomb.len < WIRE_BODY_MAX / 100);
	/* If anything were kept, the fifth request would find no room. */
	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(say_packed(bomb), 413);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.calls, 0);
}

static void
large_answers_are_compressed_for_clients_that_accept_it(void)
{
	static const char request[] =
		"POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
		"X-Amz-Target: DynamoDB_20120810.GetItem\r\nAccept-Encoding: gzip\r\n"
		"Content-Length: 42\r\n\r\n" SERVER_FIXTURE_GET_ITEM;
	struct buf out;
	char sum[16];

	buf_init(&out, &server_fixture.c.arena);
	server_fixture.fake.answer_bytes = 100000;
	size_t n = wire_talk(server_fixture.path, 0, request, strlen(request),
			     server_fixture.answer, sizeof(server_fixture.answer));
	struct slice body = slice_of(server_fixture_body(),
				     n - (size_t)(server_fixture_body() - server_fixture.answer));

	CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Encoding"), "gzip");
	CU_ASSERT_TRUE(gzip_unpack(body, GZIP_GZIP, take_all, &out));
	CU_ASSERT_TRUE(out.len > 100000);
	CU_ASSERT_TRUE(slice_ends(buf_view(&out), SLICE("\"}}}")));
	/* The checksum covers the compressed bytes. */
	(void)snprintf(sum, sizeof(sum), "%u", gzip_sum(body));
	CU_ASSERT_STRING_EQUAL(server_fixture_header("x-amz-crc32"), sum);

	server_fixture.fake.answer_bytes = 100;
	CU_ASSERT_EQUAL(server_fixture_say(request), 200);
	CU_ASSERT_STRING_EQUAL(server_fixture_header("Content-Encoding"), "");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(computes_the_known_checksums),
	UNIT_TEST(compressed_data_is_decompressed),
	UNIT_TEST(invalid_gzip_is_reported),
	UNIT_TEST(a_client_states_what_it_accepts),
	UNIT_TEST(requests_may_be_compressed),
	UNIT_TEST(a_body_that_is_not_in_its_coding_is_an_internal_error),
	UNIT_TEST(two_streams_are_one_body),
	UNIT_TEST(a_decompression_bomb_is_refused),
	UNIT_TEST(large_answers_are_compressed_for_clients_that_accept_it),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(gzip, server_fixture_open, server_fixture_close, tests);
