/*
 * tables - DescribeTable, ListTables, DeleteTable; functions that operations on tables share
 *
 * A change is the last operation of its commit group, and the catalog is updated
 * right after the commit.  So no operation that was bound to the old state runs
 * after the change.
 */
#include "store/local/tables/tables.h"

#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/catalog.h"
#include "store/local/records/definition.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/tables/index_job.h"
#include "store/local/write/stream.h"
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/stream_arn.h"

int
fail_no_table(struct call *c, struct slice table)
{
	struct slice name = arn_table(table);

	return call_fail(c, ERR_NO_TABLE, "Requested resource not found: Table: %.*s not found",
			 SLICE_ARG(name));
}

int
fail_no_such_table(struct call *c, struct slice table)
{
	return call_fail(c, ERR_NO_SUCH_TABLE, "Table not found: %.*s", SLICE_ARG(table));
}

int
fail_in_use(struct call *c, struct slice table, const char *doing)
{
	return call_fail(c, ERR_TABLE_CHANGING,
			 "Attempt to change a resource which is still in use: Table is being %s: "
			 "%.*s",
			 doing, SLICE_ARG(table));
}

enum table_status
table_status(const struct schema *s)
{
	return s->creating              ? TABLE_CREATING
	       : schema_busy(s) == NULL ? TABLE_ACTIVE
					: TABLE_UPDATING;
}

void
table_write(struct txn *t, struct call *c, const struct schema *s)
{
	struct buf bytes = {.arena = &c->arena};

	definition_encode(&bytes, s);
	txn_put(t, keyspace_name(&c->arena, KEYSPACE_TABLE, s->table), buf_view(&bytes));
}

void
table_publish(struct txn *t, struct call *c, struct slice table)
{
	txn_publish(t, &(struct change){.seq = txn_seq(t),
					.origin = c->origin,
					.table = table,
					.dropped = true});
}

void
table_altered(struct txn *t, struct call *c, struct slice table, uint64_t seq)
{
	txn_publish(t, &(struct change){
			       .seq = seq, .origin = c->origin, .table = table, .altered = true});
}

static struct totals
totals_of(const struct record_counts *n)
{
	return (struct totals){n->items, n->item_bytes, n->partitions};
}

/* Set @out to @s with @totals: those of the table, then those of its indexes. */
static void
table_info(const struct schema *s, const struct totals *totals, struct table_info *out)
{
	*out = (struct table_info){
		.schema = s,
		.totals = totals[0],
		.index_totals = totals + 1,
		.status = table_status(s),
	};
}

int
table_describe(struct txn *t, struct call *c, const struct schema *s, struct table_info *out)
{
	struct totals *totals = arena_new(&c->arena, struct totals, s->n_index + 1);
	int r = 0;

	for (size_t i = 0; i <= s->n_index && r == 0; i++) {
		const struct index *ix = i == 0 ? NULL : &s->index[i - 1];
		struct record_counts n = {0};

		r = txn_counts(t, c, keyspace_head(&c->arena, KEYSPACE_TOTALS, s, ix), &n);
		totals[i] = totals_of(&n);
	}
	table_info(s, totals, out);
	return r;
}

/* ------------------------------------------------------------ DescribeTable, ListTables */

int
table_totals(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
	     const struct index *ix, struct totals *out)
{
	struct slice key = keyspace_head(&c->arena, KEYSPACE_TOTALS, s, ix);
	struct buf record = {.arena = &c->arena};
	struct record_counts n = {0};
	int r = kv_get(l->kv, c, at, key, &record);

	if (r == 0) {
		r = record_counts_decode(c, buf_view(&record), &n);
	}
	*out = totals_of(&n);
	return r == KV_ABSENT ? 0 : r;
}

static int
describe_at(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
	    struct table_info *out)
{
	struct totals *totals = arena_new(&c->arena, struct totals, s->n_index + 1);
	struct backfill_mark mark = {0};
	int r = 0;

	for (size_t i = 0; i <= s->n_index && r == 0; i++) {
		r = table_totals(l, c, at, s, i == 0 ? NULL : &s->index[i - 1], &totals[i]);
	}
	if (r == 0 && schema_busy(s) != NULL) {
		r = backfill_mark(l, c, at, s, schema_busy(s), &mark);
	}
	table_info(s, totals, out);
	out->backfilled = mark.items;
	return r;
}

