/* A stream of rows from pages: the same rows as from one state for every request, and the properties of pages. */
#include "store/engine/row_stream.h"

#include "tests/support/fixture.h"
#include "tests/support/items.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

enum { PIECE = 5000, SHARDS = 15, ITEMS = 6000, FEW = 900, VALUE = 300 };

static struct op_in requests[SHARDS];
static struct attr values[SHARDS][1];
static char shards[SHARDS][sizeof("s18446744073709551615")];
static struct row_stream_in in;

static void
setup(void)
{
	struct describe_table_out out = {0};

	fixture_open();
	if (fixture_table("tab P:S S:N | +GSI g:S v:N ALL") != 0 ||
	    engine_describe_table(fixture.e, &fixture.c,
				  &(struct describe_table_in){.table = SLICE("tab")}, &out) != 0) {
		abort();
	}
	in = (struct row_stream_in){.requests = requests, .n = 1, .schema = out.table.schema};
}

/* Put items into the collections s0, s1 ... in turn, and of the index, where their order differs. */
static void
put_items(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char text[VALUE + 100];

		(void)snprintf(text, sizeof(text),
			       "{\"P\":\"s%u\",\"S\":%u,\"g\":\"s%u\",\"v\":%u,\"%c\":\"%0*u\"}",
			       i % SHARDS, i, i % SHARDS, i * 7919 % 1000, 'a' + (char)(i % 4),
			       VALUE, i);
		if (fixture_put("tab", text) != 0) {
			abort();
		}
	}
}

static void
query(size_t i, bool index)
{
	(void)snprintf(shards[i], sizeof(shards[i]), "s%zu", i);
	values[i][0] = (struct attr){SLICE_INIT(":p"), value_string(slice_from(shards[i]))};
	requests[i] = (struct op_in){.type = OP_QUERY};
	requests[i].query = (struct query_in){
		.read.table = SLICE("tab"),
		.read.index = index ? SLICE("GSI") : (struct slice){0},
		.key_condition = index ? SLICE("g = :p") : SLICE("P = :p"),
		.read.ph = {.values = {values[i], 1}, .values_given = true},
	};
}

static void
queries(size_t n, bool index)
{
	in.n = n;
	for (size_t i = 0; i < n; i++) {
		query(i, index);
	}
}

static void
scan(void)
{
	in.n = 1;
	requests[0] = (struct op_in){.type = OP_SCAN, .scan.read.table = SLICE("tab")};
}

/* Append the rest of the row stream to @out.  Return: ROW_STREAM_END or an error */
static int
read_on(struct row_stream *f, struct buf *out)
{
	int r = 0;

	fixture.c.error = (struct error){0};
	while (r == 0) {
		r = row_stream_next(f, &fixture.c, out, PIECE);
	}
	return r;
}

/* Compare the rows from one state with those from pages.  Return: their bytes */
static size_t
same(void)
{
	struct row_stream *f = NULL;
	struct buf frozen, paged;

	buf_init(&frozen, NULL);
	buf_init(&paged, NULL);
	CU_ASSERT_EQUAL_FATAL(engine_row_stream_open(fixture.e, &fixture.c, &in, &f), 0);
	CU_ASSERT_EQUAL(read_on(f, &frozen), ROW_STREAM_END);
	row_stream_close(f);
	f = row_stream_pages_open(fixture.e, &fixture.c, &in);
	CU_ASSERT_EQUAL(read_on(f, &paged), ROW_STREAM_END);
	row_stream_close(f);
	CU_ASSERT_TRUE(slice_eq(buf_view(&frozen), buf_view(&paged)));
	size_t len = frozen.len;

	buf_release(&frozen);
	buf_release(&paged);
	return len;
}

static void
all_forms(size_t least)
{
	static const uint64_t limits[] = {0, 1, 700};

	for (enum row_stream_form form = ROW_STREAM_LINES; form <= ROW_STREAM_COUNT; form++) {
		for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
			in.form = form;
			in.limit = limits[i];
			size_t bytes = same();

			CU_ASSERT_TRUE(limits[i] != 0 || form == ROW_STREAM_COUNT ||
				       bytes >= least);
		}
	}
}

static void
gives_the_same_as_a_frozen_state(void)
{
	put_items(ITEMS);
	scan();
	all_forms((size_t)ITEMS * VALUE);
}

static void
queries_give_the_same_as_a_frozen_state(void)
{
	static const size_t many[] = {1, 2, SHARDS};

	put_items(FEW);
	for (size_t i = 0; i < 3; i++) {
		for (unsigned kind = 0; kind < 16; kind++) {
			queries(many[i], (kind & 1) != 0);
			for (size_t k = 0; k < many[i]; k++) {
				struct query_in *q = &requests[k].query;

				q->backward = (kind & 2) != 0;
				q->read.projection =
					(kind & 4) != 0 ? SLICE("a, S") : q->read.projection;
				if ((kind & 8) != 0) {
					q->read.filter = SLICE("attribute_exists(b)");
				}
			}
			all_forms(many[i] * 12);
		}
	}
}

