#include "store/local/records/keyspace.h"

#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* A table of types S, S with an LSI (sort N) and a GSI (N, B), and a GSI ((N, S), (B, N, S)); and one with a simple key of type B
 * and a GSI without a sort key. */
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
			{SLICE_INIT("X"), VALUE_N},
			{SLICE_INIT("P"), VALUE_S}}}},
};
static struct index simple_indexes[] = {
	{.name = SLICE_INIT("G"),
	 .global = true,
	 .id = 7,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_S}}}},
};
static const struct schema composite = {
	.table = SLICE_INIT("composite"),
	.id = 5,
	.key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("S"), VALUE_S}}},
	.index = indexes,
	.n_index = 3,
};
static const struct schema simple = {
	.table = SLICE_INIT("simple"),
	.id = 0xfffefdfc,
	.key = {.pk = {{SLICE_INIT("P"), VALUE_B}}},
	.index = simple_indexes,
	.n_index = 1,
};

/* ------------------------------------------------------------ FORMAT.md's examples */

static struct value
of(enum value_type type, const char *text)
{
	return (struct value){.type = type, .text = slice_from(text)};
}

static void
check_hex(const struct buf *b, const char *want, int line)
{
	struct buf got;

	buf_init(&got, &c.arena);
	for (size_t i = 0; i < b->len; i++) {
		buf_fmt(&got, "%02x", (unsigned char)b->at[i]);
	}
	if (!slice_is(buf_view(&got), want)) {
		printf("line %d: %.*s is not %s\n", line, SLICE_ARG(buf_view(&got)), want);
		CU_FAIL("a key differs from FORMAT.md");
	}
}
#define CHECK_HEX(b, want) check_hex((b), (want), __LINE__)

static void
keys_are_as_format_md_says(void)
{
	struct value ada = of(VALUE_S, "ADA");
	struct value order = of(VALUE_S, "ORDER#1");
	struct value n = of(VALUE_N, "42");
	struct value raw = {.type = VALUE_B, .text = SLICE("\x00\xff")};
	struct buf b;

	buf_init(&b, &c.arena);
	buf_slice(&b, keyspace_item(b.arena, &composite, NULL,
				    &(struct key_values){{&ada, &order}, 2}));
	CHECK_HEX(&b, "69000000050000"
		      "4144410001"
		      "4f5244455223310001");
	buf_clear(&b);
	buf_slice(&b, keyspace_item(b.arena, &composite, &indexes[1],
				    &(struct key_values){{&n, &raw, &ada, &order}, 4}));
	CHECK_HEX(&b, "69000000050002"
		      "03832b0001"
		      "00ffff0001"
		      "4144410001"
		      "4f5244455223310001");
	buf_clear(&b);
	buf_slice(&b, keyspace_item(b.arena, &simple, NULL, &(struct key_values){{&raw}, 1}));
	CHECK_HEX(&b, "69fffefdfc0000"
		      "00ffff0001");
	buf_clear(&b);
	buf_slice(&b, keyspace_collection(b.arena, KEYSPACE_PARTITION, &composite, NULL,
					  &(struct key_values){{&ada, &order}, 2}));
	CHECK_HEX(&b, "70000000050000"
		      "4144410001");
	buf_clear(&b);

	struct key_values several = {{&n, &ada, &raw, &n, &ada, &ada, &order}, 7};

	buf_slice(&b, keyspace_item(b.arena, &composite, &indexes[2], &several));
	CHECK_HEX(&b, "69000000050003"
		      "03832b0001"
		      "4144410001"
		      "00ffff0001"
		      "03832b0001"
		      "4144410001"
		      "4144410001"
		      "4f5244455223310001");
	buf_clear(&b);
	buf_slice(&b, keyspace_collection(b.arena, KEYSPACE_PARTITION, &composite, &indexes[2],
					  &several));
	CHECK_HEX(&b, "70000000050003"
		      "03832b0001"
		      "4144410001");
	buf_clear(&b);
	buf_slice(&b, keyspace_head(b.arena, KEYSPACE_TOTALS, &composite, &indexes[0]));
	CHECK_HEX(&b, "63000000050001");
	buf_clear(&b);
	keyspace_sort(&b, &order, false);
	CHECK_HEX(&b, "4f524445522331");
}