static struct slice
latest_stream(struct call *c, const struct schema *s)
{
	struct buf arn = {.arena = &c->arena};

	if (s->stream.label_ms != 0) {
		stream_arn_put(&arn, c->region, s->table, s->stream.label_ms);
	}
	return buf_view(&arn);
}

int
local_exec_describe_table(struct local *l, struct call *c, const struct describe_table_in *in,
			  struct describe_table_out *out)
{
	const struct schema *s = catalog_get(l->catalog, c, in->table);
	struct table_info table = {0};

	if (s == NULL) {
		return fail_no_table(c, in->table);
	}
	cleanup(kv_view_close) struct kv_view view = kv_view_open(l->kv);
	int r = describe_at(l, c, view.at, s, &table);

	if (r == 0) {
		table.latest_stream = latest_stream(c, s);
		out->table = table;
	}
	return r;
}

int
local_exec_list_tables(struct local *l, struct call *c, const struct list_tables_in *in,
		       struct list_tables_out *out)
{
	size_t limit = in->limit == 0 ? LIMIT_LIST_TABLES : in->limit;
	struct slice *names = arena_new(&c->arena, struct slice, limit);
	const struct schema *s = catalog_next(l->catalog, c, in->start);
	size_t n = 0;

	for (; s != NULL && n < limit; s = catalog_next(l->catalog, c, s->table)) {
		names[n++] = s->table;
	}
	*out = (struct list_tables_out){
		.names = names,
		.n_names = n,
		.last = s == NULL ? slice_of(NULL, 0) : names[n - 1],
	};
	return 0;
}

/* ------------------------------------------------------------ DeleteTable */

struct deletion {
	struct local *local;
	struct slice table;
	bool even_creating;
	struct table_info info;
};

static int
tables_run_deletion(struct txn *t, struct call *c, void *arg)
{
	struct deletion *d = arg;
	const struct schema *s = catalog_get(d->local->catalog, c, d->table);

	if (s == NULL) {
		return fail_no_table(c, d->table);
	}
	if (s->creating && !d->even_creating) {
		return fail_in_use(c, s->table, "created");
	}
	if (s->protected) {
		return call_fail(c, ERR_VALIDATION,
				 "Resource cannot be deleted as it is currently protected against "
				 "deletion. Disable deletion protection first.");
	}
	if (schema_busy(s) != NULL) {
		return fail_in_use(c, s->table, "updated");
	}
	if (jobs_need(d->local->jobs, &(struct job_needs){.table = s->table})) {
		return fail_in_use(c, s->table, "backed up");
	}
	int r = table_describe(t, c, s, &d->info);

	if (r == 0) {
		r = stream_end(t, c, s);
	}
	if (r < 0) {
		return r;
	}
	d->info.status = TABLE_DELETING;
	txn_del(t, keyspace_name(&c->arena, KEYSPACE_TABLE, s->table));
	txn_put(t, tasks_dropped_key(&c->arena, s->id), s->table);
	table_publish(t, c, s->table);
	return 0;
}

static void
deletion_committed(void *arg)
{
	const struct deletion *d = arg;

	catalog_drop(d->local->catalog, d->info.schema->table);
	txn_table_ends(d->local->queue, d->info.schema->id);
	tasks_drop(d->local->tasks, d->info.schema->id);
}

static int
delete_table(struct local *l, struct call *c, struct deletion *d)
{
	d->local = l;
	return txn_run_last(l->queue, c, tables_run_deletion, deletion_committed, d);
}

int
table_give_up(struct local *l, struct call *c, struct slice table)
{
	return delete_table(l, c, &(struct deletion){.table = table, .even_creating = true});
}

int
local_exec_delete_table(struct local *l, struct call *c, const struct delete_table_in *in,
			struct delete_table_out *out)
{
	struct deletion d = {.table = in->table};
	int r = delete_table(l, c, &d);

	if (r == 0) {
		out->table = d.info;
	}
	return r;
}
