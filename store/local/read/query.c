/*
 * query - the operations Query and Scan
 *
 * A Query reads one run of keys of one collection. A Scan reads a whole table or index. One segment of a parallel Scan
 * goes through the counts of all collections, and reads the collections whose partition key belongs to the segment.
 */
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
		const struct attr *only = &in->read.start.at[0]; /* no item can follow it */

		r = call_fail(c, ERR_VALIDATION,
			      "The provided exclusive start key is invalid: ExclusiveStartKey: "
			      "{%.*s=%s}",
			      SLICE_ARG(only->name), expr_value_text(c, &only->value));
	}
	if (r == 0) {
		r = select_check(c, &in->read, SELECT_OF_QUERY, &bound);
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

static bool
in_segment(const struct segment *s, struct slice partition)
{
	return segment_of(slice_skip(partition, KEYSPACE_HEAD_BYTES), s->total) == s->number;
}

/* Plan a read of the collection with the counts key @partition. */
static void
collection_plan(struct call *c, const struct segment *s, struct slice partition, struct plan *out)
{
	/* The prefix of the items differs only in the letter. */
	struct slice items = keyspace_name(&c->arena, KEYSPACE_ITEM, slice_skip(partition, 1));

	*out = (struct plan){.schema = s->schema,
			     .ix = s->ix,
			     .lo = items,
			     .hi = keyspace_after(&c->arena, items)};
}

/*
 * Read the collections of a segment.
 * @rest: the rest of the collection in which the last page ended, which has the counts key @last; @last empty: none
 */
static int
run_segment(struct page_reader *reader, struct call *c, const struct segment *s,
	    const struct plan *rest, struct slice last)
{
	struct slice prefix = keyspace_head(&c->arena, KEYSPACE_PARTITION, s->schema, s->ix);
	struct buf from = {.arena = &c->arena}; /* the smallest counts key that is left */
	struct plan plan;
	int r = PAGE_END;

	buf_slice(&from, last.len > 0 ? last : prefix);
	if (last.len > 0) {
		collection_plan(c, s, last, &plan);
		plan.lo = rest->lo;
		buf_char(&from, 0);
		r = page_run(reader, c, &plan);
	}
	cleanup(kv_cursor_freep) struct kv_cursor *cur =
		kv_cursor_new(reader->local->kv, reader->at);

	for (kv_cursor_seek(cur, buf_view(&from)); r == PAGE_END && kv_cursor_in(cur, prefix);
	     kv_cursor_next(cur)) {
		struct slice partition = kv_cursor_key(cur);

		if (in_segment(s, partition)) {
			collection_plan(c, s, partition, &plan);
			r = page_run(reader, c, &plan);
		}
	}
	return kv_cursor_end(cur, c, r);
}

/*
 * Make @plan begin after the start key, before the expressions are checked against the key attributes.
 * @last: set to the counts key of the collection of the start key
 */
static int
scan_start(struct call *c, const struct segment *s, const struct item *start, struct plan *plan,
	   struct slice *last)
{
	struct key_values k = {.n = 0};
	int r = plan_start(c, plan, NULL, start);

	if (r < 0) {
		return r;
	}
	(void)key_from_item(schema_key(s->schema, s->ix), start, &k);
	*last = keyspace_collection(&c->arena, KEYSPACE_PARTITION, s->schema, s->ix, &k);
	return s->total <= 1 || in_segment(s, *last)
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "The provided starting key is invalid: Invalid "
				   "ExclusiveStartKey. Please use ExclusiveStartKey with correct "
				   "Segment. TotalSegments: %u Segment: %u",
				   s->total, s->number);
}

int
local_exec_scan(struct local *l, struct call *c, const struct scan_in *in, struct scan_out *out)
{
	struct select_bound bound;
	struct slice last = {0};
	struct plan plan;
	int r = select_bind(l, c, &in->read, NULL, &bound);

	if (r == 0) {
		r = select_check_all(c, &in->read, &bound);
	}
	if (r < 0) {
		return r;
	}
	const struct segment s = {bound.schema, bound.ix, in->segment, in->total_segments};

	plan_whole(c, bound.schema, bound.ix, &plan);
	if (select_starts(&in->read)) {
		r = scan_start(c, &s, &in->read.start, &plan, &last);
	}
	if (r == 0) {
		r = select_check(c, &in->read, SELECT_OF_SCAN, &bound);
	}
	if (r == 0) {
		r = select_admit(l, c, &bound, NULL, NULL);
	}
	if (r < 0) {
		return r;
	}
	cleanup(page_close) struct page_reader reader;

	page_open(&reader, l, &bound.spec);
	r = s.total > 1 ? run_segment(&reader, c, &s, &plan, last) : page_run(&reader, c, &plan);
	if (r < 0) {
		return r;
	}
	out->page = reader.page;
	out->page.consumed = select_pay(l, c, &in->read, &bound, &reader.sum);
	return 0;
}
