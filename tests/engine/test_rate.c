/*
 * Tests of rate limits: the bucket with a simulated clock, the engine with time bounds that hold on any machine.
 */
#include "store/base/core/clock.h"
#include "store/engine/rate.h"

#include "tests/support/fixture.h"
#include "tests/support/unit.h"

static struct rate_bucket bucket;
static unsigned waited, let_go;

static void
begin(void)
{
	fixture_open();
	bucket = (struct rate_bucket){.per_s = 10, .most = 10, .at_ns = NS_PER_S};
	waited = let_go = 0;
}

static struct rate
of(double units)
{
	return (struct rate){.read_units = units, .write_units = units, .option = "--rate"};
}

static void
a_rate_is_given_in_units_or_percent(void)
{
	static const char *const bad[] = {"",     "-1",   "0",    "x",   "1x",  "0%",
					  "101%", "1.5%", "1e99", "nan", "inf", "5%%"};
	struct rate r = {0};

	CU_ASSERT_TRUE(rate_parse("100", &r));
	CU_ASSERT_EQUAL(r.read_units, 100);
	CU_ASSERT_EQUAL(r.write_units, 100);
	CU_ASSERT_EQUAL(r.percent, 0);
	CU_ASSERT_TRUE(rate_parse("0.5", &r));
	CU_ASSERT_EQUAL(r.read_units, 0.5);
	CU_ASSERT_TRUE(rate_parse("25%", &r));
	CU_ASSERT_EQUAL(r.percent, 25);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_FALSE(rate_parse(bad[i], &r));
	}
}

static void
the_bucket_refills(void)
{
	CU_ASSERT_EQUAL(rate_delay_ns(&bucket), 0);
	bucket.have -= 25;
	CU_ASSERT_TRUE(rate_delay_ns(&bucket) > 2 * NS_PER_S);
	rate_fill(&bucket, 3 * NS_PER_S);
	CU_ASSERT_DOUBLE_EQUAL(bucket.have, -5, 0.001);
	rate_fill(&bucket, 2 * NS_PER_S); /* a time before the last one */
	CU_ASSERT_DOUBLE_EQUAL(bucket.have, -5, 0.001);
	rate_fill(&bucket, 3 * NS_PER_S + rate_delay_ns(&bucket));
	CU_ASSERT_EQUAL(rate_delay_ns(&bucket), 0);
	rate_fill(&bucket, 1000 * NS_PER_S);
	CU_ASSERT_EQUAL(bucket.have, 10);
}

/* For a minute, send requests of 3 units as soon as they are allowed. */
static void
the_bucket_gives_no_more_than_the_rate(void)
{
	double units = 0;

	for (uint64_t ms = 1000; ms < 61000; ms++) {
		rate_fill(&bucket, ms * NS_PER_MS);
		if (rate_delay_ns(&bucket) == 0) {
			bucket.have -= 3;
			units += 3;
		}
		CU_ASSERT_TRUE(units <= (double)(ms - 1000) / 1000 * 10 + 3);
	}
	CU_ASSERT_TRUE(units > 10 * 60 - 6);
}

static void
writes_and_reads_keep_the_rate(void)
{
	const struct rate wanted = of(200);

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	fixture.e = rate_open(fixture.e, &wanted);
	uint64_t begun = clock_steady_ns();

	for (int i = 0; i < 61; i++) {
		CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\"}"), 0);
	}
	CU_ASSERT_TRUE(clock_steady_ns() - begun >= NS_PER_S * 60 / 200);
	begun = clock_steady_ns();
	for (int i = 0; i < 462; i++) { /* half a unit each; 200 units were saved */
		fixture_expect("tab", "{\"pk\":\"a\"}", "{\"pk\":\"a\"}");
	}
	CU_ASSERT_TRUE(clock_steady_ns() - begun >= NS_PER_S * 30 / 200);
}

