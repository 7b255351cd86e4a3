/* alter - alter_table() and UpdateTable */
#include "store/local/tables/alter.h"

#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/tables.h"
#include "store/local/write/stream.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

#define INVALID "One or more parameter values were invalid: "

struct altering {
	struct local *local;
	struct slice table;
	alter_fn *change;
	void *arg;
	bool completes;        /* the table is still being created, and is complete then */
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
	if (s->creating && !x->completes) {
		return fail_in_use(c, s->table, "created");
	}
	x->schema = schema_copy(&c->arena, s);
	int r = x->change(t, c, x->schema, x->arg);

	if (r < 0) {
		return r;
	}
	if (x->completes) {
		assert(s->creating);
		x->schema->creating = false;
		table_publish(t, c, s->table);
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
	catalog_replace(x->local->catalog, x->schema);
}

int
alter_complete(struct local *l, struct call *c, struct slice table, alter_fn *also, void *arg)
{
	struct altering x = {
		.local = l, .table = table, .change = also, .arg = arg, .completes = true};

	return txn_run_last(l->queue, c, alter_run, committed, &x);
}

int
alter_table(struct local *l, struct call *c, struct slice table, alter_fn *change, void *arg,
	    struct table_info *out)
{
	struct altering x = {.local = l, .table = table, .change = change, .arg = arg};
	int r = txn_run_last(l->queue, c, alter_run, committed, &x);

	if (r == 0 && out != NULL) {
		*out = x.info;
	}
	return r;
}

static struct index *
alter_index_find(struct schema *s, struct slice name)
{
	const struct index *ix = schema_index(s, name);

	return ix == NULL ? NULL : &s->index[ix - s->index];
}

/* ------------------------------------------------------------ UpdateTable: units of indexes */

/* @what, @name: "table" without a name, or "index" with one */
static int
keeps_units(struct call *c, const char *what, struct slice name, unsigned long long reads,
	    unsigned long long writes)
{
	return call_fail(
		c, ERR_VALIDATION,
		"The provisioned throughput for the %s%s%.*s will not change. The requested "
		"value equals the current value. Current ReadCapacityUnits provisioned "
		"for the %s: %llu. Requested ReadCapacityUnits: %llu. Current "
		"WriteCapacityUnits provisioned for the %s: %llu. Requested "
		"WriteCapacityUnits: %llu. Refer to the Amazon DynamoDB Developer Guide "
		"for current limits and how to request higher limits.",
		what, name.len == 0 ? "" : " ", SLICE_ARG(name), what, reads, reads, what, writes,
		writes);
}

static int
needs_units(struct call *c, struct slice names)
{
	return call_fail(c, ERR_VALIDATION,
			 INVALID "ProvisionedThroughput must be specified for index: %.*s",
			 SLICE_ARG(names));
}

/* An index must have units if and only if the table is provisioned. */
static int
alter_index_check_units(struct call *c, const struct schema *s, const struct index *ix)
{
	if (s->provisioned == (ix->read_units != 0)) {
		return 0;
	}
	if (s->provisioned) {
		return needs_units(c, ix->name);
	}
	return call_fail(c, ERR_VALIDATION,
			 INVALID "ProvisionedThroughput should not be specified for index: %.*s "
				 "when BillingMode is PAY_PER_REQUEST",
			 SLICE_ARG(ix->name));
}

static bool
updates(const struct update_table_in *in, struct slice name)
{
	for (size_t i = 0; i < in->n_changes; i++) {
		if (in->changes[i].kind == INDEX_UPDATE &&
		    slice_eq(in->changes[i].index.name, name)) {
			return true;
		}
	}
	return false;
}

/* A request that makes the table provisioned must give units for each global index. */
static int
check_turn(struct call *c, struct schema *s, const struct update_table_in *in)
{
	struct buf names = {.arena = &c->arena};

	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].global && !updates(in, s->index[i].name)) {
			buf_str(&names, names.len == 0 ? "" : ",");
			buf_slice(&names, s->index[i].name);
		}
	}
	return names.len == 0 ? 0 : needs_units(c, buf_view(&names));
}

