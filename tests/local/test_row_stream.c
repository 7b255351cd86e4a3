/* Reads as a stream of rows: the same items as pages of Query and Scan, from one state, in every form. */
#include "store/engine/row_stream.h"

#include "tests/support/fixture.h"
#include "tests/support/items.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

enum { PIECE = 512, MANY = 10000 };

static struct op_in requests[16];
static struct attr values[16][2];
static struct row_stream_in in;

/* In the memory of the scene's call. */
static const struct schema *
schema_of_tab(void)
{
	struct describe_table_out out = {0};

	if (engine_describe_table(fixture.e, &fixture.c,
				  &(struct describe_table_in){.table = SLICE("tab")}, &out) != 0) {
		abort();
	}
	return out.table.schema;
}

static void
setup(void)
{
	fixture_open();
	if (fixture_table("tab P:S S:N | +GSI g:S S:N ALL | -LSI l:S KEYS_ONLY") != 0) {
		abort();
	}
	in = (struct row_stream_in){.requests = requests, .n = 1, .schema = schema_of_tab()};
}

/* Put items with S = 0, 1 ... into the partitions p0, p1 ... in turn; "g" is the last digit of S. */
static void
put_items(unsigned n, unsigned partitions)
{
	for (unsigned i = 0; i < n; i++) {
		char text[128];

		(void)snprintf(text, sizeof(text),
			       "{\"P\":\"p%u\",\"S\":%u,\"g\":\"%u\",\"l\":\"m\",\"v\":%u}",
			       i % partitions, i, i % 10, i);
		if (fixture_put("tab", text) != 0) {
			abort();
		}
	}
}

/* Request number @n: a Query of one partition of the table, or of the index. */
static struct query_in *
query(size_t n, bool index, const char *partition)
{
	values[n][0] = (struct attr){SLICE_INIT(":p"), value_string(slice_from(partition))};
	requests[n] = (struct op_in){.type = OP_QUERY};
	requests[n].query = (struct query_in){
		.read.table = SLICE("tab"),
		.key_condition = index ? SLICE("g = :p") : SLICE("P = :p"),
		.read.ph = {.values = {values[n], 1}, .values_given = true},
	};
	if (index) {
		requests[n].query.read.index = SLICE("GSI");
	}
	return &requests[n].query;
}

static struct scan_in *
scan(void)
{
	requests[0] = (struct op_in){.type = OP_SCAN};
	requests[0].scan = (struct scan_in){.read.table = SLICE("tab")};
	return &requests[0].scan;
}

static struct row_stream *
begin(void)
{
	struct row_stream *f = NULL;

	fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL_FATAL(engine_row_stream_open(fixture.e, &fixture.c, &in, &f), 0);
	return f;
}

/* Read the rest of the row stream into the scene's memory, and close it. */
static struct slice
rest_of(struct row_stream *f)
{
	struct buf out;
	int r = 0;

	buf_init(&out, &fixture.c.arena);
	while (r == 0) {
		r = row_stream_next(f, &fixture.c, &out, PIECE);
	}
	CU_ASSERT_EQUAL(r, ROW_STREAM_END);
	row_stream_close(f);
	return buf_view(&out);
}

/* Does the request read @expected, both from one state and from pages? */
static bool
reads(const char *expected)
{
	return text_is(rest_of(begin()), expected) &&
	       text_is(rest_of(row_stream_pages_open(fixture.e, &fixture.c, &in)), expected);
}

/* ------------------------------------------------------------ forms */

static void
writes_each_form(void)
{
	put_items(3, 1);
	(void)query(0, false, "p0")->read;
	requests[0].query.read.projection = SLICE("v, S, P");
	CU_ASSERT_TRUE(reads("{\"P\":\"p0\",\"S\":0,\"v\":0}\n{\"P\":\"p0\",\"S\":1,\"v\":1}\n"
			     "{\"P\":\"p0\",\"S\":2,\"v\":2}\n"));
	in.limit = 2;
	in.json = ITEM_TYPED;
	CU_ASSERT_TRUE(reads("{\"P\":{\"S\":\"p0\"},\"S\":{\"N\":\"0\"},\"v\":{\"N\":\"0\"}}\n"
			     "{\"P\":{\"S\":\"p0\"},\"S\":{\"N\":\"1\"},\"v\":{\"N\":\"1\"}}\n"));
	in.json = ITEM_PLAIN;
	in.form = ROW_STREAM_ARRAY;
	CU_ASSERT_TRUE(
		reads("[\n{\"P\":\"p0\",\"S\":0,\"v\":0},\n{\"P\":\"p0\",\"S\":1,\"v\":1}\n]\n"));
	in.form = ROW_STREAM_CSV;
	CU_ASSERT_TRUE(reads("P,S:N,v:N\np0,0,0\np0,1,1\n"));
	in.form = ROW_STREAM_COUNT;
	CU_ASSERT_TRUE(reads("2\n"));
	in.limit = 0;
	CU_ASSERT_TRUE(reads("3\n"));
}

