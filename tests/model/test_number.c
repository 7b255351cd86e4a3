#include "store/model/number.h"

#include "tests/support/unit_call.h"
#include "tests/support/vectors.h"

UNIT_CALL(c);

enum { RANDOM_PAIRS = 20000, KEY_MAX = 22 };

static const char *
canonical_or_error(const char *text)
{
	struct slice out;

	teardown();
	setup();
	if (number_canonical(&c, slice_from(text), &out) < 0) {
		return c.error.message;
	}
	return slice_cstr(&c.arena, out);
}

static const char *
expected_error(const char *word)
{
	if (strcmp(word, "overflow") == 0) {
		return "Number overflow. Attempting to store a number with magnitude larger than "
		       "supported range";
	}
	if (strcmp(word, "underflow") == 0) {
		return "Number underflow. Attempting to store a number with magnitude smaller "
		       "than supported range";
	}
	return strcmp(word, "digits") == 0
		       ? "Attempting to store more than 38 significant digits in a Number"
		       : "The parameter cannot be converted to a numeric value: ";
}

static void
check_bad(const struct vector *v)
{
	const char *want = expected_error(v->field[1]);
	const char *got = canonical_or_error(v->field[0]);
	bool text = strcmp(v->field[1], "text") == 0;
	bool ok = strncmp(got, want, strlen(want)) == 0 &&
		  strcmp(got + strlen(want), text ? v->field[0] : "") == 0 &&
		  c.error.code == ERR_VALIDATION;

	if (!ok) {
		printf("numbers:%zu: %s gives %s\n", v->line, v->field[0], got);
	}
	CU_ASSERT_TRUE(ok);
}

static void
check_good(const struct vector *v)
{
	struct slice want = slice_from(v->field[1]);
	const char *got = canonical_or_error(v->field[0]);
	struct number parsed = {0};
	struct number read = number_read(want);
	int r = number_parse(&c, slice_from(v->field[0]), &parsed);
	bool ok = slice_is(want, got) && r == 0 && number_cmp(&parsed, &read) == 0 &&
		  parsed.coefficient == read.coefficient && parsed.exponent == read.exponent &&
		  parsed.negative == read.negative &&
		  number_size(want) == strtoul(v->field[2], NULL, 10);

	if (!ok) {
		printf("numbers:%zu: %s gives %s, size %zu\n", v->line, v->field[0], got,
		       number_size(want));
	}
	CU_ASSERT_TRUE(ok);
}

static void
check_spelling(const struct vector *v)
{
	if (v->n == 3) {
		check_good(v);
	} else {
		CU_ASSERT_EQUAL(v->n, 2);
		check_bad(v);
	}
}

static void
reads_every_spelling_and_refuses_what_dynamodb_refuses(void)
{
	CU_ASSERT_TRUE(vectors_each("vectors/numbers", check_spelling) > 60);
}

static void
refuses_an_empty_text_with_its_own_message(void)
{
	CU_ASSERT_STRING_EQUAL(canonical_or_error(""),
			       "The parameter cannot be converted to a numeric value: ");
}

static const char *
older_error(const char *text)
{
	struct slice out;

	teardown();
	setup();
	c.older = true;
	return number_canonical(&c, slice_from(text), &out) < 0 ? c.error.message : "";
}

static void
the_older_layer_uses_32_bit_exponents(void)
{
	static const char text[] = "The parameter cannot be converted to a numeric value: ";
	static const char *const no_number[] = {"1e2147483648",          "1e-2147483648",
						"0.1e-2147483647",       "1e99999999999",
						"1e9223372036854775808", "abc"};

	CU_ASSERT_STRING_EQUAL(older_error(""),
			       "The parameter cannot be converted to a numeric value");
	for (size_t i = 0; i < sizeof(no_number) / sizeof(no_number[0]); i++) {
		const char *got = older_error(no_number[i]);

		CU_ASSERT_EQUAL_FATAL(strncmp(got, text, strlen(text)), 0);
		CU_ASSERT_STRING_EQUAL(got + strlen(text), no_number[i]);
	}
	CU_ASSERT_STRING_EQUAL(older_error("1e2147483647"), expected_error("underflow"));
	CU_ASSERT_STRING_EQUAL(older_error("1e126"), expected_error("overflow"));
	CU_ASSERT_STRING_EQUAL(older_error("0e126"), expected_error("overflow"));
	CU_ASSERT_STRING_EQUAL(older_error("1e-131"), expected_error("underflow"));
	CU_ASSERT_STRING_EQUAL(older_error("1e125"), "");
	CU_ASSERT_STRING_EQUAL(older_error("0e125"), "");
}

