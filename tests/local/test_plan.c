#include <stdio.h>

#include "store/local/plan.h"

#include "tests/support/dice.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct index indexes[] = {
	{.name = SLICE_INIT("L"),
	 .id = 1,
	 .key = {.pk = {SLICE_INIT("P"), VALUE_S}, .sk = {SLICE_INIT("X"), VALUE_N}}},
	{.name = SLICE_INIT("G"),
	 .global = true,
	 .id = 2,
	 .key = {.pk = {SLICE_INIT("Y"), VALUE_N}, .sk = {SLICE_INIT("Z"), VALUE_B}}},
};
static const struct schema table = {
	.table = SLICE_INIT("table"),
	.id = 5,
	.key = {.pk = {SLICE_INIT("P"), VALUE_S}, .sk = {SLICE_INIT("S"), VALUE_S}},
	.index = indexes,
	.n_index = 2,
};

/* What a key condition means, said a second time. */
static bool
holds(const struct keycond *k, const struct value *pk, const struct value *sk)
{
	if (!value_eq(pk, k->pk)) {
		return false;
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
		return value_cmp(sk, k->a) >= 0 && value_cmp(sk, k->b) <= 0;
	case KEYCOND_BEGINS_WITH:
		return slice_starts(sk->text, k->a->text);
	}
	return false;
}

/* A random place in the table or index, as ExclusiveStartKey names it, and its key. */
static struct slice
random_place(struct dice *d, const struct index *ix, struct key_parts *parts)
{
	const struct key_schema *k = schema_key(&table, ix);
	struct key_values v = {.pk = &parts->pk, .sk = &parts->sk};
	struct buf b;

	*parts = (struct key_parts){.pk = dice_key(d, &c.arena, k->pk.type),
				    .sk = dice_key(d, &c.arena, k->sk.type)};
	if (ix != NULL) {
		parts->base_pk = ix->global ? dice_key(d, &c.arena, table.key.pk.type) : parts->pk;
		parts->base_sk = dice_key(d, &c.arena, table.key.sk.type);
		v.base_pk = &parts->base_pk;
		v.base_sk = &parts->base_sk;
	}
	buf_init(&b, &c.arena);
	keyspace_item(&b, &table, ix, &v);
	return buf_view(&b);
}

static bool
in(const struct plan *p, struct slice key)
{
	return slice_cmp(key, p->lo) >= 0 && slice_cmp(key, p->hi) < 0;
}

static void
check_runs(const struct index *ix)
{
	struct dice d = {1};
	unsigned inside = 0;

	for (int i = 0; i < 4000; i++) {
		const struct key_schema *k = schema_key(&table, ix);
		struct value pk = dice_key(&d, &c.arena, k->pk.type);
		struct value a = dice_key(&d, &c.arena, k->sk.type);
		struct value b = dice_key(&d, &c.arena, k->sk.type);
		uint32_t ops =
			k->sk.type == VALUE_N ? KEYCOND_BEGINS_WITH : KEYCOND_BEGINS_WITH + 1;
		struct keycond cond = {&pk, (enum keycond_op)dice_roll(&d, ops), &a, &b};
		struct plan p;

		plan_collection(&c, &table, ix, &cond, &p);
		for (int n = 0; n < 20; n++) {
			struct key_parts parts;
			struct slice key = random_place(&d, ix, &parts);

			if (n % 2 == 0) {
				struct key_values v = {&pk, &parts.sk,
						       ix == NULL ? NULL : &parts.base_pk,
						       ix == NULL ? NULL : &parts.base_sk};
				struct buf same;

				buf_init(&same, &c.arena);
				keyspace_item(&same, &table, ix, &v);
				key = buf_view(&same);
				parts.pk = pk;
			}
			bool want = holds(&cond, &parts.pk, &parts.sk);

			CU_ASSERT_EQUAL(in(&p, key), want);
			inside += want;
		}
	}
	CU_ASSERT_TRUE(inside > 1000);
}

