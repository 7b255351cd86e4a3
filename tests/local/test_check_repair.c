/* Check with Repair: every kind of damage is repaired, valid records do not change, and nothing is lost. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "store/base/text/base64.h"
#include "store/local/commit/txn.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/local_int.h"
#include "store/local/records/record.h"

#include "tests/local/check_damage.h"
#include "tests/local/check_fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

static const char *const others[] = {
	"{\"P\":\"a\",\"S\":1,\"g\":\"x\",\"h\":7,\"l\":\"m\",\"t\":\"é\"}",
	"{\"P\":\"a\",\"S\":2,\"g\":\"x\",\"h\":7,\"v\":[1,{\"w\":2.5}]}",
};

static void
others_are_there(void)
{
	fixture_expect("tab", "{\"P\":\"a\",\"S\":1}", others[0]);
	fixture_expect("tab", "{\"P\":\"a\",\"S\":2}", others[1]);
	fixture_expect("other", "{\"P\":\"a\"}", "{\"P\":\"a\"}");
}

static size_t
file_count(void)
{
	size_t n = 0;
	struct slice moved = check_moved();

	for (size_t i = 0; i < moved.len; i++) {
		n += moved.at[i] == '\n';
	}
	return n;
}

static void
a_valid_store_is_not_changed(void)
{
	uint64_t calls = kv_fault_calls(fixture.fault);
	struct check_result r = check_repair(NULL);

	CU_ASSERT_EQUAL(r.problems, 0);
	CU_ASSERT_EQUAL(r.items, 4);
	CU_ASSERT_EQUAL(r.entries, 4);
	CU_ASSERT_TRUE(kv_fault_calls(fixture.fault) > calls);
	CU_ASSERT_EQUAL(check_moved().len, 0);
	others_are_there();
}

static void
repair_one(const struct check_damage *d)
{
	struct check_result r;

	d->make();
	r = check_repair(d->problem);
	CU_ASSERT_TRUE(r.problems > 0);
	CU_ASSERT_EQUAL(r.repaired, r.problems);
	CU_ASSERT_TRUE(r.found.len > 0 &&
		       memmem(r.found.at, r.found.len, d->done, strlen(d->done)));
	if (r.found.len == 0 || memmem(r.found.at, r.found.len, d->done, strlen(d->done)) == NULL) {
		printf("\n%s: %.*s", d->problem, SLICE_ARG(r.found));
	}
	r = check_run(NULL);
	CU_ASSERT_EQUAL(r.problems, 0);
	others_are_there();
	if (!d->of_item) {
		fixture_expect("tab", "{\"P\":\"b\",\"S\":1}", "{\"P\":\"b\",\"S\":1,\"l\":\"m\"}");
	}
}

static void
every_kind_of_damage_is_repaired(void)
{
	for (size_t i = 0; i < check_n_damages; i++) {
		check_close_folder();
		check_open_folder();
		repair_one(&check_damages[i]);
	}
}

static void
all_of_them_together_are_repaired(void)
{
	struct check_result r;

	for (size_t i = 0; i < check_n_damages; i++) {
		check_damages[i].make();
	}
	r = check_repair("");
	CU_ASSERT_TRUE(r.problems > 10);
	CU_ASSERT_EQUAL(r.repaired, r.problems);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	others_are_there();
}

/* More collections than a page has room for problems, before, between and after those with items. */
static void
collections_without_items_take_pages(void)
{
	enum { COLLECTIONS = 600 };
	struct buf counts;

	buf_init(&counts, &fixture.c.arena);
	record_counts_encode(&counts, &(struct record_counts){1, 1, {1}});
	for (unsigned i = 0; i < COLLECTIONS; i++) {
		char name[8];
		struct value pk = value_string(slice_of(
			name, (size_t)snprintf(name, sizeof(name), "%c%u", "_ac"[i % 3], i)));
		struct buf key;

		buf_init(&key, &fixture.c.arena);
		buf_slice(&key, keyspace_collection(key.arena, KEYSPACE_PARTITION, check_table,
						    NULL, &(struct key_values){{&pk}, 1}));
		check_write_raw(buf_view(&key), buf_view(&counts), false);
	}
	struct check_result r = check_run("");

	CU_ASSERT_EQUAL(r.problems, COLLECTIONS + 1); /* and the totals */
	r = check_repair("");
	CU_ASSERT_EQUAL(r.problems, COLLECTIONS);
	CU_ASSERT_EQUAL(r.repaired, COLLECTIONS);
	CU_ASSERT_TRUE(r.pages > COLLECTIONS / 200);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	others_are_there();
}

static const struct check_damage *
damage_of(const char *problem)
{
	for (size_t i = 0; i < check_n_damages; i++) {
		if (strstr(check_damages[i].problem, problem) != NULL) {
			return &check_damages[i];
		}
	}
	abort();
}