static void
a_page_is_limited_to_about_a_second_of_units(void)
{
	const struct rate wanted = of(1000);
	struct scan_in in = {.read = {.table = SLICE("tab")}};
	struct scan_out out = {0};
	char item[32];

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	for (int i = 0; i < 150; i++) {
		(void)snprintf(item, sizeof(item), "{\"pk\":\"%d\"}", i);
		CU_ASSERT_EQUAL(fixture_put("tab", item), 0);
	}
	fixture.e = rate_open(fixture.e, &wanted);
	CU_ASSERT_EQUAL(engine_scan(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.page.count, 100);
	CU_ASSERT_EQUAL(out.page.consumed.n, 0);
	CU_ASSERT_EQUAL(engine_scan(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.page.count, 150);
	in.read.has_limit = true;
	in.read.limit = 7;
	in.read.capacity = CAPACITY_TOTAL;
	CU_ASSERT_EQUAL(engine_scan(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.page.count, 7);
	CU_ASSERT_EQUAL(out.page.consumed.n, 1);
}

static void
a_percentage_needs_provisioned_throughput(void)
{
	struct rate wanted = {.percent = 25, .option = "--rate"};

	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	fixture.e = rate_open(fixture.e, &wanted);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\"}"), -ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(fixture_message(), "--rate 25%: table tab"));
}

static bool
is_given_up(const void *asker)
{
	(void)asker;
	return true;
}

static bool
refuse_to_wait(struct call *c, const struct rate *wanted)
{
	(void)wanted;
	(void)c;
	waited++;
	return false;
}

static bool
agree(struct call *c, const struct rate *wanted)
{
	(void)wanted;
	(void)c;
	waited++;
	return true;
}

static void
end_of_wait(struct call *c)
{
	(void)c;
	let_go++;
}

static void
a_caller_that_gives_up_sends_no_request(void)
{
	struct rate wanted = of(0.001);

	wanted.waits.begin = agree;
	wanted.waits.end = end_of_wait;
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	fixture.e = rate_open(fixture.e, &wanted);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\"}"), 0);
	fixture.c.given_up = is_given_up;
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"b\"}"), -ERR_THROTTLED);
	fixture.c.given_up = NULL;
	CU_ASSERT_EQUAL(waited, 1);
	CU_ASSERT_EQUAL(let_go, 1);
	fixture.c.error = (struct error){0};
	fixture_expect("tab", "{\"pk\":\"b\"}", NULL);
}

static void
a_caller_that_may_not_wait_continues(void)
{
	struct rate wanted = of(0.001);

	wanted.waits.begin = refuse_to_wait;
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	fixture.e = rate_open(fixture.e, &wanted);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\"}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"b\"}"), 0);
	CU_ASSERT_EQUAL(waited, 1);
}

static void
the_initial_burst_of_reads_does_not_wait(void)
{
	struct rate wanted = {.read_units = 0.001, .reads_at_once = 5, .option = "max_read="};

	wanted.waits.begin = refuse_to_wait;
	CU_ASSERT_EQUAL(fixture_table("tab pk:S"), 0);
	fixture.e = rate_open(fixture.e, &wanted);
	for (int i = 0; i < 11; i++) { /* half a unit each; writes have no limit */
		CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"a\"}"), 0);
		fixture_expect("tab", "{\"pk\":\"a\"}", "{\"pk\":\"a\"}");
	}
	CU_ASSERT_EQUAL(waited, 0);
	fixture_expect("tab", "{\"pk\":\"a\"}", "{\"pk\":\"a\"}");
	CU_ASSERT_EQUAL(waited, 1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_rate_is_given_in_units_or_percent),
	UNIT_TEST(the_bucket_refills),
	UNIT_TEST(the_bucket_gives_no_more_than_the_rate),
	UNIT_TEST(writes_and_reads_keep_the_rate),
	UNIT_TEST(a_page_is_limited_to_about_a_second_of_units),
	UNIT_TEST(a_percentage_needs_provisioned_throughput),
	UNIT_TEST(a_caller_that_gives_up_sends_no_request),
	UNIT_TEST(a_caller_that_may_not_wait_continues),
	UNIT_TEST(the_initial_burst_of_reads_does_not_wait),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(rate, begin, fixture_close, tests);
