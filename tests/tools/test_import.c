#include <fcntl.h>

#include "tools/load/import_pipeline.h"

#include "tests/support/unit.h"
#include "tests/tools/fake.h"

static struct call c;
static struct fake fake;
static char name[] = "/tmp/import-XXXXXX";
static const struct key_schema key = {.pk = {{SLICE_INIT("n"), VALUE_N}}};
static struct import_result result;
static int stderr_fd;

/* Rejected records are reported to stderr, which is hidden here. */
static void
setup(void)
{
	int null = open("/dev/null", O_WRONLY);

	stderr_fd = dup(STDERR_FILENO);
	(void)dup2(null, STDERR_FILENO);
	(void)close(null);
	call_open(&c, 0, 1 << 24);
	fake_init(&fake);
	(void)strcpy(name, "/tmp/import-XXXXXX");
	(void)close(mkstemp(name));
}

static void
teardown(void)
{
	(void)unlink(name);
	fake_release(&fake);
	call_close(&c);
	(void)dup2(stderr_fd, STDERR_FILENO);
	(void)close(stderr_fd);
}

/* Write a file of {"n":1} .. {"n":count}; line @bad is not JSON. */
static void
write_lines(int count, int bad)
{
	FILE *f = fopen(name, "w");

	for (int i = 1; i <= count; i++) {
		(void)fprintf(f, i == bad ? "{\"n\":%d\n" : "{\"n\":%d}\n", i);
	}
	(void)fclose(f);
}

static int
run(unsigned jobs, bool skip)
{
	struct bulk bulk = {.engine = &fake.base, .table = SLICE("t"), .key = &key};
	const char *at[] = {name};
	struct words files = {.at = at, .n = 1};
	struct schema schema = {.key = key};
	struct progress progress;
	struct source source;

	fake.n_loaded = 0;
	call_close(&c);
	source_init(&source, &files, SOURCE_JSONL, &schema);
	progress_begin(&progress, true, 0);
	struct import_options o = {.bulk = &bulk,
				   .source = &source,
				   .progress = &progress,
				   .jobs = jobs,
				   .skip = skip};
	int r = import_run(&o, &c, &result);

	source_release(&source);
	return r;
}

/* Test if 1 .. @last were loaded in order, except @without. */
static bool
loaded_up_to(int last, int without)
{
	size_t at = 0;

	for (int i = 1; i <= last; i++) {
		if (i != without && (at == fake.n_loaded || fake.loaded[at++] != i)) {
			return false;
		}
	}
	return at == fake.n_loaded;
}

static const unsigned jobs[] = {1, 2, 7};

enum { JOBS = sizeof(jobs) / sizeof(jobs[0]), LINES = 20000 };

static void
loads_every_line_in_the_order_of_the_file(void)
{
	write_lines(LINES, 0);
	for (size_t j = 0; j < JOBS; j++) {
		CU_ASSERT_EQUAL(run(jobs[j], false), 0);
		CU_ASSERT_EQUAL(result.items, LINES);
		CU_ASSERT_TRUE(loaded_up_to(LINES, 0));
	}
}

static void
stops_at_an_invalid_line(void)
{
	static const int bad[] = {1, 2, 999, 1000, 1001, 13579, LINES};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_lines(LINES, bad[i]);
		for (size_t j = 0; j < JOBS; j++) {
			char place[64];

			CU_ASSERT_EQUAL(run(jobs[j], false), -ERR_SERIALIZATION);
			CU_ASSERT_TRUE(loaded_up_to(bad[i] - 1, 0));
			(void)snprintf(place, sizeof(place), "%s:%d: ", name, bad[i]);
			CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, place));
		}
	}
}

static void
stops_at_a_line_that_the_store_refuses(void)
{
	static const int bad[] = {1, 2, 999, 1000, 1001, 13579, LINES};

	write_lines(LINES, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		fake.refuse = bad[i];
		for (size_t j = 0; j < JOBS; j++) {
			CU_ASSERT_EQUAL(run(jobs[j], false), -ERR_VALIDATION);
			CU_ASSERT_TRUE(loaded_up_to(bad[i] - 1, 0));
			CU_ASSERT_EQUAL(result.items, (uint64_t)bad[i] - 1);
		}
	}
}

