/* estimate - see estimate.h */
#include "tools/explain/estimate.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/mem.h"
#include "store/engine/consumed.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/op/op.h"

enum { ESTIMATE_READ_BYTES = 4096, ESTIMATE_WRITE_BYTES = 1024 };

/* Sizes of a table or index, from DescribeTable. */
struct estimate_size {
	struct estimate_size *next;
	double items;
	double bytes;
	size_t n_indexes;                    /* indexes that a write may change */
	char name[LIMIT_TABLE_NAME_MAX + 1]; /* the table; empty for an index */
};

struct estimating {
	struct engine engine;
	pthread_mutex_t lock; /* guards all that follows */
	struct estimate *sums;
	struct estimate_size *known; /* tables that were described */
	bool scanned;                /* a segment of the Scan has been added for all segments */
};

static double
estimate_units(double bytes, int of_one)
{
	double n = ceil(bytes / of_one);

	return n < 1 ? 1 : n;
}

static double
estimate_average(const struct estimate_size *s)
{
	return s->items > 0 ? s->bytes / s->items : 0;
}

int
estimate_table_info(struct engine *engine, struct call *c, struct slice table, struct slice index,
		    struct table_info *out)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};
	int r = engine_describe_table(engine, c, &in, &answer);

	if (r < 0) {
		return r;
	}
	*out = answer.table;
	assert(out->schema != NULL);
	if (index.len > 0) {
		const struct index *ix = schema_index(out->schema, index);

		if (ix == NULL) {
			return call_fail(c, ERR_NO_INDEX,
					 "The table does not have the specified index: %.*s",
					 SLICE_ARG(index));
		}
		out->totals = out->index_totals[ix - out->schema->index];
	}
	return 0;
}

static int
estimate_describe(struct engine *below, struct call *c, struct slice table, struct slice index,
		  struct estimate_size *out)
{
	struct table_info info;
	int r = estimate_table_info(below, c, table, index, &info);

	if (r < 0) {
		return r;
	}
	*out = (struct estimate_size){.items = (double)info.totals.items,
				      .bytes = (double)info.totals.bytes,
				      .n_indexes = info.schema->n_index};
	return 0;
}

static void
estimate_add(struct estimating *e, double reads, double writes)
{
	lock_scope(&e->lock);
	e->sums->read_units += reads;
	e->sums->write_units += writes;
	e->sums->requests++;
}

/* End the command: the estimate is complete. */
static int
estimate_end(struct estimating *e, struct call *c)
{
	lock_scope(&e->lock);
	e->sums->ended = true;
	return call_fail(c, ERR_USAGE, "estimated");
}

/* ------------------------------------------------------------ reads */

/* Return true for the first segment of a Scan.  Segments arrive in parallel, and the first one counts for all. */
static bool
estimate_first_scan(struct estimating *e)
{
	lock_scope(&e->lock);
	bool first = !e->scanned;

	e->scanned = true;
	return first;
}

static int
estimate_scan(struct estimating *e, struct call *c, const struct scan_in *scan)
{
	const struct read_in *in = &scan->read;
	double segments = scan->has_total_segments ? scan->total_segments : 1;
	struct estimate_size size = {0};
	int r = estimate_describe(e->engine.below, c, in->table, in->index, &size);

	if (r < 0) {
		return r;
	}
	double bytes = size.bytes;

	if (in->has_limit && in->limit * segments * estimate_average(&size) < bytes) {
		bytes = in->limit * segments * estimate_average(&size);
	}
	if (estimate_first_scan(e)) {
		estimate_add(e,
			     estimate_units(bytes, ESTIMATE_READ_BYTES) / (in->consistent ? 1 : 2),
			     0);
	}
	return estimate_end(e, c);
}

static int
estimate_get(struct estimating *e, struct call *c, const struct get_item_in *in)
{
	struct estimate_size size;
	int r = estimate_describe(e->engine.below, c, in->table, SLICE(""), &size);

	if (r < 0) {
		return r;
	}
	estimate_add(e,
		     estimate_units(estimate_average(&size), ESTIMATE_READ_BYTES) /
			     (in->consistent ? 1 : 2),
		     0);
	return estimate_end(e, c);
}

/* Read one page and answer that it is empty: then the command reads only the first page of each partition. */
static int
estimate_query(struct estimating *e, struct call *c, const struct op_in *in, struct op_out *none)
{
	struct consumed_list told;
	struct op_in asked = *in;
	struct op_out out = {.type = OP_QUERY};
	uint64_t reads = 0, writes = 0;

	asked.query.read.text = (struct page_text){0};
	int r = consumed_execute(e->engine.below, c, &asked, &out, &told);

	if (r < 0) {
		return r;
	}
	consumed_add(in, &told, &reads, &writes);
	estimate_add(e, (double)reads / 2, 0);
	*none = (struct op_out){.type = OP_QUERY};
	lock_scope(&e->lock);
	e->sums->asked_units += (double)reads / 2;
	e->sums->partly =
		e->sums->partly || (out.query.page.last.n > 0 && !in->query.read.has_limit);
	return 0;
}