static void
uses_the_placeholders_of_the_caller(void)
{
	static const struct name_alias names[] = {{SLICE_INIT("#x"), SLICE_INIT("a")},
						  {SLICE_INIT("#y"), SLICE_INIT("S")}};

	put_items(100);
	queries(SHARDS, false);
	for (size_t i = 0; i < SHARDS; i++) {
		struct read_in *read = &requests[i].query.read;

		read->projection = SLICE("#x ,#y");
		read->ph.names = names;
		read->ph.n_names = 2;
		read->ph.names_given = true;
	}
	all_forms(100);
}

static void
returns_after_each_page(void)
{
	struct buf out;
	size_t rounds = 1;

	put_items(ITEMS);
	scan();
	requests[0].scan.read.filter = SLICE("attribute_exists(nothing)");
	buf_init(&out, &fixture.c.arena);
	for (in.form = ROW_STREAM_LINES; in.form <= ROW_STREAM_COUNT; in.form += ROW_STREAM_COUNT) {
		struct row_stream *f = row_stream_pages_open(fixture.e, &fixture.c, &in);

		/* Six thousand items are two megabytes, and a page is at most one. */
		for (rounds = 1; row_stream_next(f, &fixture.c, &out, PIECE) == 0; rounds++) {
		}
		CU_ASSERT_EQUAL(rounds, 2);
		row_stream_close(f);
	}
	CU_ASSERT_TRUE(text_is(buf_view(&out), "0\n"));
}

/* Fail at each call in turn: the row stream returns an error, and then the rest as if nothing had failed. */
static void
a_failed_page_is_requested_again(void)
{
	bool fired = true;
	struct buf whole;

	put_items(40);
	queries(3, true);
	buf_init(&whole, NULL);
	for (in.form = ROW_STREAM_LINES; in.form <= ROW_STREAM_COUNT; in.form++) {
		struct row_stream *f = row_stream_pages_open(fixture.e, &fixture.c, &in);

		buf_clear(&whole);
		CU_ASSERT_EQUAL(read_on(f, &whole), ROW_STREAM_END);
		row_stream_close(f);
		fired = true;
		for (uint64_t nth = 1; fired; nth++) {
			struct buf out;

			buf_init(&out, NULL);
			f = row_stream_pages_open(fixture.e, &fixture.c, &in);
			kv_fault_arm(fixture.fault, nth);
			int r = read_on(f, &out);

			fired = kv_fault_fired(fixture.fault);
			kv_fault_arm(fixture.fault, 0);
			CU_ASSERT_EQUAL(r, fired ? -ERR_IO : ROW_STREAM_END);
			if (fired) {
				CU_ASSERT_EQUAL(read_on(f, &out), ROW_STREAM_END);
			}
			CU_ASSERT_TRUE(slice_eq(buf_view(&out), buf_view(&whole)));
			row_stream_close(f);
			buf_release(&out);
		}
	}
	buf_release(&whole);
}

static void
reports_what_the_engine_refuses(void)
{
	struct buf out;

	buf_init(&out, &fixture.c.arena);
	scan();
	requests[0].scan.read.filter = SLICE("v >");
	for (in.form = ROW_STREAM_LINES; in.form <= ROW_STREAM_COUNT; in.form++) {
		struct row_stream *f = row_stream_pages_open(fixture.e, &fixture.c, &in);

		CU_ASSERT_EQUAL(read_on(f, &out), -ERR_VALIDATION);
		CU_ASSERT_PTR_NOT_NULL(strstr(fixture_message(), "Invalid FilterExpression"));
		row_stream_close(f);
	}
	CU_ASSERT_EQUAL(out.len, 0);
}

/* The header was made from pages that have been read, and changed since. */
static void
a_row_that_does_not_fit_the_header_is_an_error(void)
{
	static const char *const changes[] = {"{\"P\":\"s0\",\"S\":0,\"new\":1}",
					      "{\"P\":\"s0\",\"S\":0,\"a\":1}"};

	for (size_t i = 0; i < 2; i++) {
		struct row_stream *f;
		struct buf out;

		put_items(3);
		scan();
		in.form = ROW_STREAM_CSV;
		buf_init(&out, NULL);
		f = row_stream_pages_open(fixture.e, &fixture.c, &in);
		CU_ASSERT_EQUAL(row_stream_next(f, &fixture.c, &out, PIECE), 0);
		CU_ASSERT_EQUAL(fixture_put("tab", changes[i]), 0);
		CU_ASSERT_EQUAL(read_on(f, &out), -ERR_CONFLICT);
		CU_ASSERT_EQUAL(read_on(f, &out), -ERR_CONFLICT);
		CU_ASSERT_TRUE(text_is(buf_view(&out), "P,S:N,g,v:N,a,b,c\n"));
		row_stream_close(f);
		buf_release(&out);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_the_same_as_a_frozen_state),
	UNIT_TEST(queries_give_the_same_as_a_frozen_state),
	UNIT_TEST(uses_the_placeholders_of_the_caller),
	UNIT_TEST(returns_after_each_page),
	UNIT_TEST(a_failed_page_is_requested_again),
	UNIT_TEST(reports_what_the_engine_refuses),
	UNIT_TEST(a_row_that_does_not_fit_the_header_is_an_error),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(row_stream_pages, setup, fixture_close, tests);
