/* explain - see explain.h */
#include "tools/explain/explain.h"

#include <math.h>

#include "store/engine/engine.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"
#include "store/op/op.h"
#include "store/open.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/explain/recorder.h"
#include "tools/session/ctl.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

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

/* Describe a table; if @index is not empty, out->totals are those of the index. */
static int
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

/* ------------------------------------------------------------ statements */

enum { EXPLAIN_KEYS = 10, EXPLAIN_UNIT = 4096 };

struct explain {
	struct ctl *ctl;
	const struct parameterized *of;
	struct statement st;
	const struct schema *schema;
	const struct index *ix;
	struct buf *out;
	bool run; /* also run a Query at an endpoint */
};

/* ------------------------------------------------------------ keys */

static void
explain_value(struct buf *b, struct slice name, const char *comparator, const struct value *v)
{
	buf_fmt(b, "%s%.*s %s ", b->len == 0 ? "" : " AND ", SLICE_ARG(name), comparator);
	value_put_json(b, v, ITEM_PLAIN);
}

static void
explain_sort(struct buf *b, struct slice name, const struct keycond *run)
{
	static const char *const operators[] = {
		[KEYCOND_EQ] = "=", [KEYCOND_LT] = "<",  [KEYCOND_LE] = "<=",
		[KEYCOND_GT] = ">", [KEYCOND_GE] = ">=",
	};

	switch ((int)run->op) {
	case KEYCOND_NONE:
		return;
	case KEYCOND_BETWEEN:
		explain_value(b, name, run->open_a ? ">" : ">=", run->a);
		explain_value(b, name, run->open_b ? "<" : "<=", run->b);
		return;
	case KEYCOND_BEGINS_WITH:
		explain_value(b, name, "begins with", run->a);
		return;
	default:
		explain_value(b, name, operators[run->op], run->a);
	}
}

static void
explain_runs(struct explain *e, struct call *c, const struct where_runs *runs)
{
	const struct key_schema *key = schema_key(e->schema, e->ix);

	for (size_t i = 0; i < runs->n && i < EXPLAIN_KEYS; i++) {
		struct buf b = {.arena = &c->arena};

		explain_value(&b, key->pk[0].name, "=", runs->at[i].equal.at[0]);
		if (key_schema_has_sort(key)) {
			explain_sort(&b, key->sk[0].name, &runs->at[i]);
		}
		explain_line(e->out, i == 0 ? "keys" : "", "%.*s", SLICE_ARG(buf_view(&b)));
	}
	if (runs->n > EXPLAIN_KEYS) {
		explain_line(e->out, "", "...");
	}
}

/* ------------------------------------------------------------ cost */

void
explain_units(struct ctl *ctl, struct buf *out, const char *about, uint64_t halves)
{
	ctl->explained.halves += halves;
	explain_line(out, "cost", "%s%lu%s read unit%s", about, (unsigned long)(halves / 2),
		     halves % 2 == 0 ? "" : ".5", halves == 2 ? "" : "s");
}

/* Measure the cost of a Query: run it, without printing items. */
static int
explain_query_cost(struct explain *e, struct call *c)
{
	struct slice next = {0};
	uint64_t halves = 0;
	int r;

	do {
		struct execute_statement_in in = {
			.of = *e->of, .next = next, .capacity = CAPACITY_TOTAL};
		struct execute_statement_out out;
		call_scope(own, c->now_ms);
		r = engine_execute_statement(e->ctl->engine, &own, &in, &out);
		for (size_t i = 0; r == 0 && i < out.consumed.n; i++) {
			halves += out.consumed.at[i].halves;
		}
		next = r == 0 ? slice_copy(&c->arena, out.next) : (struct slice){0};
		r = r < 0 ? ctl_adopt(c, &own) : 0;
	} while (r == 0 && next.len > 0);
	if (r == 0) {
		explain_units(e->ctl, e->out, "", halves);
	}
	return r;
}

/* Half read units of @bytes. */
static uint64_t
explain_halves(const struct explain_source *of, uint64_t bytes)
{
	uint64_t blocks = (bytes + EXPLAIN_UNIT - 1) / EXPLAIN_UNIT;

	return of->consistent ? 2 * blocks : blocks;
}

int
explain_scan_cost(const struct explain_source *of, struct call *c, struct buf *out)
{
	struct table_info info;
	int r = estimate_table_info(of->ctl->engine, c, of->table, of->index, &info);

	if (r == 0) {
		explain_units(of->ctl, out, "about ", explain_halves(of, info.totals.bytes));
	}
	return r;
}

/* Return true if each run reads one item, by its whole key. */
static bool
explain_reads_items(const struct explain *e, const struct where_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		if (e->ix != NULL ||
		    (key_schema_has_sort(&e->schema->key) && runs->at[i].op != KEYCOND_EQ)) {
			return false;
		}
	}
	return true;
}

