#include "store/wire/proto/gzip.h"

#include "tools/query/shard.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
reads_ranges(void)
{
	struct shard_range r;

	CU_ASSERT_EQUAL(shard_range(&c, "0..14", NULL, &r), 0);
	CU_ASSERT_EQUAL(r.lo, 0);
	CU_ASSERT_EQUAL(r.hi, 14);
	CU_ASSERT_EQUAL(shard_range(&c, "7..7", NULL, &r), 0);
	CU_ASSERT_EQUAL(r.lo, r.hi);
}

static void
refuses_invalid_ranges(void)
{
	static const char *const texts[] = {"",     "3",     "3..",           "..3",
					    "3..2", "-1..2", "0...3",         "0..10000",
					    "a..b", "0..1x", "0..99999999999"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct shard_range r;

		call_close(&c);
		CU_ASSERT_EQUAL(shard_range(&c, texts[i], NULL, &r), -ERR_USAGE);
	}
}

/* The check value of CRC-32/ISO-HDLC, and what zlib gives for the rest. */
static void
hashes_as_zlib_does(void)
{
	CU_ASSERT_EQUAL(gzip_sum(SLICE("123456789")), 0xcbf43926);
	CU_ASSERT_EQUAL(gzip_sum(SLICE("")), 0);
	CU_ASSERT_EQUAL(gzip_sum(SLICE("OE-ORDER1")), 0x2f9cd712);
}

static void
finds_the_shard_of_a_value(void)
{
	struct shard_range r;

	CU_ASSERT_EQUAL(shard_range(&c, "10..24", "Id=123456789", &r), 0);
	CU_ASSERT_EQUAL(r.lo, 10 + 0xcbf43926 % 15);
	CU_ASSERT_EQUAL(r.hi, r.lo);
	CU_ASSERT_EQUAL(shard_range(&c, "0..4", "Id=a=b", &r), 0);
	CU_ASSERT_EQUAL(r.lo, gzip_sum(SLICE("a=b")) % 5);
	CU_ASSERT_EQUAL(shard_range(&c, "0..4", "=x", &r), -ERR_USAGE);
}

static void
makes_the_keys(void)
{
	struct key_attr text = {SLICE("k"), VALUE_S};
	struct key_attr number = {SLICE("k"), VALUE_N};
	struct shard_range r = {9, 11};
	struct value *keys = NULL;

	CU_ASSERT_EQUAL(shard_keys(&c, &text, "OPEN#", &r, &keys), 0);
	CU_ASSERT_TRUE(slice_is(keys[0].text, "OPEN#9"));
	CU_ASSERT_TRUE(slice_is(keys[2].text, "OPEN#11"));
	CU_ASSERT_EQUAL(shard_keys(&c, &number, NULL, &r, &keys), 0);
	CU_ASSERT_EQUAL(keys[1].type, VALUE_N);
	CU_ASSERT_TRUE(slice_is(keys[1].text, "10"));
	CU_ASSERT_EQUAL(shard_keys(&c, &number, "x", &r, &keys), -ERR_VALIDATION);
}

static void
projects_the_keys_used_for_merging(void)
{
	struct schema s = {.key = {.pk = {{SLICE("PK"), VALUE_S}}, .sk = {{SLICE("SK"), VALUE_S}}}};
	struct key_schema index = {.pk = {{SLICE("Shard"), VALUE_N}},
				   .sk = {{SLICE("SK"), VALUE_S}}};
	static const struct {
		const char *list;
		const char *sent;
		size_t hidden;
	} cases[] = {
		{"x", "#i0, #itemctl_m0, #itemctl_m1", 2},
		{"SK, x", "#i0, #i1, #itemctl_m0", 1},
		{"PK ,  SK", "#i0 ,  #i1", 0},
		{"SK.x", "#i0.#i1, #itemctl_m0, #itemctl_m1", 2},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct exprs e = {0};
		struct shard_hidden hidden;
		struct slice text;

		CU_ASSERT_EQUAL_FATAL(
			exprs_add(&c, &e, "ProjectionExpression", slice_from(cases[i].list), &text),
			0);
		struct shard_order order = shard_order(&s, &index);

		shard_project(&c, &e, &order, &text, &hidden);
		CU_ASSERT_TRUE(slice_is(text, cases[i].sent));
		CU_ASSERT_EQUAL(hidden.n, cases[i].hidden);
	}
}

static void
page_size_suits_shards_and_limit(void)
{
	CU_ASSERT_EQUAL(shard_page_size(15, 0), 1000);
	CU_ASSERT_EQUAL(shard_page_size(1000, 0), 50);
	CU_ASSERT_EQUAL(shard_page_size(15, 30), 9);
	CU_ASSERT_EQUAL(shard_page_size(15, 1000000), 1000);
	CU_ASSERT_EQUAL(shard_page_size(1, 1), 7);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_ranges),
	UNIT_TEST(refuses_invalid_ranges),
	UNIT_TEST(hashes_as_zlib_does),
	UNIT_TEST(finds_the_shard_of_a_value),
	UNIT_TEST(makes_the_keys),
	UNIT_TEST(projects_the_keys_used_for_merging),
	UNIT_TEST(page_size_suits_shards_and_limit),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(shard, setup, teardown, tests);
