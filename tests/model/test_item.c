#include "store/model/item.h"
#include "store/model/limits.h"

#include "tests/support/items.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

enum { MANY = 1000 };

static void
finds_attributes_by_their_full_name(void)
{
	struct item it = item_of(&c, "{\"a\":1,\"ab\":2,\"b\":null}");
	const struct value *ab = item_get(&it, SLICE("ab"));

	CU_ASSERT_TRUE(ab != NULL && slice_is(ab->text, "2"));
	CU_ASSERT_PTR_NULL(item_get(&it, SLICE("abc")));
	CU_ASSERT_PTR_NULL(item_get(&it, SLICE("A")));
	CU_ASSERT_PTR_NULL(item_get(&it, SLICE("")));
	CU_ASSERT_PTR_NULL(item_get(&(struct item){0}, SLICE("a")));
}

static void
counts_names_and_values(void)
{
	struct item it = item_of(&c, "{\"shirt-color\":\"R\",\"shirt-size\":\"M\"}");

	CU_ASSERT_EQUAL(item_size(&it), 23);
	CU_ASSERT_EQUAL(item_size(&(struct item){0}), 0);
}

/* Return an item of @n attributes "a0".."a<n-1>", starting with number @first. */
static struct item
many(size_t n, size_t first)
{
	struct item it = {arena_new(&c.arena, struct attr, n), n};

	for (size_t i = 0; i < n; i++) {
		struct buf b;

		buf_init(&b, &c.arena);
		buf_fmt(&b, "a%zu", (first + i) % n);
		it.at[i] = (struct attr){buf_view(&b), value_string(buf_view(&b))};
	}
	return it;
}

static void
items_are_equal_in_any_order(void)
{
	for (size_t n = 1; n < MANY; n = n * 3 + 1) {
		struct item a = many(n, 0);
		struct item b = many(n, n / 2);

		CU_ASSERT_TRUE(item_eq(&a, &b));
		b.at[n - 1].value = value_string(SLICE("other"));
		CU_ASSERT_FALSE(item_eq(&a, &b));
		b = many(n, n / 2);
		b.at[n - 1].name = SLICE("other");
		CU_ASSERT_FALSE(item_eq(&a, &b));
		/* A longer name that sorts at the position of the old one. */
		b = many(n, n / 2);
		struct buf longer;

		buf_init(&longer, &c.arena);
		buf_slice(&longer, b.at[n - 1].name);
		buf_char(&longer, '!');
		b.at[n - 1].name = buf_view(&longer);
		CU_ASSERT_FALSE(item_eq(&a, &b));
		b.n--;
		CU_ASSERT_FALSE(item_eq(&a, &b));
	}
}

static void
copies_deeply(void)
{
	char text[] = "{\"a\":[\"x\",{\"b\":[1]}]}";
	struct item it = item_of(&c, text);
	struct item copy = item_copy(&c.arena, &it);
	struct item want = item_of(&c, "{\"a\":[\"x\",{\"b\":[1]}]}");

	memset(text, '#', sizeof(text) - 1);
	CU_ASSERT_FALSE(item_eq(&it, &want));
	CU_ASSERT_TRUE(item_eq(&copy, &want));
}

/* Return an item whose attribute has @levels nested lists or maps, the innermost with a leaf. */
static struct item
nested(size_t levels, enum value_type type)
{
	struct value v = value_string(SLICE("leaf"));

	for (size_t i = 0; i < levels; i++) {
		struct value outer = {.type = type};

		if (type == VALUE_M) {
			outer.map = (struct item){arena_new(&c.arena, struct attr, 1), 1};
			outer.map.at[0] = (struct attr){SLICE("n"), v};
		} else {
			outer.list = (struct values){arena_new(&c.arena, struct value, 1), 1};
			outer.list.at[0] = v;
		}
		v = outer;
	}
	struct item it = {arena_new(&c.arena, struct attr, 1), 1};

	it.at[0] = (struct attr){SLICE("a"), v};
	return it;
}

static void
nests_at_most_32_levels(void)
{
	static const enum value_type types[] = {VALUE_M, VALUE_L};

	for (size_t i = 0; i < 2; i++) {
		teardown();
		setup();
		struct item good = nested(31, types[i]);
		struct item bad = nested(32, types[i]);
		int r = item_check(&c, &good);

		CU_ASSERT_EQUAL(r, 0);
		r = item_check(&c, &bad);
		CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
		CU_ASSERT_TRUE(
			slice_starts(slice_from(c.error.message),
				     SLICE("Nesting Levels have exceeded supported limits")));
	}
}

static const char *
message_of(const struct item *it)
{
	call_close(&c);
	setup();
	return item_check(&c, it) < 0 ? c.error.message : "";
}

static void
bounds_names(void)
{
	static char name[LIMIT_NAME_BYTES + 1];
	struct attr a = {SLICE(""), value_string(SLICE("x"))};
	struct item it = {&a, 1};

	CU_ASSERT_STRING_EQUAL(message_of(&it), "Empty attribute name");
	memset(name, 'n', sizeof(name));
	a.name = slice_of(name, LIMIT_NAME_BYTES);
	CU_ASSERT_STRING_EQUAL(message_of(&it), "");
	a.name = slice_of(name, LIMIT_NAME_BYTES + 1);
	CU_ASSERT_STRING_EQUAL(message_of(&it),
			       "Attribute name is too large, must be less than 65536 bytes");

	/* The same below a map in a list. */
	struct value map = {.type = VALUE_M, .map = it};
	struct attr outer = {SLICE("a"), {.type = VALUE_L, .list = {&map, 1}}};

	CU_ASSERT_STRING_EQUAL(message_of(&(struct item){&outer, 1}),
			       "Attribute name is too large, must be less than 65536 bytes");
}

static void
refuses_empty_sets_and_duplicate_members(void)
{
	struct value two[] = {{.type = VALUE_S, .text = SLICE_INIT("a")},
			      {.type = VALUE_S, .text = SLICE_INIT("a")}};
	struct attr a = {SLICE("a"), {.type = VALUE_SS, .list = {two, 0}}};
	struct item it = {&a, 1};

	CU_ASSERT_STRING_EQUAL(
		message_of(&it),
		"One or more parameter values were invalid: An string set  may not be empty");
	a.value.type = VALUE_NS;
	CU_ASSERT_STRING_EQUAL(
		message_of(&it),
		"One or more parameter values were invalid: An number set  may not be empty");
	a.value.type = VALUE_BS;
	CU_ASSERT_STRING_EQUAL(
		message_of(&it),
		"One or more parameter values were invalid: Binary sets should not be empty");
	a.value.list.n = 2;
	CU_ASSERT_STRING_EQUAL(message_of(&it),
			       "One or more parameter values were invalid: Input collection "
			       "[\"YQ==\",\"YQ==\"]of type BS contains duplicates.");
	a.value.type = VALUE_SS;
	CU_ASSERT_STRING_EQUAL(message_of(&it), "One or more parameter values were invalid: Input "
						"collection [\"a\", \"a\"] contains duplicates.");
	two[1].text = SLICE("");
	CU_ASSERT_STRING_EQUAL(message_of(&it), "");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(finds_attributes_by_their_full_name),
	UNIT_TEST(counts_names_and_values),
	UNIT_TEST(items_are_equal_in_any_order),
	UNIT_TEST(copies_deeply),
	UNIT_TEST(nests_at_most_32_levels),
	UNIT_TEST(bounds_names),
	UNIT_TEST(refuses_empty_sets_and_duplicate_members),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(item, setup, teardown, tests);
