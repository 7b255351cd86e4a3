/*
 * query - the operations Query and Scan, and the hash that assigns a partition key to a segment
 *
 * A Query reads one run of keys of one collection. A Scan reads a whole table or index. One segment of a parallel Scan
 * goes through the counts of all collections, and reads the collections whose partition key belongs to the segment.
 */
#include "store/local/read/query.h"

#include <assert.h>

#include "store/expr/expr.h"
#include "store/local/read/plan.h"
#include "store/local/read/read_page.h"
#include "store/local/read/select.h"
#include "store/local/records/keyspace.h"
#include "store/model/schema.h"

/* Whether a collection can have at most one item. */
static bool
query_of_one(const struct select_bound *bound)
{
	return bound->ix == NULL && !key_schema_has_sort(&bound->schema->key);
}

/* Refuse a start key in a collection of at most one item: no item can follow it. */
static int
query_start_of_one(struct call *c, const struct item *start)
{
	assert(start->n > 0);
	return call_fail(c, ERR_VALIDATION,
			 "The provided exclusive start key is invalid: ExclusiveStartKey: "
			 "{%.*s=%s}",
			 SLICE_ARG(start->at[0].name), expr_value_text(c, &start->at[0].value));
}

int
local_exec_query(struct local *l, struct call *c, const struct query_in *in, struct query_out *out)
{
	struct select_bound bound;
	int r = select_bind(l, c, &in->read, in, &bound);

	if (r < 0) {
		return r;
	}
	struct plan plan;

	plan_collection(c, bound.schema, bound.ix, &bound.condition, &plan);
	plan.backward = in->backward;
	if (select_starts(&in->read)) {
		r = plan_start(c, &plan, &bound.condition, &in->read.start);
	}
	if (r == 0 && select_starts(&in->read) && query_of_one(&bound)) {
		r = query_start_of_one(c, &in->read.start);
	}
	if (r == 0) {
		r = select_check(c, &in->read, true, &bound);
	}
	if (r == 0) {
		r = select_admit(l, c, &bound, NULL, &bound.condition.equal);
	}
	if (r < 0) {
		return r;
	}
	cleanup(page_close) struct page_reader reader;

	page_open(&reader, l, &bound.spec);
	r = page_run(&reader, c, &plan);
	if (r < 0) {
		return r;
	}
	out->page = reader.page;
	if (query_of_one(&bound)) {
		out->page.last = (struct item){0};
	}
	out->page.consumed = select_pay(l, c, &in->read, &bound, &reader.sum);
	return 0;
}

/* ------------------------------------------------------------ Scan */

/* One segment of a scan. */
struct segment {
	const struct schema *schema;
	const struct index *ix;
	uint32_t number;
	uint32_t total;
};

/* @key with another first letter: the key of a collection's counts and the prefix of its items differ only in that. */
static struct slice
with_letter(struct call *c, enum keyspace letter, struct slice key)
{
	assert(key.len > 0);
	char *at = arena_new(&c->arena, char, key.len);

	memcpy(at, key.at, key.len);
	at[0] = (char)letter;
	return slice_of(at, key.len);
}

static bool
in_segment(const struct segment *s, struct slice partition)
{
	return segment_of(slice_skip(partition, KEYSPACE_HEAD_BYTES), s->total) == s->number;
}

/* Plan a read of the collection with the counts key @partition. */
static void
collection_plan(struct call *c, const struct segment *s, struct slice partition, struct plan *out)
{
	struct buf hi;

	*out = (struct plan){.schema = s->schema, .ix = s->ix};
	out->lo = with_letter(c, KEYSPACE_ITEM, partition);
	buf_init(&hi, &c->arena);
	keyspace_after(&hi, out->lo);
	out->hi = buf_view(&hi);
}

/* Append the counts key of the collection of @start, which plan_start() has checked. */
static void
partition_of(struct buf *out, const struct schema *schema, const struct index *ix,
	     const struct item *start)
{
	struct key_values k = {.n = 0};

	(void)key_from_item(schema_key(schema, ix), start, &k);
	keyspace_partition(out, schema, ix, &k);
}

/*
 * Read the rest of the collection in which the last page ended.
 * @from: set to the smallest counts key after that collection
 */
