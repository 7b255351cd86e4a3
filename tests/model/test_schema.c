#include "store/model/limits.h"
#include "store/model/schema.h"

#include "tests/support/items.h"
#include "tests/support/unit.h"

enum { CALL_BUDGET = 1 << 20, MAX_INDEXES = LIMIT_GSI + LIMIT_LSI + 1 };

#define INVALID "One or more parameter values were invalid: "
#define KEY(pk_, sk_) \
	{ \
		.pk = {{SLICE_INIT(pk_), VALUE_S}}, .sk = { {SLICE_INIT(sk_), VALUE_S} } \
	}

static struct call c;
static struct slice include[LIMIT_INCLUDE + 1];
static char include_names[LIMIT_INCLUDE + 1][sizeof("100")];
static struct index indexes[MAX_INDEXES];
static struct schema s;

/* Orders: (PK, SK); GSI1 (G, SK) INCLUDE a, b; LSI1 (PK, L) KEYS_ONLY; ALL1 (SK) ALL */
static void
setup(void)
{
	call_open(&c, 0, CALL_BUDGET);
	for (size_t i = 0; i <= LIMIT_INCLUDE; i++) {
		(void)snprintf(include_names[i], sizeof(include_names[i]), "%zu", (size_t)i % 1000);
		include[i] = slice_from(include_names[i]);
	}
	include[0] = SLICE("a");
	include[1] = SLICE("b");
	indexes[0] = (struct index){.name = SLICE("GSI1"),
				    .global = true,
				    .id = 1,
				    .key = KEY("G", "SK"),
				    .projection = PROJECTION_INCLUDE,
				    .include = include,
				    .n_include = 2};
	indexes[1] = (struct index){.name = SLICE("LSI1"),
				    .id = 2,
				    .key = KEY("PK", "L"),
				    .projection = PROJECTION_KEYS_ONLY};
	indexes[2] = (struct index){.name = SLICE("ALL1"),
				    .global = true,
				    .id = 3,
				    .key = KEY("SK", ""),
				    .projection = PROJECTION_ALL};
	s = (struct schema){.table = SLICE("Orders"),
			    .id = 7,
			    .version = 3,
			    .key = KEY("PK", "SK"),
			    .index = indexes,
			    .n_index = 3};
}

static void
teardown(void)
{
	call_close(&c);
}

/* Check the definition and reset it.  Return: the message of the failure, "" if it is valid */
static const char *
verdict(void)
{
	static char message[512];

	(void)snprintf(message, sizeof(message), "%s",
		       schema_check(&c, &s) < 0 ? c.error.message : "");
	CU_ASSERT_TRUE(message[0] == '\0' || c.error.code == ERR_VALIDATION);
	teardown();
	setup();
	return message;
}

static void
accepts_what_create_table_accepts(void)
{
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	s.table = SLICE("a.b");
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	s.table = SLICE("Az09_-.");
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	s.n_index = 0;
	s.key.sk->name = SLICE("");
	s.key.pk->type = VALUE_N;
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	/* The inverted index: the keys of the table, swapped. */
	indexes[2].key = (struct key_schema)KEY("SK", "PK");
	CU_ASSERT_STRING_EQUAL(verdict(), "");
}

static void
bounds_names(void)
{
	static char long_name[LIMIT_TABLE_NAME_MAX + 1];
	static const char length[] =
		"TableName must be at least 3 characters long and at most 255 characters long";

	memset(long_name, 'x', sizeof(long_name));
	s.table = SLICE("ab");
	CU_ASSERT_STRING_EQUAL(verdict(), length);
	s.table = slice_of(long_name, LIMIT_TABLE_NAME_MAX);
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	s.table = slice_of(long_name, LIMIT_TABLE_NAME_MAX + 1);
	CU_ASSERT_STRING_EQUAL(verdict(), length);
	s.table = SLICE("a b");
	CU_ASSERT_STRING_EQUAL(verdict(),
			       "1 validation error detected: Value 'a b' at 'tableName' failed to "
			       "satisfy constraint: Member must satisfy regular expression "
			       "pattern: [a-zA-Z0-9_.-]+");
	s.table = SLICE("a/../b");
	CU_ASSERT_STRING_NOT_EQUAL(verdict(), "");
	s.table = SLICE("caf\xc3\xa9");
	CU_ASSERT_STRING_NOT_EQUAL(verdict(), "");
	s.table = SLICE("abc\0");
	CU_ASSERT_STRING_NOT_EQUAL(verdict(), "");
	indexes[1].name = SLICE("ab");
	CU_ASSERT_STRING_EQUAL(
		verdict(),
		"IndexName must be at least 3 characters long and at most 255 characters long");
	indexes[1].name = SLICE("a%b");
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(), "'indexName'"));
	indexes[2].name = SLICE("GSI1");
	CU_ASSERT_STRING_EQUAL(verdict(), INVALID "Duplicate index name: GSI1");
	s.key.pk->name = SLICE("");
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(), "greater than or equal to 1"));
	indexes[2].key.pk->name = slice_of(long_name, LIMIT_KEY_NAME_BYTES);
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	s.key.sk->name = slice_of(long_name, LIMIT_KEY_NAME_BYTES + 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(), "less than or equal to 255"));
}

