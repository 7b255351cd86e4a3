#include "fs/format/clauses.h"

#include "tests/support/unit.h"

static struct call c;
static struct clauses q;

static void
setup(void)
{
	call_open(&c, 0, SIZE_MAX);
}

static void
teardown(void)
{
	call_close(&c);
}

/*
 * Add the components of @path, each after a '/', until one is refused.
 * Return: the number of components; if one was refused, its index, negated
 */
static int
add(const char *path)
{
	struct slice rest = slice_from(path);
	int n = 0;

	call_close(&c);
	call_open(&c, 0, SIZE_MAX);
	q = (struct clauses){.limit = 0};
	while (rest.len > 0) {
		rest = slice_skip(rest, 1);
		const char *cut = memchr(rest.at, '/', rest.len);
		size_t len = cut == NULL ? rest.len : (size_t)(cut - rest.at);

		if (clauses_add(&c, &q, slice_of(rest.at, len)) != 0) {
			return -n;
		}
		rest = slice_skip(rest, len);
		n++;
	}
	return n;
}

static bool
says(const char *text)
{
	return c.error.code == ERR_VALIDATION && strstr(c.error.message, text) != NULL;
}

static bool
is_sort(size_t i, enum clause kind, const char *a, const char *b)
{
	return q.sort[i].kind == kind && slice_is(q.sort[i].a, a) && slice_is(q.sort[i].b, b);
}

static void
reads_a_chain_in_any_order(void)
{
	CU_ASSERT_EQUAL(add("/.begins_with/ORDER#/.reverse/.limit/5/.filter/a = 1/.project/a,b.c"),
			9);
	CU_ASSERT_TRUE(q.n_sort == 1 && is_sort(0, CLAUSE_BEGINS_WITH, "ORDER#", ""));
	CU_ASSERT_TRUE(q.reverse && q.limit == 5 && q.awaits == CLAUSE_NONE && !q.sharded);
	CU_ASSERT_TRUE(slice_is(q.filter, "a = 1") && slice_is(q.project, "a,b.c"));
	CU_ASSERT_TRUE(slice_is(q.chain, "/.begins_with/ORDER#/.reverse/.limit/5/.filter/a = 1"
					 "/.project/a,b.c"));
	CU_ASSERT_EQUAL(add("/.limit/7/.project/x/.reverse/.between/A/B"), 8);
	CU_ASSERT_TRUE(q.n_sort == 1 && is_sort(0, CLAUSE_BETWEEN, "A", "B"));
	CU_ASSERT_TRUE(q.reverse && q.limit == 7 && slice_is(q.project, "x"));
	CU_ASSERT_EQUAL(add("/.shards/0..14/.eq/x"), 4);
	CU_ASSERT_TRUE(q.sharded && q.shard_lo == 0 && q.shard_hi == 14 && q.shard_prefix.len == 0);
	CU_ASSERT_FALSE(clauses_any(&(struct clauses){.limit = 0}));
	CU_ASSERT_TRUE(clauses_any(&q));
}

static void
knows_every_condition(void)
{
	static const struct {
		const char *path;
		enum clause kind;
	} rows[] = {
		{"/.eq/v", CLAUSE_EQ}, {"/.lt/v", CLAUSE_LT},
		{"/.le/v", CLAUSE_LE}, {"/.gt/v", CLAUSE_GT},
		{"/.ge/v", CLAUSE_GE}, {"/.begins_with/v", CLAUSE_BEGINS_WITH},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(add(rows[i].path), 2);
		CU_ASSERT_TRUE(q.n_sort == 1 && is_sort(0, rows[i].kind, "v", ""));
	}
}

static void
a_value_is_a_value_whatever_it_looks_like(void)
{
	CU_ASSERT_EQUAL(add("/.eq/.eq/.filter/.jsonl"), 4);
	CU_ASSERT_TRUE(is_sort(0, CLAUSE_EQ, ".eq", "") && slice_is(q.filter, ".jsonl"));
	CU_ASSERT_EQUAL(add("/.between/.between/.limit"), 3);
	CU_ASSERT_TRUE(is_sort(0, CLAUSE_BETWEEN, ".between", ".limit"));
	CU_ASSERT_EQUAL(add("/.eq/%2E%2E"), 2);
	CU_ASSERT_TRUE(is_sort(0, CLAUSE_EQ, "..", ""));
	CU_ASSERT_EQUAL(add("/.eq/a%2fb%2F%25"), 2);
	CU_ASSERT_TRUE(is_sort(0, CLAUSE_EQ, "a/b/%", ""));
	CU_ASSERT_EQUAL(add("/.limit/%35"), 2);
	CU_ASSERT_EQUAL(q.limit, 5);
}