static void
skips_exactly_the_bad_line(void)
{
	static const int bad[] = {1, 999, 1000, 1001, 13579, LINES};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		for (int by_store = 0; by_store < 2; by_store++) {
			write_lines(LINES, by_store ? 0 : bad[i]);
			fake.refuse = by_store ? bad[i] : 0;
			CU_ASSERT_EQUAL(run(jobs[i % JOBS], true), 0);
			CU_ASSERT_TRUE(loaded_up_to(LINES, bad[i]));
			CU_ASSERT_EQUAL(result.items, LINES - 1);
			CU_ASSERT_EQUAL(result.rejected, 1);
		}
	}
}

static void
does_not_skip_failures_of_the_store(void)
{
	write_lines(LINES, 0);
	fake.break_down = 5001;
	for (size_t j = 0; j < JOBS; j++) {
		CU_ASSERT_EQUAL(run(jobs[j], true), -ERR_IO);
		CU_ASSERT_TRUE(loaded_up_to(5000, 0));
		CU_ASSERT_EQUAL(result.rejected, 0);
	}
}

static int
by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Test if 1 .. @last were loaded: batches are sent in any order. */
static bool
loaded_in_any_order(int last)
{
	qsort(fake.loaded, fake.n_loaded, sizeof(*fake.loaded), by_number);
	return loaded_up_to(last, 0);
}

static void
falls_back_to_small_batches(void)
{
	write_lines(LINES, 0);
	fake.no_load = true;
	CU_ASSERT_EQUAL(run(2, false), 0);
	CU_ASSERT_TRUE(loaded_in_any_order(LINES));
	fake.refuse = 777;
	CU_ASSERT_EQUAL(run(2, true), 0);
	CU_ASSERT_EQUAL(result.items, LINES - 1);
	CU_ASSERT_EQUAL(result.rejected, 1);
}

static void
repeats_the_unprocessed_part_of_a_batch(void)
{
	write_lines(60, 0);
	fake.no_load = true;
	fake.leave = 3;
	CU_ASSERT_EQUAL(run(1, false), 0);
	CU_ASSERT_EQUAL(fake.leave, 0);
	CU_ASSERT_EQUAL(result.items, 60);
	CU_ASSERT_TRUE(loaded_in_any_order(60));
}

static void
retries_temporary_failures_and_names_the_line_to_continue_from(void)
{
	char place[64];

	write_lines(LINES, 0);
	fake.no_load = true;
	fake.fail = 20;
	CU_ASSERT_EQUAL(run(2, false), 0);
	CU_ASSERT_EQUAL(fake.fail, 0);
	CU_ASSERT_TRUE(loaded_in_any_order(LINES));
	fake.break_down = 5101;
	(void)setenv("ITEMFS_PATIENCE", "0", 1); /* NOLINT(concurrency-mt-unsafe): no thread runs */
	CU_ASSERT_EQUAL(run(2, false), -ERR_IO);
	(void)unsetenv("ITEMFS_PATIENCE"); /* NOLINT(concurrency-mt-unsafe): no thread runs */
	CU_ASSERT_TRUE(result.items >= 5000 && result.items <= 5100);
	(void)snprintf(place, sizeof(place), "continue from %s:%d: ", name, (int)result.items + 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, place));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(loads_every_line_in_the_order_of_the_file),
	UNIT_TEST(stops_at_an_invalid_line),
	UNIT_TEST(stops_at_a_line_that_the_store_refuses),
	UNIT_TEST(skips_exactly_the_bad_line),
	UNIT_TEST(does_not_skip_failures_of_the_store),
	UNIT_TEST(falls_back_to_small_batches),
	UNIT_TEST(repeats_the_unprocessed_part_of_a_batch),
	UNIT_TEST(retries_temporary_failures_and_names_the_line_to_continue_from),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(import, setup, teardown, tests);