static void
checks_keys(void)
{
	s.key.pk->type = VALUE_BOOL;
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(), "Member must satisfy enum value set: [B, N, S]"));
	indexes[0].key.sk->type = VALUE_L;
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(), "'L'"));
	s.key.sk->name = SLICE("PK");
	CU_ASSERT_STRING_EQUAL(verdict(), "Both the Hash Key and the Range Key element in the "
					  "KeySchema have the same name");
	indexes[0].key.sk->name = SLICE("G");
	CU_ASSERT_STRING_EQUAL(verdict(), "Both the Hash Key and the Range Key element in the "
					  "KeySchema have the same name");
	indexes[2].key.pk->type = VALUE_N;
	CU_ASSERT_STRING_EQUAL(verdict(),
			       INVALID "Attribute SK is defined with two types: S and N");
	/* Two indexes disagree about an attribute that the table key does not have. */
	indexes[2].key.pk[0] = (struct key_attr){SLICE("G"), VALUE_B};
	CU_ASSERT_STRING_EQUAL(verdict(), INVALID "Attribute G is defined with two types: S and B");
}

/* Define GSI1 with the key ((G, H), (SK, PK, @third)). */
static void
several(struct key_attr third)
{
	indexes[0].key =
		(struct key_schema){.pk = {{SLICE("G"), VALUE_S}, {SLICE("H"), VALUE_N}},
				    .sk = {{SLICE("SK"), VALUE_S}, {SLICE("PK"), VALUE_S}, third}};
}

static void
only_a_global_index_has_several_attributes(void)
{
	static const char hash[] = INVALID "The KeySchema exceeds the maximum allowed number of "
					   "HASH key attributes";
	static const char range[] = INVALID "The KeySchema exceeds the maximum allowed number of "
					    "RANGE key attributes";
	static const char twice[] =
		"The KeySchema contains multiple key attributes with the same name";
	static const struct key_attr more = {SLICE_INIT("I"), VALUE_B};

	several(more);
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	several((struct key_attr){SLICE("I"), VALUE_BOOL});
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(), "Member must satisfy enum value set: [B, N, S]"));
	several((struct key_attr){SLICE("L"), VALUE_N});
	CU_ASSERT_STRING_EQUAL(verdict(), INVALID "Attribute L is defined with two types: N and S");
	several((struct key_attr){SLICE("H"), VALUE_N});
	CU_ASSERT_STRING_EQUAL(verdict(), twice);
	several((struct key_attr){SLICE("SK"), VALUE_S});
	CU_ASSERT_STRING_EQUAL(verdict(), twice);
	indexes[1].key.sk[1] = more;
	CU_ASSERT_STRING_EQUAL(verdict(), range);
	s.key.pk[1] = more;
	CU_ASSERT_STRING_EQUAL(verdict(), hash);
	s.key.sk[1] = more;
	CU_ASSERT_STRING_EQUAL(verdict(), range);
}