static void
writes_an_empty_result_in_each_form(void)
{
	(void)query(0, false, "none");
	CU_ASSERT_TRUE(reads(""));
	in.form = ROW_STREAM_ARRAY;
	CU_ASSERT_TRUE(reads("[]\n"));
	in.form = ROW_STREAM_CSV;
	CU_ASSERT_TRUE(reads(""));
	in.form = ROW_STREAM_COUNT;
	CU_ASSERT_TRUE(reads("0\n"));
	(void)scan();
	CU_ASSERT_TRUE(reads("0\n"));
}

static void
finds_the_columns_of_all_items_before_the_first_row(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"p\",\"S\":1,\"a\":\"x\"}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"p\",\"S\":2,\"b\":[1],\"a\":7}"), 0);
	(void)scan();
	in.form = ROW_STREAM_CSV;
	CU_ASSERT_TRUE(reads("P,S:N,a:JSON,b:JSON\np,1,\"\"\"x\"\"\",\np,2,7,[1]\n"));
}

static void
puts_key_attributes_first(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"z\":true,\"S\":1,\"y\":null,\"P\":\"p\"}"), 0);
	(void)scan();
	CU_ASSERT_TRUE(reads("{\"P\":\"p\",\"S\":1,\"z\":true,\"y\":null}\n"));
}

/* ------------------------------------------------------------ what is read */

static void
counts_items_that_match_and_items_that_do_not(void)
{
	put_items(50, 2);
	in.form = ROW_STREAM_COUNT;
	(void)scan();
	CU_ASSERT_TRUE(reads("50\n"));
	scan()->read.index = SLICE("GSI");
	CU_ASSERT_TRUE(reads("50\n"));
	(void)query(0, false, "p1");
	CU_ASSERT_TRUE(reads("25\n"));
	values[0][1] = (struct attr){SLICE_INIT(":v"), {.type = VALUE_N, .text = SLICE_INIT("40")}};
	query(0, false, "p1")->read.filter = SLICE("v >= :v");
	requests[0].query.read.ph.values.n = 2;
	CU_ASSERT_TRUE(reads("5\n"));
	query(0, false, "p1")->key_condition = SLICE("P = :p AND S < :v");
	requests[0].query.read.ph.values.n = 2;
	CU_ASSERT_TRUE(reads("20\n"));
	in.limit = 7;
	CU_ASSERT_TRUE(reads("7\n"));
	query(0, true, "3");
	query(1, true, "4");
	in.n = 2;
	in.limit = 0;
	CU_ASSERT_TRUE(reads("10\n"));
}

static void
merges_collections_by_their_sort_keys(void)
{
	put_items(40, 1);
	for (size_t i = 0; i < 10; i++) {
		static const char *const digits[] = {"0", "1", "2", "3", "4",
						     "5", "6", "7", "8", "9"};

		query(i, true, digits[i])->read.projection = SLICE("S");
	}
	in.n = 10;
	in.limit = 12;
	CU_ASSERT_TRUE(
		reads("{\"S\":0}\n{\"S\":1}\n{\"S\":2}\n{\"S\":3}\n{\"S\":4}\n{\"S\":5}\n"
		      "{\"S\":6}\n{\"S\":7}\n{\"S\":8}\n{\"S\":9}\n{\"S\":10}\n{\"S\":11}\n"));
	for (size_t i = 0; i < 10; i++) {
		requests[i].query.backward = true;
	}
	in.limit = 3;
	CU_ASSERT_TRUE(reads("{\"S\":39}\n{\"S\":38}\n{\"S\":37}\n"));
}