static void
returns_canonical_text_without_a_copy(void)
{
	static const char *const same[] = {"0", "-5", "1500", "0.25", "-12.5", "1000000"};
	struct slice out;

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		int r = number_canonical(&c, slice_from(same[i]), &out);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_PTR_EQUAL(out.at, same[i]);
	}
}

/* Compare as numbers and as keys. */
static void
check_order(const struct number *a, const struct number *b, int want)
{
	struct buf ka;
	struct buf kb;

	buf_init(&ka, &c.arena);
	buf_init(&kb, &c.arena);
	number_to_key(&ka, a);
	number_to_key(&kb, b);

	int cmp = slice_cmp(buf_view(&ka), buf_view(&kb));

	CU_ASSERT_EQUAL(number_cmp(a, b), want);
	CU_ASSERT_EQUAL((cmp > 0) - (cmp < 0), want);
	CU_ASSERT_TRUE(ka.len <= KEY_MAX && kb.len <= KEY_MAX);
}

static struct number ordered[64];
static size_t n_ordered;

static void
keep_number(const struct vector *v)
{
	ordered[n_ordered++] = number_read(slice_from(v->field[0]));
}

static void
sorts_keys_as_numbers(void)
{
	n_ordered = 0;
	CU_ASSERT_TRUE(vectors_each("vectors/number_order", keep_number) > 40);
	for (size_t i = 0; i < n_ordered; i++) {
		for (size_t k = 0; k < n_ordered; k++) {
			check_order(&ordered[i], &ordered[k], (i > k) - (i < k));
		}
	}
}

static unsigned seed;

static struct number
random_number(void)
{
	unsigned __int128 v = 0;
	int digits = rand_r(&seed) % 39;

	for (int i = 0; i < digits; i++) {
		v = v * 10 + (unsigned)rand_r(&seed) % 10;
	}
	if (v == 0) {
		return (struct number){0};
	}
	struct number n = {.coefficient = v, .negative = rand_r(&seed) % 2 == 0};

	for (; n.coefficient % 10 == 0; n.coefficient /= 10) {
	}
	int used = 0;

	for (v = n.coefficient; v > 0; v /= 10) {
		used++;
	}
	/* Half of the numbers are close to each other, the others are anywhere. */
	n.exponent = rand_r(&seed) % 2 == 0 ? -(rand_r(&seed) % 4)
					    : rand_r(&seed) % 256 - 130 - (used - 1);
	return n;
}

static bool
same(const struct number *a, const struct number *b)
{
	return a->coefficient == b->coefficient && a->exponent == b->exponent &&
	       a->negative == b->negative;
}

static void
every_number_survives_text_and_key(void)
{
	seed = 1;
	for (int i = 0; i < RANDOM_PAIRS; i++) {
		struct number a = random_number();
		struct number b = random_number();
		struct number back = {0};
		struct buf text;
		struct buf key;

		teardown();
		setup();
		buf_init(&text, &c.arena);
		buf_init(&key, &c.arena);
		number_print(&text, &a);
		number_to_key(&key, &a);
		check_order(&a, &b, number_cmp(&a, &b));
		check_order(&b, &a, -number_cmp(&a, &b));

		int r = number_parse(&c, buf_view(&text), &back);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(same(&a, &back));
		back = number_read(buf_view(&text));
		CU_ASSERT_TRUE(same(&a, &back));
		CU_ASSERT_TRUE(number_from_key(buf_view(&key), &back));
		CU_ASSERT_TRUE(same(&a, &back));
	}
}

