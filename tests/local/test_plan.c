#include "store/local/read/plan.h"

#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct index indexes[] = {
	{.name = SLICE_INIT("L"),
	 .id = 1,
	 .key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("X"), VALUE_N}}}},
	{.name = SLICE_INIT("G"),
	 .global = true,
	 .id = 2,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_N}}, .sk = {{SLICE_INIT("Z"), VALUE_B}}}},
	{.name = SLICE_INIT("M"),
	 .global = true,
	 .id = 3,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_N}, {SLICE_INIT("T"), VALUE_S}},
		 .sk = {{SLICE_INIT("Z"), VALUE_B},
			{SLICE_INIT("W"), VALUE_N},
			{SLICE_INIT("V"), VALUE_S}}}},
};
static const struct schema table = {
	.table = SLICE_INIT("table"),
	.id = 5,
	.key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("S"), VALUE_S}}},
	.index = indexes,
	.n_index = 3,
};

/* Random attribute values, and the key that they make. */
struct random_place {
	struct value at[KEY_VALUES_MAX];
	size_t n;
	struct slice key;
};

/* Second implementation of key conditions, to compare with. */
static bool
holds(const struct keycond *k, const struct value *at)
{
	const struct value *sk = &at[k->equal.n];

	for (size_t i = 0; i < k->equal.n; i++) {
		if (!value_eq(&at[i], k->equal.at[i])) {
			return false;
		}
	}
	switch (k->op) {
	case KEYCOND_NONE:
		return true;
	case KEYCOND_EQ:
		return value_cmp(sk, k->a) == 0;
	case KEYCOND_LT:
		return value_cmp(sk, k->a) < 0;
	case KEYCOND_LE:
		return value_cmp(sk, k->a) <= 0;
	case KEYCOND_GT:
		return value_cmp(sk, k->a) > 0;
	case KEYCOND_GE:
		return value_cmp(sk, k->a) >= 0;
	case KEYCOND_BETWEEN:
		return value_cmp(sk, k->a) >= k->open_a && value_cmp(sk, k->b) <= -k->open_b;
	case KEYCOND_BEGINS_WITH:
		return slice_starts(sk->text, k->a->text);
	}
	return false;
}

static void
encode(const struct index *ix, struct random_place *p)
{
	struct key_values v = key_values_of(p->at, p->n);
	struct buf b;

	buf_init(&b, &c.arena);
	buf_slice(&b, keyspace_item(b.arena, &table, ix, &v));
	p->key = buf_view(&b);
}

static struct random_place
random_place(struct rng *d, const struct index *ix)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	struct random_place p = {.n = schema_place(&table, ix, attrs)};

	for (size_t i = 0; i < p.n; i++) {
		p.at[i] = rng_key(d, &c.arena, attrs[i]->type);
	}
	if (ix != NULL && !ix->global) {
		p.at[2] = p.at[0];
	}
	encode(ix, &p);
	return p;
}

static bool
in(const struct plan *p, struct slice key)
{
	return slice_cmp(key, p->lo) >= 0 && slice_cmp(key, p->hi) < 0;
}

/* A condition with "=" on the partition key and some sort attributes, and any operator on the next one. */
static struct keycond
random_condition(struct rng *d, const struct index *ix, const struct random_place *of,
		 struct value operands[2])
{
	const struct key_schema *k = schema_key(&table, ix);
	size_t n_sk = rng_roll(d, (uint32_t)key_part_n(k->sk));
	struct keycond cond = {.equal = key_values_of(of->at, key_part_n(k->pk) + n_sk),
			       .a = &operands[0],
			       .b = &operands[1]};
	enum value_type type = k->sk[n_sk].type;

	operands[0] = rng_key(d, &c.arena, type);
	operands[1] = rng_key(d, &c.arena, type);
	cond.op = (enum keycond_op)rng_roll(d, type == VALUE_N ? KEYCOND_BEGINS_WITH
							       : KEYCOND_BEGINS_WITH + 1);
	cond.open_a = rng_roll(d, 2) == 0;
	cond.open_b = rng_roll(d, 2) == 0;
	return cond;
}