static void
a_run_holds_exactly_what_fulfils_the_condition(void)
{
	check_runs(NULL);
	check_runs(&indexes[0]);
	check_runs(&indexes[1]);
}

static void
the_whole_table_holds_its_items_and_nothing_of_its_indexes(void)
{
	struct dice d = {2};
	struct plan whole[3];

	for (int n = 0; n < 3; n++) {
		plan_whole(&c, &table, n == 0 ? NULL : &indexes[n - 1], &whole[n]);
	}
	for (int i = 0; i < 3000; i++) {
		struct key_parts parts;
		struct slice key =
			random_place(&d, i % 3 == 0 ? NULL : &indexes[i % 3 - 1], &parts);

		for (int n = 0; n < 3; n++) {
			CU_ASSERT_EQUAL(in(&whole[n], key), n == i % 3);
		}
	}
}

/* ------------------------------------------------------------ ExclusiveStartKey */

static struct item
place(const struct index *ix, const struct key_parts *p)
{
	struct attr *at = arena_new(&c.arena, struct attr, 4);
	struct item it = {.at = at};

	at[it.n++] = (struct attr){SLICE("P"), ix == NULL ? p->pk : p->base_pk};
	at[it.n++] = (struct attr){SLICE("S"), ix == NULL ? p->sk : p->base_sk};
	if (ix == &indexes[0]) {
		at[it.n++] = (struct attr){SLICE("X"), p->sk};
	} else if (ix == &indexes[1]) {
		at[it.n++] = (struct attr){SLICE("Y"), p->pk};
		at[it.n++] = (struct attr){SLICE("Z"), p->sk};
	}
	return it;
}

static void
check_start(const struct index *ix, bool backward)
{
	struct dice d = {3};

	for (int i = 0; i < 2000; i++) {
		struct key_parts parts;
		struct key_parts other;
		struct slice key = random_place(&d, ix, &parts);
		struct item start = place(ix, &parts);
		struct keycond cond = {.pk = &parts.pk};
		struct plan p;
		struct plan all;

		plan_collection(&c, &table, ix, &cond, &p);
		all = p;
		p.backward = backward;

		int r = plan_start(&c, &p, &cond, &start);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_FALSE(in(&p, key));
		for (int n = 0; n < 10; n++) {
			struct slice k = random_place(&d, ix, &other);
			int cmp = slice_cmp(k, key);

			CU_ASSERT_EQUAL(in(&p, k), in(&all, k) && (backward ? cmp < 0 : cmp > 0));
		}
	}
}

static void
a_start_key_leaves_what_lies_behind_it(void)
{
	for (int backward = 0; backward < 2; backward++) {
		check_start(NULL, backward);
		check_start(&indexes[0], backward);
		check_start(&indexes[1], backward);
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
bad_start_keys_are_refused_with_dynamodb_s_words(void)
{
	struct value ada = s("ADA");
	struct value m = s("m");
	struct keycond k = {&ada, KEYCOND_GT, &m, NULL};
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
	REFUSED(&indexes[0], NULL, invalid, {SLICE("P"), ada}, {SLICE("S"), m});
	REFUSED(&indexes[1], NULL, invalid, {SLICE("P"), ada}, {SLICE("S"), m},
		{SLICE("Y"), n("1")});
	REFUSED(NULL, &k, outside, {SLICE("P"), s("BOB")}, {SLICE("S"), s("z")});
	REFUSED(NULL, &k, predicate, {SLICE("P"), ada}, {SLICE("S"), m});
	REFUSED(NULL, &k, predicate, {SLICE("P"), ada}, {SLICE("S"), s("a")});
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_run_holds_exactly_what_fulfils_the_condition),
	UNIT_TEST(the_whole_table_holds_its_items_and_nothing_of_its_indexes),
	UNIT_TEST(a_start_key_leaves_what_lies_behind_it),
	UNIT_TEST(bad_start_keys_are_refused_with_dynamodb_s_words),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(plan, setup, teardown, tests);
