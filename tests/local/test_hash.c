/* Numbers made of bytes with a key: other bytes, another length or another key are other numbers. */
#include <stdlib.h>

#include "store/local/hash.h"

#include "tests/support/unit.h"

enum { LONGEST = 67, MANY = LONGEST * 9 };

static const struct hash_key key = {
	{0x0123456789abcdefU, 0xfedcba9876543210U, 0xdeadbeefcafef00dU, 0x5555aaaa3333ccccU}};

static struct hash128 seen[MANY];
static size_t n_seen;

static void
is_new(struct hash128 h)
{
	for (size_t i = 0; i < n_seen; i++) {
		CU_ASSERT_TRUE(seen[i].low != h.low && seen[i].high != h.high);
	}
	CU_ASSERT_TRUE_FATAL(n_seen < MANY);
	seen[n_seen++] = h;
}

/* Zero bytes of each length, and with one bit of one byte. */
static void
each_byte_and_the_length_count(void)
{
	n_seen = 0;
	for (size_t len = 0; len < LONGEST; len++) {
		char bytes[LONGEST] = {0};

		is_new(hash_keyed(&key, slice_of(bytes, len)));
		for (size_t i = 0; i < len; i += 1 + len / 5) {
			bytes[i] = (char)0x80;
			is_new(hash_keyed(&key, slice_of(bytes, len)));
			bytes[i] = 0;
		}
	}
	CU_ASSERT_TRUE(n_seen > 300);
}

static void
the_key_counts(void)
{
	struct slice text = SLICE("some text that is longer than sixteen bytes");

	n_seen = 0;
	is_new(hash_keyed(&key, text));
	for (size_t i = 0; i < 4; i++) {
		struct hash_key other = key;

		other.at[i] ^= 1;
		is_new(hash_keyed(&other, text));
	}
}

static void
what_is_joined_cannot_change_places(void)
{
	struct hash128 a = hash_keyed(&key, SLICE("a"));
	struct hash128 b = hash_keyed(&key, SLICE("b"));

	n_seen = 0;
	is_new(hash_join(&key, a, a, 1));
	is_new(hash_join(&key, a, b, 1));
	is_new(hash_join(&key, b, a, 1));
	is_new(hash_join(&key, b, b, 1));
	is_new(hash_join(&key, a, b, 2));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(each_byte_and_the_length_count),
	UNIT_TEST(the_key_counts),
	UNIT_TEST(what_is_joined_cannot_change_places),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(hash, NULL, NULL, tests);
