/* Groups of items: bounded memory, exact sums; statements with groups are tested in sql.sh. */
#include "tools/query/groups.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct step step_a = {.name = SLICE_INIT("a")};
static struct step step_n = {.name = SLICE_INIT("n")};

static struct groups_column columns[] = {
	{.function = GROUPS_BY, .path = {&step_a, 1}, .name = SLICE_INIT("a")},
	{.function = GROUPS_SUM, .path = {&step_n, 1}, .name = SLICE_INIT("SUM(n)")},
	{.function = GROUPS_MAX, .path = {&step_n, 1}, .name = SLICE_INIT("MAX(n)")},
};

static struct groups *
groups_of(size_t bytes)
{
	static struct groups_plan plan = {.columns = columns, .n_columns = 3};

	plan.bytes = bytes;
	return groups_new(&plan);
}

/* An item {"a":TEXT,"n":NUMBER}. */
static int
add(struct groups *g, const char *a, const char *n)
{
	struct attr attrs[] = {
		{SLICE("a"), value_string(slice_from(a))},
		{SLICE("n"), {.type = VALUE_N, .text = slice_from(n)}},
	};
	struct item it = {attrs, 2};

	return groups_add(g, &c, &it);
}

static void
memory_grows_with_groups_and_has_a_limit(void)
{
	struct groups *g = groups_of(1 << 20);
	char name[20];
	int r = 0;

	for (int i = 0; i < 100000; i++) {
		CU_ASSERT_EQUAL_FATAL(add(g, "same", "1"), 0);
	}
	for (int i = 0; r == 0 && i < 100000; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		r = add(g, name, "1");
	}
	CU_ASSERT_EQUAL(r, -ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "need more than 1 MB of memory"));
	groups_free(g);
}

static void
a_sum_is_exact_or_refused(void)
{
	struct groups *g = groups_of(1 << 20);

	CU_ASSERT_EQUAL(add(g, "x", "99999999999999999999999999999999999999"), 0);
	CU_ASSERT_EQUAL(add(g, "x", "0.1"), -ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(c.error.message,
			       "SUM(n): the sum has more than the 38 digits of a number");
	groups_free(g);
}

static bool
take_row(void *arg, const struct item *it)
{
	struct buf *b = arg;

	for (size_t i = 0; i < it->n; i++) {
		buf_slice(b, it->at[i].value.text);
		buf_char(b, ' ');
	}
	return true;
}

static void
groups_come_in_order_of_their_values(void)
{
	struct groups *g = groups_of(1 << 20);
	struct buf b;

	buf_init(&b, NULL); /* the memory of a row is released before the next one */
	CU_ASSERT_EQUAL(add(g, "y", "0.1"), 0);
	CU_ASSERT_EQUAL(add(g, "x", "-5"), 0);
	CU_ASSERT_EQUAL(add(g, "y", "0.2"), 0);
	CU_ASSERT_EQUAL(groups_print(g, &c, take_row, &b), 0);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), "x -5 -5 y 0.3 0.2 "));
	buf_release(&b);
	groups_free(g);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(memory_grows_with_groups_and_has_a_limit),
	UNIT_TEST(a_sum_is_exact_or_refused),
	UNIT_TEST(groups_come_in_order_of_their_values),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(groups, setup, teardown, tests);