/* Set WarmThroughput of the table (@ix NULL) or of its GSI @ix; 0 keeps the present value. */
static int
alter_warm(struct call *c, struct schema *s, struct index *ix, const struct warm *asked)
{
	struct warm *warm = ix == NULL ? &s->warm : &ix->warm;
	int r = schema_check_warm(
		c, *asked, schema_warm(s, ix), ix == NULL ? SLICE("") : ix->name,
		"current WarmThroughput, decreasing WarmThroughput is not supported");

	if (r == 0) {
		warm->reads = asked->reads == 0 ? warm->reads : asked->reads;
		warm->writes = asked->writes == 0 ? warm->writes : asked->writes;
	}
	return r;
}

static int
alter_index_fail_no_index(struct call *c, const struct schema *s, struct slice name)
{
	return call_fail(c, ERR_NO_TABLE, "Requested resource not found: Index %.*s for table %.*s",
			 SLICE_ARG(name), SLICE_ARG(s->table));
}

/* The index does not exist.  Units above the limit get a message of their own, which takes precedence. */
static int
fail_update(struct call *c, const struct schema *s, const struct index *to)
{
	return to->read_units <= LIMIT_UNITS && to->write_units <= LIMIT_UNITS
		       ? alter_index_fail_no_index(c, s, to->name)
		       : call_fail(c, ERR_VALIDATION,
				   "This operation cannot be performed with given input values. "
				   "Please contact DynamoDB service team for more info: Action "
				   "Blocked: IndexUpdate");
}

static int
change_update(struct call *c, struct schema *s, const struct index *to)
{
	struct index *ix = alter_index_find(s, to->name);

	if (ix == NULL) {
		return fail_update(c, s, to);
	}
	if (!ix->global) {
		return call_fail(c, ERR_VALIDATION,
				 "Cannot update an index that is not a GlobalSecondaryIndex: %.*s",
				 SLICE_ARG(to->name));
	}
	bool others = to->on_demand.given || to->warm.reads != 0 || to->warm.writes != 0;

	if (to->on_demand.given) {
		ix->on_demand = to->on_demand;
	}
	int r = alter_warm(c, s, ix, &to->warm);

	if (r < 0 || (others && to->read_units == 0)) {
		return r;
	}
	r = schema_check_units(c, to->read_units, to->write_units, to->name);
	r = r < 0 ? r : alter_index_check_units(c, s, to);
	if (r == 0 && ix->read_units == to->read_units && ix->write_units == to->write_units) {
		r = keeps_units(c, "index", ix->name, to->read_units, to->write_units);
	}
	ix->read_units = to->read_units;
	ix->write_units = to->write_units;
	return r;
}

/* ------------------------------------------------------------ UpdateTable: a new index */

/* A key attribute must keep its type.  Definitions of attributes that are not in the new key are not compared. */
static int
alter_index_check_types(struct call *c, const struct schema *s, const struct update_table_in *in,
			const struct index *added)
{
	for (size_t i = 0; i < in->n_definitions; i++) {
		const struct key_attr *a = &in->definitions[i];
		const struct key_attr *was = schema_key_attr(s, a->name);

		if (key_schema_has(&added->key, a->name) && was != NULL && was->type != a->type) {
			return call_fail(c, ERR_VALIDATION,
					 "invalid attribute, SchemaElement redefined should be of "
					 "same type as previously defined");
		}
	}
	return 0;
}