/* Estimates a Query that is not run, since reading costs money at an endpoint. */
int
explain_query_estimate(const struct explain_source *of, struct call *c, struct buf *out,
		       uint64_t items)
{
	struct table_info info;
	int r = estimate_table_info(of->ctl->engine, c, of->table, of->index, &info);

	if (r < 0) {
		return r;
	}
	struct totals all = info.totals;
	uint64_t each = all.items == 0 ? 0 : (all.bytes + all.items - 1) / all.items;

	if (each > 0 && items > 0) {
		explain_units(of->ctl, out, "about ", items * explain_halves(of, each));
		return 0;
	}
	struct slice size =
		each > 0 ? fmt_slice(&c->arena, "an item has about %lu bytes", (unsigned long)each)
			 : SLICE("the table's description has no item count yet");

	of->ctl->explained.unknown = true;
	explain_line(out, "cost",
		     "%s read unit%s for every %d KB; %.*s; --explain --run runs the Query and "
		     "measures it",
		     of->consistent ? "1" : "0.5", of->consistent ? "" : "s", EXPLAIN_UNIT / 1024,
		     SLICE_ARG(size));
	return 0;
}

/* ------------------------------------------------------------ statements */

/* With EXPLAIN QUERY PLAN, the statement of sqlite3, add the words SCAN and SEARCH that scripts look for. */
static const char *
explain_operation(bool keyed)
{
	const char *word;
	bool plan = false;

	for (int i = 1; !plan && (word = typed_line_word(i)) != NULL; i++) {
		plan = strcasestr(word, "query plan") != NULL;
	}
	return keyed ? (plan ? "a Query (SEARCH)" : "a Query")
		     : (plan ? "a Scan (SCAN), all" : "a Scan, all");
}

static void
explain_request(const struct explain *e, const char *name, const char *operation)
{
	explain_line(e->out, name, "%s of %.*s%s%.*s", operation, SLICE_ARG(e->st.table),
		     e->ix == NULL ? "" : ".", SLICE_ARG(e->st.index));
}

/* Suggest how to avoid a Scan: by an index whose key is in WHERE, or by a condition on the key. */
static void
explain_hint(const struct explain *e, struct call *c)
{
	struct error before = c->error;
	struct selection s;
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; b.len == 0 && i < e->schema->n_index; i++) {
		const struct index *ix = &e->schema->index[i];

		if (ix != e->ix && translate_select(c, e->schema, ix, &e->st, &s) == 0 &&
		    s.runs.n > 0) {
			buf_fmt(&b, "FROM \"%.*s\".\"%.*s\" would be a Query%s",
				SLICE_ARG(e->st.table), SLICE_ARG(ix->name),
				ix->projection == PROJECTION_ALL
					? ""
					: ", of the attributes that the index has");
		}
	}
	c->error = before;
	if (b.len == 0) {
		buf_fmt(&b, "a WHERE with = or IN on %.*s would be a Query",
			SLICE_ARG(schema_key(e->schema, e->ix)->pk[0].name));
	}
	explain_line(e->out, "hint", "%.*s", SLICE_ARG(buf_view(&b)));
}

static int
explain_select(struct explain *e, struct call *c)
{
	struct selection s;
	int r = translate_select(c, e->schema, e->ix, &e->st, &s);

	if (r < 0) {
		return r;
	}
	bool keyed = s.runs.n > 0;

	e->ctl->explained.scans |= !keyed;
	explain_request(e, "reads", explain_operation(keyed));
	explain_runs(e, c, &s.runs);
	if (s.runs.rest != NULL) {
		explain_line(e->out, "filter",
			     "the rest of WHERE: items that it drops are read and cost units, too");
	}
	if (!keyed) {
		explain_hint(e, c);
	}
	struct explain_source of = {.ctl = e->ctl,
				    .table = e->st.table,
				    .index = e->st.index,
				    .consistent = e->of->consistent};

	if (!keyed) {
		return explain_scan_cost(&of, c, e->out);
	}
	return e->run || !store_is_remote(e->ctl->store)
		       ? explain_query_cost(e, c)
		       : explain_query_estimate(&of, c, e->out,
						explain_reads_items(e, &s.runs) ? s.runs.n : 0);
}

static int
explain_write(struct explain *e, struct call *c)
{
	static const char *const operations[] = {
		[STATEMENT_INSERT] = "a PutItem",
		[STATEMENT_UPDATE] = "an UpdateItem",
		[STATEMENT_DELETE] = "a DeleteItem",
	};
	struct op_in in;
	int r = translate_write(c, e->schema, &e->st, RETURN_NONE, &in);

	if (r < 0) {
		return r;
	}
	explain_request(e, "writes", operations[e->st.kind]);
	explain_line(e->out, "cost", "1 write unit" EXPLAIN_EACH_KB);
	e->ctl->explained.unknown = true;
	return 0;
}

int
explain_statement(struct ctl *ctl, struct call *c, const struct parameterized *of, bool run)
{
	struct explain e = {.ctl = ctl, .of = of, .run = run, .out = &ctl->out.sink.buf};
	int r = statement_parse(c, of->statement, of->parameters, of->n_parameters, &e.st);

	r = r != 0 ? r : ctl_schema(ctl, c, e.st.table, &e.schema);
	if (r == 0 && e.st.index.len > 0) {
		r = ctl_index(c, e.schema, slice_cstr(&c->arena, e.st.index), &e.ix);
	}
	if (r < 0) {
		return r;
	}
	if (e.st.kind == STATEMENT_EXISTS) {
		return call_fail(c, ERR_USAGE,
				 "EXISTS needs a transaction: itemctl call ExecuteTransaction");
	}
	return e.st.kind == STATEMENT_SELECT ? explain_select(&e, c) : explain_write(&e, c);
}