/* ------------------------------------------------------------ writes */

/* Units of a write.  @it: the new item; NULL: unknown, use the average size */
static double
estimate_write(const struct estimate_size *size, const struct item *it)
{
	double bytes = it == NULL ? estimate_average(size) : (double)item_size(it);

	return estimate_units(bytes, ESTIMATE_WRITE_BYTES) * (double)(1 + size->n_indexes);
}

/* The size of a table, described only once: there may be a write for each line of a file. */
static int
estimate_table(struct estimating *e, struct call *c, struct slice table, struct estimate_size *out)
{
	{
		lock_scope(&e->lock);
		for (const struct estimate_size *s = e->known; s != NULL; s = s->next) {
			if (slice_is(table, s->name)) {
				*out = *s;
				return 0;
			}
		}
	}
	int r = estimate_describe(e->engine.below, c, table, SLICE(""), out);

	if (r == 0 && table.len < sizeof(out->name)) {
		struct estimate_size *kept = mem_new(struct estimate_size);

		*kept = *out;
		memcpy(kept->name, table.at, table.len);
		lock_scope(&e->lock);
		kept->next = e->known;
		e->known = kept;
	}
	return r;
}

static int
estimate_one(struct estimating *e, struct call *c, struct slice table, const struct item *it)
{
	struct estimate_size size;
	int r = estimate_table(e, c, table, &size);

	if (r == 0) {
		estimate_add(e, 0, estimate_write(&size, it));
	}
	return r;
}

static int
estimate_batch(struct estimating *e, struct call *c, const struct batch_write_item_in *in)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < in->n_tables; i++) {
		struct estimate_size size;

		r = estimate_table(e, c, in->tables[i].table, &size);
		for (size_t k = 0; r == 0 && k < in->tables[i].n_actions; k++) {
			const struct batch_action *a = &in->tables[i].actions[k];

			estimate_add(e, 0,
				     estimate_write(&size, a->kind == BATCH_PUT ? &a->item : NULL));
		}
	}
	return r;
}

/* ------------------------------------------------------------ the engine */

static int
estimate_other(struct estimating *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	if (in->type == OP_LOAD_ITEMS || in->type == OP_CHANGE_ITEMS) {
		return call_fail(c, ERR_UNKNOWN_OPERATION, "%s is not estimated",
				 op_name(in->type));
	}
	if (in->type == OP_SYNC) {
		return 0;
	}
	if (op_writes(in) || consumed_tells(in->type)) {
		return call_fail(
			c, ERR_USAGE,
			"cost can estimate get, query, scan, export, copy, put, import, update "
			"and delete; this command needs %s",
			op_name(in->type));
	}
	return engine_execute(e->engine.below, c, in, out);
}

static int
estimate_execute(struct engine *engine, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct estimating *e = (struct estimating *)engine;

	out->type = in->type;
	if (in->type == OP_SCAN) {
		return estimate_scan(e, c, &in->scan);
	}
	if (in->type == OP_QUERY) {
		return estimate_query(e, c, in, out);
	}
	if (in->type == OP_GET_ITEM) {
		return estimate_get(e, c, &in->get_item);
	}
	if (in->type == OP_PUT_ITEM) {
		const struct write_in *w = &in->put_item.write;

		return estimate_one(e, c, w->table, &w->item);
	}
	if (in->type == OP_UPDATE_ITEM || in->type == OP_DELETE_ITEM) {
		return estimate_one(e, c, consumed_table(in), NULL);
	}
	if (in->type == OP_BATCH_WRITE_ITEM) {
		return estimate_batch(e, c, &in->batch_write_item);
	}
	return estimate_other(e, c, in, out);
}

static void
estimate_close(struct engine *engine)
{
	struct estimating *e = (struct estimating *)engine;

	while (e->known != NULL) {
		struct estimate_size *next = e->known->next;

		free(e->known);
		e->known = next;
	}
	engine_close(e->engine.below);
	(void)pthread_mutex_destroy(&e->lock);
	free(e);
}

struct engine *
estimate_open(struct engine *below, struct estimate *sums)
{
	static const struct engine_ops ops = {
		.execute = estimate_execute,
		.close = estimate_close,
	};
	struct estimating *e = mem_new(struct estimating);

	assert(sums != NULL);
	*e = (struct estimating){.engine = {&ops, below}, .sums = sums};
	(void)pthread_mutex_init(&e->lock, NULL);
	return &e->engine;
}

int
estimate_copy(struct engine *engine, struct call *c, struct slice table, bool consistent,
	      struct estimate *out)
{
	struct estimate_size size;
	int r = estimate_describe(engine, c, table, SLICE(""), &size);

	if (r == 0) {
		out->requests = 1;
		out->read_units =
			estimate_units(size.bytes, ESTIMATE_READ_BYTES) / (consistent ? 1 : 2);
		out->write_units = size.items * estimate_write(&size, NULL);
	}
	return r;
}
