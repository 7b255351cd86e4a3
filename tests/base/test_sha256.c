#include "store/base/text/sha256.h"

#include "tests/support/unit.h"

/* The examples of FIPS 180-2, appendix B, and the empty message. */
static void
gives_the_published_digests(void)
{
	static const struct {
		struct slice bytes;
		uint8_t first[4];
		uint8_t last[4];
	} rows[] = {
		{SLICE_INIT(""), {0xe3, 0xb0, 0xc4, 0x42}, {0x78, 0x52, 0xb8, 0x55}},
		{SLICE_INIT("abc"), {0xba, 0x78, 0x16, 0xbf}, {0xf2, 0x00, 0x15, 0xad}},
		{SLICE_INIT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		 {0x24, 0x8d, 0x6a, 0x61},
		 {0x19, 0xdb, 0x06, 0xc1}},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t digest[SHA256_BYTES];

		sha256(rows[i].bytes, digest);
		CU_ASSERT_EQUAL(memcmp(digest, rows[i].first, 4), 0);
		CU_ASSERT_EQUAL(memcmp(digest + SHA256_BYTES - 4, rows[i].last, 4), 0);
	}
}

/* Test cases 1, 2 and 6 of RFC 4231; in 6 the key is longer than a block. */
/* The code is the same again, after other codes, and with a copy of the key. */
static void
a_key_makes_many(struct slice key, struct slice bytes, const uint8_t want[SHA256_BYTES])
{
	struct sha256_keyed k;
	uint8_t mac[SHA256_BYTES];

	sha256_keyed_init(&k, key);
	sha256_keyed_mac(&k, SLICE("something else"), mac);
	CU_ASSERT_NOT_EQUAL(memcmp(mac, want, sizeof(mac)), 0);
	sha256_keyed_mac(&k, bytes, mac);
	CU_ASSERT_EQUAL(memcmp(mac, want, sizeof(mac)), 0);

	struct sha256_keyed copy = k;

	sha256_keyed_mac(&copy, bytes, mac);
	CU_ASSERT_EQUAL(memcmp(mac, want, sizeof(mac)), 0);
}

static void
gives_the_published_authentication_codes(void)
{
	static char longest[131];
	static char eleven[20];
	const struct {
		struct slice key;
		struct slice bytes;
		uint8_t first[4];
		uint8_t last[4];
	} rows[] = {
		{slice_of(eleven, sizeof(eleven)),
		 SLICE("Hi There"),
		 {0xb0, 0x34, 0x4c, 0x61},
		 {0x2e, 0x32, 0xcf, 0xf7}},
		{SLICE("Jefe"),
		 SLICE("what do ya want for nothing?"),
		 {0x5b, 0xdc, 0xc1, 0x46},
		 {0x64, 0xec, 0x38, 0x43}},
		{slice_of(longest, sizeof(longest)),
		 SLICE("Test Using Larger Than Block-Size Key - Hash Key First"),
		 {0x60, 0xe4, 0x31, 0x59},
		 {0x0e, 0xe3, 0x7f, 0x54}},
	};

	memset(longest, 0xaa, sizeof(longest));
	memset(eleven, 0x0b, sizeof(eleven));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t mac[SHA256_BYTES];

		sha256_hmac(rows[i].key, rows[i].bytes, mac);
		CU_ASSERT_EQUAL(memcmp(mac, rows[i].first, 4), 0);
		CU_ASSERT_EQUAL(memcmp(mac + SHA256_BYTES - 4, rows[i].last, 4), 0);
		a_key_makes_many(rows[i].key, rows[i].bytes, mac);
	}
}

static void
a_code_may_overwrite_its_key(void)
{
	uint8_t key[SHA256_BYTES] = {1};
	uint8_t mac[SHA256_BYTES];
	struct slice of_key = slice_of((const char *)key, sizeof(key));

	sha256_hmac(of_key, SLICE("text"), mac);
	sha256_hmac(of_key, SLICE("text"), key);
	CU_ASSERT_EQUAL(memcmp(key, mac, sizeof(key)), 0);
}

/* The signing key of the example in the AWS General Reference. */
static void
a_chain_of_codes_gives_the_published_aws_key(void)
{
	static const uint8_t published[SHA256_BYTES] = {
		0xf4, 0x78, 0x0e, 0x2d, 0x9f, 0x65, 0xfa, 0x89, 0x5f, 0x9c, 0x67,
		0xb3, 0x2c, 0xe1, 0xba, 0xf0, 0xb0, 0xd8, 0xa4, 0x35, 0x05, 0xa0,
		0x00, 0xa1, 0xa9, 0xe0, 0x90, 0xd4, 0x14, 0xdb, 0x40, 0x4d};
	static const char *const scope[] = {"us-east-1", "iam", "aws4_request"};
	uint8_t key[SHA256_BYTES];

	sha256_hmac(SLICE("AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"), SLICE("20120215"), key);
	for (size_t i = 0; i < 3; i++) {
		sha256_hmac(slice_of((const char *)key, sizeof(key)), slice_from(scope[i]), key);
	}
	CU_ASSERT_EQUAL(memcmp(key, published, sizeof(key)), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_the_published_digests),
	UNIT_TEST(gives_the_published_authentication_codes),
	UNIT_TEST(a_code_may_overwrite_its_key),
	UNIT_TEST(a_chain_of_codes_gives_the_published_aws_key),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sha256, NULL, NULL, tests);