static int
resume(struct page_reader *reader, struct call *c, const struct segment *s,
       const struct item *start, struct slice *from)
{
	struct plan plan;

	plan_whole(c, s->schema, s->ix, &plan);

	int r = plan_start(c, &plan, NULL, start);

	if (r < 0) {
		return r;
	}
	struct buf partition;
	struct slice lo = plan.lo;

	buf_init(&partition, &c->arena);
	partition_of(&partition, s->schema, s->ix, start);
	collection_plan(c, s, buf_view(&partition), &plan);
	plan.lo = lo;
	buf_char(&partition, 0);
	*from = buf_view(&partition);
	return page_run(reader, c, &plan);
}

static int
run_segment(struct page_reader *reader, struct call *c, const struct segment *s,
	    const struct read_in *in)
{
	struct buf prefix;

	buf_init(&prefix, &c->arena);
	keyspace_partitions(&prefix, s->schema, s->ix);

	struct slice from = buf_view(&prefix);
	int r = PAGE_END;

	if (select_starts(in)) {
		r = resume(reader, c, s, &in->start, &from);
	}
	cleanup(kv_cursor_freep) struct kv_cursor *cur =
		kv_cursor_new(reader->local->kv, reader->at);

	for (kv_cursor_seek(cur, from); r == PAGE_END && kv_cursor_in(cur, buf_view(&prefix));
	     kv_cursor_next(cur)) {
		struct slice partition = kv_cursor_key(cur);

		if (in_segment(s, partition)) {
			struct plan plan;

			collection_plan(c, s, partition, &plan);
			r = page_run(reader, c, &plan);
		}
	}
	return kv_cursor_end(cur, c, r);
}

static int
run_all(struct page_reader *reader, struct call *c, const struct select_bound *bound,
	const struct read_in *in)
{
	struct plan plan;

	plan_whole(c, bound->schema, bound->ix, &plan);
	if (select_starts(in)) {
		int r = plan_start(c, &plan, NULL, &in->start);

		if (r < 0) {
			return r;
		}
	}
	return page_run(reader, c, &plan);
}

/* Check the start key of a Scan, before its expressions are checked against the key attributes. */
static int
scan_check_start(struct call *c, const struct select_bound *bound, const struct scan_in *in)
{
	struct segment s = {.number = in->segment, .total = in->total_segments};
	struct plan plan;
	struct buf partition;

	if (!select_starts(&in->read)) {
		return 0;
	}
	plan_whole(c, bound->schema, bound->ix, &plan);
	int r = plan_start(c, &plan, NULL, &in->read.start);

	if (r < 0 || s.total <= 1) {
		return r;
	}
	buf_init(&partition, &c->arena);
	partition_of(&partition, bound->schema, bound->ix, &in->read.start);
	return in_segment(&s, buf_view(&partition))
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "The provided starting key is invalid: Invalid "
				   "ExclusiveStartKey. Please use ExclusiveStartKey with correct "
				   "Segment. TotalSegments: %u Segment: %u",
				   s.total, s.number);
}

int
local_exec_scan(struct local *l, struct call *c, const struct scan_in *in, struct scan_out *out)
{
	struct select_bound bound;
	int r = select_bind(l, c, &in->read, NULL, &bound);

	if (r == 0) {
		r = select_check_all(c, &in->read, &bound);
	}
	if (r == 0) {
		r = scan_check_start(c, &bound, in);
	}
	if (r == 0) {
		r = select_check(c, &in->read, false, &bound);
	}
	if (r == 0) {
		r = select_admit(l, c, &bound, NULL, NULL);
	}
	if (r < 0) {
		return r;
	}
	cleanup(page_close) struct page_reader reader;

	page_open(&reader, l, &bound.spec);
	if (in->total_segments > 1) {
		struct segment s = {.schema = bound.schema,
				    .ix = bound.ix,
				    .number = in->segment,
				    .total = in->total_segments};

		r = run_segment(&reader, c, &s, &in->read);
	} else {
		r = run_all(&reader, c, &bound, &in->read);
	}
	if (r < 0) {
		return r;
	}
	out->page = reader.page;
	out->page.consumed = select_pay(l, c, &in->read, &bound, &reader.sum);
	return 0;
}

/* ------------------------------------------------------------ FNV-1a with a finalizer */

static const uint64_t FNV_OFFSET = UINT64_C(0xcbf29ce484222325);
static const uint64_t FNV_PRIME = UINT64_C(0x100000001b3);

uint32_t
segment_of(struct slice partition, uint32_t total)
{
	uint64_t h = FNV_OFFSET;

	assert(total > 0);
	for (size_t i = 0; i < partition.len; i++) {
		h = (h ^ (unsigned char)partition.at[i]) * FNV_PRIME;
	}
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	return (uint32_t)(((h >> 32) * total) >> 32);
}
