/*
 * tables - CreateTable, DescribeTable, ListTables, DeleteTable
 *
 * Changes go through the queue and end their group; the catalog follows at the
 * commit, so nothing that was bound to the old state slips in behind it.
 */
#include "store/local/tables.h"

#include <endian.h>

#include "store/local/backfill.h"
#include "store/local/catalog_int.h"
#include "store/local/chores.h"
#include "store/local/definition.h"
#include "store/local/keyspace.h"
#include "store/local/stream.h"
#include "store/model/arn.h"
#include "store/model/limits.h"

#define INVALID "One or more parameter values were invalid: "

static const char next_table_key[] = {KEYSPACE_META, 'n', 'e', 'x', 't', '-',
				      't',           'a', 'b', 'l', 'e'};

int
fail_no_table(struct call *c, struct slice table)
{
	struct slice name = arn_table(table);

	return call_fail(c, ERR_NO_TABLE, "Requested resource not found: Table: %.*s not found",
			 SLICE_ARG(name));
}

int
fail_in_use(struct call *c, struct slice table, const char *doing)
{
	return call_fail(c, ERR_TABLE_IN_USE,
			 "Attempt to change a resource which is still in use: Table is being %s: "
			 "%.*s",
			 doing, SLICE_ARG(table));
}

static enum table_status
status_of(const struct schema *s)
{
	return s->creating              ? TABLE_CREATING
	       : schema_busy(s) == NULL ? TABLE_ACTIVE
					: TABLE_UPDATING;
}

static struct slice
totals_key(struct call *c, const struct schema *s, const struct index *ix)
{
	struct buf key;

	buf_init(&key, &c->arena);
	keyspace_totals(&key, s, ix);
	return buf_view(&key);
}

void
table_write(struct txn *t, struct call *c, const struct schema *s)
{
	struct buf key;
	struct buf bytes;

	buf_init(&key, &c->arena);
	buf_init(&bytes, &c->arena);
	catalog_key(&key, s->table);
	definition_encode(&bytes, s);
	txn_put(t, buf_view(&key), buf_view(&bytes));
}

static void
publish(struct txn *t, struct call *c, struct change ch)
{
	ch.seq = txn_seq(t);
	ch.origin = c->origin;
	txn_publish(t, &ch);
}

void
table_publish(struct txn *t, struct call *c, struct slice table)
{
	publish(t, c, (struct change){.table = table, .dropped = true});
}

void
table_altered(struct txn *t, struct call *c, struct slice table)
{
	publish(t, c, (struct change){.table = table, .altered = true});
}

int
table_describe(struct txn *t, struct call *c, const struct schema *s, struct table_info *out)
{
	struct totals *index = arena_new(&c->arena, struct totals, s->n_index);
	int r = txn_totals(t, c, totals_key(c, s, NULL), &out->totals);

	for (size_t i = 0; i < s->n_index && r == 0; i++) {
		r = txn_totals(t, c, totals_key(c, s, &s->index[i]), &index[i]);
	}
	out->schema = s;
	out->status = status_of(s);
	out->index_totals = index;
	return r;
}

/* ------------------------------------------------------------ CreateTable: the definitions */

static bool
key_uses(const struct key_schema *k, struct slice name, enum value_type *type)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *a = key_slot(k, i);

		if (a->name.len > 0 && slice_eq(a->name, name)) {
			*type = a->type;
			return true;
		}
	}
	return false;
}

bool
table_uses(const struct schema *s, struct slice name, enum value_type *type)
{
	bool used = key_uses(&s->key, name, type);

	for (size_t i = 0; i < s->n_index && !used; i++) {
		used = key_uses(&s->index[i].key, name, type);
	}
	return used;
}

/* "a, b" of the definitions. */
static const char *
defined_names(struct call *c, const struct create_table_in *in)
{
	struct buf names;

	buf_init(&names, &c->arena);
	for (size_t i = 0; i < in->n_definitions; i++) {
		buf_str(&names, i == 0 ? "" : ", ");
		buf_slice(&names, in->definitions[i].name);
	}
	buf_char(&names, '\0');
	return names.at;
}

