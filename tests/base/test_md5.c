/* The examples of RFC 1321. */
#include "store/base/text/md5.h"

#include "tests/support/unit.h"

static const struct {
	const char *text;
	const char *hex;
} rows[] = {
	{"", "d41d8cd98f00b204e9800998ecf8427e"},
	{"a", "0cc175b9c0f1b6a831c399e269772661"},
	{"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
	{"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
	 "57edf4a22be3c955ac49da2e2107b67a"},
};

static void
digests_match_the_standard(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice text = slice_from(rows[i].text);
		uint8_t digest[MD5_BYTES];
		char hex[2 * MD5_BYTES + 1];

		md5_of_bytes(text, digest);
		for (size_t k = 0; k < MD5_BYTES; k++) {
			(void)snprintf(hex + 2 * k, 3, "%02x", digest[k]);
		}
		CU_ASSERT_STRING_EQUAL(hex, rows[i].hex);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(digests_match_the_standard),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(md5, NULL, NULL, tests);
