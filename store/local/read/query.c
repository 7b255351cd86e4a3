/*
 * query - Query: one run of keys of one collection
 */
#include "store/expr/expr.h"
#include "store/local/read/plan.h"
#include "store/local/read/read_page.h"
#include "store/local/read/select.h"

/* Its collections have one item at most. */
static bool
query_of_one(const struct select_bound *bound)
{
	return bound->ix == NULL && !key_schema_has_sort(&bound->schema->key);
}

/* Behind the only item of a collection nothing can be. */
static int
query_start_of_one(struct call *c, const struct item *start)
{
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