static bool
is_defined(const struct create_table_in *in, struct slice name)
{
	for (size_t i = 0; i < in->n_definitions; i++) {
		if (slice_eq(in->definitions[i].name, name)) {
			return true;
		}
	}
	return name.len == 0;
}

static int
check_definition(struct call *c, const struct create_table_in *in, size_t i)
{
	struct slice name = in->definitions[i].name;
	enum value_type type = in->definitions[i].type;

	for (size_t k = 0; k < i; k++) {
		if (slice_eq(in->definitions[k].name, name)) {
			return call_fail(c, ERR_VALIDATION,
					 "Cannot have two attributes with the same name");
		}
	}
	if (!table_uses(in->schema, name, &type)) {
		return in->schema->n_index == 0
			       ? call_fail(c, ERR_VALIDATION,
					   INVALID "Number of attributes in KeySchema does not "
						   "exactly match number of attributes defined in "
						   "AttributeDefinitions")
			       : call_fail(c, ERR_VALIDATION,
					   INVALID "Some AttributeDefinitions are not used. "
						   "AttributeDefinitions: [%s], not used: [%.*s]",
					   defined_names(c, in), SLICE_ARG(name));
	}
	if (type != in->definitions[i].type) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "Type of key attribute %.*s is not the one in "
					 "AttributeDefinitions",
				 SLICE_ARG(name));
	}
	return 0;
}

static int
check_key_defined(struct call *c, const struct create_table_in *in, const struct key_schema *k)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		struct slice name = key_slot(k, i)->name;

		if (!is_defined(in, name)) {
			return call_fail(c, ERR_VALIDATION,
					 INVALID "Some index key attributes are not defined in "
						 "AttributeDefinitions. Keys: [%.*s], "
						 "AttributeDefinitions: [%s]",
					 SLICE_ARG(name), defined_names(c, in));
		}
	}
	return 0;
}

/* Source: behaviour list 1.14 */
static int
check_definitions(struct call *c, const struct create_table_in *in)
{
	if (in->n_definitions == 0) {
		return 0;
	}
	int r = check_key_defined(c, in, &in->schema->key);

	for (size_t i = 0; i < in->schema->n_index && r == 0; i++) {
		r = check_key_defined(c, in, &in->schema->index[i].key);
	}
	for (size_t i = 0; i < in->n_definitions && r == 0; i++) {
		r = check_definition(c, in, i);
	}
	return r;
}

/* ------------------------------------------------------------ CreateTable */

struct creation {
	struct local *local;
	struct schema *schema;
};

/* Ids are never used again: the next one is kept apart from the tables. */
static int
next_table_id(struct txn *t, struct call *c, uint32_t *id)
{
	struct slice key = slice_of(next_table_key, sizeof(next_table_key));
	struct slice record;
	struct buf next;
	int r = txn_get(t, c, key, &record);

	if (r < 0) {
		return r;
	}
	*id = 1;
	if (r == 0) {
		if (record.len != sizeof(*id)) {
			return call_fail(c, ERR_CORRUPT, "the number of the next table is not one");
		}
		memcpy(id, record.at, sizeof(*id));
		*id = be32toh(*id);
	}
	buf_init(&next, &c->arena);
	buf_u32be(&next, *id + 1);
	txn_put(t, key, buf_view(&next));
	return 0;
}

static int
run_creation(struct txn *t, struct call *c, void *arg)
{
	struct creation *cr = arg;
	struct schema *s = cr->schema;

	if (catalog_get(cr->local->catalog, c, s->table) != NULL) {
		return call_fail(c, ERR_TABLE_IN_USE, "Table already exists: %.*s",
				 SLICE_ARG(s->table));
	}
	int r = next_table_id(t, c, &s->id);

	if (r < 0) {
		return r;
	}
	table_publish(t, c, s->table);
	r = stream_begin(t, c, s);
	if (r == 0) {
		table_write(t, c, s);
	}
	return r;
}

static void
creation_committed(void *arg)
{
	struct creation *cr = arg;

	catalog_add(cr->local->catalog, cr->schema);
	txn_table_begins(cr->local->queue, cr->schema->id);
}

