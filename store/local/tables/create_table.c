/* create_table - CreateTable: checks of the definition; ids that no table had before */
#include "store/base/text/sha256.h"
#include "store/local/commit/txn.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/tables.h"
#include "store/local/write/stream.h"
#include "store/model/arn.h"
#include "store/model/schema.h"

#define INVALID "One or more parameter values were invalid: "

static const char next_table_key[] = {KEYSPACE_META, 'n', 'e', 'x', 't', '-',
				      't',           'a', 'b', 'l', 'e'};

/* ------------------------------------------------------------ the definitions */

/* Names of the definitions as "a, b"; @used: only those of key attributes. */
static const char *
defined_names(struct call *c, const struct create_table_in *in, bool used)
{
	struct buf names = {.arena = &c->arena};

	for (size_t i = 0; i < in->n_definitions; i++) {
		if (!used || schema_key_attr(in->schema, in->definitions[i].name) != NULL) {
			buf_str(&names, names.len == 0 ? "" : ", ");
			buf_slice(&names, in->definitions[i].name);
		}
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
	const struct key_attr *used = schema_key_attr(in->schema, name);

	if (used == NULL) {
		return in->schema->n_index == 0
			       ? call_fail(c, ERR_VALIDATION,
					   INVALID "Number of attributes in KeySchema does not "
						   "exactly match number of attributes defined in "
						   "AttributeDefinitions")
			       : call_fail(c, ERR_VALIDATION,
					   INVALID "Some AttributeDefinitions are not used. "
						   "AttributeDefinitions: [%s], keys used: [%s]",
					   defined_names(c, in, false), defined_names(c, in, true));
	}
	if (used->type != in->definitions[i].type) {
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
					 SLICE_ARG(name), defined_names(c, in, false));
		}
	}
	return 0;
}

/* Source: BEHAVIOUR 1.14 */
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
	if (r == 0) {
		r = schema_check_definitions(c, in->definitions, in->n_definitions);
	}
	for (size_t i = 0; i < in->n_definitions && r == 0; i++) {
		r = check_definition(c, in, i);
	}
	return r;
}

/* ------------------------------------------------------------ the table */

enum { UUID_BYTES = 16 };

struct creation {
	struct local *local;
	struct schema *schema;
	table_before_fn *before;
	void *arg;
};

/* Ids are never reused: the next one is stored under a key of its own. */
static int
next_table_id(struct txn *t, struct call *c, uint32_t *id)
{
	struct slice key = slice_of(next_table_key, sizeof(next_table_key));
	struct slice record;
	struct buf next = {.arena = &c->arena};
	int r = txn_get(t, c, key, &record);

	if (r < 0) {
		return r;
	}
	*id = 1;
	if (r == 0) {
		if (record.len != sizeof(*id)) {
			return call_fail(c, ERR_CORRUPT,
					 "the record of the next table's number is damaged");
		}
		*id = (uint32_t)slice_be(record);
	}
	buf_u32be(&next, *id + 1);
	txn_put(t, key, buf_view(&next));
	return 0;
}

/*
 * A UUID in the form of a random one.  It is a hash of the table's id, time and name, so that the same
 * requests at the same times make the same store.
 */
static struct slice
make_uuid(struct call *c, const struct schema *s)
{
	uint8_t d[SHA256_BYTES];
	struct buf b = {.arena = &c->arena};

	buf_u32be(&b, s->id);
	buf_u64be(&b, s->created_ms);
	buf_slice(&b, s->table);
	sha256(buf_view(&b), d);
	d[6] = (uint8_t)((d[6] & 0x0f) | 0x40);
	d[8] = (uint8_t)((d[8] & 0x3f) | 0x80);
	buf_clear(&b);
	for (size_t i = 0; i < UUID_BYTES; i++) {
		buf_fmt(&b, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", d[i]);
	}
	return buf_view(&b);
}

static int
create_table_run_creation(struct txn *t, struct call *c, void *arg)
{
	struct creation *cr = arg;
	struct schema *s = cr->schema;
	int r = next_table_id(t, c, &s->id);

	if (r == 0) {
		s->uuid = make_uuid(c, s);
		r = cr->before == NULL ? 0 : cr->before(t, c, s, cr->arg);
	}
	if (r != 0) {
		return r;
	}
	if (catalog_get(cr->local->catalog, c, s->table) != NULL) {
		return call_fail(c, ERR_TABLE_IN_USE, "Table already exists: %.*s",
				 SLICE_ARG(s->table));
	}
	table_publish(t, c, s->table);
	r = stream_begin(t, c, s);
	if (r == 0) {
		table_write(t, c, s);
	}
	return r;
}

static void
create_table_creation_committed(void *arg)
{
	struct creation *cr = arg;

	catalog_add(cr->local->catalog, cr->schema);
	txn_table_begins(cr->local->queue, cr->schema->id);
}

/* Set ids, states and units; indexes without units of their own get those of the table. */
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
table_create(struct local *l, struct call *c, const struct schema *s, table_before_fn *before,
	     void *arg, struct table_info *out)
{
	struct creation cr = {l, schema_copy(&c->arena, s), before, arg};

	cr.schema->version = 1;
	cr.schema->created_ms = c->now_ms;
	cr.schema->stream = (struct stream_setting){.view = s->stream.view};
	schema_settle(cr.schema);
	cr.schema->class_ms = 0;
	cr.schema->on_demand_ms = cr.schema->provisioned ? 0 : c->now_ms;
	number_indexes(cr.schema);
	int r = txn_run_last(l->queue, c, create_table_run_creation,
			     create_table_creation_committed, &cr);

	if (r != 0) {
		return r;
	}
	*out = (struct table_info){
		.schema = cr.schema,
		.status = table_status(cr.schema),
		.index_totals = arena_new(&c->arena, struct totals, cr.schema->n_index),
	};
	return 0;
}

int
table_check(struct call *c, const struct create_table_in *in, struct schema *out)
{
	*out = *in->schema;
	out->table = arn_table(out->table);
	int r = schema_check(c, out);

	return r < 0 ? r : check_definitions(c, in);
}

int
local_exec_create_table(struct local *l, struct call *c, const struct create_table_in *in,
			struct create_table_out *out)
{
	struct schema s;
	int r = table_check(c, in, &s);

	return r < 0 ? r : table_create(l, c, &s, NULL, NULL, &out->table);
}