static int
change_create(struct call *c, struct schema *s, const struct update_table_in *in,
	      const struct index *added)
{
	struct index *all = arena_new(&c->arena, struct index, s->n_index + 1);

	if (schema_index(s, added->name) != NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "Attempting to create an index which already exists");
	}
	if (s->next_index == UINT16_MAX) {
		return call_fail(c, ERR_LIMIT,
				 "A table can have at most %u indexes in its lifetime",
				 UINT16_MAX - 1);
	}
	for (size_t i = 0; i < s->n_index; i++) {
		all[i] = s->index[i];
	}
	all[s->n_index] = *added;
	all[s->n_index].global = true;
	all[s->n_index].state = INDEX_CREATING;
	all[s->n_index].id = s->next_index++;
	s->index = all;
	s->n_index++;
	int r = alter_index_check_types(c, s, in, added);

	if (r == 0) {
		r = alter_index_check_units(c, s, added);
	}
	return r < 0 ? r : schema_check(c, s);
}

/* ------------------------------------------------------------ UpdateTable: an index dropped */

static int
change_delete(struct txn *t, struct call *c, struct schema *s, struct slice name)
{
	struct index *ix = alter_index_find(s, name);

	if (ix == NULL) {
		return alter_index_fail_no_index(c, s, name);
	}
	if (!ix->global) {
		return call_fail(c, ERR_VALIDATION,
				 "Cannot delete an index that is not a GlobalSecondaryIndex: %.*s",
				 SLICE_ARG(name));
	}
	if (ix->state == INDEX_CREATING) {
		return call_fail(c, ERR_TABLE_CHANGING,
				 "Attempt to change a resource which is still in use: Index is "
				 "being created.");
	}
	txn_del(t, keyspace_head(&c->arena, KEYSPACE_BACKFILL, s, ix));
	ix->state = INDEX_DELETING;
	return 0;
}

/* ------------------------------------------------------------ UpdateTable: all changes of indexes */

/* While an index is being added or dropped, the only change allowed is to drop the index that is being added. */
static int
check_idle(struct call *c, const struct schema *s, const struct update_table_in *in)
{
	const struct index *busy = schema_busy(s);

	if (busy == NULL ||
	    (in->n_changes == 1 && in->changes[0].kind == INDEX_DELETE &&
	     busy->state != INDEX_DELETING && slice_eq(in->changes[0].index.name, busy->name))) {
		return 0;
	}
	return fail_in_use(c, s->table, "updated");
}

/*
 * Apply GlobalSecondaryIndexUpdates; index_job.c does the background work that follows.
 * @s: already has its new billing mode; @was_provisioned: the old one
 * Source: BEHAVIOUR 4.3, 4.6
 */
static int
alter_indexes(struct txn *t, struct call *c, struct schema *s, bool was_provisioned,
	      const struct update_table_in *in)
{
	int r = check_idle(c, s, in);

	if (r == 0 && s->provisioned && !was_provisioned) {
		r = check_turn(c, s, in);
	}
	for (size_t i = 0; i < s->n_index && !s->provisioned; i++) {
		s->index[i].read_units = 0;
		s->index[i].write_units = 0;
	}
	for (size_t i = 0; i < in->n_changes && r == 0; i++) {
		const struct index_change *ch = &in->changes[i];

		switch (ch->kind) {
		case INDEX_UPDATE:
			r = change_update(c, s, &ch->index);
			break;
		case INDEX_CREATE:
			r = change_create(c, s, in, &ch->index);
			break;
		case INDEX_DELETE:
			r = change_delete(t, c, s, ch->index.name);
			break;
		}
	}
	return r;
}

/* ------------------------------------------------------------ UpdateTable */

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
		return keeps_units(c, "table", SLICE(""), s->read_units, s->write_units);
	}
	s->read_units = in->read_units;
	s->write_units = in->write_units;
	return 0;
}

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
	const struct update_table_in *in = arg;
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

int
local_exec_update_table(struct local *l, struct call *c, const struct update_table_in *in,
			struct update_table_out *out)
{
	struct update_table_in copy = *in;
	int r = alter_table(l, c, in->table, alter_change, &copy, &out->table);

	if (r == 0) {
		tasks_index(l->tasks, out->table.schema);
	}
	return r;
}