/* ------------------------------------------------------------ properties */

struct random_key {
	struct value at[KEY_VALUES_MAX];
	size_t n;
	struct slice key;
};

static void
encode(const struct schema *s, const struct index *ix, struct random_key *r)
{
	struct key_values v = key_values_of(r->at, r->n);
	struct buf b;

	buf_init(&b, &c.arena);
	buf_slice(&b, keyspace_item(b.arena, s, ix, &v));
	r->key = buf_view(&b);
}

static struct random_key
random_key(struct rng *d, const struct schema *s, const struct index *ix)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	struct random_key r = {.n = schema_place(s, ix, attrs)};

	for (size_t i = 0; i < r.n; i++) {
		r.at[i] = rng_key(d, &c.arena, attrs[i]->type);
	}
	encode(s, ix, &r);
	return r;
}

/* Call @fn for the table and each index of both schemas. */
static void
each_shape(void (*fn)(const struct schema *s, const struct index *ix))
{
	const struct schema *all[] = {&composite, &simple};

	for (size_t i = 0; i < 2; i++) {
		fn(all[i], NULL);
		for (size_t j = 0; j < all[i]->n_index; j++) {
			fn(all[i], &all[i]->index[j]);
		}
	}
}

static int
cmp_values(const struct random_key *a, const struct random_key *b)
{
	int r = 0;

	for (size_t i = 0; i < a->n && r == 0; i++) {
		r = value_cmp(&a->at[i], &b->at[i]);
	}
	return r;
}

static int
sign(int n)
{
	return (n > 0) - (n < 0);
}

static void
check_order(const struct schema *s, const struct index *ix)
{
	struct rng d = {1};

	for (int i = 0; i < 20000; i++) {
		struct random_key a = random_key(&d, s, ix);
		struct random_key b = random_key(&d, s, ix);

		/* Make the first values equal, so that the later ones decide, too. */
		for (size_t n = 0; n < (size_t)i % a.n; n++) {
			b.at[n] = a.at[n];
		}
		encode(s, ix, &b);
		CU_ASSERT_EQUAL(sign(slice_cmp(a.key, b.key)), sign(cmp_values(&a, &b)));
	}
}

static void
order_of_keys_is_the_order_of_their_values(void)
{
	each_shape(check_order);
}

static void
check_values(const struct random_key *k, size_t from, const struct values *got)
{
	CU_ASSERT_EQUAL_FATAL(got->n, k->n - from);
	for (size_t i = 0; i < got->n; i++) {
		CU_ASSERT_TRUE(value_eq(&got->at[i], &k->at[from + i]));
	}
}

static void
check_read_back(const struct schema *s, const struct index *ix)
{
	struct rng d = {2};
	size_t n_pk = key_part_n(schema_key(s, ix)->pk);

	for (int i = 0; i < 5000; i++) {
		struct random_key k = random_key(&d, s, ix);
		struct key_values v = key_values_of(k.at, k.n);
		struct value at[3][KEY_VALUES_MAX];
		struct values whole = {at[0], 0};
		struct values tail = {at[1], 0};
		struct values partition = {at[2], 0};
		struct buf prefix;
		int r = keyspace_parse_item(&c, s, ix, k.key, &whole);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		check_values(&k, 0, &whole);
		buf_init(&prefix, &c.arena);
		buf_slice(&prefix, keyspace_collection(prefix.arena, KEYSPACE_ITEM, s, ix, &v));
		CU_ASSERT_TRUE(slice_starts(k.key, buf_view(&prefix)));
		r = keyspace_parse_entry(&c, s, ix, slice_skip(k.key, prefix.len), &tail);
		CU_ASSERT_EQUAL(r, 0);
		check_values(&k, n_pk, &tail);

		buf_clear(&prefix);
		buf_slice(&prefix,
			  keyspace_collection(prefix.arena, KEYSPACE_PARTITION, s, ix, &v));
		r = keyspace_parse_partition(&c, s, ix, buf_view(&prefix), &partition);
		CU_ASSERT_EQUAL(r, 0);
		k.n = n_pk;
		check_values(&k, 0, &partition);
	}
}

