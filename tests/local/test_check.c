/* Check: it finds all problems of a damaged store, and none in a valid one. */
#include "store/local/records/keyspace.h"
#include "store/op/op.h"

#include "tests/local/check_damage.h"
#include "tests/local/check_fixture.h"
#include "tests/support/fixture.h"
#include "tests/support/unit.h"

static void
a_valid_store_has_no_problems(void)
{
	struct check_result r = check_run(NULL);

	CU_ASSERT_EQUAL(r.problems, 0);
	CU_ASSERT_EQUAL(r.items, 4);
	CU_ASSERT_EQUAL(r.entries, 4);
	CU_ASSERT_EQUAL(r.pages, 1);
}

static void
every_kind_of_damage_is_found(void)
{
	for (size_t i = 0; i < check_n_damages; i++) {
		const struct check_damage *d = &check_damages[i];

		fixture_close();
		check_open();
		d->make();

		struct check_result r = check_run(d->problem);

		CU_ASSERT_TRUE(r.problems > 0);
		if (r.found.len == 0) {
			printf("\nnot found: %s", d->problem);
			(void)check_run(NULL);
		}
		CU_ASSERT_TRUE(r.found.len > 0);
	}
}

/* The counts of a table whose keys cannot be read are checked in pages, too, and a partition among them is found. */
static void
a_page_over_unreadable_keys_ends(void)
{
	enum { KEYS = 30000 };

	struct check_in in = {.next = SLICE("5 0 tab ")};
	struct check_out out = {0};
	struct buf key = {.arena = &fixture.c.arena};
	struct buf partition = {.arena = &fixture.c.arena};
	struct value pk = {.type = VALUE_S, .text = SLICE("x00005")};
	struct key_values k = key_values_of(&pk, 1);
	uint64_t looked = 0;
	size_t found = 0;
	size_t pages = 0;

	buf_slice(&key, keyspace_head(key.arena, KEYSPACE_ITEM, check_table, NULL));
	size_t len = key.len;

	for (int i = 0; i < KEYS; i++) {
		key.len = len;
		buf_fmt(&key, "x%05d", i);
		check_write_raw(buf_view(&key), SLICE("?"), false);
	}
	buf_slice(&partition,
		  keyspace_collection(partition.arena, KEYSPACE_PARTITION, check_table, NULL, &k));
	check_write_raw(buf_view(&partition), SLICE("\1\1\1"), false);
	for (; slice_starts(in.next, SLICE("5 0 ")); in.next = out.next) {
		CU_ASSERT_EQUAL_FATAL(engine_check(fixture.e, &fixture.c, &in, &out), 0);
		CU_ASSERT_TRUE(out.looked <= 20000 + 100);
		looked += out.looked;
		for (size_t i = 0; i < out.n_problems; i++) {
			found += slice_ends(out.problems[i],
					    SLICE("in the partition directory but has no items"));
		}
		pages++;
	}
	CU_ASSERT_TRUE(looked >= KEYS && looked < KEYS + 100);
	CU_ASSERT_EQUAL(pages, 2);
	CU_ASSERT_EQUAL(found, 1);
}

static void
only_damaged_keys_are_reported(void)
{
	struct check_result r;

	check_damages[0].make();
	r = check_run("table tab, index GSI: {\"g\":\"x\"}: 1 items, ");
	/* the item without its entry, and the counts of that collection */
	CU_ASSERT_EQUAL(r.problems, 2);
	CU_ASSERT_TRUE(r.found.len > 0);
}

/* An item that cannot be read does not hide that the counts of its collection cannot be read either. */
static void
all_damage_of_a_collection_is_found(void)
{
	for (size_t i = 0; i < check_n_damages; i++) {
		if (strstr(check_damages[i].problem, "cannot be read") != NULL) {
			check_damages[i].make();
		}
	}
	CU_ASSERT_TRUE(check_run("table tab: {\"P\":\"b\"}: its counts cannot be read").found.len >
		       0);
	CU_ASSERT_TRUE(check_run("table tab: {\"P\":\"b\",\"S\":1}: its record").found.len > 0);
}

static void
many_problems_end_a_page(void)
{
	struct check_result r;

	for (unsigned i = 0; i < 1000; i++) {
		char place[64];

		(void)snprintf(place, sizeof(place), "{\"P\":\"c\",\"S\":%u}", i);
		check_write_raw(check_key_for(NULL, place), SLICE("nonsense"), false);
	}
	r = check_run("table tab: {\"P\":\"c\",\"S\":999}: its record cannot be read");
	CU_ASSERT_TRUE(r.found.len > 0);
	CU_ASSERT_EQUAL(r.problems, 1000);
	CU_ASSERT_TRUE(r.pages >= 5);
}

/* Every part of a table is checked even if the last table has a problem. */
static void
a_large_table_with_a_problem_is_checked_in_pages(void)
{
	check_fill(25000);
	check_damages[0].make();
	struct check_result r =
		check_run("table tab: {\"P\":\"a\",\"S\":1}: index GSI has no entry");

	CU_ASSERT_EQUAL(r.problems, 2);
	CU_ASSERT_TRUE(r.found.len > 0);
	CU_ASSERT_EQUAL(r.items, 25004);
	CU_ASSERT_EQUAL(r.entries, 25003);
	CU_ASSERT_TRUE(r.pages > 3);
}

static void
an_invalid_place_is_refused(void)
{
	static const char *const bad[] = {"x",          "4 0 tab",       "9 0 tab ",    "7 0 tab ",
					  "4 0 tab zz", "00 0 tab /w==", " 0 tab /w==", "4 0 /w=="};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct check_in in = {.next = slice_from(bad[i])};
		struct check_out out = {0};
		struct call c;

		call_open(&c, 0, 1 << 20);
		CU_ASSERT_EQUAL(engine_check(fixture.e, &c, &in, &out), -ERR_VALIDATION);
		call_close(&c);
	}
}

static void
a_dropped_table_is_skipped(void)
{
	struct check_in in = {.next = SLICE("5 2 gone /wA=")};
	struct check_out out = {0};
	int r = engine_check(fixture.e, &fixture.c, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.items, 4); /* "other" and "tab" come after it */
	CU_ASSERT_EQUAL(out.next.len, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_valid_store_has_no_problems),
	UNIT_TEST(every_kind_of_damage_is_found),
	UNIT_TEST(a_page_over_unreadable_keys_ends),
	UNIT_TEST(only_damaged_keys_are_reported),
	UNIT_TEST(all_damage_of_a_collection_is_found),
	UNIT_TEST(many_problems_end_a_page),
	UNIT_TEST(a_large_table_with_a_problem_is_checked_in_pages),
	UNIT_TEST(an_invalid_place_is_refused),
	UNIT_TEST(a_dropped_table_is_skipped),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check, check_open, fixture_close, tests);
