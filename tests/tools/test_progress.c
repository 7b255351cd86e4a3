/* The line of progress: the work done, and a percentage only while the total is known. */
#include "tools/system/progress.h"

#include "tests/support/unit.h"

static struct buf line;

static void
setup(void)
{
	buf_init(&line, NULL);
}

static void
teardown(void)
{
	buf_release(&line);
}

static void
expect(const struct progress *p, uint64_t items, uint64_t bytes, const char *text)
{
	buf_clear(&line);
	progress_line(&line, p, 2, items, bytes);
	if (!slice_is(buf_view(&line), text)) {
		printf("%.*s\n", SLICE_ARG(buf_view(&line)));
	}
	CU_ASSERT_TRUE(slice_is(buf_view(&line), text));
}

static void
amount_and_rate(void)
{
	struct progress p = {0};

	expect(&p, 300, 0, "300 items, 150 items/s");
	expect(&p, 0, 3000000, "3.0 MB, 1.5 MB/s");
	expect(&p, 300, 3000000, "300 items, 3.0 MB, 150 items/s");
	expect(&p, 0, 0, "0 items/s");
	p.what = "records";
	expect(&p, 300, 0, "300 records, 150 records/s");
}

static void
percentage_of_a_known_total(void)
{
	struct progress p = {.total_items = 1200};

	expect(&p, 300, 0, "300 items, 150 items/s, 25 %, 6 s left");
	expect(&p, 1199, 0, "1,199 items, 600 items/s, 99 %, 0 s left");
	expect(&p, 0, 0, "0 items/s, 0 %");
	p = (struct progress){.total_bytes = 6000000};
	expect(&p, 0, 3000000, "3.0 MB, 1.5 MB/s, 50 %, 2 s left");
	expect(&p, 300, 3000000, "300 items, 3.0 MB, 150 items/s, 50 %, 2 s left");
}

/* If two totals are known, the percentage is that of the unit in which the work is counted. */
static void
percentage_is_that_of_the_items(void)
{
	struct progress p = {.total_items = 1200, .total_bytes = 6000000};

	expect(&p, 300, 3000000, "300 items, 3.0 MB, 150 items/s, 25 %, 6 s left");
}

static void
an_exceeded_estimate_is_ignored(void)
{
	struct progress p = {.total_items = 200};

	expect(&p, 200, 0, "200 items, 100 items/s");
	expect(&p, 300, 0, "300 items, 150 items/s");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(amount_and_rate),
	UNIT_TEST(percentage_of_a_known_total),
	UNIT_TEST(percentage_is_that_of_the_items),
	UNIT_TEST(an_exceeded_estimate_is_ignored),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(progress, setup, teardown, tests);