static void
a_position_is_given_by_the_keys_of_index_and_table(void)
{
	static const char *const names[] = {"G", "H", "SK", "PK", "I", "PK", "SK"};
	const struct key_attr *attrs[KEY_VALUES_MAX];
	struct item it = item_of(&c, "{\"PK\":\"p\",\"SK\":\"s\",\"G\":\"g\",\"H\":1}");
	struct key_values k = {.n = 0};

	several((struct key_attr){SLICE("I"), VALUE_B});
	CU_ASSERT_EQUAL_FATAL(schema_place(&s, &indexes[0], attrs), 7);
	for (size_t i = 0; i < 7; i++) {
		CU_ASSERT_TRUE(slice_is(attrs[i]->name, names[i]));
	}
	CU_ASSERT_EQUAL(schema_place(&s, NULL, attrs), 2);
	CU_ASSERT_EQUAL(key_from_item(&indexes[0].key, &it, &k), 1);
	several((struct key_attr){SLICE(""), VALUE_S});
	k.n = 0;
	CU_ASSERT_EQUAL(key_from_item(&indexes[0].key, &it, &k), 0);
	CU_ASSERT_EQUAL(key_from_item(&s.key, &it, &k), 0);
	CU_ASSERT_TRUE(k.n == 6 && slice_is(k.at[1]->text, "1") && slice_is(k.at[3]->text, "p"));
	CU_ASSERT_TRUE(slice_is(k.at[4]->text, "p") && slice_is(k.at[5]->text, "s"));
}

static void
checks_local_indexes(void)
{
	s.key.sk->name = SLICE("");
	CU_ASSERT_STRING_EQUAL(verdict(),
			       INVALID "Table KeySchema does not have a range key, which is "
				       "required when specifying a LocalSecondaryIndex");
	indexes[1].key.sk->name = SLICE("");
	CU_ASSERT_STRING_EQUAL(verdict(),
			       INVALID "Index KeySchema does not have a range key for index: LSI1");
	indexes[1].key.pk->name = SLICE("X");
	CU_ASSERT_STRING_EQUAL(verdict(), INVALID
			       "Index KeySchema does not have the same leading hash key as "
			       "table KeySchema for index: LSI1. index hash key: X, table hash "
			       "key: PK");
}

static void
checks_projections(void)
{
	indexes[0].projection = PROJECTION_ALL;
	CU_ASSERT_STRING_EQUAL(verdict(),
			       INVALID "ProjectionType is ALL, but NonKeyAttributes is specified");
	indexes[0].projection = PROJECTION_KEYS_ONLY;
	CU_ASSERT_STRING_EQUAL(verdict(), INVALID
			       "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified");
	indexes[0].n_include = 0;
	CU_ASSERT_STRING_EQUAL(verdict(), INVALID
			       "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
	include[1] = SLICE("");
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(), "nonKeyAttributes"));
	include[1] = SLICE("a");
	CU_ASSERT_STRING_EQUAL(verdict(),
			       INVALID "Duplicate attribute name in NonKeyAttributes: a");
	indexes[0].n_include = LIMIT_INCLUDE;
	include[1] = SLICE("b");
	CU_ASSERT_STRING_EQUAL(verdict(), "");
	indexes[0].n_include = LIMIT_INCLUDE + 1;
	CU_ASSERT_STRING_EQUAL(verdict(),
			       INVALID "Number of NonKeyAttributes exceeds per-table limit of 100");
}

/* Check a definition with @n_global copies of the first index and @n_local of the second, which is local. */
static const char *
verdict_on(size_t n_global, size_t n_local)
{
	static char names[MAX_INDEXES][24];

	s.n_index = n_global + n_local;
	for (size_t i = 0; i < s.n_index; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "I%05zu", i);
		indexes[i] = (struct index){.name = slice_from(names[i]),
					    .global = i < n_global,
					    .key = KEY("PK", "L"),
					    .projection = PROJECTION_ALL};
	}
	return verdict();
}

