/* Key usage: by minute, with any clock, in bounded memory.  BEHAVIOUR 5.6, 5.9 */
#include "store/base/core/clock.h"
#include "store/local/meter/key_usage.h"
#include "store/local/records/catalog.h"
#include "store/local/records/local_int.h"

#include "tests/support/fixture.h"
#include "tests/support/unit.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, HOUR_S = 3600, START_S = 6000060 };

static const struct schema *schema;
static struct key_usage *usage;

static void
begin(void)
{
	CU_ASSERT_EQUAL_FATAL(fixture_table("tab pk:S sk:N | +gsi g:S | -lsi l:S KEYS_ONLY"), 0);
	struct local *l = (struct local *)fixture.e;
	int r = catalog_find(l->catalog, &fixture.c, SLICE("tab"), &schema);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	usage = l->key_usage;
	fixture.c.now_ms = (uint64_t)START_S * SECOND;
}

static void
add_to(const struct call *c, const struct index *ix, const char *name, enum throttle_kind kind,
       uint64_t halves)
{
	char key[64];
	int n = snprintf(key, sizeof(key), "p123456%s%c\1", name, '\0');
	struct throttle_place place = {
		.schema = schema,
		.ix = ix,
		.collection = slice_of(key, (size_t)n),
		.kind = kind,
	};

	key_usage_add(usage, c, &place, halves);
}

static void
add(const char *name, enum throttle_kind kind, uint64_t halves)
{
	add_to(&fixture.c, NULL, name, kind, halves);
}

