#include "tools/keyspec.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct words
list(const char *word)
{
	struct words w = {0};

	if (word != NULL) {
		words_add(&c, &w, word);
	}
	return w;
}

static int
parse(const char *key, const char *gsi, const char *lsi, struct schema *out)
{
	struct words gsis = list(gsi);
	struct words lsis = list(lsi);

	return keyspec_schema(&c, "t", key, &gsis, &lsis, out);
}

static void
prints_what_it_reads(void)
{
	static const struct {
		const char *key;
		const char *printed;
	} cases[] = {
		{"PK", "PK:S"},
		{"PK:S,SK", "PK:S,SK:S"},
		{"PK:B,SK:N", "PK:B,SK:N"},
		{"a b,c-d:N", "a b:S,c-d:N"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct schema s;
		struct buf b;

		CU_ASSERT_EQUAL(parse(cases[i].key, NULL, NULL, &s), 0);
		buf_init(&b, &c.arena);
		keyspec_print(&b, &s.key);
		CU_ASSERT_TRUE(slice_is(buf_view(&b), cases[i].printed));
	}
}

static void
reads_indexes(void)
{
	static const struct {
		const char *gsi;
		const char *lsi;
		const char *printed;
	} cases[] = {
		{"G=A", NULL, "A:S"},
		{"G=A:N,B:B", NULL, "A:N,B:B"},
		{"G=A/ALL", NULL, "A:S"},
		{"G=A/KEYS_ONLY", NULL, "A:S/KEYS_ONLY"},
		{"G=A,B/INCLUDE:x,y", NULL, "A:S,B:S/INCLUDE:x,y"},
		{"G=A+B:N", NULL, "A:S+B:N"},
		{"G=A:B+B+C:N+D,E+F:N+G+H:B/KEYS_ONLY", NULL,
		 "A:B+B:S+C:N+D:S,E:S+F:N+G:S+H:B/KEYS_ONLY"},
		{"G=A,E+PK", NULL, "A:S,E:S+PK:S"},
		{NULL, "L=A+B:N", "A+B:N"},
		{NULL, "L=C:N", "C:N"},
		{NULL, "L=C/INCLUDE:x", "C:S/INCLUDE:x"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct schema s;
		struct buf b;

		CU_ASSERT_EQUAL_FATAL(parse("PK,SK", cases[i].gsi, cases[i].lsi, &s), 0);
		CU_ASSERT_EQUAL_FATAL(s.n_index, 1);
		CU_ASSERT_EQUAL(s.index[0].global, cases[i].gsi != NULL);
		CU_ASSERT_TRUE(slice_is(s.index[0].name, cases[i].gsi != NULL ? "G" : "L"));
		buf_init(&b, &c.arena);
		keyspec_print_index(&b, &s.index[0]);
		CU_ASSERT_TRUE(slice_is(buf_view(&b), cases[i].printed));
	}
}

static void
gives_a_local_index_the_tables_partition_key(void)
{
	struct schema s;

	CU_ASSERT_EQUAL_FATAL(parse("id:N,SK", NULL, "L=C", &s), 0);
	CU_ASSERT_TRUE(slice_is(s.index[0].key.pk->name, "id"));
	CU_ASSERT_EQUAL(s.index[0].key.pk->type, VALUE_N);
}

static void
takes_a_type_from_where_it_is_written(void)
{
	struct schema s;

	CU_ASSERT_EQUAL_FATAL(parse("id:N,SK", "G=SK,id", NULL, &s), 0);
	CU_ASSERT_EQUAL(s.index[0].key.sk->type, VALUE_N);
	CU_ASSERT_EQUAL_FATAL(parse("id", "G=x:B,id:N", NULL, &s), 0);
	CU_ASSERT_EQUAL(s.key.pk->type, VALUE_N);
}

static void
refuses(void)
{
	static const struct {
		const char *key;
		const char *gsi;
	} cases[] = {
		{"", NULL},
		{"PK:X", NULL},
		{"PK:", NULL},
		{"a,b,c", NULL},
		{"a,", NULL},
		{",b", NULL},
		{"a:S:N", NULL},
		{"PK", "G"},
		{"PK", "=a"},
		{"PK", "G="},
		{"PK", "G=a/SOME"},
		{"PK", "G=a/"},
		{"PK", "G=a/INCLUDE:"},
		{"PK", "G=a/INCLUDE:x,,y"},
		{"PK:S", "G=PK:N"},
		{"PK:SS", NULL},
		{"PK", "G=a+"},
		{"PK", "G=+a"},
		{"PK", "G=a++b"},
		{"PK", "G=a,b+"},
		{"PK", "G=a+b,c,d"},
		{"PK", "G=a+b+c+d+e"},
		{"PK", "G=a,b+c+d+e+f"},
		{"PK:S", "G=a+PK:N"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct schema s;

		call_close(&c);
		CU_ASSERT_EQUAL(parse(cases[i].key, cases[i].gsi, NULL, &s), -ERR_VALIDATION);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(prints_what_it_reads),
	UNIT_TEST(reads_indexes),
	UNIT_TEST(gives_a_local_index_the_tables_partition_key),
	UNIT_TEST(takes_a_type_from_where_it_is_written),
	UNIT_TEST(refuses),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(keyspec, setup, teardown, tests);