static bool
moved_has(const char *text)
{
	return strstr(check_moved().at, text) != NULL;
}

static void
an_unreadable_record_is_saved_with_its_entry(void)
{
	struct buf record;

	damage_of("its record cannot be read")->make();
	(void)check_repair("");
	CU_ASSERT_EQUAL(file_count(), 2);
	buf_init(&record, &fixture.c.arena);
	buf_str(&record, "\"Record\":{\"B\":\"");
	base64_encode(&record, SLICE("nonsense"));
	buf_str(&record, "\"}}\n");
	buf_char(&record, '\0');
	CU_ASSERT_TRUE(moved_has(record.at));
	CU_ASSERT_TRUE(moved_has("{\"Table\":\"tab\",\"Key\":{\"B\":\""));
	/* LSI projects all attributes, so its entry had the whole item. */
	CU_ASSERT_TRUE(moved_has("{\"Table\":\"tab\",\"Index\":\"LSI\","));
	CU_ASSERT_TRUE(moved_has("\"Item\":{\"P\":\"b\",\"S\":1,\"l\":\"m\"}}\n"));
	fixture_expect("tab", "{\"P\":\"b\",\"S\":1}", NULL);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"b\",\"S\":1,\"l\":\"m\"}"), 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

static void
two_repairs_at_the_same_time_write_two_files(void)
{
	damage_of("its record cannot be read")->make();
	(void)check_repair("");
	size_t n = file_count();

	damage_of("a key of 13 bytes")->make();
	(void)check_repair("");
	CU_ASSERT_EQUAL(file_count(), n + 1);
}

static void
a_store_without_a_directory_loses_nothing(void)
{
	struct check_result r;

	fixture_close();
	check_open();
	damage_of("its record cannot be read")->make();
	r = check_repair(
		"table tab: {\"P\":\"b\",\"S\":1}: its record cannot be read: it stays as it is");
	CU_ASSERT_TRUE(r.found.len > 0);
	CU_ASSERT_EQUAL(r.repaired, 0);
	CU_ASSERT_EQUAL(r.problems, 1);
	damage_of("the table has no item for this entry")->make();
	r = check_repair("table tab, index GSI: {\"P\":\"z\"");
	CU_ASSERT_TRUE(slice_ends(r.found, SLICE("it stays as it is")));
	CU_ASSERT_EQUAL(check_run(NULL).problems, 2);
}

/* Repair until a page fails.  Return: its error. */
static int
repair_fails(void)
{
	struct check_in in = {.repair = true};
	struct check_out out = {0};
	int r;

	do {
		r = engine_check(fixture.e, &fixture.c, &in, &out);
		in.next = out.next;
	} while (r == 0 && in.next.len > 0);
	return r;
}

/* Nothing is deleted before it has been saved. */
static void
a_file_that_cannot_be_written_stops_the_repair(void)
{
	struct local *l = (struct local *)fixture.e;

	free(l->dir);
	l->dir = strdup("/nowhere/at/all");
	(void)close(l->at);
	l->at = -1;
	damage_of("its record cannot be read")->make();
	CU_ASSERT_EQUAL(repair_fails(), -ERR_IO);
	CU_ASSERT_TRUE(strstr(fixture_message(), "/nowhere/at/all/damaged: ") != NULL);
	fixture.c.error = (struct error){0};
	check_set_folder();
	CU_ASSERT_TRUE(check_run("").problems > 0);
	CU_ASSERT_TRUE(check_repair("").repaired > 0);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

/* As on a full disk: files in damaged/ are complete, and the next repair finishes the work. */
static void
an_incomplete_file_is_removed(void)
{
	struct rlimit most;

	damage_of("its record cannot be read")->make();
	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &most), 0);
	CU_ASSERT_NOT_EQUAL(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &(struct rlimit){20, most.rlim_max}), 0);
	int r = repair_fails();

	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &most), 0);
	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_TRUE(strstr(fixture_message(), "File too large") != NULL);
	CU_ASSERT_EQUAL(check_moved().len, 0);
	fixture.c.error = (struct error){0};
	CU_ASSERT_TRUE(check_repair("").repaired > 0);
	CU_ASSERT_TRUE(file_count() > 0);
	CU_ASSERT_TRUE(slice_ends(check_moved(), SLICE("}\n")));
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
}

