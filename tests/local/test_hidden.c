/*
 * Reads of a store with a damaged block, which hides one key: each read returns everything or an error, never less.
 *
 * A cursor of LevelDB skips the keys of such a block and stays valid, so pages that end at their limit are tested as
 * well as complete reads.
 */
#include "store/engine/row_stream.h"
#include "store/op/op.h"

#include "tests/local/stream_fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

enum { CALL_BUDGET = 16 << 20, NOW_MS = 1600000000, ITEMS = 12, LIMIT = 2 };

static struct slice stream;

static void
setup(void)
{
	fixture_open();
	if (fixture_table("tab P:S S:N | +GSI g:S KEYS_ONLY") != 0 ||
	    fixture_stream("tab", STREAM_NEW_IMAGE) != 0) {
		abort();
	}
	for (unsigned i = 0; i < ITEMS; i++) {
		char text[128];

		(void)snprintf(text, sizeof(text), "{\"P\":\"p%u\",\"S\":%u,\"g\":\"g%u\"}", i % 3,
			       i, i % 2);
		if (fixture_put("tab", text) != 0) {
			abort();
		}
	}
	stream = slice_copy(&fixture.c.arena, stream_arn());
}

static struct attr p1 = {SLICE_INIT(":p"), {.type = VALUE_S, .text = SLICE_INIT("p1")}};

/* Each function reads all of something and sets @n to the amount.  @limit: page size, or 0 */

static int
scan_pages(struct call *c, uint32_t limit, struct scan_in in, size_t *n)
{
	struct scan_out out;
	int r;

	in.read.table = SLICE("tab");
	in.read.limit = limit;
	do {
		out = (struct scan_out){0};
		r = engine_scan(fixture.e, c, &in, &out);
		*n += out.page.count;
		in.read.start = out.page.last;
	} while (r == 0 && in.read.start.n > 0);
	return r;
}

static int
scan(struct call *c, uint32_t limit, size_t *n)
{
	return scan_pages(c, limit, (struct scan_in){0}, n);
}

static int
scan_index(struct call *c, uint32_t limit, size_t *n)
{
	return scan_pages(c, limit, (struct scan_in){.read.index = SLICE("GSI")}, n);
}

static int
scan_segments(struct call *c, uint32_t limit, size_t *n)
{
	int r = 0;

	for (uint32_t i = 0; i < 2 && r == 0; i++) {
		r = scan_pages(c, limit,
			       (struct scan_in){.has_segment = true,
						.has_total_segments = true,
						.segment = i,
						.total_segments = 2},
			       n);
	}
	return r;
}

static int
query_pages(struct call *c, uint32_t limit, bool backward, size_t *n)
{
	struct query_in in = {.read.table = SLICE("tab"),
			      .read.limit = limit,
			      .key_condition = SLICE("P = :p"),
			      .backward = backward,
			      .read.ph = {.values = {&p1, 1}, .values_given = true}};
	struct query_out out;
	int r;

	do {
		out = (struct query_out){0};
		r = engine_query(fixture.e, c, &in, &out);
		*n += out.page.count;
		in.read.start = out.page.last;
	} while (r == 0 && in.read.start.n > 0);
	return r;
}

static int
query(struct call *c, uint32_t limit, size_t *n)
{
	return query_pages(c, limit, false, n);
}

static int
query_backward(struct call *c, uint32_t limit, size_t *n)
{
	return query_pages(c, limit, true, n);
}

static int
list_partitions(struct call *c, uint32_t limit, size_t *n)
{
	struct list_partitions_in in = {.table = SLICE("tab"), .limit = limit};
	struct list_partitions_out out;
	int r;

	do {
		out = (struct list_partitions_out){0};
		r = engine_list_partitions(fixture.e, c, &in, &out);
		*n += out.n_partitions;
		if (out.n_partitions > 0) {
			in.from = out.partitions[out.n_partitions - 1].pk;
			in.after = true;
		}
	} while (r == 0 && out.more);
	return r;
}

/* Read only the first page: its number of entries is known. */
static int
list_entries(struct call *c, uint32_t limit, size_t *n)
{
	struct list_entries_in in = {.table = SLICE("tab"), .pk = {&p1.value, 1}, .limit = limit};
	struct list_entries_out out = {0};
	int r = engine_list_entries(fixture.e, c, &in, &out);

	for (size_t i = 0; i < out.n_entries; i++) {
		*n = *n * 10 + out.entries[i].key.at[1].text.at[0];
	}
	return r;
}

static int
get_records(struct call *c, uint32_t limit, size_t *n)
{
	struct describe_stream_out d = {0};
	struct get_shard_iterator_out it = {0};
	struct get_records_out out = {0};
	int r = engine_describe_stream(fixture.e, c, &(struct describe_stream_in){.stream = stream},
				       &d);

	if (r == 0) {
		r = engine_get_shard_iterator(
			fixture.e, c,
			&(struct get_shard_iterator_in){.stream = stream,
							.shard = d.shards[0].id,
							.type = ITERATOR_TRIM_HORIZON},
			&it);
	}
	out.next = it.iterator;
	do {
		struct get_records_in in = {.iterator = out.next, .limit = limit};

		out = (struct get_records_out){0};
		r = r < 0 ? r : engine_get_records(fixture.e, c, &in, &out);
		*n += out.n_records;
	} while (r == 0 && out.n_records > 0);
	return r;
}

