/* Tests of the schemas that a mount caches: they live as long as a call reads them, and no longer. */
#include "tests/fs/mount_fixture.h"
#include "tests/support/unit.h"

static struct schemas *known;

static const struct schema *
get(struct call *c, const char *table)
{
	const struct schema *s = NULL;
	int r = schemas_get(known, c, slice_from(table), &s);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return s;
}

static void
begin(void)
{
	mount_fixture_open();
	known = &mount_fixture.m->schemas;
	schemas_drop(known, SLICE(""));
}

static void
a_schema_is_fetched_once_and_again_after_a_drop(void)
{
	struct call *c = mount_fixture_clean();

	CU_ASSERT_PTR_NULL(schemas_find(known, c, SLICE("tab")));
	(void)get(c, "tab");
	const struct schema *first = schemas_find(known, c, SLICE("tab"));

	CU_ASSERT_PTR_EQUAL(get(c, "tab"), first);
	schemas_drop(known, SLICE("sim"));
	CU_ASSERT_PTR_EQUAL(get(c, "tab"), first);
	schemas_drop(known, SLICE("tab"));
	CU_ASSERT_PTR_NULL(schemas_find(known, c, SLICE("tab")));
	CU_ASSERT_TRUE(get(c, "tab") != first);
}

/* The sanitizer reports a read after free. */
static void
a_replaced_schema_is_readable_until_the_call_ends(void)
{
	struct call reader;

	call_open(&reader, 0, SIZE_MAX);
	(void)get(&reader, "tab");
	const struct schema *old = get(&reader, "tab");

	schemas_drop(known, SLICE("tab"));
	CU_ASSERT_TRUE(slice_is(old->table, "tab"));
	CU_ASSERT_TRUE(slice_is(old->index[0].name, "gsi"));
	call_close(&reader);
}

static void
replaced_schemas_are_freed(void)
{
	struct call c;

	for (int i = 0; i < 100; i++) {
		call_open(&c, 0, SIZE_MAX);
		(void)get(&c, "tab");
		(void)get(&c, "sim");
		schemas_drop(known, SLICE("tab"));
		call_close(&c);
	}
	CU_ASSERT_EQUAL(schemas_known(known), 1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_schema_is_fetched_once_and_again_after_a_drop),
	UNIT_TEST(a_replaced_schema_is_readable_until_the_call_ends),
	UNIT_TEST(replaced_schemas_are_freed),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(schemas, begin, mount_fixture_close, tests);
