/* estimate - see estimate.h */
#include "tools/explain/estimate.h"

#include <assert.h>
#include <math.h>

#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/op/op.h"

#include "tools/explain/recorder.h"

enum { ESTIMATE_READ_BYTES = 4096, ESTIMATE_WRITE_BYTES = 1024 };

static double
estimate_units(double bytes, int of_one)
{
	return fmax(1, ceil(bytes / of_one));
}

static double
estimate_read(double bytes, bool consistent)
{
	return estimate_units(bytes, ESTIMATE_READ_BYTES) / (consistent ? 1 : 2);
}

static double
estimate_average(const struct table_info *info)
{
	return info->totals.items > 0 ? (double)info->totals.bytes / (double)info->totals.items : 0;
}

/* Units of writes of @kb KB, and of @unsized items, which count as average; each write changes all indexes. */
static double
estimate_write(const struct table_info *info, uint64_t kb, uint64_t unsized)
{
	double each = estimate_units(estimate_average(info), ESTIMATE_WRITE_BYTES);

	return ((double)kb + (double)unsized * each) * (double)(1 + info->schema->n_index);
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
estimate_record(struct engine *engine, struct call *c, const struct record *of,
		struct estimate *out)
{
	double halves = (double)of->halves / 2;
	struct table_info info;

	if (of->type == OP_QUERY) {
		out->read_units += halves;
		out->asked_units += halves;
		out->partly = out->partly || of->more;
		return 0;
	}
	int r = estimate_table_info(engine, c, of->table, of->index, &info);

	if (r < 0) {
		return r;
	}
	double average = estimate_average(&info);
	double bytes = (double)info.totals.bytes;

	if (of->type == OP_SCAN) {
		bytes = of->limit > 0 ? fmin(bytes, (double)of->limit * average) : bytes;
		out->read_units += estimate_read(bytes, of->consistent);
	} else if (of->type == OP_GET_ITEM) {
		out->read_units += (double)of->pages * estimate_read(average, of->consistent);
	} else {
		out->write_units += estimate_write(&info, of->kb, of->unsized);
	}
	return 0;
}

int
estimate_records(struct engine *engine, struct call *c, const struct recorder *from,
		 struct estimate *out)
{
	int r = 0;

	for (const struct record *of = from->first; r == 0 && of != NULL; of = of->next) {
		r = estimate_record(engine, c, of, out);
	}
	return r;
}

int
estimate_copy(struct engine *engine, struct call *c, struct slice table, bool consistent,
	      struct estimate *out)
{
	struct table_info info;
	int r = estimate_table_info(engine, c, table, SLICE(""), &info);

	if (r == 0) {
		out->read_units = estimate_read((double)info.totals.bytes, consistent);
		out->write_units = estimate_write(&info, 0, info.totals.items);
	}
	return r;
}