/* Such a text can come from a damaged record. */
static void
an_invalid_text_reads_as_zero(void)
{
	static const char *const bad[] = {
		"999999999999999999999999999999999999999",  /* 39 digits */
		"-340282366920938463463374607431768211455", /* the largest value of the type */
		"340282366920938463463374607431768211456",
		"1234567890123456789012345678901234567890.5",
		"0.0000000000000000000000000000000000000001234567890123456789012345678901234567891",
		"1e126",
		"1e2147483647",
		"-1e-131",
		"x",
		"",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct number n = number_read(slice_from(bad[i]));
		struct buf text;

		CU_ASSERT_TRUE(n.coefficient == 0);
		buf_init(&text, &c.arena);
		number_print(&text, &n);
		CU_ASSERT_TRUE(slice_is(buf_view(&text), "0"));
	}
	/* The maximum number of digits. */
	struct number n = number_read(SLICE("99999999999999999999999999999999999999"));
	struct buf key;

	buf_init(&key, &c.arena);
	number_to_key(&key, &n);
	CU_ASSERT_EQUAL(key.len, 2 + 38 / 2);
}

static void
refuses_bytes_that_are_not_a_key(void)
{
	static const struct slice bad[] = {
		SLICE_INIT(""),
		SLICE_INIT("\0"),
		SLICE_INIT("\2\2"),
		SLICE_INIT("\3"),
		SLICE_INIT("\3\x82"),
		SLICE_INIT("\3\x82\x01"),     /* a first pair below 10 */
		SLICE_INIT("\3\x82\x02"),     /* the same */
		SLICE_INIT("\3\x82\x0b\x01"), /* zeros at the end */
		SLICE_INIT("\3\x82\x0b\x66"), /* a pair above 99 */
		SLICE_INIT("\3\x82\x0b\x00"), /* no pair */
		SLICE_INIT("\1\x7d\xf4"),     /* negative without an end */
		SLICE_INIT("\1\x7d\xff"),     /* no digits before the end */
		SLICE_INIT("\4\x82\x0b"),
		SLICE_INIT("\3\x82"
			   "\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c"
			   "\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c"), /* 40 digits */
	};
	struct number n;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_FALSE(number_from_key(bad[i], &n));
	}
}

static void
builds_the_keys_of_the_documentation(void)
{
	static const struct {
		const char *number;
		struct slice key;
	} rows[] = {
		{"42", SLICE_INIT("\x03\x83\x2b")},
		{"-42", SLICE_INIT("\x01\x7c\xd4\xff")},
		{"0.5", SLICE_INIT("\x03\x81\x33")},
		{"100", SLICE_INIT("\x03\x84\x0b")},
		{"-1.25", SLICE_INIT("\x01\x7d\xf2\xcc\xff")},
		{"0", SLICE_INIT("\x02")},
		{"1e-130", SLICE_INIT("\x03\x00\x0b")},
		{"-9e125", SLICE_INIT("\x01\x00\xa4\xff")},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct number n = {0};
		struct buf key;
		int r = number_parse(&c, slice_from(rows[i].number), &n);

		CU_ASSERT_EQUAL(r, 0);
		buf_init(&key, &c.arena);
		number_to_key(&key, &n);
		CU_ASSERT_TRUE(slice_eq(buf_view(&key), rows[i].key));
	}
}

static const char *
sum(const char *a, const char *b, bool subtract)
{
	struct number x;
	struct number y;
	struct number z = {0};
	struct buf text;

	teardown();
	setup();
	int r = number_parse(&c, slice_from(a), &x);

	r = r < 0 ? r : number_parse(&c, slice_from(b), &y);
	r = r < 0 ? r : number_add(&c, &x, &y, subtract, &z);
	if (r < 0) {
		return c.error.message;
	}
	buf_init(&text, &c.arena);
	number_print(&text, &z);
	return slice_cstr(&c.arena, buf_view(&text));
}

