/* Reading pages in a cycle, and reading pages without one. */
#include "store/wire/client/page_cycle.h"

#include "tests/support/unit_call.h"

enum { NEVER = 100000, LONG = 1000, MANY = 500, RECENT = 4096, LONGEST = 16384 };

static struct page_cycles *cycles;

UNIT_CALL(c);

static void
begin(void)
{
	setup();
	cycles = page_cycles_new();
}

static void
end(void)
{
	page_cycles_free(cycles);
	teardown();
}

/* ------------------------------------------------------------ one reader */

/* Page 0 is requested without a start key; page @turn leads back to page @back. */
struct pages {
	enum op_type type;
	unsigned turn;
	unsigned back;
	unsigned full; /* one page of this many has items or records; 0: none */
	unsigned who;  /* identifies the reader */
};

struct place {
	char text[24];
	struct value value;
	struct attr attr;
};

static struct slice
place_of_page(struct place *p, unsigned page)
{
	(void)snprintf(p->text, sizeof(p->text), "page%u", page);
	p->value = (struct value){.type = VALUE_S, .text = slice_from(p->text)};
	p->attr = (struct attr){.name = SLICE("PK"), .value = p->value};
	return page == 0 ? (struct slice){0} : slice_from(p->text);
}

/* Report a request for @page that was answered with @next.  Return: does it close a cycle? */
static bool
closes(const struct pages *pages, unsigned page, unsigned next)
{
	char who[16];
	struct place from, to;
	struct slice asked = place_of_page(&from, page);
	struct slice told = place_of_page(&to, next);
	size_t n = pages->full > 0 && page % pages->full == 0;
	struct op_in in = {.type = pages->type};
	struct op_out out = {.type = pages->type};

	switch ((int)pages->type) {
	case OP_SCAN:
		(void)snprintf(who, sizeof(who), "walk%u", pages->who);
		in.scan.read.table = slice_from(who);
		in.scan.read.limit = NEVER - page; /* the remaining limit */
		in.scan.read.has_limit = true;
		in.scan.read.start = (struct item){.at = &from.attr, .n = asked.len > 0};
		out.scan.page.last = (struct item){.at = &to.attr, .n = 1};
		out.scan.page.count = n;
		break;
	case OP_EXECUTE_STATEMENT:
		in.execute_statement.next = asked;
		out.execute_statement.next = told;
		break;
	case OP_LIST_TABLES:
		in.list_tables.start = asked;
		out.list_tables.last = told;
		break;
	default:
		in.get_records.iterator = page == 0 ? SLICE("first") : asked;
		out.get_records.next = told;
		out.get_records.n_records = n;
	}
	return page_cycles_closed(cycles, &in, &out);
}

/* Read pages until a cycle is found.  Return: number of pages, or NEVER */
static unsigned
pages_read(const struct pages *pages)
{
	unsigned page = 0, n = 0;

	while (n++ < NEVER) {
		unsigned next = page == pages->turn ? pages->back : page + 1;

		if (closes(pages, page, next)) {
			return n;
		}
		page = next;
	}
	return NEVER;
}

static void
a_page_that_leads_to_itself_is_a_cycle(void)
{
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_SCAN, 1, 1, 1, 0}), 2);
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_EXECUTE_STATEMENT, 5, 5, 1, 0}), 6);
}

static void
cycles_end_before_a_page_is_read_twice(void)
{
	static const enum op_type types[] = {OP_SCAN, OP_EXECUTE_STATEMENT, OP_LIST_TABLES};
	static const unsigned lengths[] = {2, 3, 7, 8, 9, LONG, RECENT};

	for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++) {
		for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
			for (unsigned full = 0; full < 3; full++) {
				for (unsigned back = 1; back < 40; back += 19) {
					unsigned turn = back + lengths[i] - 1;

					CU_ASSERT_EQUAL(pages_read(&(struct pages){types[t], turn,
										   back, full, 1}),
							turn + 1);
				}
			}
		}
	}
}

static void
a_repeated_request_gets_the_error_again(void)
{
	const struct pages pages = {OP_SCAN, 3, 1, 1, 0};

	CU_ASSERT_EQUAL(pages_read(&pages), 4);
	for (unsigned i = 0; i < 3; i++) {
		CU_ASSERT_TRUE(closes(&pages, 3, 1));
	}
	CU_ASSERT_FALSE(closes(&pages, 3, 4)); /* the cycle has ended */
}

static void
the_longest_cycle_is_found_too(void)
{
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_SCAN, LONGEST, 1, 1, 0}), LONGEST + 1);
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_SCAN, LONGEST + 1, 1, 1, 0}), NEVER);
}

static void
reading_without_a_cycle_is_not_refused(void)
{
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_SCAN, NEVER, 0, 1, 0}), NEVER);
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_GET_RECORDS, NEVER, 0, 2, 0}), NEVER);
}

static void
a_reader_of_a_stream_may_wait_but_not_read_again(void)
{
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_GET_RECORDS, 1, 1, 0, 0}), NEVER);
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_GET_RECORDS, 3, 2, 0, 0}), NEVER);
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_GET_RECORDS, 1, 1, 1, 0}), 2);
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_GET_RECORDS, 3, 1, 1, 0}), 4);
	/* One page of the cycle has records: its last, then its second one. */
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_GET_RECORDS, LONG, 1, LONG, 0}), LONG + 1);
	CU_ASSERT_EQUAL(pages_read(&(struct pages){OP_GET_RECORDS, 3, 1, 2, 0}), 4);
}

/* ------------------------------------------------------------ many readers */

/* Two readers of the same pages at the same time, and one after the other; a third starts over halfway. */
static void
other_readers_of_the_same_pages_are_no_cycle(void)
{
	const struct pages pages = {OP_SCAN, NEVER, 0, 1, 0};

	for (unsigned i = 0; i < LONG; i++) {
		CU_ASSERT_FALSE(closes(&pages, i, i + 1));
		CU_ASSERT_FALSE(closes(&pages, i / 2, i / 2 + 1));
		CU_ASSERT_FALSE(closes(&pages, i % (LONG / 2), i % (LONG / 2) + 1));
	}
}

static void
many_readers_are_watched_at_once(void)
{
	unsigned found = 0;

	for (unsigned round = 0; round < 40; round++) {
		for (unsigned who = 0; who < MANY; who++) {
			const struct pages pages = {OP_SCAN, 0, 0, 1, who};

			found += closes(&pages, 1 + round % 3, 1 + (round + 1) % 3);
		}
	}
	CU_ASSERT_TRUE(found >= MANY);
}

static void
other_operations_have_no_pages(void)
{
	for (enum op_type type = 0; type < OP_COUNT; type++) {
		struct op_in in = {.type = type};
		struct op_out out = {.type = type};

		CU_ASSERT_FALSE(page_cycles_closed(cycles, &in, &out));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_page_that_leads_to_itself_is_a_cycle),
	UNIT_TEST(cycles_end_before_a_page_is_read_twice),
	UNIT_TEST(a_repeated_request_gets_the_error_again),
	UNIT_TEST(the_longest_cycle_is_found_too),
	UNIT_TEST(reading_without_a_cycle_is_not_refused),
	UNIT_TEST(a_reader_of_a_stream_may_wait_but_not_read_again),
	UNIT_TEST(other_readers_of_the_same_pages_are_no_cycle),
	UNIT_TEST(many_readers_are_watched_at_once),
	UNIT_TEST(other_operations_have_no_pages),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(page_cycle, begin, end, tests);
