#include "fs/format/path.h"

#include "tests/support/items.h"
#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct slice
component_of(const struct value *v)
{
	struct buf out;

	buf_init(&out, &c.arena);
	path_put_value(&out, v);
	return buf_view(&out);
}

static struct slice
entry_of(const struct value *values, size_t n)
{
	struct buf out;

	buf_init(&out, &c.arena);
	path_put_entry(&out, values, n);
	return buf_view(&out);
}

/* ------------------------------------------------------------ values and their one spelling */

static const struct {
	const char *value; /* JSON */
	const char *name;
} spellings[] = {
	{"\"ORDER#7\"", "ORDER#7"},
	{"\"a/b%c\"", "a%2Fb%25c"},
	{"\"a\\u0000\\n\\u007fb\"", "a%00%0A%7Fb"},
	{"\".hidden.x\"", "%2Ehidden.x"},
	{"\"..\"", "%2E."},
	{"\"a:b::c:\"", "a:b::c:"},
	{"\"äß€\"", "äß€"},
	{"\" blank \"", " blank "},
	{"-5", "-5"},
	{"0.25", "0.25"},
	{"1E+30", "1000000000000000000000000000000"},
	{"1E+39", "1000000000000000000000000000000000000000"},
	{"1E+40", "1E+40"},
	{"-1.25E+100", "-1.25E+100"},
	{"12345678901234567890123456789012345678E+3",
	 "1.2345678901234567890123456789012345678E+40"},
	{"1E-38", "0.00000000000000000000000000000000000001"},
	{"1E-40", "1E-40"},
	{"9.5E-130", "9.5E-130"},
	{"{\"B\":\"AP8Q\"}", "00ff10"},
};

static void
every_value_has_one_spelling_that_reads_back(void)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		struct value v = value_of(&c, spellings[i].value), back;
		struct slice why;

		CU_ASSERT_TRUE(text_is(component_of(&v), spellings[i].name));
		int r = path_read_value(&c, slice_from(spellings[i].name), v.type, SLICE(""), &back,
					&why);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(r == 0 && value_eq(&v, &back));
	}
}

static const struct {
	enum value_type type;
	const char *name;
	const char *canonical; /* in the message; "" if there is none */
} odd[] = {
	{VALUE_S, "a%2fb", ""},
	{VALUE_S, "%41", "\"A.json\""},
	{VALUE_S, "%", ""},
	{VALUE_S, "a%2", ""},
	{VALUE_S, "a%zz", ""},
	{VALUE_S, ".a", "\"%2Ea.json\""},
	{VALUE_S, "\xff", "UTF-8"},
	{VALUE_S, "%C0%AF", "UTF-8"},
	{VALUE_S, "", "empty"},
	{VALUE_N, "1.0", "\"1.json\""},
	{VALUE_N, "+1", "\"1.json\""},
	{VALUE_N, "01", "\"1.json\""},
	{VALUE_N, "-0", "\"0.json\""},
	{VALUE_N, "1e3", "\"1000.json\""},
	{VALUE_N, "1E40", "\"1E+40.json\""},
	{VALUE_N, "x", "number"},
	{VALUE_N, "", "empty"},
	{VALUE_B, "FF", "hex"},
	{VALUE_B, "f", "hex"},
	{VALUE_B, "0g", "hex"},
	{VALUE_B, "", "empty"},
};

static void
refuses_other_spellings_and_suggests_the_right_one(void)
{
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct value v;
		struct slice why = {0};
		struct call own;

		call_open(&own, 0, SIZE_MAX);
		int r = path_read_value(&own, slice_from(odd[i].name), odd[i].type, SLICE(".json"),
					&v, &why);

		CU_ASSERT_EQUAL(r, PATH_ODD);
		CU_ASSERT_TRUE(r == PATH_ODD && why.len > 0 &&
			       memmem(why.at, why.len, odd[i].canonical,
				      strlen(odd[i].canonical)) != NULL);
		call_close(&own);
	}
}

/* ------------------------------------------------------------ entries of index views */

static const struct {
	const char *values[3];
	const char *name;
} entries[] = {
	{{"\"a\"", "\"b\"", "\"c\""}, "a::b::c"},
	{{"\"a:b\"", "\"c\"", "1"}, "a:b::c::1"},
	{{"\"a::b\"", "\"c:\"", "\":d\""}, "a%3A%3Ab::c%3A::%3Ad"},
	{{"\":\"", "\":::\"", "\"x\""}, "%3A::%3A%3A%3A::x"},
	{{"-1.5", "{\"B\":\"AP8=\"}", "\".x\""}, "-1.5::00ff::.x"},
	{{"\".a\"", "\".b\"", "\"/\""}, "%2Ea::.b::%2F"},
};

static void
joined_values_of_an_entry_can_be_separated(void)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		struct value in[3], back[3];
		enum value_type types[3];
		struct slice why;

		for (size_t k = 0; k < 3; k++) {
			in[k] = value_of(&c, entries[i].values[k]);
			types[k] = in[k].type;
		}
		CU_ASSERT_TRUE(text_is(entry_of(in, 3), entries[i].name));
		int r = path_read_entry(&c, slice_from(entries[i].name), types, 3, SLICE(""), back,
					&why);

		CU_ASSERT_EQUAL(r, 0);
		for (size_t k = 0; r == 0 && k < 3; k++) {
			CU_ASSERT_TRUE(value_eq(&in[k], &back[k]));
		}
	}
}

