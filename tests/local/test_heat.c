/* Key usage: noted with any clock, in bounded memory, and kept from process to process.  BEHAVIOUR 5.6, 5.9 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/mem.h"
#include "store/local/meter/heat.h"
#include "store/local/meter/heat_file.h"
#include "store/local/meter/heat_text.h"
#include "store/local/records/keyspace.h"

#include "tests/support/unit.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

enum { SECOND = 1000, MINUTE_S = 60, START_S = 6000060 };

static struct index gsi = {.name = SLICE_INIT("gsi"), .global = true, .id = 3};
static struct index lsi = {.name = SLICE_INIT("lsi"), .id = 4};
static struct schema schema;

static void
begin(void)
{
	schema = (struct schema){.id = 7};
	c.now_ms = (uint64_t)START_S * SECOND;
}

/* A key of the table, which is that of its collection. */
static struct slice
key_of(const char *name)
{
	static char key[64];
	int n = snprintf(key, sizeof(key), "p123456%s", name);

	return slice_of(key, (size_t)n);
}

static void
note(struct heat *h, const char *name, enum throttle_kind kind, uint64_t halves)
{
	struct throttle_place place = {.schema = &schema, .collection = key_of(name), .kind = kind};

	heat_note(h, &c, &place, halves);
}

static void
note_all(struct heat *h, const struct index *ix, uint64_t halves)
{
	struct throttle_place place = {.schema = &schema, .ix = ix, .kind = THROTTLE_READ};

	heat_note(h, &c, &place, halves);
}

/* All known key usage, by minute; with @one, the sums of one table. */
static struct heat_key *
known(struct heat *h, bool one, size_t *n)
{
	struct heat_filter f = {.to = UINT64_MAX, .one = one, .table = schema.id};
	struct buf lines;

	buf_init(&lines, &c.arena);
	(void)heat_lines(h, &c, &lines);
	return heat_text_read(&c.arena, buf_view(&lines), &f, n);
}

static const struct heat_key *
find(const struct heat_key *keys, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_is(keys[i].key, name)) {
			return &keys[i];
		}
	}
	return NULL;
}

static bool
is_rate(const struct heat_rate *r, uint64_t sum, uint64_t peak)
{
	return r->sum == sum && r->peak == peak;
}

/* ------------------------------------------------------------ time */

static void
the_busiest_second_is_reported(void)
{
	struct heat *h = heat_new(-1);
	size_t n;

	begin();
	note(h, "a", THROTTLE_WRITE, 2);
	c.now_ms += SECOND - 1; /* the same second */
	note(h, "a", THROTTLE_WRITE, 4);
	note(h, "a", THROTTLE_READ, 1);
	c.now_ms += 1;
	note(h, "a", THROTTLE_WRITE, 5);
	note(h, "b", THROTTLE_READ, 7);
	note(h, "b", THROTTLE_READ, 0);
	note_all(h, NULL, 100);
	struct heat_key *keys = known(h, true, &n);

	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(keys[0].key.len, 0); /* first the total, then the hottest key */
	CU_ASSERT_TRUE(is_rate(&keys[0].rate[THROTTLE_WRITE], 11, 6));
	CU_ASSERT_TRUE(is_rate(&keys[0].rate[THROTTLE_READ], 108, 107));
	CU_ASSERT_TRUE(slice_is(keys[1].key, "a"));
	CU_ASSERT_TRUE(is_rate(&keys[1].rate[THROTTLE_WRITE], 11, 6));
	CU_ASSERT_TRUE(is_rate(&keys[1].rate[THROTTLE_READ], 1, 1));
	CU_ASSERT_TRUE(is_rate(&keys[2].rate[THROTTLE_READ], 7, 7));
	heat_free(h);
}

static void
minutes_add_up(void)
{
	struct heat *h = heat_new(-1);
	size_t n;

	begin();
	for (int i = 0; i < 5; i++) {
		note(h, "a", THROTTLE_WRITE, 10 + (uint64_t)i);
		c.now_ms += (uint64_t)MINUTE_S * SECOND;
	}
	struct heat_key *keys = known(h, true, &n);

	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_TRUE(is_rate(&keys[1].rate[THROTTLE_WRITE], 60, 14));
	keys = known(h, false, &n);
	CU_ASSERT_EQUAL_FATAL(n, 10); /* and each key has an entry per minute */
	CU_ASSERT_EQUAL(keys[0].minute, START_S / MINUTE_S);
	CU_ASSERT_EQUAL(keys[9].minute, START_S / MINUTE_S + 4);
	heat_free(h);
}

