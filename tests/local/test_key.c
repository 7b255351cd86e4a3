#include "store/local/records/key.h"

#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* A GSI that swaps the table's keys, and one that reuses its partition key. */
static struct index indexes[] = {
	{.name = SLICE_INIT("inverted"),
	 .global = true,
	 .id = 1,
	 .key = {.pk = {{SLICE_INIT("S"), VALUE_N}}, .sk = {{SLICE_INIT("P"), VALUE_S}}}},
	{.name = SLICE_INIT("L"),
	 .id = 2,
	 .key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("X"), VALUE_B}}}},
	{.name = SLICE_INIT("G"),
	 .global = true,
	 .id = 3,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_S}}}},
	{.name = SLICE_INIT("M"),
	 .global = true,
	 .id = 4,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_S}, {SLICE_INIT("S"), VALUE_N}},
		 .sk = {{SLICE_INIT("X"), VALUE_B}, {SLICE_INIT("Z"), VALUE_N}}}},
};
static const struct schema table = {
	.table = SLICE_INIT("table"),
	.key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("S"), VALUE_N}}},
	.index = indexes,
	.n_index = 4,
};
static const struct schema simple = {
	.table = SLICE_INIT("simple"),
	.key = {.pk = {{SLICE_INIT("P"), VALUE_B}}},
};

static void
check_key(const struct schema *s, const struct attr *at, size_t n, int want, const char *message)
{
	struct item key = {.at = (struct attr *)at, .n = n};
	struct key_values k;

	teardown();
	setup();

	int r = key_from_request(&c, &s->key, &key, &k);

	CU_ASSERT_EQUAL(r, want);
	if (r == 0) {
		CU_ASSERT_TRUE(value_eq(k.at[0], item_get(&key, s->key.pk->name)));
		CU_ASSERT_EQUAL(k.n, key_schema_n(&s->key));
	} else if (c.error.message != NULL) {
		CU_ASSERT_STRING_EQUAL(c.error.message, message);
	}
}
#define KEY(schema, want, message, ...) \
	do { \
		struct attr at_[] = {__VA_ARGS__}; \
		check_key((schema), at_, sizeof(at_) / sizeof(*at_), (want), (message)); \
	} while (0)

static void
a_key_has_exactly_the_key_attributes(void)
{
	static const char schema[] = "The provided key element does not match the schema";
	static const char empty_text[] =
		"One or more parameter values are not valid. The AttributeValue for a key attribute "
		"cannot contain an empty string value. Key: P";
	static const char empty_bytes[] =
		"One or more parameter values are not valid. The AttributeValue for a key attribute "
		"cannot contain an empty binary value. Key: P";
	struct value a = value_string(SLICE("a"));
	struct value one = {.type = VALUE_N, .text = SLICE("1")};
	struct value raw = {.type = VALUE_B, .text = SLICE("\0")};
	struct value none = {.type = VALUE_B};

	KEY(&table, 0, NULL, {SLICE("P"), a}, {SLICE("S"), one});
	KEY(&table, 0, NULL, {SLICE("S"), one}, {SLICE("P"), a});
	KEY(&simple, 0, NULL, {SLICE("P"), raw});
	KEY(&table, -ERR_VALIDATION, schema, {SLICE("P"), a});
	KEY(&table, -ERR_VALIDATION, schema, {SLICE("P"), a}, {SLICE("S"), a});
	KEY(&table, -ERR_VALIDATION, schema, {SLICE("P"), a}, {SLICE("T"), one});
	KEY(&table, -ERR_VALIDATION, schema, {SLICE("P"), a}, {SLICE("S"), one}, {SLICE("T"), one});
	KEY(&simple, -ERR_VALIDATION, schema, {SLICE("P"), a});
	KEY(&table, -ERR_VALIDATION, empty_text, {SLICE("P"), value_string(SLICE(""))},
	    {SLICE("S"), one});
	KEY(&simple, -ERR_VALIDATION, empty_bytes, {SLICE("P"), none});
}