static void
reports_what_an_incomplete_chain_needs(void)
{
	CU_ASSERT_EQUAL(add("/.eq"), 1);
	CU_ASSERT_EQUAL(q.awaits, CLAUSE_EQ);
	CU_ASSERT_EQUAL(add("/.between/A"), 2);
	CU_ASSERT_TRUE(q.awaits == CLAUSE_BETWEEN && q.n_sort == 0);
	CU_ASSERT_EQUAL(add("/.reverse"), 1);
	CU_ASSERT_EQUAL(q.awaits, CLAUSE_NONE);
	CU_ASSERT_EQUAL(add("/.eq/a/.eq/b/.shards"), -4);
	CU_ASSERT_EQUAL(add("/.shards"), 1);
	CU_ASSERT_EQUAL(q.awaits, CLAUSE_SHARDS);
}

static void
only_equalities_may_precede_another_condition(void)
{
	CU_ASSERT_EQUAL(add("/.eq/a/.eq/b/.between/c/d"), 7);
	CU_ASSERT_TRUE(q.n_sort == 3 && is_sort(2, CLAUSE_BETWEEN, "c", "d"));
	CU_ASSERT_EQUAL(add("/.eq/a/.eq/b/.eq/c/.eq/d/.eq"), -8);
	CU_ASSERT_TRUE(says("already a condition on the sort key"));
	CU_ASSERT_EQUAL(add("/.lt/a/.eq"), -2);
	CU_ASSERT_TRUE(says("already a condition on the sort key"));
	CU_ASSERT_EQUAL(add("/.begins_with/a/.limit/1/.between"), -4);
	CU_ASSERT_TRUE(says("already a condition on the sort key"));
}

static void
other_clauses_are_allowed_once(void)
{
	static const char *const paths[] = {"/.filter/a/.filter", "/.project/a/.project",
					    "/.limit/1/.limit", "/.shards/0..1/.shards"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		CU_ASSERT_EQUAL(add(paths[i]), -2);
		CU_ASSERT_TRUE(says(" already") && says(strrchr(paths[i], '.')));
	}
	CU_ASSERT_EQUAL(add("/.reverse/.reverse"), -1);
	CU_ASSERT_TRUE(says("there is already a .reverse"));
	CU_ASSERT_EQUAL(add("/.reverse/.shards"), -1);
	CU_ASSERT_TRUE(says("before all other clauses"));
	CU_ASSERT_EQUAL(add("/x"), 0);
	CU_ASSERT_TRUE(says("\"x\" is not a clause"));
}