static struct describe_key_usage_out
describe(const char *index, uint64_t since_s, uint32_t limit)
{
	struct describe_key_usage_in in = {
		.table = SLICE("tab"),
		.index = slice_from(index),
		.since_s = since_s,
		.limit = limit,
	};
	struct describe_key_usage_out out;
	int r = engine_describe_key_usage(fixture.e, &fixture.c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out;
}

static struct describe_key_usage_out
describe_all(void)
{
	return describe("", HOUR_S, 0);
}

static bool
is_use(const struct key_use *use, uint64_t halves, uint64_t peak)
{
	return use->halves == halves && use->peak_halves == peak;
}

static bool
is_key(const struct usage_of_key *k, const char *name)
{
	return k->pk.n == 1 && slice_is(k->pk.at[0].text, name);
}

/* ------------------------------------------------------------ time */

static void
the_busiest_second_is_reported(void)
{
	begin();
	add("a", THROTTLE_WRITE, 2);
	fixture.c.now_ms += SECOND - 1; /* the same second */
	add("a", THROTTLE_WRITE, 4);
	add("a", THROTTLE_READ, 1);
	fixture.c.now_ms += 1;
	add("a", THROTTLE_WRITE, 5);
	add("b", THROTTLE_READ, 7);
	add("b", THROTTLE_READ, 0);
	add("c", THROTTLE_READ, 19); /* more than three times the writes of a's busiest second */
	struct describe_key_usage_out out = describe_all();

	CU_ASSERT_EQUAL_FATAL(out.n_keys, 3);
	CU_ASSERT_TRUE(is_key(&out.keys[0], "c"));
	CU_ASSERT_TRUE(is_key(&out.keys[1], "a"));
	CU_ASSERT_TRUE(is_use(&out.keys[1].write, 11, 6));
	CU_ASSERT_TRUE(is_use(&out.keys[1].read, 1, 1));
	CU_ASSERT_TRUE(is_key(&out.keys[2], "b"));
	CU_ASSERT_TRUE(is_use(&out.keys[2].read, 7, 7));
	CU_ASSERT_TRUE(is_use(&out.keys[2].write, 0, 0));
	out = describe("", HOUR_S, 2);
	CU_ASSERT_EQUAL(out.n_keys, 2);
	CU_ASSERT_EQUAL(out.known, 3);
}

static void
a_period_is_reported_in_minutes(void)
{
	begin();
	for (uint64_t i = 1; i <= 61; i++) {
		add("a", THROTTLE_WRITE, i);
		fixture.c.now_ms += i < 61 ? MINUTE : 0;
	}
	CU_ASSERT_TRUE(is_use(&describe("", 59, 0).keys[0].write, 60 + 61, 61));
	CU_ASSERT_TRUE(is_use(&describe("", 60, 0).keys[0].write, 60 + 61, 61));
	CU_ASSERT_TRUE(is_use(&describe("", 61, 0).keys[0].write, 59 + 60 + 61, 61));
	CU_ASSERT_TRUE(is_use(&describe("", 0, 0).keys[0].write, 11 * 56, 61));
	CU_ASSERT_TRUE(is_use(&describe_all().keys[0].write, 61 * 31, 61));
	fixture.c.now_ms += MINUTE;
	CU_ASSERT_TRUE(is_use(&describe_all().keys[0].write, 61 * 31 - 1, 61));
	add("a", THROTTLE_WRITE, 5); /* takes the place of the first minute */
	CU_ASSERT_TRUE(is_use(&describe_all().keys[0].write, 61 * 31 - 1 + 5, 61));
	fixture.c.now_ms += HOUR + MINUTE;
	CU_ASSERT_EQUAL(describe_all().known, 0);
}

static void
the_period_begins_when_the_store_was_opened(void)
{
	begin();
	fixture.c.now_ms = clock_now_ms() + (uint64_t)100 * SECOND;
	uint64_t seconds = describe_all().seconds;

	CU_ASSERT_TRUE(seconds >= 100 && seconds < HOUR_S);
	fixture.c.now_ms += (uint64_t)2 * HOUR;
	seconds = describe("", 90, 0).seconds;
	CU_ASSERT_TRUE(seconds > 90 && seconds <= 90 + 60);
	fixture.c.now_ms = SECOND; /* the clock was set back */
	CU_ASSERT_EQUAL(describe_all().seconds, 1);
}

static void
clocks_may_go_back(void)
{
	begin();
	add("a", THROTTLE_WRITE, 2);
	fixture.c.now_ms -= (uint64_t)9 * SECOND; /* a call that was given its time earlier */
	add("a", THROTTLE_WRITE, 2);
	CU_ASSERT_TRUE(is_use(&describe_all().keys[0].write, 2, 2));
	fixture.c.now_ms += (uint64_t)9 * SECOND;
	CU_ASSERT_TRUE(is_use(&describe_all().keys[0].write, 4, 2));
	fixture.c.now_ms -= (uint64_t)24 * HOUR;
	CU_ASSERT_EQUAL(describe_all().known, 0);
	add("a", THROTTLE_WRITE, 6);
	CU_ASSERT_TRUE(is_use(&describe_all().keys[0].write, 6, 6));
	fixture.c.now_ms = UINT64_MAX;
	add("a", THROTTLE_WRITE, UINT64_MAX / 4);
	fixture.c.now_ms = 0;
	add("a", THROTTLE_WRITE, 1);
	CU_ASSERT_TRUE(is_use(&describe_all().keys[0].write, 1, 1));
}

/* ------------------------------------------------------------ little memory */

static void
hot_keys_stay_among_many(void)
{
	enum { KEYS = 100000, EACH = 50 };
	char name[32];
	size_t too_much = 0;

	begin();
	for (int i = 0; i < KEYS; i++) {
		(void)snprintf(name, sizeof(name), "once %d", i);
		add(name, THROTTLE_WRITE, 2);
		if (i % EACH == 0) {
			add("hot", THROTTLE_WRITE, 2);
		}
	}
	struct describe_key_usage_out out = describe("", 0, UINT32_MAX);

	CU_ASSERT_EQUAL(out.known, KEY_USAGE_KEYS);
	CU_ASSERT_EQUAL_FATAL(out.n_keys, KEY_USAGE_KEYS);
	CU_ASSERT_TRUE(is_key(&out.keys[0], "hot"));
	CU_ASSERT_TRUE(out.keys[0].write.halves > (uint64_t)KEYS / EACH);
	for (size_t i = 1; i < out.n_keys; i++) {
		too_much += out.keys[i].write.halves > 2;
	}
	CU_ASSERT_EQUAL(too_much, 0); /* no key inherits the usage of another */
}

/* Fill the table with keys of which each has consumed much. */
static void
fill(void)
{
	char name[32];

	for (int i = 0; i < 8 * KEY_USAGE_KEYS; i++) {
		(void)snprintf(name, sizeof(name), "heavy %d", i);
		add(name, THROTTLE_WRITE, 1000);
	}
}

static void
a_key_that_consumes_more_replaces_another(void)
{
	begin();
	fill();
	add("light", THROTTLE_READ, 2999); /* a write counts three times */
	CU_ASSERT_FALSE(is_use(&describe_all().keys[0].read, 2999, 2999));
	add("light", THROTTLE_READ, 4000);
	struct describe_key_usage_out out = describe_all();

	CU_ASSERT_EQUAL(out.known, KEY_USAGE_KEYS);
	CU_ASSERT_TRUE(is_key(&out.keys[0], "light"));
	CU_ASSERT_TRUE(is_use(&out.keys[0].read, 4000, 4000));
}

static void
a_key_does_not_inherit_the_minutes_of_the_one_that_it_replaces(void)
{
	begin();
	fill();
	fixture.c.now_ms += MINUTE;
	add("light", THROTTLE_READ, 100000);
	struct describe_key_usage_out out = describe_all();

	CU_ASSERT_TRUE(is_key(&out.keys[0], "light"));
	CU_ASSERT_TRUE(is_use(&out.keys[0].read, 100000, 100000));
	CU_ASSERT_TRUE(is_use(&out.keys[0].write, 0, 0));
}

static void
keys_that_are_no_longer_used_are_replaced(void)
{
	begin();
	fill();
	fixture.c.now_ms += HOUR;
	add("light", THROTTLE_READ, 1);
	CU_ASSERT_EQUAL(describe_all().known, KEY_USAGE_KEYS);
	fixture.c.now_ms += (uint64_t)2 * MINUTE;
	add("light", THROTTLE_READ, 1);
	struct describe_key_usage_out out = describe_all();

	CU_ASSERT_EQUAL_FATAL(out.known, 1);
	CU_ASSERT_TRUE(is_key(&out.keys[0], "light"));
	CU_ASSERT_TRUE(is_use(&out.keys[0].read, 2, 1));
}

/* A key is not kept for what it consumed long ago. */
static void
a_key_that_turns_hot_replaces_one_of_long_use(void)
{
	begin();
	fill();
	struct describe_key_usage_out old = describe("", HOUR_S, UINT32_MAX);

	for (int i = 0; i < 40; i++) {
		for (size_t k = 0; k < old.n_keys; k++) {
			add(slice_cstr(&fixture.c.arena, old.keys[k].pk.at->text), THROTTLE_WRITE,
			    1000);
		}
		fixture.c.now_ms += MINUTE;
	}
	for (int i = 0; i < 12;
	     i++) { /* together less than half of what each of the others has consumed */
		add("hot", THROTTLE_WRITE, 2500);
		fixture.c.now_ms += SECOND;
	}
	CU_ASSERT_TRUE(is_key(&describe_all().keys[0], "hot"));
}

static void
a_closed_store_keeps_no_usage(void)
{
	begin();
	add("a", THROTTLE_READ, 1);
	CU_ASSERT_EQUAL(describe_all().known, 1);
	CU_ASSERT_EQUAL_FATAL(fixture_restart(), 0);
	fixture.c.now_ms = (uint64_t)START_S * SECOND;
	CU_ASSERT_EQUAL(describe_all().known, 0);
}

/* ------------------------------------------------------------ tables and indexes */

static void
only_global_indexes_are_counted_separately(void)
{
	struct throttle_place all = {.kind = THROTTLE_READ};

	begin();
	all.schema = schema;
	key_usage_add(usage, &fixture.c, &all, 100); /* a Scan, which has no key */
	for (size_t i = 0; i < schema->n_index; i++) {
		const struct index *ix = &schema->index[i];

		add_to(&fixture.c, ix, "a", THROTTLE_READ, ix->global ? 4 : 2);
	}
	add("a", THROTTLE_READ, 1);
	struct describe_key_usage_out out = describe_all();

	CU_ASSERT_EQUAL_FATAL(out.known, 1);
	CU_ASSERT_TRUE(is_use(&out.keys[0].read, 3, 3));
	out = describe("gsi", 0, 0);
	CU_ASSERT_EQUAL_FATAL(out.known, 1);
	CU_ASSERT_TRUE(is_use(&out.keys[0].read, 4, 4));
}

static void
a_key_of_many_tables_has_room(void)
{
	struct schema other;

	begin();
	add("a", THROTTLE_READ, 1);
	const struct schema *own = schema;

	for (uint32_t i = 0; i < 64; i++) {
		other = *own;
		other.id = own->id + 1 + i;
		schema = &other;
		add("a", THROTTLE_WRITE, 100);
	}
	schema = own;
	CU_ASSERT_EQUAL(describe_all().known, 1);
}

/* ------------------------------------------------------------ threads */

enum { THREADS = 4, ADDS = 20000 };

static void *
add_much(void *unused)
{
	struct call mine;

	(void)unused;
	for (uint64_t i = 0; i < ADDS; i++) {
		call_open(&mine, (uint64_t)START_S * SECOND + i % 5 * SECOND, SIZE_MAX);
		add_to(&mine, NULL, "a", i % 2 == 0 ? THROTTLE_READ : THROTTLE_WRITE, 1);
		call_close(&mine);
	}
	return NULL;
}

static void
threads_lose_nothing(void)
{
	pthread_t threads[THREADS];

	begin();
	for (int i = 0; i < THREADS; i++) {
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, add_much, NULL), 0);
	}
	for (int i = 0; i < 20; i++) {
		CU_ASSERT_TRUE(describe_all().known <= 1);
	}
	for (int i = 0; i < THREADS; i++) {
		(void)pthread_join(threads[i], NULL);
	}
	struct describe_key_usage_out out = describe_all();

	CU_ASSERT_EQUAL_FATAL(out.known, 1);
	CU_ASSERT_EQUAL(out.keys[0].read.halves, THREADS * ADDS / 2);
	CU_ASSERT_EQUAL(out.keys[0].write.halves, THREADS * ADDS / 2);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_busiest_second_is_reported),
	UNIT_TEST(a_period_is_reported_in_minutes),
	UNIT_TEST(the_period_begins_when_the_store_was_opened),
	UNIT_TEST(clocks_may_go_back),
	UNIT_TEST(hot_keys_stay_among_many),
	UNIT_TEST(a_key_that_consumes_more_replaces_another),
	UNIT_TEST(a_key_does_not_inherit_the_minutes_of_the_one_that_it_replaces),
	UNIT_TEST(keys_that_are_no_longer_used_are_replaced),
	UNIT_TEST(a_key_that_turns_hot_replaces_one_of_long_use),
	UNIT_TEST(a_closed_store_keeps_no_usage),
	UNIT_TEST(only_global_indexes_are_counted_separately),
	UNIT_TEST(a_key_of_many_tables_has_room),
	UNIT_TEST(threads_lose_nothing),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(key_usage, fixture_open, fixture_close, tests);
