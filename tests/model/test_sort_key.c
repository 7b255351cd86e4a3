#include "store/model/sort_key.h"

#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static const enum value_type types[] = {VALUE_S, VALUE_N, VALUE_B};

static struct value
key_of(struct rng *d, enum value_type type)
{
	struct value v;

	do {
		v = rng_key(d, &c.arena, type);
	} while (v.text.len == 0);
	return v;
}

static int
sign(int n)
{
	return (n > 0) - (n < 0);
}

static void
encoded_values_sort_by_the_first_then_by_the_second(void)
{
	struct rng d = {.state = 3};

	for (int i = 0; i < 20000; i++) {
		enum value_type type = types[rng_roll(&d, 3)];
		struct value v[2][2];
		struct buf b[2];

		for (int k = 0; k < 2; k++) {
			buf_init(&b[k], &c.arena);
			for (int part = 0; part < 2; part++) {
				v[k][part] = key_of(&d, type);
				sort_key_put(&b[k], &v[k][part]);
				sort_key_end(&b[k]);
			}
		}
		int want = value_cmp(&v[0][0], &v[1][0]);

		want = want != 0 ? want : value_cmp(&v[0][1], &v[1][1]);
		CU_ASSERT_EQUAL(sign(slice_cmp(buf_view(&b[0]), buf_view(&b[1]))), sign(want));
		arena_clear(&c.arena);
	}
}

static void
a_value_is_split_off_and_the_rest_stays(void)
{
	struct rng d = {.state = 4};

	for (int i = 0; i < 5000; i++) {
		enum value_type type = types[rng_roll(&d, 3)];
		struct value v = key_of(&d, type);
		struct value back;
		struct buf b;

		buf_init(&b, &c.arena);
		sort_key_put(&b, &v);
		sort_key_end(&b);
		buf_str(&b, "rest");

		struct slice rest = buf_view(&b);

		CU_ASSERT_TRUE_FATAL(sort_key_cut(&c.arena, &rest, type, &back));
		CU_ASSERT_TRUE(value_eq(&v, &back));
		CU_ASSERT_TRUE(slice_is(rest, "rest"));
		arena_clear(&c.arena);
	}
}

static void
an_unterminated_or_badly_escaped_value_is_refused(void)
{
	static const struct slice wrong[] = {
		SLICE_INIT(""),          SLICE_INIT("a"),        SLICE_INIT("a\x00"),
		SLICE_INIT("a\x00\x02"), SLICE_INIT("\x00\x01"), SLICE_INIT("a\x00\xff"),
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct slice rest = wrong[i];
		struct value v;

		CU_ASSERT_FALSE(sort_key_cut(&c.arena, &rest, VALUE_S, &v));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(encoded_values_sort_by_the_first_then_by_the_second),
	UNIT_TEST(a_value_is_split_off_and_the_rest_stays),
	UNIT_TEST(an_unterminated_or_badly_escaped_value_is_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sort_key, setup, teardown, tests);
