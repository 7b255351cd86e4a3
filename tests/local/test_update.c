/* UpdateItem in the write path: what the engine adds to the expression and the answer. */
#include "store/engine/feed.h"

#include "tests/support/fixture.h"
#include "tests/support/items.h"
#include "tests/support/unit.h"

enum { DEEPEST = 31, COUNTERS = 4, COUNTS = 250, HALF_BYTES = 210000, BUDGET = 1 << 24 };

/* Run an update; @v is the value of :v in @text */
static int
update(struct call *c, const char *table, const char *key, const char *text, struct value v,
       struct update_item_out *out)
{
	struct attr values[] = {{SLICE(":v"), v}};
	bool given = strstr(text, ":v") != NULL;
	struct update_item_in in = {
		.write = {.table = slice_from(table),
			  .item = item_of(c, key),
			  .ph = {.values = {values, given ? 1 : 0}, .values_given = given},
			  .return_values = RETURN_ALL_NEW},
		.update = slice_from(text),
	};

	c->error = (struct error){0};
	return engine_update_item(fixture.e, c, &in, out);
}

static const struct value one = {.type = VALUE_N, .text = SLICE_INIT("1")};

static int
update_sim(const char *text, struct update_item_out *out)
{
	return update(&fixture.c, "sim", "{\"k\":1}", text, one, out);
}

static void
tables(void)
{
	fixture_open();
	CU_ASSERT_EQUAL_FATAL(fixture_table("sim k:N"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_table("tab PK:S SK:S | +idx g:S PK:S ALL | -low v:S ALL"), 0);
}

/* Source: BEHAVIOUR 7.4 */
static void
an_update_without_a_change_publishes_none(void)
{
	struct feed_reader *r = feed_open(engine_feed(fixture.e));
	struct item first = fixture_item("{\"k\":1,\"v\":1}");
	struct item second = fixture_item("{\"k\":1,\"v\":2}");
	struct update_item_out out;
	struct change ch;

	CU_ASSERT_EQUAL(update_sim("SET v = :v", &out), 0);
	uint64_t seq = out.written.seq;

	CU_ASSERT_TRUE(!out.written.had_old && seq > 0);
	CU_ASSERT_EQUAL(update_sim("SET v = :v", &out), 0);
	CU_ASSERT_TRUE(out.written.had_old && out.written.seq == 0);
	CU_ASSERT_EQUAL(update_sim("SET v = v REMOVE w", &out), 0);
	CU_ASSERT_EQUAL(out.written.seq, 0);
	CU_ASSERT_TRUE(item_eq(&out.written.attributes, &first));
	CU_ASSERT_EQUAL(update_sim("ADD v :v", &out), 0);
	CU_ASSERT_EQUAL(out.written.seq, seq + 1);

	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), 0);
	CU_ASSERT_TRUE(!ch.has_old && ch.has_new && item_eq(&ch.updated, &first) && !ch.times_only);
	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), 0);
	CU_ASSERT_TRUE(ch.has_old && item_eq(&ch.old, &first) && item_eq(&ch.updated, &second));
	CU_ASSERT_FALSE(ch.times_only);
	CU_ASSERT_EQUAL(feed_next(r, &fixture.c, 0, &ch), FEED_TIMEOUT);
	feed_close(r);
}

static void
counts_and_indexes_follow(void)
{
	struct update_item_out out;
	const char *key = "{\"PK\":\"a\",\"SK\":\"1\"}";
	struct value text = value_string(SLICE("long enough to count"));

	CU_ASSERT_EQUAL(update(&fixture.c, "tab", key, "SET g = :v", text, &out), 0);
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, 1);
	CU_ASSERT_EQUAL(fixture_totals("tab", "idx").items, 1);
	CU_ASSERT_EQUAL(fixture_totals("tab", "low").items, 0);
	CU_ASSERT_EQUAL(update(&fixture.c, "tab", key, "SET v = :v REMOVE g", text, &out), 0);
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, 1);
	CU_ASSERT_EQUAL(fixture_totals("tab", "idx").items, 0);
	CU_ASSERT_EQUAL(fixture_totals("tab", "low").items, 1);
	CU_ASSERT_EQUAL(fixture_check(), 0);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	fixture_expect("tab", key, "{\"PK\":\"a\",\"SK\":\"1\",\"v\":\"long enough to count\"}");
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