static void
every_key_reads_back(void)
{
	each_shape(check_read_back);
}

static int
parse_anew(const struct schema *s, const struct index *ix, struct slice key)
{
	struct call own;
	struct value at[KEY_VALUES_MAX];
	struct values values = {at, 0};

	call_open(&own, 0, 1 << 20);

	int r = keyspace_parse_item(&own, s, ix, key, &values);

	if (r < 0) {
		CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
	}
	call_close(&own);
	return r;
}

static void
check_damage(const struct schema *s, const struct index *ix)
{
	struct rng d = {3};

	for (int i = 0; i < 200; i++) {
		struct random_key k = random_key(&d, s, ix);
		char *damaged = arena_new(&c.arena, char, k.key.len + 1);

		memcpy(damaged, k.key.at, k.key.len);
		for (size_t n = 0; n < k.key.len; n++) {
			CU_ASSERT_EQUAL(parse_anew(s, ix, slice_of(damaged, n)), -ERR_CORRUPT);
		}
		CU_ASSERT_EQUAL(parse_anew(s, ix, slice_of(damaged, k.key.len + 1)), -ERR_CORRUPT);
		for (size_t n = 0; n < KEYSPACE_HEAD_BYTES; n++) {
			damaged[n]++;
			CU_ASSERT_EQUAL(parse_anew(s, ix, slice_of(damaged, k.key.len)),
					-ERR_CORRUPT);
			damaged[n]--;
		}
	}
}

static void
cut_and_foreign_keys_are_refused(void)
{
	each_shape(check_damage);
}

static void
bad_escapes_and_numbers_are_refused(void)
{
	static const struct {
		const char *at;
		size_t len;
	} bad[] = {
#define BAD(literal) {literal, sizeof(literal) - 1}
		BAD("\x00\x01" /* empty */),
		BAD("\x03\x83\x2b\x00\x02" /* 00 followed by neither FF nor 01 */),
		BAD("\x03\x83\x01\x00\x01" /* number with a superfluous pair */),
		BAD("\x04\x83\x2b\x00\x01" /* unknown sign */),
#undef BAD
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct buf key;

		buf_init(&key, &c.arena);
		buf_slice(&key, keyspace_head(key.arena, KEYSPACE_ITEM, &composite, &indexes[1]));
		buf_put(&key, bad[i].at, bad[i].len);
		buf_put(&key, "b\0\1p\0\1s\0\1", 9);
		CU_ASSERT_EQUAL(parse_anew(&composite, &indexes[1], buf_view(&key)), -ERR_CORRUPT);
	}
}

static void
after_is_the_smallest_key_after_a_prefix(void)
{
	static const struct {
		struct slice prefix;
		struct slice after;
	} cases[] = {
		{SLICE_INIT("i"), SLICE_INIT("j")},
		{SLICE_INIT("i\x01\xfe"), SLICE_INIT("i\x01\xff")},
		{SLICE_INIT("i\x01\xff"), SLICE_INIT("i\x02")},
		{SLICE_INIT("i\xff\xff"), SLICE_INIT("j")},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buf b;

		buf_init(&b, &c.arena);
		buf_slice(&b, keyspace_after(b.arena, cases[i].prefix));
		CU_ASSERT_TRUE(slice_eq(buf_view(&b), cases[i].after));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(keys_are_as_format_md_says),
	UNIT_TEST(order_of_keys_is_the_order_of_their_values),
	UNIT_TEST(every_key_reads_back),
	UNIT_TEST(cut_and_foreign_keys_are_refused),
	UNIT_TEST(bad_escapes_and_numbers_are_refused),
	UNIT_TEST(after_is_the_smallest_key_after_a_prefix),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(keyspace, setup, teardown, tests);
