/* Tests of the reasons of a throttled request: each once, a limited number, on one line. */
#include "store/base/core/base.h"
#include "store/base/core/throttled.h"

#include "tests/support/unit.h"

static struct arena arena;
static struct buf text;

static void
setup(void)
{
	arena_init(&arena, 1 << 20);
	buf_init(&text, NULL);
}

static void
teardown(void)
{
	arena_drop(&arena);
	buf_release(&text);
}

static bool
shows(const struct throttled *t, const char *expected)
{
	buf_clear(&text);
	throttled_put(&text, t);
	return slice_is(buf_view(&text), expected);
}

static void
add(struct throttled *t, struct slice reason, struct slice resource)
{
	throttled_add(&arena, t, (struct throttled_why){reason, resource});
}

static void
each_reason_is_stored_once_and_three_are_shown(void)
{
	struct throttled t = {0};

	CU_ASSERT_TRUE(shows(&t, ""));
	add(&t, SLICE("A"), SLICE("arn:x"));
	add(&t, SLICE("A"), SLICE("arn:x"));
	CU_ASSERT_TRUE(shows(&t, " (A: arn:x)"));
	add(&t, SLICE("A"), SLICE(""));
	add(&t, SLICE("B"), SLICE("arn:x"));
	CU_ASSERT_TRUE(shows(&t, " (A: arn:x, A, B: arn:x)"));
	add(&t, SLICE("C"), SLICE("arn:x"));
	add(&t, SLICE("D"), SLICE("arn:x"));
	CU_ASSERT_EQUAL(t.n, 5);
	CU_ASSERT_TRUE(shows(&t, " (A: arn:x, A, B: arn:x and 2 more)"));
}

static void
the_number_of_reasons_is_limited(void)
{
	struct throttled t = {0};
	struct throttled all = {0};

	for (int i = 0; i < 3 * THROTTLED_MAX; i++) {
		char name[20];

		(void)snprintf(name, sizeof(name), "%d", i);
		add(&t, slice_copy(&arena, slice_from(name)), SLICE("r"));
	}
	CU_ASSERT_EQUAL(t.n, THROTTLED_MAX);
	CU_ASSERT_TRUE(slice_is(t.at[THROTTLED_MAX - 1].reason, "99"));
	add(&all, SLICE("5"), SLICE("r"));
	add(&all, SLICE("own"), SLICE("r"));
	throttled_add_all(&arena, &all, &t);
	CU_ASSERT_EQUAL(all.n, THROTTLED_MAX);
	CU_ASSERT_TRUE(shows(&all, " (5: r, own: r, 0: r and 97 more)"));
}

static void
control_characters_are_escaped_and_long_reasons_cut(void)
{
	static char x[5000];
	struct throttled t = {0};

	memset(x, 'x', sizeof(x));
	add(&t, SLICE("a\nb\033[31m\xe2\x80\xae"), SLICE("\x00\r\x9b"));
	CU_ASSERT_TRUE(shows(&t, " (a\\nb\\u001b[31m\\u202e: \\u0000\\r\\u009b)"));
	add(&t, slice_of(x, sizeof(x)), slice_of(x, sizeof(x)));
	buf_clear(&text);
	throttled_put(&text, &t);
	CU_ASSERT_TRUE(text.len < 1000);
	CU_ASSERT_TRUE(slice_ends(buf_view(&text), SLICE("xxx...)")));
}

static void
a_copy_has_its_own_memory(void)
{
	char reason[] = "A";
	char resource[] = "arn:x";
	struct throttled t = {0};

	add(&t, slice_from(reason), slice_from(resource));
	struct throttled copy = throttled_copy(&arena, &t);

	reason[0] = resource[0] = '?';
	CU_ASSERT_TRUE(shows(&copy, " (A: arn:x)"));
	add(&copy, SLICE("B"), SLICE(""));
	CU_ASSERT_EQUAL(t.n, 1);
	CU_ASSERT_TRUE(shows(&copy, " (A: arn:x, B)"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(each_reason_is_stored_once_and_three_are_shown),
	UNIT_TEST(the_number_of_reasons_is_limited),
	UNIT_TEST(control_characters_are_escaped_and_long_reasons_cut),
	UNIT_TEST(a_copy_has_its_own_memory),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(throttled, setup, teardown, tests);
