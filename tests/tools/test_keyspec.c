#include "tools/text/keyspec.h"
#include "tools/text/words.h"

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
takes_a_type_from_another_place_of_the_attribute(void)
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

static void
reads_the_syntax_of_other_tools(void)
{
	static const struct {
		const char *text;
		bool index;
		enum keyspec_meaning meaning;
		const char *ours;
	} cases[] = {
		{"PK HASH, SK RANGE", false, KEYSPEC_CERTAIN, "PK,SK"},
		{"SK RANGE,PK HASH", false, KEYSPEC_CERTAIN, "PK,SK"},
		{"PK:S:HASH,SK:N:RANGE", false, KEYSPEC_CERTAIN, "PK:S,SK:N"},
		{"PK S, SK N", false, KEYSPEC_CERTAIN, "PK:S,SK:N"},
		{"(PK, SK)", false, KEYSPEC_CERTAIN, "PK,SK"},
		{"(PK text primary key)", false, KEYSPEC_CERTAIN, "PK:text"},
		{"pk=PK,sk=SK", false, KEYSPEC_CERTAIN, "PK,SK"},
		{"pk=id:N", false, KEYSPEC_CERTAIN, "id:N"},
		{"pk=N", false, KEYSPEC_CERTAIN, "pk:N"},
		{"AttributeName=PK,KeyType=HASH AttributeName=SK,KeyType=RANGE", false,
		 KEYSPEC_CERTAIN, "PK,SK"},
		{"[{\"AttributeName\":\"PK\",\"KeyType\":\"HASH\"}]", false, KEYSPEC_CERTAIN, "PK"},
		{"{\"PK\": \"S\", \"SK\": \"N\"}", false, KEYSPEC_CERTAIN, "PK:S,SK:N"},
		{"PK:SK", false, KEYSPEC_LIKELY, "PK,SK"},
		{"PK SK", false, KEYSPEC_LIKELY, "PK,SK"},
		{"PK;SK", false, KEYSPEC_LIKELY, "PK,SK"},
		{"PK/S", false, KEYSPEC_LIKELY, "PK,S"},
		{"PK,", false, KEYSPEC_LIKELY, "PK"},
		{"at:date", false, KEYSPEC_UNKNOWN, ""},
		{"a,b,c", false, KEYSPEC_UNKNOWN, ""},
		{"a:S:N", false, KEYSPEC_UNKNOWN, ""},
		{"", false, KEYSPEC_UNKNOWN, ""},
		{"Gsi:A,B", true, KEYSPEC_CERTAIN, "Gsi=A,B"},
		{"Gsi(A, B)", true, KEYSPEC_CERTAIN, "Gsi=A,B"},
		{"Gsi(A)", true, KEYSPEC_CERTAIN, "Gsi=A"},
		{"Gsi=A,B,KEYS_ONLY", true, KEYSPEC_CERTAIN, "Gsi=A,B/KEYS_ONLY"},
		{"Gsi=A:keys_only", true, KEYSPEC_CERTAIN, "Gsi=A/KEYS_ONLY"},
		{"Gsi=A/include:x,y", true, KEYSPEC_CERTAIN, "Gsi=A/INCLUDE:x,y"},
		{"Gsi=A HASH,B RANGE", true, KEYSPEC_CERTAIN, "Gsi=A,B"},
		{"IndexName=Gsi,KeySchema=[{AttributeName=A,KeyType=HASH},{AttributeName=B,KeyType="
		 "RANGE}],Projection={ProjectionType=ALL}",
		 true, KEYSPEC_CERTAIN, "Gsi=A,B/ALL"},
		{"{\"IndexName\":\"Gsi\",\"KeySchema\":[{\"AttributeName\":\"A\",\"KeyType\":\"HASH\"}],"
		 "\"Projection\":{\"ProjectionType\":\"INCLUDE\",\"NonKeyAttributes\":[\"x\"]}}",
		 true, KEYSPEC_CERTAIN, "Gsi=A/INCLUDE:x"},
		{"GSI1PK:GSI1SK", true, KEYSPEC_LIKELY, "GSI1=GSI1PK,GSI1SK"},
		{"Gsi:A", true, KEYSPEC_LIKELY, "Gsi=A"},
		{"Gsi:A/B", true, KEYSPEC_LIKELY, "Gsi=A,B"},
		{"Gsi A B", true, KEYSPEC_LIKELY, "Gsi=A:B"},
		{"A,Bb", true, KEYSPEC_LIKELY, "by-A=A,Bb"},
		{"A:N", true, KEYSPEC_LIKELY, "by-A=A:N"},
		{"=A", true, KEYSPEC_LIKELY, "by-A=A"},
		{"Gsi=", true, KEYSPEC_UNKNOWN, ""},
		{"a+b,c", true, KEYSPEC_UNKNOWN, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf b;

		buf_init(&b, &c.arena);
		enum keyspec_meaning meaning =
			keyspec_other(&b, slice_from(cases[i].text), cases[i].index);

		if (meaning != cases[i].meaning || !slice_is(buf_view(&b), cases[i].ours)) {
			printf("%s: %d %.*s\n", cases[i].text, (int)meaning,
			       SLICE_ARG(buf_view(&b)));
		}
		CU_ASSERT_EQUAL(meaning, cases[i].meaning);
		CU_ASSERT_TRUE(slice_is(buf_view(&b), cases[i].ours));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(prints_what_it_reads),
	UNIT_TEST(reads_indexes),
	UNIT_TEST(gives_a_local_index_the_tables_partition_key),
	UNIT_TEST(takes_a_type_from_another_place_of_the_attribute),
	UNIT_TEST(refuses),
	UNIT_TEST(reads_the_syntax_of_other_tools),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(keyspec, setup, teardown, tests);