static void
clocks_may_go_back(void)
{
	struct heat *h = heat_new(-1);
	size_t n;

	begin();
	note(h, "a", THROTTLE_WRITE, 2);
	c.now_ms -= (uint64_t)9 * SECOND; /* a call that was given its time earlier */
	note(h, "a", THROTTLE_WRITE, 2);
	const struct heat_key *keys = known(h, false, &n);

	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(keys[1].minute, START_S / MINUTE_S);
	CU_ASSERT_TRUE(is_rate(&keys[1].rate[THROTTLE_WRITE], 4, 4));
	c.now_ms -= (uint64_t)3600 * SECOND; /* began long ago: noted in the current minute */
	note(h, "a", THROTTLE_WRITE, 6);
	keys = known(h, false, &n);
	CU_ASSERT_EQUAL_FATAL(n, 4);
	CU_ASSERT_EQUAL(keys[1].minute, START_S / MINUTE_S);
	CU_ASSERT_TRUE(keys[3].minute > START_S / MINUTE_S);
	CU_ASSERT_TRUE(is_rate(&keys[3].rate[THROTTLE_WRITE], 6, 6));
	c.now_ms = UINT64_MAX;
	note(h, "a", THROTTLE_WRITE, UINT64_MAX / 4);
	c.now_ms = 0;
	note(h, "a", THROTTLE_WRITE, 1);
	keys = known(h, false, &n);
	CU_ASSERT_EQUAL_FATAL(n, 6);
	CU_ASSERT_EQUAL(keys[3].rate[THROTTLE_WRITE].sum, 7);
	CU_ASSERT_TRUE(is_rate(&keys[5].rate[THROTTLE_WRITE], UINT64_MAX / 4, UINT64_MAX / 4));
	heat_free(h);
}

/* ------------------------------------------------------------ little memory */

static void
hot_keys_stay_among_many(void)
{
	enum { KEYS = 100000, EACH = 50 };
	struct heat *h = heat_new(-1);
	char name[32];
	size_t n;
	size_t too_much = 0;

	begin();
	for (int i = 0; i < KEYS; i++) {
		(void)snprintf(name, sizeof(name), "once %d", i);
		note(h, name, THROTTLE_WRITE, 2);
		if (i % EACH == 0) {
			note(h, "hot", THROTTLE_WRITE, 2);
		}
	}
	const struct heat_key *keys = known(h, true, &n);
	const struct heat_key *hot = find(keys, n, "hot");

	CU_ASSERT_EQUAL(n, 1 + HEAT_KEPT);
	CU_ASSERT_EQUAL(keys[0].rate[THROTTLE_WRITE].sum, 2ULL * (KEYS + KEYS / EACH));
	CU_ASSERT_PTR_EQUAL(hot, &keys[1]);
	CU_ASSERT_TRUE(keys[1].rate[THROTTLE_WRITE].sum > (uint64_t)KEYS / EACH);
	for (size_t i = 2; i < n; i++) {
		too_much += keys[i].rate[THROTTLE_WRITE].sum > 2;
	}
	CU_ASSERT_EQUAL(too_much, 0); /* no key inherits the usage of another */
	heat_free(h);
}

static void
the_number_of_tables_is_bounded(void)
{
	struct heat *h = heat_new(-1);
	size_t n;

	begin();
	for (uint32_t i = 0; i < 3 * HEAT_PLACES; i++) {
		schema.id = i;
		note(h, "a", THROTTLE_READ, 1);
	}
	(void)known(h, false, &n);
	CU_ASSERT_EQUAL(n, (size_t)2 * HEAT_PLACES);
	c.now_ms += (uint64_t)MINUTE_S * SECOND; /* in the next minute there is room for others */
	schema.id = 1000;
	note(h, "a", THROTTLE_READ, 1);
	(void)known(h, true, &n);
	CU_ASSERT_EQUAL(n, 2);
	heat_free(h);
}

static void
long_keys_take_bounded_memory(void)
{
	enum { BYTES = 4096, KEYS = 2048 };
	struct heat *h = heat_new(-1);
	char *long_key = mem_zeroed(1, BYTES);
	struct throttle_place place = {.schema = &schema, .kind = THROTTLE_READ};
	size_t bytes = 0;
	size_t n;

	begin();
	for (uint32_t i = 0; i < KEYS; i++) {
		schema.id = i % HEAT_PLACES;
		(void)snprintf(long_key + KEYSPACE_HEAD_BYTES, BYTES - KEYSPACE_HEAD_BYTES, "%u",
			       i);
		place.collection = slice_of(long_key, BYTES);
		heat_note(h, &c, &place, 1);
	}
	const struct heat_key *keys = known(h, false, &n);

	for (size_t i = 0; i < n; i++) {
		bytes += keys[i].key.len;
	}
	CU_ASSERT_TRUE(bytes <= HEAT_BYTES);
	CU_ASSERT_TRUE(bytes > HEAT_BYTES - BYTES);
	free(long_key);
	heat_free(h);
}