/* Source: BEHAVIOUR 2.11, 2.13, E.11 */
static void
an_item_does_not_grow_too_big(void)
{
	static char big[HALF_BYTES];
	struct update_item_out out;
	const char *key = "{\"PK\":\"a\",\"SK\":\"1\"}";
	struct value half = value_string(slice_of(big, sizeof(big)));

	memset(big, 'x', sizeof(big));
	CU_ASSERT_EQUAL(update(&fixture.c, "tab", key, "SET a = :v", half, &out), 0);
	CU_ASSERT_EQUAL(update(&fixture.c, "tab", key, "SET b = :v", half, &out),
			-ERR_ITEM_TOO_BIG);
	CU_ASSERT_STRING_EQUAL(fixture_message(),
			       "Item size to update has exceeded the maximum allowed size");
	CU_ASSERT_EQUAL(update(&fixture.c, "tab", key, "SET b = a", half, &out), -ERR_ITEM_TOO_BIG);
	/* With its entry in the local index it counts twice. */
	CU_ASSERT_EQUAL(
		update(&fixture.c, "tab", key, "SET v = :v", value_string(SLICE("x")), &out),
		-ERR_ITEM_TOO_BIG);
	CU_ASSERT_EQUAL(update(&fixture.c, "tab", key, "SET a = :v, v = :v",
			       value_string(SLICE("x")), &out),
			0);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

/* Source: BEHAVIOUR 2.5, E.11 */
static void
an_item_does_not_grow_too_deep(void)
{
	struct attr inner[DEEPEST];
	struct value v = value_string(SLICE("x"));
	struct update_item_out out;

	for (size_t i = 0; i < DEEPEST; i++) {
		inner[i] = (struct attr){SLICE("m"), v};
		v = (struct value){.type = VALUE_M, .map = {&inner[i], 1}};
	}
	CU_ASSERT_EQUAL(update(&fixture.c, "sim", "{\"k\":1}", "SET a = :v", v, &out), 0);
	CU_ASSERT_EQUAL(update(&fixture.c, "sim", "{\"k\":1}", "SET a.b = :v", v, &out),
			-ERR_VALIDATION);
	CU_ASSERT_PTR_NOT_NULL(strstr(fixture_message(), "Nesting Levels have exceeded"));
}

/* Source: BEHAVIOUR E.6 */
static void *
count(void *arg)
{
	for (int i = 0; i < COUNTS; i++) {
		struct update_item_out out;
		struct call c;

		call_open(&c, 0, BUDGET);
		int r = update(&c, "sim", "{\"k\":1}", "ADD n :v", one, &out);

		*(int *)arg += r == 0;
		call_close(&c);
	}
	return NULL;
}

static void
no_increment_is_lost(void)
{
	pthread_t threads[COUNTERS];
	int done[COUNTERS] = {0};
	int sum = 0;

	for (int i = 0; i < COUNTERS; i++) {
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, count, &done[i]), 0);
	}
	for (int i = 0; i < COUNTERS; i++) {
		(void)pthread_join(threads[i], NULL);
		sum += done[i];
	}
	CU_ASSERT_EQUAL(sum, COUNTERS * COUNTS);
	fixture_expect("sim", "{\"k\":1}", "{\"k\":1,\"n\":1000}");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_update_without_a_change_publishes_none),
	UNIT_TEST(counts_and_indexes_follow),
	UNIT_TEST(an_item_does_not_grow_too_big),
	UNIT_TEST(an_item_does_not_grow_too_deep),
	UNIT_TEST(no_increment_is_lost),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(update, tables, fixture_close, tests);
