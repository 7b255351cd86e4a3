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
		{"a#b,c-d:N", "a#b:S,c-d:N"},
		{"a , b : N", "a:S,b:N"},
		{"a:string, b:Int", "a:S,b:N"},
		{"a:n,b:BINARY", "a:N,b:B"},
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
		{NULL, "L=C:N", "C:N"},
		{NULL, "L=PK,C:N", "C:N"},
		{NULL, "L=PK:S,C/KEYS_ONLY", "C:S/KEYS_ONLY"},
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
		const char *lsi;
	} cases[] = {
		{"", NULL, NULL},
		{"PK:X", NULL, NULL},
		{"PK:", NULL, NULL},
		{"a,b,c", NULL, NULL},
		{"a,", NULL, NULL},
		{",b", NULL, NULL},
		{"a:S:N", NULL, NULL},
		{"PK", "G", NULL},
		{"PK", "=a", NULL},
		{"PK", "G=", NULL},
		{"PK", "G=a/SOME", NULL},
		{"PK", "G=a/", NULL},
		{"PK", "G=a/INCLUDE:", NULL},
		{"PK", "G=a/INCLUDE:x,,y", NULL},
		{"PK:S", "G=PK:N", NULL},
		{"PK:SS", NULL, NULL},
		{"PK", "G=a+", NULL},
		{"PK", "G=+a", NULL},
		{"PK", "G=a++b", NULL},
		{"PK", "G=a,b+", NULL},
		{"PK", "G=a+b,c,d", NULL},
		{"PK", "G=a+b+c+d+e", NULL},
		{"PK", "G=a,b+c+d+e+f", NULL},
		{"PK:S", "G=a+PK:N", NULL},
		{"PK,A+B", NULL, NULL},
		{"A+B", NULL, NULL},
		{"PK,SK", NULL, "L=A+B"},
		{"PK,SK", NULL, "L=PK,A+B"},
		{"PK,SK", NULL, "L=A,B"},
		{"PK,SK", NULL, "L=PK,A,B"},
		{"PK,SK", NULL, "L=PK,"},
		{"PK,SK", NULL, "L=,A"},
		{"PK:S,SK", NULL, "L=PK:N,A"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct schema s;

		call_close(&c);
		CU_ASSERT_EQUAL(parse(cases[i].key, cases[i].gsi, cases[i].lsi, &s), -ERR_USAGE);
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
