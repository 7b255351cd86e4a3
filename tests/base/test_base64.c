#include "store/base/text/base64.h"

#include "tests/support/unit.h"

static struct buf b;

static void
setup(void)
{
	buf_init(&b, NULL);
}

static void
teardown(void)
{
	buf_release(&b);
}

/* The vectors of RFC 4648, section 10, and the last letters of the alphabet. */
static const struct {
	struct slice bytes;
	struct slice text;
} pairs[] = {
	{SLICE_INIT(""), SLICE_INIT("")},
	{SLICE_INIT("f"), SLICE_INIT("Zg==")},
	{SLICE_INIT("fo"), SLICE_INIT("Zm8=")},
	{SLICE_INIT("foo"), SLICE_INIT("Zm9v")},
	{SLICE_INIT("foob"), SLICE_INIT("Zm9vYg==")},
	{SLICE_INIT("fooba"), SLICE_INIT("Zm9vYmE=")},
	{SLICE_INIT("foobar"), SLICE_INIT("Zm9vYmFy")},
	{SLICE_INIT("\0\0\0"), SLICE_INIT("AAAA")},
	{SLICE_INIT("\xff\xff\xff\xfb\xef\xbe"), SLICE_INIT("////++++")},
	{SLICE_INIT("\xff"), SLICE_INIT("/w==")},
};

static void
encodes_and_decodes(void)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		buf_clear(&b);
		base64_encode(&b, pairs[i].bytes);
		CU_ASSERT_TRUE(slice_eq(buf_view(&b), pairs[i].text));
		buf_clear(&b);
		CU_ASSERT_TRUE(base64_decode(&b, pairs[i].text));
		CU_ASSERT_TRUE(slice_eq(buf_view(&b), pairs[i].bytes));
	}
}

static void
appends_to_the_buffer(void)
{
	buf_str(&b, "<");
	base64_encode(&b, SLICE("hi"));
	CU_ASSERT_TRUE(base64_decode(&b, SLICE("aGk=")));
	CU_ASSERT_TRUE(slice_is(buf_view(&b), "<aGk=hi"));
}

static void
refuses_text_that_is_not_canonical_and_leaves_the_buffer(void)
{
	static const char *const bad[] = {
		"Z",    "Zg",   "Zg=",  "Zg==\n",   " Zg==",      "Zg== ",    "=",
		"==",   "====", "Z===", "=g==",     "Zg=v",       "Zg==Zg==", "Zm9v====",
		"Zh==", "Zm9=", "Zm-_", "Zm9vYg=a", "Z\xc3\xa9=",
	};

	buf_str(&b, "kept");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_FALSE(base64_decode(&b, slice_from(bad[i])));
		CU_ASSERT_TRUE(slice_is(buf_view(&b), "kept"));
	}
	CU_ASSERT_FALSE(base64_decode(&b, SLICE("AA\0A")));
}

static void
every_byte_survives_at_every_position(void)
{
	char bytes[257];

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (char)(i * 7);
	}
	for (size_t len = 0; len < sizeof(bytes); len++) {
		struct slice text;

		buf_clear(&b);
		base64_encode(&b, slice_of(bytes, len));
		text = buf_view(&b);
		(void)buf_room(&b, len); /* decoding must not move the text */
		text.at = b.at;
		CU_ASSERT_TRUE(base64_decode(&b, text));
		CU_ASSERT_TRUE(slice_eq(slice_skip(buf_view(&b), text.len), slice_of(bytes, len)));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(encodes_and_decodes),
	UNIT_TEST(appends_to_the_buffer),
	UNIT_TEST(refuses_text_that_is_not_canonical_and_leaves_the_buffer),
	UNIT_TEST(every_byte_survives_at_every_position),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(base64, setup, teardown, tests);
