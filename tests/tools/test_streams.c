#include "tools/session/streams.h"

#include "tests/support/unit.h"
#include "tests/tools/fake.h"

enum { STREAMS = 7 };

static struct call c;
static struct fake fake;
static struct op_in requests[STREAMS];

static void
setup(void)
{
	call_open(&c, 0, 1 << 20);
	fake_init(&fake);
	fake.step = STREAMS;
	fake.items = 50;
	for (int i = 0; i < STREAMS; i++) {
		requests[i] = (struct op_in){.type = OP_SCAN, .scan.segment = (uint32_t)i};
	}
}

static void
teardown(void)
{
	fake_release(&fake);
	call_close(&c);
}

static struct streams_options
options(unsigned jobs, uint64_t most)
{
	return (struct streams_options){.engine = &fake.base,
					.requests = requests,
					.n = STREAMS,
					.most = most,
					.jobs = jobs};
}

static struct streams *
start(unsigned jobs, uint64_t most)
{
	struct streams_options o = options(jobs, most);

	return streams_new(&o);
}

static const unsigned jobs[] = {1, 2, 5, 20};

enum { JOBS = sizeof(jobs) / sizeof(jobs[0]) };

static void
gives_every_item_of_each_stream_in_order(void)
{
	for (size_t j = 0; j < JOBS; j++) {
		struct streams *s = start(jobs[j], 0);

		for (int i = STREAMS - 1; i >= 0; i--) {
			struct stream_page *p = NULL;
			int expected = i;
			int r = 0;

			while ((r = streams_next(s, &c, (size_t)i, &p)) == 0) {
				CU_ASSERT_EQUAL((int)p->stream, i);
				for (size_t k = 0; k < p->page.count; k++) {
					CU_ASSERT_EQUAL(fake_number(&p->page.items[k]), expected);
					expected += STREAMS;
				}
			}
			CU_ASSERT_EQUAL(r, STREAMS_END);
			CU_ASSERT_EQUAL(expected, i + 50 * STREAMS);
			CU_ASSERT_EQUAL(streams_next(s, &c, (size_t)i, &p), STREAMS_END);
		}
		streams_free(s);
	}
}

static void
gives_every_page_of_any_stream_once(void)
{
	for (size_t j = 0; j < JOBS; j++) {
		struct streams *s = start(jobs[j], 0);
		bool seen[50 * STREAMS] = {false};
		struct stream_page *p = NULL;
		int n = 0;

		while (streams_any(s, &c, &p) == 0) {
			for (size_t k = 0; k < p->page.count; k++) {
				int number = fake_number(&p->page.items[k]);

				CU_ASSERT_FALSE(seen[number]);
				seen[number] = true;
				n++;
			}
		}
		CU_ASSERT_EQUAL(n, 50 * STREAMS);
		streams_free(s);
	}
}

static void
reads_no_more_pages_than_needed(void)
{
	for (size_t j = 0; j < JOBS; j++) {
		struct stream_page *p = NULL;
		size_t n = 0;

		fake.pages = 0;
		struct streams *s = start(jobs[j], 4);

		while (streams_any(s, &c, &p) == 0) {
			n += p->page.count;
		}
		CU_ASSERT_EQUAL(n, 4 * STREAMS);
		CU_ASSERT_EQUAL(fake.pages, 2 * STREAMS); /* 3 and 1 */
		streams_free(s);
	}
}

/* Wherever a page fails, the error is returned, whatever requests are in progress. */
static void
passes_on_the_error_of_any_page(void)
{
	int total = STREAMS * 17;

	for (size_t j = 0; j < JOBS; j++) {
		for (int fail = 1; fail <= total; fail += 9) {
			struct stream_page *p = NULL;
			int r = 0;

			fake.pages = 0;
			fake.fail_page = fail;
			struct streams_options o = options(jobs[j], 0);

			o.transient = fail % 2 == 0;

			struct streams *s = streams_new(&o);

			while ((r = streams_any(s, &c, &p)) == 0) {
			}
			CU_ASSERT_EQUAL(r, -ERR_IO);
			CU_ASSERT_EQUAL(c.error.code, ERR_IO);
			streams_free(s);
			call_close(&c);
		}
	}
}

/* Note "3 items from 6": the number of items, and the number of the first one. */
static void
note(void *arg, struct stream_page *p)
{
	(void)arg;
	buf_fmt(&p->text, "%zu items from %d", p->page.count, fake_number(&p->page.items[0]));
}

static void
prepares_each_page(void)
{
	for (size_t j = 0; j < 2 * JOBS; j++) {
		struct streams_options o = options(jobs[j / 2], 0);
		struct stream_page *p = NULL;

		o.prepare = note;
		o.transient = j % 2 == 1;

		struct streams *s = streams_new(&o);

		CU_ASSERT_EQUAL(streams_next(s, &c, 6, &p), 0);
		CU_ASSERT_TRUE(slice_is(buf_view(&p->text), "3 items from 6"));
		CU_ASSERT_EQUAL(streams_next(s, &c, 6, &p), 0);
		CU_ASSERT_TRUE(slice_is(buf_view(&p->text), "3 items from 27"));
		CU_ASSERT_EQUAL(p->page.items == NULL, o.transient);
		streams_free(s); /* with unread pages and running threads */
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_every_item_of_each_stream_in_order),
	UNIT_TEST(gives_every_page_of_any_stream_once),
	UNIT_TEST(reads_no_more_pages_than_needed),
	UNIT_TEST(passes_on_the_error_of_any_page),
	UNIT_TEST(prepares_each_page),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(streams, setup, teardown, tests);