static void
requires_as_many_values_as_the_index_has(void)
{
	static const enum value_type types[3] = {VALUE_S, VALUE_S, VALUE_S};
	static const char *const names[] = {"a",      "a::b",   "a::b::c::d",
					    "a::::c", "::b::c", "a:::b::c"};
	struct value out[3];
	struct slice why;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CU_ASSERT_EQUAL(
			path_read_entry(&c, slice_from(names[i]), types, 3, SLICE(""), out, &why),
			PATH_ODD);
	}
}

static void
any_key_can_be_read_from_its_name(void)
{
	struct rng d = {.state = 7};

	for (int i = 0; i < 20000; i++) {
		struct arena_mark mark = arena_mark(&c.arena);
		enum value_type types[3];
		struct value in[3], back[3];
		struct slice why;
		size_t n = 1 + rng_roll(&d, 3);

		for (size_t k = 0; k < n; k++) {
			static const enum value_type all[] = {VALUE_S, VALUE_N, VALUE_B};

			types[k] = all[rng_roll(&d, 3)];
			do {
				in[k] = rng_key(&d, &c.arena, types[k]);
			} while (in[k].text.len == 0);
		}
		struct slice name = entry_of(in, n);
		int r = path_read_entry(&c, name, types, n, SLICE(""), back, &why);

		CU_ASSERT_EQUAL(r, 0);
		for (size_t k = 0; r == 0 && k < n; k++) {
			CU_ASSERT_TRUE(value_eq(&in[k], &back[k]));
		}
		CU_ASSERT_TRUE(memchr(name.at, '/', name.len) == NULL &&
			       memchr(name.at, '\0', name.len) == NULL && name.at[0] != '.');
		arena_reset(&c.arena, mark);
	}
}

/* ------------------------------------------------------------ long names */

static struct slice
repeat(const char *text, size_t n)
{
	struct buf out;

	buf_init(&out, &c.arena);
	for (size_t i = 0; i < n; i++) {
		buf_str(&out, text);
	}
	return buf_view(&out);
}

static struct slice
name_of(struct slice component, const char *suffix, bool *hashed)
{
	struct buf out;

	buf_init(&out, &c.arena);
	*hashed = path_put_name(&out, component, slice_from(suffix));
	return buf_view(&out);
}

static void
shortens_only_names_over_255_bytes(void)
{
	bool hashed;
	struct slice name = name_of(repeat("k", 250), ".json", &hashed);

	CU_ASSERT_FALSE(hashed);
	CU_ASSERT_EQUAL(name.len, 255);
	name = name_of(repeat("k", 251), ".json", &hashed);
	CU_ASSERT_TRUE(hashed);
	CU_ASSERT_EQUAL(name.len, 255);
	name.len -= 5;
	CU_ASSERT_TRUE(path_is_hashed(name));
	/* printf %s "$(printf 'k%.0s' $(seq 251))" | sha256sum */
	CU_ASSERT_TRUE(text_is(slice_skip(name, name.len - PATH_HASH_LEN),
			       "%~3b8059c637939a483bdc7beef09f11b5"));
	CU_ASSERT_TRUE(slice_eq(path_hashed_prefix(name), repeat("k", 216)));
}

static void
cuts_at_the_end_of_a_character_and_of_an_escape(void)
{
	bool hashed;

	for (size_t lead = 0; lead < 4; lead++) {
		struct buf component;

		buf_init(&component, &c.arena);
		buf_slice(&component, repeat("a", lead));
		buf_slice(&component, repeat("€%2F", 60));
		struct slice name = name_of(buf_view(&component), ".json", &hashed);
		struct slice prefix = path_hashed_prefix(slice_of(name.at, name.len - 5));

		CU_ASSERT_TRUE(hashed && name.len <= 255 && name.len > 250);
		CU_ASSERT_TRUE((prefix.len - lead) % 6 == 0 || (prefix.len - lead) % 6 == 3);
	}
}

static void
recognizes_a_shortened_name_by_its_suffix(void)
{
	CU_ASSERT_TRUE(path_is_hashed(SLICE("a%~0123456789abcdef0123456789abcdef")));
	CU_ASSERT_FALSE(path_is_hashed(SLICE("%~0123456789abcdef0123456789abcdef")));
	CU_ASSERT_FALSE(path_is_hashed(SLICE("a%~0123456789ABCDEF0123456789abcdef")));
	CU_ASSERT_FALSE(path_is_hashed(SLICE("a%~0123456789abcdef0123456789abcde")));
	CU_ASSERT_FALSE(path_is_hashed(SLICE("")));
}

static void
splits_a_prefix_where_values_end(void)
{
	struct slice parts[3];

	CU_ASSERT_EQUAL(path_split(SLICE("a::b::c"), parts, 3), 3);
	CU_ASSERT_TRUE(text_is(parts[2], "c"));
	CU_ASSERT_EQUAL(path_split(SLICE("a::b::c"), parts, 2), 2);
	CU_ASSERT_TRUE(text_is(parts[1], "b::c"));
	CU_ASSERT_EQUAL(path_split(SLICE("ab"), parts, 3), 1);
	CU_ASSERT_EQUAL(path_split(SLICE("ab::"), parts, 3), 2);
	CU_ASSERT_EQUAL(parts[1].len, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_value_has_one_spelling_that_reads_back),
	UNIT_TEST(refuses_other_spellings_and_suggests_the_right_one),
	UNIT_TEST(joined_values_of_an_entry_can_be_separated),
	UNIT_TEST(requires_as_many_values_as_the_index_has),
	UNIT_TEST(any_key_can_be_read_from_its_name),
	UNIT_TEST(shortens_only_names_over_255_bytes),
	UNIT_TEST(cuts_at_the_end_of_a_character_and_of_an_escape),
	UNIT_TEST(recognizes_a_shortened_name_by_its_suffix),
	UNIT_TEST(splits_a_prefix_where_values_end),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(path, setup, teardown, tests);