static void
adds_exactly_or_fails(void)
{
	static const char digits[] = "Number overflow. Attempting to store a number with magnitude "
				     "larger than supported range";
	static const struct {
		const char *a;
		const char *b;
		const char *sum;
		const char *difference;
	} rows[] = {
		{"1", "1", "2", "0"},
		{"0", "5", "5", "-5"},
		{"-5", "0", "-5", "-5"},
		{"0", "0", "0", "0"},
		{"0.1", "0.2", "0.3", "-0.1"},
		{"7", "-7", "0", "14"},
		{"5", "15", "20", "-10"},
		{"100", "-1", "99", "101"},
		{"1e37", "1", "10000000000000000000000000000000000001",
		 "9999999999999999999999999999999999999"},
		{"1e38", "1", digits, "99999999999999999999999999999999999999"},
		{"2e38", "1", digits, digits},
		{"1e39", "1", digits, digits},
		{"1e125", "1", digits, digits},
		{"1e-130", "1", digits, digits},
		{"99999999999999999999999999999999999999", "1",
		 "100000000000000000000000000000000000000",
		 "99999999999999999999999999999999999998"},
		{"99999999999999999999999999999999999999", "99999999999999999999999999999999999999",
		 digits, "0"},
		{"50000000000000000000000000000000000000", "50000000000000000000000000000000000000",
		 "100000000000000000000000000000000000000", "0"},
		{"9e125", "9e125",
		 "Number overflow. Attempting to store a number with magnitude larger than "
		 "supported range",
		 "0"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_STRING_EQUAL(sum(rows[i].a, rows[i].b, false), rows[i].sum);
		CU_ASSERT_STRING_EQUAL(sum(rows[i].a, rows[i].b, true), rows[i].difference);
	}
	/* 1.1E-130 - 1E-130 is 1E-131 */
	CU_ASSERT_STRING_EQUAL(sum("1.1e-130", "1e-130", true),
			       "Number underflow. Attempting to store a number with magnitude "
			       "smaller than supported range");
}

static const char *
quotient(const char *a, uint64_t n)
{
	struct number x;
	struct buf text;

	teardown();
	setup();
	int r = number_parse(&c, slice_from(a), &x);

	r = r < 0 ? r : number_divide(&c, &x, n, &x);
	if (r < 0) {
		return c.error.message;
	}
	buf_init(&text, &c.arena);
	number_print(&text, &x);
	return slice_cstr(&c.arena, buf_view(&text));
}

static void
divides_to_38_digits_and_rounds_half_to_even(void)
{
	static const struct {
		const char *a;
		uint64_t n;
		const char *quotient;
	} rows[] = {
		{"0", 7, "0"},
		{"10.6", 2, "5.3"},
		{"-1", 8, "-0.125"},
		{"1", 3, "0.33333333333333333333333333333333333333"},
		{"2", 3, "0.66666666666666666666666666666666666667"},
		{"-200", 3, "-66.666666666666666666666666666666666667"},
		{"99999999999999999999999999999999999999", 1,
		 "99999999999999999999999999999999999999"},
		{"99999999999999999999999999999999999997", 2,
		 "49999999999999999999999999999999999998"},
		{"20000000000000000000000000000000000001", 2,
		 "10000000000000000000000000000000000000"},
		{"20000000000000000000000000000000000003", 2,
		 "10000000000000000000000000000000000002"},
		{"1", UINT64_MAX, "0.000000000000000000054210108624275221703311375920552804341"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_STRING_EQUAL(quotient(rows[i].a, rows[i].n), rows[i].quotient);
	}
	CU_ASSERT_EQUAL(strlen(quotient("9e125", 9)), 126);
	CU_ASSERT_STRING_EQUAL(quotient("1e-130", 2),
			       "Number underflow. Attempting to store a number with magnitude "
			       "smaller than supported range");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_every_spelling_and_refuses_what_dynamodb_refuses),
	UNIT_TEST(refuses_an_empty_text_with_its_own_message),
	UNIT_TEST(the_older_layer_uses_32_bit_exponents),
	UNIT_TEST(returns_canonical_text_without_a_copy),
	UNIT_TEST(sorts_keys_as_numbers),
	UNIT_TEST(every_number_survives_text_and_key),
	UNIT_TEST(an_invalid_text_reads_as_zero),
	UNIT_TEST(refuses_bytes_that_are_not_a_key),
	UNIT_TEST(builds_the_keys_of_the_documentation),
	UNIT_TEST(adds_exactly_or_fails),
	UNIT_TEST(divides_to_38_digits_and_rounds_half_to_even),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(number, setup, teardown, tests);