/* Interrupt the repair before each of its commits, and at each read: the next one finishes the work. */
static void
an_interrupted_repair_is_finished_by_the_next(void)
{
	bool failed = true;
	size_t times = 0;

	for (uint64_t nth = 1; failed; nth++) {
		struct check_in in = {.repair = true};
		struct check_out out = {0};
		int r;

		check_close_folder();
		check_open_folder();
		for (size_t i = 0; i < check_n_damages; i++) {
			check_damages[i].make();
		}
		kv_fault_arm(fixture.fault, nth);
		do {
			fixture.c.error = (struct error){0};
			r = engine_check(fixture.e, &fixture.c, &in, &out);
			in.next = out.next;
		} while (r == 0 && in.next.len > 0);
		failed = kv_fault_fired(fixture.fault);
		times += failed;
		CU_ASSERT_EQUAL_FATAL(fixture_restart(), 0);
		check_set_folder();
		(void)check_repair("");
		CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
		others_are_there();
	}
	CU_ASSERT_TRUE(times > 20);
}

static void
a_read_only_store_is_reported(void)
{
	struct check_out out = {0};
	struct check_in in = {.next = SLICE("4 0 tab "), .repair = true};

	kv_fault_fill(fixture.fault);
	CU_ASSERT_NOT_EQUAL(fixture_put("other", "{\"P\":\"z\"}"), 0);
	fixture.c.error = (struct error){0};
	damage_of("index GSI has no entry")->make();
	CU_ASSERT_EQUAL(engine_check(fixture.e, &fixture.c, &in, &out), -ERR_READ_ONLY);
	CU_ASSERT_TRUE(strncmp(fixture_message(), "The store is read-only: ", 24) == 0);
}

/* ------------------------------------------------------------ concurrent writers */

static atomic_bool done;

static void *
writer(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 2000; i++) {
		struct call c;
		char json[80];
		struct put_item_out out;

		call_open(&c, 1600000000, 1 << 20);
		struct attr at[] = {
			{SLICE("P"), value_string(SLICE("a"))},
			{SLICE("S"), {.type = VALUE_N}},
			{SLICE("g"), value_string(i % 3 == 0 ? SLICE("x") : SLICE("y"))},
			{SLICE("h"), {.type = VALUE_N, .text = SLICE("7")}},
		};

		at[1].value.text =
			slice_of(json, (size_t)snprintf(json, sizeof(json), "%u", 3 + i % 40));
		struct put_item_in in = {
			.write = {.table = SLICE("tab"), .item = {at, i % 4 == 0 ? 2 : 4}}};

		if (engine_put_item(fixture.e, &c, &in, &out) != 0) {
			abort();
		}
		call_close(&c);
	}
	atomic_store(&done, true);
	return NULL;
}

/* An operation of the queue's leader, so that the damage is a state between two commits. */
static int
harm(struct txn *t, struct call *c, void *arg)
{
	struct record_counts more = {5, 7, {9}};
	struct value pk = value_string(SLICE("a"));
	struct buf key;
	int partitions;

	txn_put(t, *(const struct slice *)arg, SLICE("nonsense"));
	buf_init(&key, &c->arena);
	buf_slice(&key, keyspace_collection(key.arena, KEYSPACE_PARTITION, check_table, NULL,
					    &(struct key_values){{&pk}, 1}));
	return txn_count(t, c, buf_view(&key), &more, &partitions);
}

static void
repair_allows_concurrent_writes(void)
{
	struct slice orphan =
		check_key_for(&check_table->index[0], "{\"P\":\"zz\",\"S\":1,\"g\":\"x\",\"h\":7}");
	pthread_t thread;
	size_t repaired = 0;
	bool last;

	atomic_store(&done, false);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, writer, NULL), 0);
	do {
		struct call c;

		last = atomic_load(&done);
		call_open(&c, 1600000000, 1 << 20);
		CU_ASSERT_EQUAL(txn_run(((struct local *)fixture.e)->queue, &c,
					&(struct txn_op){.run = harm, .arg = &orphan}),
				0);
		call_close(&c);
		struct check_result r = check_repair("");

		CU_ASSERT_EQUAL(r.problems, r.repaired);
		repaired += r.repaired;
	} while (!last);
	CU_ASSERT_EQUAL(pthread_join(thread, NULL), 0);
	CU_ASSERT_TRUE(repaired >= 2);
	CU_ASSERT_EQUAL(check_run(NULL).problems, 0);
	others_are_there();
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_valid_store_is_not_changed),
	UNIT_TEST(every_kind_of_damage_is_repaired),
	UNIT_TEST(all_of_them_together_are_repaired),
	UNIT_TEST(collections_without_items_take_pages),
	UNIT_TEST(an_unreadable_record_is_saved_with_its_entry),
	UNIT_TEST(two_repairs_at_the_same_time_write_two_files),
	UNIT_TEST(a_store_without_a_directory_loses_nothing),
	UNIT_TEST(a_file_that_cannot_be_written_stops_the_repair),
	UNIT_TEST(an_incomplete_file_is_removed),
	UNIT_TEST(an_interrupted_repair_is_finished_by_the_next),
	UNIT_TEST(a_read_only_store_is_reported),
	UNIT_TEST(repair_allows_concurrent_writes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(check_repair, check_open_folder, check_close_folder, tests);
