#include "store/base/sha256.h"

#include "tests/support/unit.h"

/* FIPS 180-2, appendix B, and the empty message. */
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

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_the_published_digests),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sha256, NULL, NULL, tests);
