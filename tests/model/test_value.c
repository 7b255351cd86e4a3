#include "store/model/number.h"
#include "store/model/value.h"

#include "tests/support/items.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

enum { CALL_BUDGET = 1 << 24, MANY = 3000 };

static struct value
v(const char *json)
{
	return value_of(&c, json);
}

static void
names_every_type(void)
{
	static const char *const names[VALUE_TYPES] = {"S", "N", "B",  "BOOL", "NULL",
						       "L", "M", "SS", "NS",   "BS"};

	for (int t = 0; t < VALUE_TYPES; t++) {
		CU_ASSERT_STRING_EQUAL(value_type_name((enum value_type)t), names[t]);
		CU_ASSERT_EQUAL(value_type_from_name(slice_from(names[t])), (enum value_type)t);
	}
	CU_ASSERT_EQUAL(value_type_from_name(SLICE("")), VALUE_TYPES);
	CU_ASSERT_EQUAL(value_type_from_name(SLICE("s")), VALUE_TYPES);
	CU_ASSERT_EQUAL(value_type_from_name(SLICE("NULLS")), VALUE_TYPES);
	CU_ASSERT_EQUAL(value_type_from_name(SLICE("NUL")), VALUE_TYPES);
	CU_ASSERT_EQUAL(value_type_from_name(SLICE("S\0")), VALUE_TYPES);
}

