/* alter - alter_table() and UpdateTable */
#include "store/local/tables/alter.h"

#include <assert.h>

#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/catalog_int.h"
#include "store/local/tables/alter_index.h"
#include "store/local/tables/tables.h"
#include "store/local/write/stream.h"
#include "store/model/schema.h"

struct altering {
	struct local *local;
	struct slice table;
	const struct alteration *alteration;
	struct schema *schema; /* set by alter_run() */
	struct table_info info;
};

static int
alter_run(struct txn *t, struct call *c, void *arg)
{
	struct altering *x = arg;
	const struct schema *s = catalog_get(x->local->catalog, c, x->table);

	if (s == NULL) {
		return fail_no_table(c, x->table);
	}
	if (s->creating && !x->alteration->even_creating) {
		return fail_in_use(c, s->table, "created");
	}
	x->schema = schema_copy(&c->arena, s);
	int r = x->alteration->change(t, c, x->schema, x->alteration->arg);

	if (r < 0) {
		return r;
	}
	x->schema->version++;
	table_write(t, c, x->schema);
	return table_describe(t, c, x->schema, &x->info);
}

static void
committed(void *arg)
{
	const struct altering *x = arg;

	assert(x->schema != NULL);

	const struct schema *s = catalog_replace(x->local->catalog, x->schema);

	if (x->alteration->committed != NULL) {
		x->alteration->committed(s, x->alteration->arg);
	}
}

int
alter_table(struct local *l, struct call *c, struct slice table, const struct alteration *a,
	    struct table_info *out)
{
	struct altering x = {.local = l, .table = table, .alteration = a};
	int r = txn_run_last(l->queue, c, alter_run, committed, &x);

	if (r == 0 && out != NULL) {
		*out = x.info;
	}
	return r;
}

/* ------------------------------------------------------------ UpdateTable */

static int
keeps_units(struct call *c, const struct schema *s)
{
	unsigned long long reads = s->read_units;
	unsigned long long writes = s->write_units;

	return call_fail(c, ERR_VALIDATION,
			 "The provisioned throughput for the table will not change. The requested "
			 "value equals the current value. Current ReadCapacityUnits provisioned "
			 "for the table: %llu. Requested ReadCapacityUnits: %llu. Current "
			 "WriteCapacityUnits provisioned for the table: %llu. Requested "
			 "WriteCapacityUnits: %llu. Refer to the Amazon DynamoDB Developer Guide "
			 "for current limits and how to request higher limits.",
			 reads, reads, writes, writes);
}

static int
change_billing(struct call *c, struct schema *s, const struct update_table_in *in)
{
	bool was = s->provisioned;

	s->provisioned = in->billing == BILLING_KEPT ? was : in->billing == BILLING_PROVISIONED;
	if (s->provisioned ? in->read_units == 0 && !was : in->read_units != 0) {
		return fail_billing(c, s->provisioned);
	}
	if (!s->provisioned) {
		s->on_demand_ms = was ? c->now_ms : s->on_demand_ms;
		s->read_units = 0;
		s->write_units = 0;
		return 0;
	}
	if (in->read_units == 0) {
		return 0;
	}
	if (was && in->read_units == s->read_units && in->write_units == s->write_units) {
		return keeps_units(c, s);
	}
	s->read_units = in->read_units;
	s->write_units = in->write_units;
	return 0;
}

struct update {
	struct local *local;
	const struct update_table_in *in;
};

static int
alter_change_stream(struct txn *t, struct call *c, struct schema *s,
		    const struct update_table_in *in)
{
	if (in->stream == NULL) {
		return 0;
	}
	if (*in->stream != STREAM_NONE && s->stream.view != STREAM_NONE) {
		return call_fail(c, ERR_VALIDATION,
				 "Table already has an enabled stream: TableName: %.*s",
				 SLICE_ARG(s->table));
	}
	if (*in->stream == STREAM_NONE && s->stream.view == STREAM_NONE) {
		return call_fail(c, ERR_VALIDATION,
				 "Table has no stream to disable: TableName: %.*s",
				 SLICE_ARG(s->table));
	}
	int r = stream_end(t, c, s);

	s->stream.view = *in->stream;
	if (r == 0) {
		r = stream_begin(t, c, s);
	}
	if (r == 0) {
		table_altered(t, c, s->table, txn_newest(t));
	}
	return r;
}

/* The warm throughput of a table never decreases. */
static int
change_warm(struct call *c, struct schema *s, struct warm before, const struct warm *asked)
{
	struct warm now = schema_warm(s, NULL);

	s->warm.reads = now.reads < before.reads ? before.reads : s->warm.reads;
	s->warm.writes = now.writes < before.writes ? before.writes : s->warm.writes;
	return asked == NULL ? 0 : alter_warm(c, s, NULL, asked);
}

static void
change_class(const struct call *c, struct schema *s, const enum table_class *table_class)
{
	if (table_class == NULL) {
		return;
	}
	if ((*table_class == CLASS_INFREQUENT_ACCESS) !=
	    (s->table_class == CLASS_INFREQUENT_ACCESS)) {
		s->class_ms = c->now_ms;
	}
	s->table_class = *table_class;
}

static int
alter_change(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct update_table_in *in = ((struct update *)arg)->in;
	bool was_provisioned = s->provisioned;
	struct warm before = schema_warm(s, NULL);
	int r = change_billing(c, s, in);

	if (r == 0) {
		r = alter_indexes(t, c, s, was_provisioned, in);
	}
	if (r == 0) {
		r = change_warm(c, s, before, in->warm);
	}
	if (r == 0 && in->n_changes > 0) {
		table_altered(t, c, s->table, txn_seq(t));
	}
	s->protected = in->protect == NULL ? s->protected : *in->protect;
	change_class(c, s, in->table_class);
	s->on_demand = in->on_demand == NULL ? s->on_demand : *in->on_demand;
	s->encryption = in->encryption == NULL ? s->encryption : *in->encryption;
	schema_settle(s);
	s->throttle = in->throttle == NULL ? s->throttle : *in->throttle;
	if (in->collection_limit != NULL) {
		s->collection_limit = *in->collection_limit;
	}
	return r < 0 ? r : alter_change_stream(t, c, s, in);
}

static void
updated(const struct schema *s, void *arg)
{
	const struct update *u = arg;

	tasks_index(u->local->tasks, s);
}

int
local_exec_update_table(struct local *l, struct call *c, const struct update_table_in *in,
			struct update_table_out *out)
{
	struct update u = {l, in};

	return alter_table(
		l, c, in->table,
		&(struct alteration){.change = alter_change, .committed = updated, .arg = &u},
		&out->table);
}
