/* Tests of the sets of names and items that are known to be absent. */
#include "fs/core/absence.h"

#include "tests/support/unit.h"

static struct absent set;
static const struct node *const dir = (const struct node *)&set;
static const struct node *const other = (const struct node *)&set.words[1];

static void
setup(void)
{
	absent_clear(&set);
}

static struct slice
name_of(char *room, size_t size, unsigned n)
{
	return slice_of(room, (size_t)snprintf(room, size, "name %u", n));
}

static unsigned
count(const struct node *in, unsigned from, unsigned to)
{
	char room[32];
	unsigned found = 0;

	for (unsigned i = from; i < to; i++) {
		found += absent_has(&set, in, name_of(room, sizeof(room), i));
	}
	return found;
}

static void
has_every_name_that_was_added(void)
{
	char room[32];

	for (unsigned i = 0; i < 10000; i++) {
		absent_add(&set, dir, name_of(room, sizeof(room), i));
	}
	CU_ASSERT_EQUAL(count(dir, 0, 10000), 10000);
	absent_add(&set, dir, SLICE(""));
	CU_ASSERT_TRUE(absent_has(&set, dir, SLICE("")));
}

static void
has_few_others(void)
{
	char room[32];

	CU_ASSERT_EQUAL(count(dir, 0, 1000), 0);
	for (unsigned i = 0; i < 1000; i++) {
		absent_add(&set, dir, name_of(room, sizeof(room), i));
	}
	/* One bit in 65 is set. */
	CU_ASSERT_TRUE(count(dir, 1000, 2000) < 60);
	CU_ASSERT_TRUE(count(other, 0, 1000) < 60);
}

static void
is_empty_when_cleared(void)
{
	has_every_name_that_was_added();
	absent_clear(&set);
	CU_ASSERT_EQUAL(count(dir, 0, 10000), 0);
}

static void
an_item_is_absent_until_something_changes(void)
{
	struct absent_items items = {0};

	CU_ASSERT_FALSE(absent_items_has(&items, 0, 0));
	absent_items_add(&items, 4711, 10);
	CU_ASSERT_TRUE(absent_items_has(&items, 4711, 10));
	CU_ASSERT_FALSE(absent_items_has(&items, 4711, 11));
	CU_ASSERT_FALSE(absent_items_has(&items, 4711 + ABSENT_ITEMS_SLOTS, 10));
	absent_items_add(&items, 4712, 10);
	CU_ASSERT_TRUE(absent_items_has(&items, 4711, 10));
	absent_items_add(&items, 4711 + ABSENT_ITEMS_SLOTS, 11);
	CU_ASSERT_FALSE(absent_items_has(&items, 4711, 10));
	CU_ASSERT_TRUE(absent_items_has(&items, 4711 + ABSENT_ITEMS_SLOTS, 11));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(has_every_name_that_was_added),
	UNIT_TEST(has_few_others),
	UNIT_TEST(is_empty_when_cleared),
	UNIT_TEST(an_item_is_absent_until_something_changes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(absent, setup, NULL, tests);
