/* Keyed hashes of bytes: other bytes, another length or another key give another hash. */
#include "store/local/check/table_scan_int.h"

#include "tests/support/items.h"
#include "tests/support/unit.h"
#include "tests/support/unit_call.h"

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

/* Zero bytes of each length, and the same with one bit set in one byte. */
static void
a_hash_depends_on_each_byte_and_the_length(void)
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
a_hash_depends_on_the_key(void)
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
a_joined_hash_depends_on_the_order(void)
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

/* ------------------------------------------------------------ items */

UNIT_CALL(c);

static struct hash128
hash_of(const char *json)
{
	struct item it = item_of(&c, json);

	return item_hash(&key, &it);
}

static void
are_one(const char *a, const char *b)
{
	struct hash128 one = hash_of(a);
	struct hash128 other = hash_of(b);

	CU_ASSERT_TRUE(one.low == other.low && one.high == other.high);
}

static void
an_item_hash_ignores_the_order_of_attributes(void)
{
	are_one("{\"a\":1,\"b\":\"x\"}", "{\"b\":\"x\",\"a\":1}");
	are_one("{\"m\":{\"a\":1,\"b\":[{\"c\":true,\"d\":null}]}}",
		"{\"m\":{\"b\":[{\"d\":null,\"c\":true}],\"a\":1}}");
	are_one("{\"s\":{\"SS\":[\"x\",\"y\",\"z\"]}}", "{\"s\":{\"SS\":[\"z\",\"x\",\"y\"]}}");
}

static void
an_item_hash_depends_on_all_content(void)
{
	static const char *const others[] = {
		"{}",
		"{\"a\":1}",
		"{\"a\":2}",
		"{\"b\":1}",
		"{\"a\":\"1\"}",
		"{\"a\":{\"B\":\"MQ==\"}}",
		"{\"a\":\"\"}",
		"{\"a\":null}",
		"{\"a\":true}",
		"{\"a\":false}",
		"{\"a\":[]}",
		"{\"a\":{}}",
		"{\"a\":[1]}",
		"{\"a\":[1,1]}",
		"{\"a\":[1,2]}",
		"{\"a\":[2,1]}",
		"{\"a\":[null]}",
		"{\"a\":[null,null]}",
		"{\"a\":[[null],null]}",
		"{\"a\":[[null,null]]}",
		"{\"a\":[[1],2]}",
		"{\"a\":[[1,2]]}",
		"{\"a\":{\"NS\":[\"1\",\"2\"]}}",
		"{\"a\":{\"SS\":[\"1\",\"2\"]}}",
		"{\"a\":{\"NS\":[\"1\"]}}",
		"{\"a\":{\"x\":1}}",
		"{\"a\":{\"x\":{}}}",
		"{\"a\":1,\"b\":2}",
		"{\"a\":2,\"b\":1}",
		"{\"a\":{\"b\":2},\"x\":1}",
		"{\"a\":{\"b\":2,\"x\":1}}",
		"{\"a\":true,\"b\":false}",
		"{\"a\":false,\"b\":true}",
	};

	n_seen = 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		is_new(hash_of(others[i]));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_hash_depends_on_each_byte_and_the_length),
	UNIT_TEST(a_hash_depends_on_the_key),
	UNIT_TEST(a_joined_hash_depends_on_the_order),
	UNIT_TEST(an_item_hash_ignores_the_order_of_attributes),
	UNIT_TEST(an_item_hash_depends_on_all_content),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(hash, setup, teardown, tests);