static void
refuses_invalid_values(void)
{
	static const struct {
		const char *path;
		const char *sentence;
	} rows[] = {
		{"/.limit/0", "Value '0' at 'limit' failed to satisfy constraint"},
		{"/.limit/-1", ".limit: expected a number of items, found \"-1\""},
		{"/.limit/1.5", ".limit: expected a number"},
		{"/.limit/ 1", ".limit: expected a number"},
		{"/.limit/1234567890123456789", ".limit: expected a number"},
		{"/.eq/50%", "a % must be followed by two hex digits"},
		{"/.filter/a = 5%2", "a % must be followed by two hex digits"},
		{"/.shards/1", ".shards: expected LO..HI"},
		{"/.shards/..", ".shards: expected LO..HI"},
		{"/.shards/5..4", ".shards: expected LO..HI"},
		{"/.shards/0..4}", ".shards: expected LO..HI"},
		{"/.shards/P{0..4", ".shards: expected LO..HI"},
		{"/.shards/P{a..c}", ".shards: expected LO..HI"},
		{"/.shards/0..10000", "at most 10000 partitions"},
		{"/.shards/0..1234567890", ".shards: expected LO..HI"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(add(rows[i].path), -1);
		if (!says(rows[i].sentence)) {
			(void)printf("\n    %s: %s\n", rows[i].path,
				     c.error.code == ERR_NONE ? "taken" : c.error.message);
			CU_FAIL();
		}
	}
}

static void
reads_shards_of_strings(void)
{
	CU_ASSERT_EQUAL(add("/.shards/OPEN#{3..12}"), 2);
	CU_ASSERT_TRUE(q.sharded && slice_is(q.shard_prefix, "OPEN#"));
	CU_ASSERT_TRUE(q.shard_lo == 3 && q.shard_hi == 12);
	CU_ASSERT_EQUAL(add("/.shards/{a%2Fb}{0..9999}"), 2);
	CU_ASSERT_TRUE(slice_is(q.shard_prefix, "{a/b}") && q.shard_hi == 9999);
	CU_ASSERT_EQUAL(add("/.shards/{7..7}"), 2);
	CU_ASSERT_TRUE(q.shard_prefix.len == 0 && q.shard_lo == 7 && q.shard_hi == 7);
}

static void
takes_values_of_4095_bytes(void)
{
	static char path[5000];

	memset(path, 'v', sizeof(path));
	memcpy(path, "/.eq/", 5);
	path[5 + CLAUSES_VALUE_MAX] = '\0';
	CU_ASSERT_EQUAL(add(path), 2);
	CU_ASSERT_EQUAL(q.sort[0].a.len, CLAUSES_VALUE_MAX);
	path[5 + CLAUSES_VALUE_MAX] = 'v';
	path[6 + CLAUSES_VALUE_MAX] = '\0';
	CU_ASSERT_EQUAL(add(path), -1);
	CU_ASSERT_TRUE(says("at most 4095 bytes"));
}

static void
the_longest_chain_has_the_documented_length(void)
{
	CU_ASSERT_EQUAL(
		add("/.shards/0..1/.eq/a/.eq/b/.eq/c/.between/d/e/.filter/f/.project/g/.limit/1"
		    "/.reverse"),
		CLAUSES_MAX);
	CU_ASSERT_EQUAL(q.awaits, CLAUSE_NONE);
}

static void
knows_the_terminals(void)
{
	CU_ASSERT_EQUAL(clauses_generated(SLICE(".jsonl")), GENERATED_JSONL);
	CU_ASSERT_EQUAL(clauses_generated(SLICE(".json")), GENERATED_JSON);
	CU_ASSERT_EQUAL(clauses_generated(SLICE(".csv")), GENERATED_CSV);
	CU_ASSERT_EQUAL(clauses_generated(SLICE(".count")), GENERATED_COUNT);
	CU_ASSERT_EQUAL(clauses_generated(SLICE(".eq")), GENERATED_NONE);
	CU_ASSERT_EQUAL(clauses_name(SLICE(".jsonl")), CLAUSE_NONE);
	CU_ASSERT_EQUAL(clauses_name(SLICE("eq")), CLAUSE_NONE);
	CU_ASSERT_TRUE(clauses_is_reserved(SLICE(".eq")) && clauses_is_reserved(SLICE(".csv")));
	CU_ASSERT_TRUE(clauses_is_reserved(SLICE(".index")) &&
		       clauses_is_reserved(SLICE(".stream")));
	CU_ASSERT_FALSE(clauses_is_reserved(SLICE(".x")) || clauses_is_reserved(SLICE("eq")));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_a_chain_in_any_order),
	UNIT_TEST(knows_every_condition),
	UNIT_TEST(a_value_is_a_value_whatever_it_looks_like),
	UNIT_TEST(reports_what_an_incomplete_chain_needs),
	UNIT_TEST(only_equalities_may_precede_another_condition),
	UNIT_TEST(other_clauses_are_allowed_once),
	UNIT_TEST(refuses_invalid_values),
	UNIT_TEST(reads_shards_of_strings),
	UNIT_TEST(takes_values_of_4095_bytes),
	UNIT_TEST(the_longest_chain_has_the_documented_length),
	UNIT_TEST(knows_the_terminals),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(clauses, setup, teardown, tests);