static void
keys_have_the_limits_of_dynamodb(void)
{
	static const struct key_schema k = {.pk = {{SLICE_INIT("P"), VALUE_S}},
					    .sk = {{SLICE_INIT("S"), VALUE_S}}};
	static char text[2049];
	static const struct {
		size_t pk;
		size_t sk;
		int want;
	} cases[] = {
		{2048, 1024, 0},
		{2049, 1, -ERR_KEY_TOO_LONG},
		{1, 1025, -ERR_KEY_TOO_LONG},
	};

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct value pk = value_string(slice_of(text, cases[i].pk));
		struct value sk = value_string(slice_of(text, cases[i].sk));

		teardown();
		setup();
		CU_ASSERT_EQUAL(key_check(&c, &k, &(struct key_values){{&pk, &sk}, 2}),
				cases[i].want);
	}
}

static void
the_attributes_of_a_key_part_share_its_limit(void)
{
	static char text[1025];
	static const struct {
		size_t y;
		size_t z;
		int want;
	} cases[] = {
		{1024, 1024, 0},
		{1025, 1024, -ERR_KEY_TOO_LONG},
		{1, 0, -ERR_VALIDATION},
		{0, 1, -ERR_VALIDATION},
	};
	static const struct key_schema k = {.pk = {{SLICE_INIT("Y"), VALUE_S},
						   {SLICE_INIT("N"), VALUE_N},
						   {SLICE_INIT("Z"), VALUE_S}}};
	struct value one = {.type = VALUE_N, .text = SLICE("1")};

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct value y = value_string(slice_of(text, cases[i].y));
		struct value z = value_string(slice_of(text, cases[i].z));

		teardown();
		setup();
		CU_ASSERT_EQUAL(key_check(&c, &k, &(struct key_values){{&y, &one, &z}, 3}),
				cases[i].want);
		if (cases[i].want == -ERR_VALIDATION) {
			CU_ASSERT_PTR_NOT_NULL(
				strstr(c.error.message, cases[i].y == 0 ? "Key: Y" : "Key: Z"));
		}
	}
}

/* Convert keys to attributes, each of which comes once, and back to the same key. */
static void
check_round_trip(const struct schema *s, const struct index *ix, size_t n_names)
{
	const struct key_attr *names[KEY_VALUES_MAX];
	struct rng d = {1};

	CU_ASSERT_EQUAL(key_attributes(s, ix, names), n_names);
	for (int i = 0; i < 500; i++) {
		struct item it = {.at = arena_new(&c.arena, struct attr, n_names), .n = n_names};
		struct value at[KEY_VALUES_MAX];
		struct values values = {at, 0};
		struct buf key;
		struct buf again;

		for (size_t n = 0; n < n_names; n++) {
			it.at[n] = (struct attr){names[n]->name,
						 rng_key(&d, &c.arena, names[n]->type)};
		}
		buf_init(&key, &c.arena);
		buf_init(&again, &c.arena);
		CU_ASSERT_EQUAL(key_of_place(&key, s, ix, &it), 0);
		CU_ASSERT_EQUAL(keyspace_parse_item(&c, s, ix, buf_view(&key), &values), 0);

		struct item back = key_to_item(&c, s, ix, &values);

		CU_ASSERT_TRUE(item_eq(&back, &it));
		CU_ASSERT_EQUAL(key_of_place(&again, s, ix, &back), 0);
		CU_ASSERT_TRUE(slice_eq(buf_view(&key), buf_view(&again)));
	}
}

static void
places_and_keys_convert_both_ways(void)
{
	check_round_trip(&table, NULL, 2);
	check_round_trip(&table, &indexes[0], 2);
	check_round_trip(&table, &indexes[1], 3);
	check_round_trip(&table, &indexes[2], 3);
	check_round_trip(&table, &indexes[3], 5);
	check_round_trip(&simple, NULL, 1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_key_has_exactly_the_key_attributes),
	UNIT_TEST(keys_have_the_limits_of_dynamodb),
	UNIT_TEST(the_attributes_of_a_key_part_share_its_limit),
	UNIT_TEST(places_and_keys_convert_both_ways),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(key, setup, teardown, tests);