static void
check_runs(const struct index *ix)
{
	struct rng d = {1};
	unsigned inside = 0;

	for (int i = 0; i < 4000; i++) {
		struct random_place of = random_place(&d, ix);
		struct value operands[2];
		struct keycond cond = random_condition(&d, ix, &of, operands);
		struct plan p;

		plan_collection(&c, &table, ix, &cond, &p);
		for (int n = 0; n < 20; n++) {
			struct random_place at = random_place(&d, ix);

			/* Make the first values of some keys match the condition. */
			for (size_t v = 0; n % 2 == 0 && v < cond.equal.n; v++) {
				at.at[v] = of.at[v];
			}
			encode(ix, &at);
			bool want = holds(&cond, at.at);

			CU_ASSERT_EQUAL(in(&p, at.key), want);
			inside += want;
		}
	}
	CU_ASSERT_TRUE(inside > 1000);
}

static void
a_run_contains_exactly_the_matching_keys(void)
{
	check_runs(NULL);
	for (size_t i = 0; i < 3; i++) {
		check_runs(&indexes[i]);
	}
}

static void
a_scan_run_contains_only_items(void)
{
	struct rng d = {2};
	struct plan whole[4];

	for (int n = 0; n < 4; n++) {
		plan_whole(&c, &table, n == 0 ? NULL : &indexes[n - 1], &whole[n]);
	}
	for (int i = 0; i < 3000; i++) {
		struct random_place p = random_place(&d, i % 4 == 0 ? NULL : &indexes[i % 4 - 1]);

		for (int n = 0; n < 4; n++) {
			CU_ASSERT_EQUAL(in(&whole[n], p.key), n == i % 4);
		}
	}
}

/* ------------------------------------------------------------ ExclusiveStartKey */

static struct item
place(const struct index *ix, const struct random_place *p)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	struct item it = {.at = arena_new(&c.arena, struct attr, KEY_VALUES_MAX)};

	(void)schema_place(&table, ix, attrs);
	for (size_t i = 0; i < p->n; i++) {
		if (item_get(&it, attrs[i]->name) == NULL) {
			it.at[it.n++] = (struct attr){attrs[i]->name, p->at[i]};
		}
	}
	return it;
}

static void
check_start(const struct index *ix, bool backward)
{
	struct rng d = {3};

	for (int i = 0; i < 2000; i++) {
		struct random_place at = random_place(&d, ix);
		struct item start = place(ix, &at);
		struct keycond cond = {
			.equal = key_values_of(at.at, key_part_n(schema_key(&table, ix)->pk))};
		struct plan p;
		struct plan all;

		plan_collection(&c, &table, ix, &cond, &p);
		all = p;
		p.backward = backward;

		int r = plan_start(&c, &p, &cond, &start);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_FALSE(in(&p, at.key));
		for (int n = 0; n < 10; n++) {
			struct slice k = random_place(&d, ix).key;
			int cmp = slice_cmp(k, at.key);

			CU_ASSERT_EQUAL(in(&p, k), in(&all, k) && (backward ? cmp < 0 : cmp > 0));
		}
	}
}

static void
a_start_key_leaves_only_later_keys(void)
{
	for (int backward = 0; backward < 2; backward++) {
		check_start(NULL, backward);
		check_start(&indexes[0], backward);
		check_start(&indexes[1], backward);
		check_start(&indexes[2], backward);
	}
}

static struct value
s(const char *text)
{
	return value_string(slice_from(text));
}

static struct value
n(const char *text)
{
	return (struct value){.type = VALUE_N, .text = slice_from(text)};
}