static void
lines_are_bounded_and_the_oldest_go(void)
{
	struct heat *h = heat_new(-1);
	static char names[8192][16];
	struct buf lines;
	size_t n;

	begin();
	for (uint32_t k = 0; k < 8192; k++) {
		(void)snprintf(names[k], sizeof(names[k]), "key %u", k);
	}
	for (uint32_t i = 0; i < 10; i++) {
		for (uint32_t k = 0; k < 8192; k++) {
			schema.id = k % HEAT_PLACES;
			note(h, names[k], THROTTLE_READ, 1);
		}
		c.now_ms += (uint64_t)MINUTE_S * SECOND;
	}
	buf_init(&lines, &c.arena);
	(void)heat_lines(h, &c, &lines);
	CU_ASSERT_TRUE(lines.len <= (size_t)2 * HEAT_TEXT);
	struct heat_key *keys = known(h, false, &n);

	CU_ASSERT_TRUE_FATAL(n > 0);
	CU_ASSERT_EQUAL(keys[n - 1].minute, START_S / MINUTE_S + 9);
	CU_ASSERT_TRUE(keys[0].minute > START_S / MINUTE_S + 4);
	heat_free(h);
}

/* ------------------------------------------------------------ tables and indexes */

static void
only_global_indexes_are_counted_separately(void)
{
	struct heat *h = heat_new(-1);
	size_t n;

	begin();
	note_all(h, NULL, 1);
	note_all(h, &lsi, 2);
	note_all(h, &gsi, 4);
	const struct heat_key *keys = known(h, false, &n);

	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(keys[0].index, KEYSPACE_BASE);
	CU_ASSERT_EQUAL(keys[0].rate[THROTTLE_READ].sum, 3);
	CU_ASSERT_EQUAL(keys[1].index, 3);
	CU_ASSERT_EQUAL(keys[1].rate[THROTTLE_READ].sum, 4);
	heat_free(h);
}

/* ------------------------------------------------------------ threads */

enum { THREADS = 4, NOTES = 20000 };

static void *
note_much(void *arg)
{
	struct schema own = {.id = 7};
	struct throttle_place place = {.schema = &own, .collection = SLICE("p123456a")};
	struct call mine;

	for (uint64_t i = 0; i < NOTES; i++) {
		call_open(&mine, (uint64_t)START_S * SECOND + i % 5 * SECOND, SIZE_MAX);
		place.kind = i % 2 == 0 ? THROTTLE_READ : THROTTLE_WRITE;
		heat_note(arg, &mine, &place, 1);
		if (i % 1000 == 0) {
			struct buf lines = {0};

			(void)heat_lines(arg, &mine, &lines);
			buf_release(&lines);
		}
		call_close(&mine);
	}
	return NULL;
}

static void
threads_lose_nothing(void)
{
	struct heat *h = heat_new(-1);
	pthread_t threads[THREADS];
	size_t n;

	begin();
	for (int i = 0; i < THREADS; i++) {
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, note_much, h), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		(void)pthread_join(threads[i], NULL);
	}
	const struct heat_key *keys = known(h, true, &n);

	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(keys[1].rate[THROTTLE_READ].sum, THREADS * NOTES / 2);
	CU_ASSERT_EQUAL(keys[1].rate[THROTTLE_WRITE].sum, THREADS * NOTES / 2);
	heat_free(h);
}

/* ------------------------------------------------------------ the file */

static void
usage_is_kept_for_the_next_process(void)
{
	char dir[UNIT_FOLDER_BYTES];
	char path[64];
	struct stat st;
	size_t n;

	unit_make_folder(dir, "heat");
	(void)snprintf(path, sizeof(path), "%s/heat", dir);
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	begin();
	heat_free(heat_new(at)); /* nothing was noted, so nothing is written */
	CU_ASSERT_NOT_EQUAL(stat(path, &st), 0);
	for (int i = 0; i < 3; i++) { /* within one second */
		struct heat *h = heat_new(at);

		note(h, "a", THROTTLE_WRITE, 2);
		heat_free(h);
	}
	c.now_ms += SECOND;
	struct heat *h = heat_new(at);

	note(h, "a", THROTTLE_WRITE, 4);
	const struct heat_key *keys = known(h, true, &n);

	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_TRUE(is_rate(&keys[1].rate[THROTTLE_WRITE], 10, 6));
	heat_free(h);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(rmdir(dir), 0);
	h = heat_new(at); /* a missing folder is not an error */
	note(h, "a", THROTTLE_WRITE, 4);
	heat_free(h);
	(void)close(at);
}

/* ------------------------------------------------------------ lines */