static int
list_streams(struct call *c, uint32_t limit, size_t *n)
{
	struct list_streams_out out = {0};
	int r = engine_list_streams(fixture.e, c, &(struct list_streams_in){.limit = limit}, &out);

	*n = out.n_streams;
	return r;
}

static int
row_stream(struct call *c, uint32_t limit, enum row_stream_form form, size_t *n)
{
	struct op_in request = {.type = OP_SCAN, .scan.read.table = SLICE("tab")};
	struct describe_table_out table = {0};
	struct row_stream_in in = {.requests = &request, .n = 1, .form = form};
	struct row_stream *f = NULL;
	struct buf out;
	int r = engine_describe_table(fixture.e, c,
				      &(struct describe_table_in){.table = SLICE("tab")}, &table);

	if (limit > 0) {
		request.scan.read.filter = SLICE("attribute_exists(g)");
	}
	in.schema = table.table.schema;
	buf_init(&out, &c->arena);
	r = r < 0 ? r : engine_row_stream_open(fixture.e, c, &in, &f);
	while (r == 0) {
		r = row_stream_next(f, c, &out, 64);
	}
	row_stream_close(f);
	*n = out.len;
	return r < 0 ? r : 0;
}

static int
row_stream_lines(struct call *c, uint32_t limit, size_t *n)
{
	return row_stream(c, limit, ROW_STREAM_LINES, n);
}

static int
row_stream_csv(struct call *c, uint32_t limit, size_t *n)
{
	return row_stream(c, limit, ROW_STREAM_CSV, n);
}

static int
row_stream_count(struct call *c, uint32_t limit, size_t *n)
{
	return row_stream(c, limit, ROW_STREAM_COUNT, n);
}

/* Check goes on after damage, and may report only that damage, not the keys that seem to be missing because of it. */
static int
check(struct call *c, uint32_t limit, size_t *n)
{
	struct check_in in = {0};
	struct check_out out = {0};
	bool met = false;

	(void)limit;
	do {
		CU_ASSERT_EQUAL_FATAL(engine_check(fixture.e, c, &in, &out), 0);
		*n += out.items + out.entries;
		for (size_t i = 0; i < out.n_problems; i++) {
			CU_ASSERT_TRUE(slice_ends(out.problems[i], SLICE("injected damage")));
			met = true;
		}
		in.next = out.next;
	} while (in.next.len > 0);
	return met ? -ERR_CORRUPT : 0;
}

static int (*const reads[])(struct call *c, uint32_t limit, size_t *n) = {
	scan,           scan_index,       scan_segments,  query,
	query_backward, list_partitions,  list_entries,   get_records,
	list_streams,   row_stream_lines, row_stream_csv, row_stream_count,
	check,
};

enum { READS = sizeof(reads) / sizeof(*reads) };

static int
run(size_t i, uint32_t limit, size_t *n)
{
	struct call c;

	*n = 0;
	call_open(&c, NOW_MS, CALL_BUDGET);
	int r = reads[i](&c, limit, n);

	call_close(&c);
	return r;
}

/* Return: number of reads that reported the damage. */
static size_t
hide(struct slice key, const size_t whole[READS][2])
{
	size_t met = 0;

	kv_fault_hide(fixture.fault, key);
	for (size_t i = 0; i < READS; i++) {
		for (uint32_t paged = 0; paged < 2; paged++) {
			size_t n;
			int r = run(i, paged * LIMIT, &n);

			met += r < 0;
			if (r == 0 ? n != whole[i][paged] : r != -ERR_CORRUPT) {
				(void)printf("read %zu, %s, without a key of '%c': %d, %zu, not "
					     "%zu\n",
					     i, paged ? "in pages" : "at once", key.at[0], r, n,
					     whole[i][paged]);
				CU_FAIL("a short answer");
			}
		}
	}
	kv_fault_hide(fixture.fault, SLICE(""));
	return met;
}

static void
a_read_that_would_miss_a_key_fails(void)
{
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	size_t whole[READS][2];
	size_t met = 0;

	for (size_t i = 0; i < READS; i++) {
		for (uint32_t paged = 0; paged < 2; paged++) {
			CU_ASSERT_EQUAL_FATAL(run(i, paged * LIMIT, &whole[i][paged]), 0);
			CU_ASSERT_TRUE(whole[i][paged] > 0);
		}
	}
	for (cur->ops->seek(cur, SLICE("")); cur->ops->valid(cur); cur->ops->next(cur)) {
		met += hide(slice_copy(&fixture.c.arena, cur->ops->key(cur)), whole);
	}
	kv_cursor_free(cur);
	/* Every item is read by the scans, row streams and check; partitions and entries by fewer functions. */
	CU_ASSERT_TRUE(met > (size_t)ITEMS * 8);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_read_that_would_miss_a_key_fails),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(hidden, setup, fixture_close, tests);