static void
merges_equal_sort_keys_by_the_partition(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"b\",\"S\":1}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"a\",\"S\":1}"), 0);
	(void)query(0, false, "b");
	(void)query(1, false, "a");
	in.n = 2;
	CU_ASSERT_TRUE(reads("{\"P\":\"a\",\"S\":1}\n{\"P\":\"b\",\"S\":1}\n"));
	requests[0].query.backward = requests[1].query.backward = true;
	CU_ASSERT_TRUE(reads("{\"P\":\"b\",\"S\":1}\n{\"P\":\"a\",\"S\":1}\n"));
}

static void
fetches_what_entries_of_a_local_index_lack(void)
{
	struct query_in *q;

	put_items(10, 1);
	q = query(0, false, "p0");
	q->read.index = SLICE("LSI");
	in.limit = 1;
	CU_ASSERT_TRUE(reads("{\"P\":\"p0\",\"S\":0,\"l\":\"m\"}\n"));
	q->read.select = SELECT_ALL;
	CU_ASSERT_TRUE(reads("{\"P\":\"p0\",\"S\":0,\"g\":\"0\",\"l\":\"m\",\"v\":0}\n"));
}

static void
reads_one_state_despite_writes(void)
{
	struct buf head;

	put_items(200, 1);
	(void)scan();
	struct row_stream *f = begin();

	buf_init(&head, &fixture.c.arena);
	CU_ASSERT_EQUAL(row_stream_next(f, &fixture.c, &head, 1), 0);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"P\":\"p0\",\"S\":150}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"p0\",\"S\":500}"), 0);
	struct slice rest = rest_of(f);

	CU_ASSERT_PTR_NOT_NULL(memmem(rest.at, rest.len, "\"S\":150,", 8));
	CU_ASSERT_PTR_NULL(memmem(rest.at, rest.len, "\"S\":500", 7));
}

static void
returns_even_if_nothing_passes_the_filter(void)
{
	struct buf out;
	size_t rounds = 0;
	int r;

	put_items(MANY, 1);
	values[0][1] = (struct attr){SLICE_INIT(":v"), {.type = VALUE_N, .text = SLICE_INIT("-1")}};
	query(0, false, "p0")->read.filter = SLICE("v = :v");
	requests[0].query.read.ph.values.n = 2;
	struct row_stream *f = begin();

	buf_init(&out, &fixture.c.arena);
	for (r = 0; r == 0; rounds++) {
		r = row_stream_next(f, &fixture.c, &out, PIECE);
	}
	CU_ASSERT_EQUAL(r, ROW_STREAM_END);
	CU_ASSERT_TRUE(rounds >= 3);
	CU_ASSERT_EQUAL(out.len, 0);
	row_stream_close(f);
}

/* A few large items fill a piece, also entries of an index and items fetched for them. */
static void
returns_after_a_megabyte(void)
{
	enum { LONG = 100000, ITEMS = 25 };
	static char text[LONG + 100];

	for (int i = 0; i < ITEMS; i++) {
		(void)snprintf(text, sizeof(text),
			       "{\"P\":\"p0\",\"S\":%d,\"l\":\"m\",\"v\":\"%0*d\"}", i, LONG, 0);
		CU_ASSERT_EQUAL_FATAL(fixture_put("tab", text), 0);
	}
	for (int fetches = 0; fetches < 2; fetches++) {
		struct query_in *q = query(0, false, "p0");
		struct buf out;
		size_t rounds = 1;

		q->read.projection = SLICE("g");
		if (fetches) {
			q->read.index = SLICE("LSI");
		}
		struct row_stream *f = begin();

		buf_init(&out, &fixture.c.arena);
		while (row_stream_next(f, &fixture.c, &out, PIECE) == 0) {
			rounds++;
		}
		CU_ASSERT_EQUAL(rounds, 3);
		CU_ASSERT_EQUAL(out.len, ITEMS * strlen("{}\n"));
		row_stream_close(f);
	}
}

/* ------------------------------------------------------------ failures */