static void
check_refused(const struct index *ix, const struct keycond *cond, const struct attr *at,
	      size_t n_at, const char *message, int line)
{
	struct plan p;

	teardown();
	setup();
	if (cond == NULL) {
		plan_whole(&c, &table, ix, &p);
	} else {
		plan_collection(&c, &table, ix, cond, &p);
	}
	struct item start = {.at = (struct attr *)at, .n = n_at};
	int r = plan_start(&c, &p, cond, &start);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	if (r == 0 || strcmp(c.error.message, message) != 0) {
		printf("line %d: %s\n", line, r == 0 ? "accepted" : c.error.message);
		CU_FAIL("another answer to a bad start key");
	}
}
#define REFUSED(ix, cond, message, ...) \
	do { \
		struct attr at_[] = {__VA_ARGS__}; \
		check_refused((ix), (cond), at_, sizeof(at_) / sizeof(*at_), (message), __LINE__); \
	} while (0)

static void
bad_start_keys_are_refused_in_the_words_of_dynamodb(void)
{
	struct value ada = s("ADA");
	struct value m = s("m");
	struct keycond k = {.equal = {{&ada}, 1}, .op = KEYCOND_GT, .a = &m};
	struct keycond whole = {.equal = {{&ada}, 1}};
	static const char invalid[] = "The provided starting key is invalid";
	static const char schema[] =
		"The provided starting key is invalid: The provided key element does not match the "
		"schema";
	static const char empty[] =
		"The provided starting key is invalid: One or more parameter values are not valid. "
		"The AttributeValue for a key attribute cannot contain an empty string value. Key: P";
	static const char outside[] = "The provided starting key is outside query boundaries based "
				      "on provided conditions";
	static const char predicate[] =
		"The provided starting key does not match the range key predicate";
	static const char one_row[] =
		"The query can return at most one row and cannot be restarted";
	static char text[2049];

	memset(text, 'x', sizeof(text));

	struct value too_long = value_string(slice_of(text, 2049));
	struct value long_sort = value_string(slice_of(text, 1025));

	REFUSED(NULL, NULL, schema, {SLICE("P"), ada});
	REFUSED(NULL, NULL, schema, {SLICE("P"), ada}, {SLICE("T"), m});
	REFUSED(NULL, NULL, schema, {SLICE("P"), ada}, {SLICE("S"), n("1")});
	REFUSED(NULL, NULL, schema, {SLICE("P"), ada}, {SLICE("S"), m}, {SLICE("X"), n("1")});
	REFUSED(NULL, NULL, empty, {SLICE("P"), s("")}, {SLICE("S"), m});
	REFUSED(NULL, NULL, schema, {SLICE("P"), too_long}, {SLICE("S"), m});
	REFUSED(NULL, NULL, schema, {SLICE("P"), ada}, {SLICE("S"), long_sort});
	REFUSED(NULL, &k, invalid, {SLICE("P"), ada});
	REFUSED(&indexes[0], NULL, schema, {SLICE("P"), ada}, {SLICE("S"), m});
	REFUSED(&indexes[1], NULL, schema, {SLICE("P"), ada}, {SLICE("S"), m},
		{SLICE("Y"), n("1")});
	REFUSED(NULL, &whole, outside, {SLICE("P"), s("BOB")}, {SLICE("S"), s("z")});
	REFUSED(NULL, &k, predicate, {SLICE("P"), s("BOB")}, {SLICE("S"), s("a")});
	REFUSED(NULL, &k, one_row, {SLICE("P"), s("BOB")}, {SLICE("S"), s("z")});
	REFUSED(NULL, &k, schema, {SLICE("P"), ada}, {SLICE("S"), n("1")});
	REFUSED(NULL, &k, predicate, {SLICE("P"), ada}, {SLICE("S"), m});
	REFUSED(NULL, &k, predicate, {SLICE("P"), ada}, {SLICE("S"), s("a")});
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_run_contains_exactly_the_matching_keys),
	UNIT_TEST(a_scan_run_contains_only_items),
	UNIT_TEST(a_start_key_leaves_only_later_keys),
	UNIT_TEST(bad_start_keys_are_refused_in_the_words_of_dynamodb),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(plan, setup, teardown, tests);