/* Those without units of their own have the table's. */
static void
number_indexes(struct schema *s)
{
	s->next_index = 1;
	for (size_t i = 0; i < s->n_index; i++) {
		struct index *ix = &s->index[i];

		ix->id = s->next_index++;
		ix->state = INDEX_ACTIVE;
		if (!s->provisioned || (ix->global && ix->read_units == 0)) {
			ix->read_units = s->read_units;
			ix->write_units = s->write_units;
		}
	}
}

int
table_create(struct local *l, struct call *c, const struct schema *s, struct table_info *out)
{
	struct creation cr = {.local = l, .schema = schema_copy(&c->arena, s)};

	cr.schema->version = 1;
	cr.schema->created_ms = c->now_ms;
	cr.schema->stream = (struct stream_setting){.view = s->stream.view};
	cr.schema->on_demand_ms = cr.schema->provisioned ? 0 : c->now_ms;
	number_indexes(cr.schema);
	int r = txn_run_last(l->queue, c, run_creation, creation_committed, &cr);

	if (r < 0) {
		return r;
	}
	*out = (struct table_info){
		.schema = cr.schema,
		.status = status_of(cr.schema),
		.index_totals = arena_new(&c->arena, struct totals, cr.schema->n_index),
	};
	return 0;
}

int
local_exec_create_table(struct local *l, struct call *c, const struct create_table_in *in,
			struct create_table_out *out)
{
	struct schema s = *in->schema;

	s.table = arn_table(s.table);
	int r = schema_check(c, &s);

	if (r == 0) {
		r = check_definitions(c, in);
	}
	return r < 0 ? r : table_create(l, c, &s, &out->table);
}

/* ------------------------------------------------------------ DescribeTable, ListTables */

static int
read_totals(struct local *l, struct call *c, struct kv_snapshot *at, struct slice key,
	    struct totals *out)
{
	struct buf record;

	*out = (struct totals){0};
	buf_init(&record, &c->arena);
	int r = kv_get(l->kv, c, at, key, &record);

	if (r == 0) {
		r = record_totals_decode(c, buf_view(&record), out);
	}
	return r == KV_ABSENT ? 0 : r;
}

static int
describe_at(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
	    struct table_info *out)
{
	struct totals *index = arena_new(&c->arena, struct totals, s->n_index);
	struct backfill_mark mark = {0};
	int r = read_totals(l, c, at, totals_key(c, s, NULL), &out->totals);

	for (size_t i = 0; i < s->n_index && r == 0; i++) {
		r = read_totals(l, c, at, totals_key(c, s, &s->index[i]), &index[i]);
	}
	if (r == 0 && schema_busy(s) != NULL) {
		r = backfill_mark(l, c, at, s, schema_busy(s), &mark);
	}
	out->schema = s;
	out->status = status_of(s);
	out->index_totals = index;
	out->backfilled = mark.items;
	return r;
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
	struct kv_snapshot *at = l->kv->ops->snapshot_new(l->kv);
	int r = describe_at(l, c, at, s, &table);

	l->kv->ops->snapshot_free(l->kv, at);
	if (r == 0) {
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
run_deletion(struct txn *t, struct call *c, void *arg)
{
	struct deletion *d = arg;
	const struct schema *s = catalog_get(d->local->catalog, c, d->table);
	struct buf key;
	struct buf mark;

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
	int r = table_describe(t, c, s, &d->info);

	if (r == 0) {
		r = stream_end(t, c, s);
	}
	if (r < 0) {
		return r;
	}
	d->info.status = TABLE_DELETING;
	buf_init(&key, &c->arena);
	buf_init(&mark, &c->arena);
	catalog_key(&key, s->table);
	chores_dropped_key(&mark, s->id);
	txn_del(t, buf_view(&key));
	txn_put(t, buf_view(&mark), s->table);
	table_publish(t, c, s->table);
	return 0;
}

static void
deletion_committed(void *arg)
{
	const struct deletion *d = arg;

	catalog_drop(d->local->catalog, d->info.schema->table);
	txn_table_ends(d->local->queue, d->info.schema->id);
	chores_drop(d->local->chores, d->info.schema->id);
}

static int
delete_table(struct local *l, struct call *c, struct deletion *d)
{
	d->local = l;
	return txn_run_last(l->queue, c, run_deletion, deletion_committed, d);
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