static void
values_are_equal_by_type_and_content(void)
{
	static const struct {
		const char *a;
		const char *b;
		bool eq;
	} rows[] = {
		{"\"x\"", "\"x\"", true},
		{"\"x\"", "\"xy\"", false},
		{"1", "1.0", true},
		{"1", "2", false},
		/* The same digits as S and as N are different values. */
		{"1565954664", "\"1565954664\"", false},
		{"\"aGk=\"", "{\"B\":\"aGk=\"}", false},
		{"{\"B\":\"aGk=\"}", "{\"B\":\"aGk=\"}", true},
		{"true", "true", true},
		{"true", "false", false},
		{"null", "null", true},
		{"null", "false", false},
		{"[1,2]", "[1,2]", true},
		{"[1,2]", "[2,1]", false},
		{"[1,2]", "[1]", false},
		{"[]", "{}", false},
		{"{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true},
		{"{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}", false},
		{"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
		{"{\"SS\":[\"a\",\"b\"]}", "{\"SS\":[\"b\",\"a\"]}", true},
		{"{\"SS\":[\"a\",\"b\"]}", "{\"SS\":[\"b\",\"c\"]}", false},
		{"{\"SS\":[\"a\",\"b\"]}", "{\"SS\":[\"a\"]}", false},
		{"{\"SS\":[\"1\"]}", "{\"NS\":[\"1\"]}", false},
		{"{\"NS\":[1,2]}", "{\"NS\":[\"2.0\",1]}", true},
		{"{\"BS\":[\"aGk=\",\"\"]}", "{\"BS\":[\"\",\"aGk=\"]}", true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value a = v(rows[i].a);
		struct value b = v(rows[i].b);

		CU_ASSERT_EQUAL(value_eq(&a, &b), rows[i].eq);
		CU_ASSERT_EQUAL(value_eq(&b, &a), rows[i].eq);
	}
}

static struct value
big_set(unsigned first, unsigned step)
{
	struct value set = {.type = VALUE_NS,
			    .list = {arena_new(&c.arena, struct value, MANY), MANY}};

	for (unsigned i = 0; i < MANY; i++) {
		struct buf b;

		buf_init(&b, &c.arena);
		buf_fmt(&b, "%u", (first + i * step) % MANY);
		set.list.at[i] = (struct value){.type = VALUE_N, .text = buf_view(&b)};
	}
	return set;
}

static void
compares_big_sets_in_any_order(void)
{
	struct value a = big_set(0, 1);
	struct value b = big_set(17, 7); /* 7 and MANY have no common factor */

	CU_ASSERT_TRUE(values_unique(&a.list));
	CU_ASSERT_TRUE(values_unique(&b.list));
	CU_ASSERT_TRUE(value_eq(&a, &b));
	b.list.at[MANY / 2].text = SLICE("-1");
	CU_ASSERT_FALSE(value_eq(&a, &b));
	b.list.at[MANY / 2].text = b.list.at[3].text;
	CU_ASSERT_FALSE(values_unique(&b.list));
	CU_ASSERT_TRUE(value_check_set(&c, &b) < 0);
	CU_ASSERT_STRING_EQUAL(c.error.message, "One or more parameter values were invalid: Input "
						"collection contains duplicates.");
}

/* Return the message that refuses the set @type of @a, @b, @d. */
static const char *
refusal(bool older, enum value_type type, const char *a, const char *b, const char *d)
{
	enum value_type member = type == VALUE_BS ? VALUE_B : VALUE_S;
	struct value three[] = {{.type = member, .text = slice_from(a)},
				{.type = member, .text = slice_from(b)},
				{.type = member, .text = slice_from(d)}};
	struct value set = {.type = type, .list = {three, 3}};

	teardown();
	setup();
	c.older = older;
	return value_check_set(&c, &set) < 0 ? c.error.message : "";
}

#define INVALID "One or more parameter values were invalid: "

static void
each_layer_lists_a_set_in_its_own_order(void)
{
	CU_ASSERT_STRING_EQUAL(refusal(false, VALUE_SS, "b", "a", "b"), INVALID
			       "Input collection [\"a\", \"b\", \"b\"] contains duplicates.");
	CU_ASSERT_STRING_EQUAL(refusal(true, VALUE_SS, "b", "a", "b"),
			       INVALID "Input collection [b, a, b] contains duplicates.");
	CU_ASSERT_STRING_EQUAL(refusal(false, VALUE_SS, "a", "a", "z"), INVALID
			       "Input collection [\"a\", \"a\", \"z\"] contains duplicates.");
	CU_ASSERT_STRING_EQUAL(refusal(false, VALUE_BS, "\xff", "\x01", "\x01"),
			       INVALID "Input collection [\"AQ==\",\"/w==\",\"AQ==\"]of type BS "
				       "contains duplicates.");
	CU_ASSERT_STRING_EQUAL(refusal(true, VALUE_BS, "\xff", "\x01", "\x01"),
			       INVALID "Input collection [/w==, AQ==, AQ==]of type BS contains "
				       "duplicates.");
	CU_ASSERT_STRING_EQUAL(refusal(true, VALUE_NS, "1", "2", "1"),
			       "Input collection contains duplicates");
	CU_ASSERT_STRING_EQUAL(refusal(false, VALUE_SS, "a", "b", "c"), "");
}

static void
orders_strings_by_bytes_and_numbers_by_value(void)
{
	static const char *const strings[] = {"\"\"",        "\"1\"",      "\"A\"", "\"AB\"",
					      "\"B\"",       "\"Z\"",      "\"a\"", "\"z\"",
					      "\"\\u00bf\"", "\"\\u00e9\""};
	static const char *const numbers[] = {"-20", "-1", "0", "1.5", "9", "10", "100"};

	for (size_t i = 1; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct value a = v(strings[i - 1]);
		struct value b = v(strings[i]);

		CU_ASSERT_TRUE(value_cmp(&a, &b) < 0 && value_cmp(&b, &a) > 0);
		CU_ASSERT_EQUAL(value_cmp(&a, &a), 0);
	}
	for (size_t i = 1; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct value a = v(numbers[i - 1]);
		struct value b = v(numbers[i]);

		CU_ASSERT_TRUE(value_cmp(&a, &b) < 0 && value_cmp(&b, &a) > 0);
		CU_ASSERT_EQUAL(value_cmp(&b, &b), 0);
	}
}

/* Source: BEHAVIOUR 2.12 */
static void
counts_bytes_as_dynamodb_does(void)
{
	static const struct {
		const char *json;
		size_t size;
	} rows[] = {
		{"\"\"", 0},
		{"\"abc\"", 3},
		{"\"\\u00e9\"", 2},
		{"0", 1},
		{"1", 2},
		{"-1", 3},
		{"12345", 4},
		{"{\"B\":\"aGk=\"}", 2},
		{"true", 1},
		{"null", 1},
		{"[]", 3},
		{"{}", 3},
		{"[\"abc\",1]", 3 + 2 + 3 + 2},
		{"{\"key\":\"abc\"}", 3 + 1 + 3 + 3},
		{"[[],{}]", 3 + 2 + 3 + 3},
		{"{\"SS\":[\"a\",\"bcd\"]}", 4},
		{"{\"NS\":[1,-1]}", 5},
		{"{\"BS\":[\"aGk=\"]}", 2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value a = v(rows[i].json);

		CU_ASSERT_EQUAL(value_size(&a), rows[i].size);
	}
}

static void
copies_outlive_their_originals(void)
{
	struct arena a;
	unsigned seed = 1;

	arena_init(&a, CALL_BUDGET);
	for (int i = 0; i < 200; i++) {
		struct call other;

		call_open(&other, 0, CALL_BUDGET);
		struct value from = random_value(&other.arena, &seed, 4);
		struct value copy = value_copy(&a, &from);
		struct value again = value_copy(&c.arena, &from);

		CU_ASSERT_TRUE(value_eq(&copy, &from));
		call_close(&other);
		CU_ASSERT_TRUE(value_eq(&copy, &again));
		CU_ASSERT_EQUAL(value_size(&copy), value_size(&again));
	}
	arena_drop(&a);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(names_every_type),
	UNIT_TEST(values_are_equal_by_type_and_content),
	UNIT_TEST(compares_big_sets_in_any_order),
	UNIT_TEST(each_layer_lists_a_set_in_its_own_order),
	UNIT_TEST(orders_strings_by_bytes_and_numbers_by_value),
	UNIT_TEST(counts_bytes_as_dynamodb_does),
	UNIT_TEST(copies_outlive_their_originals),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(value, setup, teardown, tests);