static void
refuses_the_requests_that_a_query_refuses(void)
{
	struct row_stream *f = NULL;

	scan()->read.table = SLICE("nope");
	CU_ASSERT_EQUAL(engine_row_stream_open(fixture.e, &fixture.c, &in, &f), -ERR_NO_TABLE);
	fixture.c.error = (struct error){0};
	scan()->read.filter = SLICE("v >");
	CU_ASSERT_EQUAL(engine_row_stream_open(fixture.e, &fixture.c, &in, &f), -ERR_VALIDATION);
	CU_ASSERT_PTR_NOT_NULL(strstr(fixture_message(), "Invalid FilterExpression"));
	fixture.c.error = (struct error){0};
	query(0, false, "p0")->key_condition = SLICE("v = :p");
	CU_ASSERT_EQUAL(engine_row_stream_open(fixture.e, &fixture.c, &in, &f), -ERR_VALIDATION);
}

/* Fail at each call in turn: the row stream returns an error, never a shorter text. */
static void
reports_every_failure(void)
{
	size_t whole;
	bool fired = true;

	put_items(300, 3);
	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = {"p0", "p1", "p2"};

		(void)query(i, false, names[i]);
	}
	in.n = 3;
	whole = rest_of(begin()).len;
	for (uint64_t nth = 1; fired; nth++) {
		struct row_stream *f = begin();
		struct buf out;
		int r = 0;

		buf_init(&out, &fixture.c.arena);
		kv_fault_arm(fixture.fault, nth);
		while (r == 0) {
			r = row_stream_next(f, &fixture.c, &out, PIECE);
		}
		fired = kv_fault_fired(fixture.fault);
		kv_fault_arm(fixture.fault, 0);
		CU_ASSERT_EQUAL(r, fired ? -ERR_IO : ROW_STREAM_END);
		CU_ASSERT_TRUE(fired || out.len == whole);
		fixture.c.error = (struct error){0};
		row_stream_close(f);
	}
}

/* Store each truncated form of a record under its key: none of them is read as an item. */
static void
a_damaged_record_is_an_error(void)
{
	struct kv *kv = fixture.fault;
	struct buf whole;
	char key[64];

	CU_ASSERT_EQUAL(fixture_put("tab", "{\"P\":\"p\",\"S\":1,\"a\":[1,\"x\"],\"b\":\"y\"}"), 0);
	struct kv_cursor *cur = kv_cursor_new(kv, NULL);

	cur->ops->seek(cur, SLICE("i"));
	CU_ASSERT_TRUE_FATAL(kv_cursor_in(cur, SLICE("i")));
	struct slice at = cur->ops->key(cur);

	CU_ASSERT_TRUE_FATAL(at.len < sizeof(key));
	memcpy(key, at.at, at.len);
	at.at = key;
	buf_init(&whole, NULL);
	buf_slice(&whole, cur->ops->value(cur));
	kv_cursor_free(cur);
	(void)scan();
	for (size_t n = 0; n < whole.len; n++) {
		struct kv_batch *b = kv->ops->batch_new(kv);
		struct buf out;

		b->ops->put(b, at, slice_of(whole.at, n));
		fixture.c.error = (struct error){0};
		CU_ASSERT_EQUAL(kv_commit(kv, &fixture.c, b, false), 0);
		kv_batch_free(b);
		for (enum row_stream_form form = ROW_STREAM_LINES; form <= ROW_STREAM_CSV; form++) {
			in.form = form;
			struct row_stream *f = begin();

			buf_init(&out, &fixture.c.arena);
			CU_ASSERT_EQUAL(row_stream_next(f, &fixture.c, &out, PIECE), -ERR_CORRUPT);
			CU_ASSERT_EQUAL(out.len, 0);
			row_stream_close(f);
		}
	}
	buf_release(&whole);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_each_form),
	UNIT_TEST(writes_an_empty_result_in_each_form),
	UNIT_TEST(finds_the_columns_of_all_items_before_the_first_row),
	UNIT_TEST(puts_key_attributes_first),
	UNIT_TEST(counts_items_that_match_and_items_that_do_not),
	UNIT_TEST(merges_collections_by_their_sort_keys),
	UNIT_TEST(merges_equal_sort_keys_by_the_partition),
	UNIT_TEST(fetches_what_entries_of_a_local_index_lack),
	UNIT_TEST(reads_one_state_despite_writes),
	UNIT_TEST(returns_even_if_nothing_passes_the_filter),
	UNIT_TEST(returns_after_a_megabyte),
	UNIT_TEST(refuses_the_requests_that_a_query_refuses),
	UNIT_TEST(reports_every_failure),
	UNIT_TEST(a_damaged_record_is_an_error),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(row_stream, setup, fixture_close, tests);