static void
lines_are_read_as_they_were_written(void)
{
	struct heat_key k = {.minute = 29921740,
			     .table = UINT32_MAX,
			     .index = UINT16_MAX,
			     .key = SLICE("H\0\xff\0\1"),
			     .rate = {{11, 11, 1795304412, 11}, {4000, 3000, 1795304413, 1000}}};
	struct heat_filter f = {.to = UINT64_MAX};
	struct buf text;
	size_t n;

	buf_init(&text, &c.arena);
	heat_text_put(&text, &k);
	CU_ASSERT_TRUE(
		slice_is(buf_view(&text),
			 "29921740 4294967295 65535 4800ff0001 11 11 1795304412 11 4000 3000 "
			 "1795304413 1000 .\n"));
	const struct heat_key *got = heat_text_read(&c.arena, buf_view(&text), &f, &n);

	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(got->minute, k.minute);
	CU_ASSERT_EQUAL(got->table, k.table);
	CU_ASSERT_EQUAL(got->index, k.index);
	CU_ASSERT_TRUE(slice_eq(got->key, k.key));
	CU_ASSERT_EQUAL(memcmp(got->rate, k.rate, sizeof(k.rate)), 0);
}

static void
invalid_lines_are_skipped(void)
{
	static const char *const bad[] = {
		"",
		"\n\n",
		"1 2 3 61 1 1 1 1 1 1 1 1 .x",
		"1 2 3 61 1 1 1 1 1 1 1 1",
		"1 2 3 61 1 1 1 1 1 1 1 1 ",
		"1 2 3 61 1 1 1 1 1 1 1 .",
		"1 2 3 6 1 1 1 1 1 1 1 1 .",
		"1 2 3 6g 1 1 1 1 1 1 1 1 .",
		"1 2 3  1 1 1 1 1 1 1 1 .",
		"-1 2 3 61 1 1 1 1 1 1 1 1 .",
		"1 4294967296 3 61 1 1 1 1 1 1 1 1 .",
		"1 2 65536 61 1 1 1 1 1 1 1 1 .",
		"1 2 3 61 18446744073709551616 1 1 1 1 1 1 1 .",
		"1 2 3 61 1 2 1 1 1 1 1 1 .",  /* the busiest second has more than the sum */
		"1 2 3 61 1 1 1 2 1 1 1 1 .",  /* the latest second has more than the busiest */
		"99 2 3 61 1 1 1 1 1 1 1 1 .", /* a minute that was not requested */
		"1 2 3 61 1 1 1 1 1 1 1 1 . 1 2 3 61 1 1 1 1 1 1 1 1 .",
	};
	struct heat_filter f = {.to = 98};
	size_t n;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)heat_text_read(&c.arena, slice_from(bad[i]), &f, &n);
		CU_ASSERT_EQUAL(n, 0);
	}
	(void)heat_text_read(&c.arena, SLICE("x\n1 2 3 61 1 1 1 1 1 1 1 1 ."), &f, &n);
	CU_ASSERT_EQUAL(n, 1);
	(void)heat_text_read(&c.arena, SLICE("1 2 3 61 1 1 1 1 1 1 1 1 .\0\n"), &f, &n);
	CU_ASSERT_EQUAL(n, 0);
}

static void
the_largest_numbers_do_no_harm(void)
{
	static const char line[] =
		"1 2 3 61 18446744073709551615 18446744073709551615 5 18446744073709551615 "
		"18446744073709551615 18446744073709551615 5 18446744073709551615 .\n";
	struct heat_filter f = {.to = 1};
	struct buf text;
	size_t n;

	buf_init(&text, &c.arena);
	buf_str(&text, line);
	buf_str(&text, line);
	const struct heat_key *k = heat_text_read(&c.arena, buf_view(&text), &f, &n);

	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_TRUE(is_rate(&k->rate[THROTTLE_WRITE], UINT64_MAX, UINT64_MAX));
	CU_ASSERT_EQUAL(heat_degree(k->rate), UINT64_MAX);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_busiest_second_is_reported),
	UNIT_TEST(minutes_add_up),
	UNIT_TEST(clocks_may_go_back),
	UNIT_TEST(hot_keys_stay_among_many),
	UNIT_TEST(the_number_of_tables_is_bounded),
	UNIT_TEST(long_keys_take_bounded_memory),
	UNIT_TEST(lines_are_bounded_and_the_oldest_go),
	UNIT_TEST(only_global_indexes_are_counted_separately),
	UNIT_TEST(threads_lose_nothing),
	UNIT_TEST(usage_is_kept_for_the_next_process),
	UNIT_TEST(lines_are_read_as_they_were_written),
	UNIT_TEST(invalid_lines_are_skipped),
	UNIT_TEST(the_largest_numbers_do_no_harm),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(heat, setup, teardown, tests);