static void
bounds_the_number_of_indexes(void)
{
	CU_ASSERT_STRING_EQUAL(verdict_on(LIMIT_GSI, LIMIT_LSI), "");
	CU_ASSERT_STRING_EQUAL(verdict_on(LIMIT_GSI + 1, 0), INVALID
			       "GlobalSecondaryIndex count exceeds the per-table limit of 20");
	CU_ASSERT_STRING_EQUAL(verdict_on(0, LIMIT_LSI + 1), INVALID
			       "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
}

static void
finds_indexes_by_name(void)
{
	CU_ASSERT_PTR_EQUAL(schema_index(&s, SLICE("LSI1")), &indexes[1]);
	CU_ASSERT_PTR_NULL(schema_index(&s, SLICE("lsi1")));
	CU_ASSERT_PTR_NULL(schema_index(&s, SLICE("")));
}

static void
keys_of_table_and_index_are_always_projected(void)
{
	static const struct {
		const char *name;
		bool gsi;
		bool lsi;
		bool all;
	} rows[] = {
		{"PK", true, true, true},  {"SK", true, true, true}, {"G", true, false, true},
		{"L", false, true, true},  {"a", true, false, true}, {"b", true, false, true},
		{"z", false, false, true}, {"", false, false, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice name = slice_from(rows[i].name);

		CU_ASSERT_EQUAL(schema_projects(&s, &indexes[0], name), rows[i].gsi);
		CU_ASSERT_EQUAL(schema_projects(&s, &indexes[1], name), rows[i].lsi);
		CU_ASSERT_EQUAL(schema_projects(&s, &indexes[2], name), rows[i].all);
	}
}

static void
projects_in_the_order_of_the_item(void)
{
	struct item it = item_of(&c, "{\"z\":1,\"b\":2,\"SK\":\"s\",\"G\":\"g\",\"PK\":\"p\"}");
	struct item gsi = item_project(&c.arena, &s, &indexes[0], &it);
	struct item lsi = item_project(&c.arena, &s, &indexes[1], &it);
	struct item all = item_project(&c.arena, &s, &indexes[2], &it);

	CU_ASSERT_EQUAL(gsi.n, 4);
	CU_ASSERT_TRUE(slice_is(gsi.at[0].name, "b") && slice_is(gsi.at[1].name, "SK") &&
		       slice_is(gsi.at[2].name, "G") && slice_is(gsi.at[3].name, "PK"));
	CU_ASSERT_EQUAL(lsi.n, 2);
	CU_ASSERT_TRUE(slice_is(lsi.at[0].name, "SK") && slice_is(lsi.at[1].name, "PK"));
	CU_ASSERT_TRUE(item_eq(&all, &it));
}

static void
accepts_only_keys_of_the_right_type(void)
{
	static const struct {
		const char *item;
		int absent;
	} rows[] = {
		{"{\"PK\":\"p\",\"SK\":\"s\",\"x\":1}", 0},
		{"{\"SK\":\"s\",\"PK\":\"p\"}", 0},
		{"{\"PK\":\"p\"}", 1},
		{"{\"SK\":\"s\"}", 1},
		{"{\"PK\":1,\"SK\":\"s\"}", 1},
		{"{\"PK\":\"p\",\"SK\":{\"B\":\"\"}}", 1},
		{"{\"PK\":\"p\",\"SK\":null}", 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct item it = item_of(&c, rows[i].item);
		struct key_values k = {.n = 0};
		int r = key_from_item(&s.key, &it, &k);

		CU_ASSERT_EQUAL(r, rows[i].absent);
		if (r == 0) {
			CU_ASSERT_EQUAL_FATAL(k.n, 2);
			CU_ASSERT_PTR_EQUAL(k.at[0], item_get(&it, SLICE("PK")));
			CU_ASSERT_PTR_EQUAL(k.at[1], item_get(&it, SLICE("SK")));
		}
	}
	struct item it = item_of(&c, "{\"SK\":\"s\"}");
	struct key_values k = {.n = 0};
	int r = key_from_item(&indexes[2].key, &it, &k);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(k.n == 1 && slice_is(k.at[0]->text, "s"));
}

static void
copies_deeply(void)
{
	several((struct key_attr){SLICE("I"), VALUE_B});
	struct schema *copy = schema_copy(&c.arena, &s);

	memset(indexes, 0xff, sizeof(indexes));
	memset(include, 0xff, sizeof(include));
	s = (struct schema){0};
	CU_ASSERT_TRUE(slice_is(copy->table, "Orders") && copy->id == 7 && copy->version == 3);
	CU_ASSERT_TRUE(slice_is(copy->key.sk->name, "SK") && copy->n_index == 3);
	CU_ASSERT_TRUE(slice_is(copy->index[0].name, "GSI1") && copy->index[0].global);
	CU_ASSERT_TRUE(copy->index[0].n_include == 2 && slice_is(copy->index[0].include[1], "b"));
	CU_ASSERT_TRUE(slice_is(copy->index[1].key.sk->name, "L") && copy->index[1].id == 2);
	CU_ASSERT_FALSE(key_schema_has_sort(&copy->index[2].key));
	CU_ASSERT_TRUE(slice_is(copy->index[0].key.pk[1].name, "H"));
	CU_ASSERT_TRUE(slice_is(copy->index[0].key.sk[2].name, "I"));
	int r = schema_check(&c, copy);

	CU_ASSERT_EQUAL(r, 0);
}

static bool
skips(const struct index *ix, const struct item *it)
{
	struct key_values k = {.n = 0};

	return index_key(ix, it, &k) != 0;
}

/* Source: BEHAVIOUR 4.10 */
static void
an_index_skips_values_that_cannot_be_keys(void)
{
	static char long_text[LIMIT_PK_BYTES + 1];
	struct index ix = {.key = {{{SLICE_INIT("g"), VALUE_S}}, {{SLICE_INIT("n"), VALUE_N}}}};
	struct attr attrs[2] = {
		{SLICE_INIT("g"), {.type = VALUE_S, .text = {long_text, 0}}},
		{SLICE_INIT("n"), {.type = VALUE_N, .text = SLICE_INIT("1")}},
	};
	struct item it = {attrs, 2};

	memset(long_text, 'x', sizeof(long_text));
	CU_ASSERT_TRUE(skips(&ix, &it));
	attrs[0].value.text.len = LIMIT_PK_BYTES;
	CU_ASSERT_FALSE(skips(&ix, &it));
	attrs[0].value.text.len = LIMIT_PK_BYTES + 1;
	CU_ASSERT_TRUE(skips(&ix, &it));
	ix.key = (struct key_schema){{{SLICE("n"), VALUE_N}}, {{SLICE("g"), VALUE_S}}};
	attrs[0].value.text.len = LIMIT_SK_BYTES;
	CU_ASSERT_FALSE(skips(&ix, &it));
	attrs[0].value.text.len = LIMIT_SK_BYTES + 1;
	CU_ASSERT_TRUE(skips(&ix, &it));
}

static void
an_index_is_readable_when_it_is_complete(void)
{
	struct index ix[] = {{.name = SLICE_INIT("One"), .id = 3},
			     {.name = SLICE_INIT("Two"), .id = 9}};
	struct schema two = {.index = ix, .n_index = 2};

	CU_ASSERT_PTR_NULL(schema_busy(&two));
	CU_ASSERT_PTR_EQUAL(schema_view(&two, SLICE("Two")), &ix[1]);
	for (int state = INDEX_CREATING; state <= INDEX_DELETING; state++) {
		ix[1].state = (enum index_state)state;
		CU_ASSERT_PTR_EQUAL(schema_busy(&two), &ix[1]);
		CU_ASSERT_PTR_NULL(schema_view(&two, SLICE("Two")));
		CU_ASSERT_PTR_EQUAL(schema_view(&two, SLICE("One")), &ix[0]);
	}
	CU_ASSERT_PTR_NULL(schema_view(&two, SLICE("Three")));
	CU_ASSERT_PTR_EQUAL(schema_index_by_id(&two, 9), &ix[1]);
	CU_ASSERT_PTR_NULL(schema_index_by_id(&two, 2));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(accepts_what_create_table_accepts),
	UNIT_TEST(bounds_names),
	UNIT_TEST(checks_keys),
	UNIT_TEST(only_a_global_index_has_several_attributes),
	UNIT_TEST(a_position_is_given_by_the_keys_of_index_and_table),
	UNIT_TEST(checks_local_indexes),
	UNIT_TEST(checks_projections),
	UNIT_TEST(bounds_the_number_of_indexes),
	UNIT_TEST(finds_indexes_by_name),
	UNIT_TEST(keys_of_table_and_index_are_always_projected),
	UNIT_TEST(projects_in_the_order_of_the_item),
	UNIT_TEST(accepts_only_keys_of_the_right_type),
	UNIT_TEST(copies_deeply),
	UNIT_TEST(an_index_skips_values_that_cannot_be_keys),
	UNIT_TEST(an_index_is_readable_when_it_is_complete),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(schema, setup, teardown, tests);
