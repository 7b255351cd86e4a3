/*
 * codec_table - the requests of CreateTable, DescribeTable and DeleteTable; ListTables
 *
 * The TableDescription in the other answers is in codec_describe.c.
 */
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

#define INVALID "One or more parameter values were invalid: "

/* ------------------------------------------------------------ a new table in a request */

int
codec_unpack_mode(struct call *c, enum billing_change mode, const struct codec_units *units)
{
	if (units->given == (mode == BILLING_ON_DEMAND)) {
		return fail_billing(c, mode != BILLING_ON_DEMAND);
	}
	return schema_check_units(c, units->reads, units->writes, SLICE(""));
}

static int
codec_unpack_table_key(struct call *c, const struct codec_new_table *t, struct schema *s)
{
	if (t->key.n > t->definitions.n) {
		return call_fail(c, ERR_VALIDATION,
				 "Invalid KeySchema: Some index key attribute have no definition");
	}
	int status = codec_unpack_key(c, &t->key, &t->definitions, false, &s->key);

	if (status == 0) {
		status = schema_check_definitions(c, t->definitions.at, t->definitions.n);
	}
	if (status == 0 && !t->indexes[0].given && !t->indexes[1].given &&
	    t->key.n != t->definitions.n) {
		status = call_fail(c, ERR_VALIDATION,
				   INVALID "Number of attributes in KeySchema does not exactly "
					   "match number of attributes defined in "
					   "AttributeDefinitions");
	}
	return status;
}

/* Check that a GSI has units exactly if the table has.  In a file they may be omitted; the table's apply then. */
static int
codec_unpack_index_units(struct codec_reader *r, const struct codec_index *ix, bool provisioned)
{
	struct call *c = r->c;

	if (ix->units.given && !provisioned) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "ProvisionedThroughput should not be specified for index: "
					 "%.*s when BillingMode is PAY_PER_REQUEST",
				 SLICE_ARG(ix->of.name));
	}
	if (!ix->units.given && provisioned && !r->file) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "ProvisionedThroughput must be specified for index: %.*s",
				 SLICE_ARG(ix->of.name));
	}
	return schema_check_units(c, ix->units.reads, ix->units.writes, ix->of.name);
}

enum { MANY_INDEXES = 4 * LIMIT_GSI };

static int
codec_unpack_indexes(struct codec_reader *r, const struct codec_new_table *t, bool global,
		     struct schema *s)
{
	const struct codec_indexes *list = &t->indexes[global];
	struct call *c = r->c;

	if (list->given && list->n == 0) {
		return call_fail(c, ERR_VALIDATION, INVALID "List of %sSecondaryIndexes is empty",
				 global ? "Global" : "Local");
	}
	if (!global && list->n > 0 && t->key.n < 2) {
		return schema_fail_no_range(c);
	}
	/* Stop after far more indexes than a table may have: schema_check_counts() refuses them. */
	for (size_t i = 0; i < list->n && s->n_index <= MANY_INDEXES; i++) {
		struct index *ix = &s->index[s->n_index];
		int status = codec_unpack_index_key(c, &list->at[i], &t->definitions, global, ix);

		/* Check the whole key before the projection. */
		if (status == 0) {
			status = schema_check_index_key(c, s, s->n_index);
		}
		if (status == 0) {
			status = codec_unpack_projection(c, &list->at[i].projection, ix);
		}
		if (status == 0) {
			status = schema_check_index(c, s, s->n_index);
		}
		if (status == 0 && global) {
			status = codec_unpack_index_units(r, &list->at[i], s->provisioned);
		}
		if (status < 0) {
			return status;
		}
		s->n_index++;
	}
	return schema_check_counts(c, s);
}

/* Check in the order of the service.  Missing members have been recorded as faults, which are reported before. */
static int
codec_check_new_table(struct codec_reader *r, const struct codec_new_table *t, struct schema *s)
{
	enum billing_change mode =
		r->file && t->mode == BILLING_KEPT && !t->units.given ? BILLING_ON_DEMAND : t->mode;
	int status = codec_unpack_mode(r->c, mode, &t->units);

	s->provisioned = mode != BILLING_ON_DEMAND;
	if (status == 0) {
		status = codec_unpack_table_key(r->c, t, s);
	}
	for (int global = 0; global < 2 && status == 0; global++) {
		status = codec_unpack_indexes(r, t, global == 1, s);
	}
	if (status == 0 && !r->file) {
		status = schema_check_new_warm(r->c, s);
	}
	return status < 0 ? status
			  : codec_unpack_stream(r->c, &t->stream, CODEC_STREAM_CREATED,
						&s->stream.view);
}

int
codec_unpack_new_table(struct codec_reader *r, const void *draft, void *in)
{
	const struct codec_new_table *t = draft;
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);

	*s = t->of;
	s->index = arena_new(&r->c->arena, struct index, t->indexes[0].n + t->indexes[1].n);
	s->read_units = t->units.reads;
	s->write_units = t->units.writes;
	s->encryption = codec_unpack_encryption(&t->encryption);
	*(struct create_table_in *)in =
		(struct create_table_in){s, t->definitions.at, t->definitions.n};
	return codec_defer(r, ORDER_ITEM, codec_check_new_table(r, t, s));
}

int
codec_accept_new_table(struct call *c, const struct codec_new_table *t, struct schema *out)
{
	out->table = t->of.table;
	out->uuid = t->of.uuid;
	out->created_ms = t->of.created_ms;
	out->provisioned = t->mode != BILLING_ON_DEMAND;
	out->read_units = t->units.reads;
	out->write_units = t->units.writes;
	int status = codec_accept_table_key(c, &t->key, &t->definitions, &out->key);

	return status < 0 ? status : codec_accept_indexes(c, t->indexes, &t->definitions, out);
}

/* Pack the GSIs.  In a provisioned table each states its units: its own, or else those of the table. */
static struct codec_indexes
codec_pack_globals(struct codec_writer *w, const struct schema *s)
{
	struct index *at = arena_new(&w->arena, struct index, s->n_index);

	for (size_t i = 0; i < s->n_index; i++) {
		at[i] = s->index[i];
		if (s->provisioned && at[i].read_units == 0) {
			at[i].read_units = s->read_units;
			at[i].write_units = s->write_units;
		}
	}
	return codec_pack_indexes(w, at, s->n_index, true);
}

void
codec_pack_new_table(struct codec_writer *w, const void *from, void *draft)
{
	const struct create_table_in *in = from;
	const struct schema *s = in->schema;

	*(struct codec_new_table *)draft = (struct codec_new_table){
		.of = *s,
		.definitions = codec_pack_definitions(w, s, in->definitions, in->n_definitions),
		.key = codec_pack_key(w, &s->key),
		.indexes = {codec_pack_indexes(w, s->index, s->n_index, false),
			    codec_pack_globals(w, s)},
		.mode = s->provisioned ? BILLING_PROVISIONED : BILLING_ON_DEMAND,
		.units = {s->provisioned, s->read_units, s->write_units, 0},
		.encryption = codec_pack_encryption(&s->encryption),
		.stream = codec_pack_stream(s->stream.view),
	};
}

/* ------------------------------------------------------------ CreateTable */

static const struct shape_member codec_create_members[] = {
	CODEC_ROW_DEFINITIONS(struct codec_new_table, definitions, SHAPE_REQUIRED),
	SHAPE_ROW(struct codec_new_table, of.table, "TableName", SHAPE_STRING, .flags = SHAPE_FIRST,
		  .rule = &codec_new_name_rule),
	CODEC_ROW_KEY_SCHEMA(struct codec_new_table, key, &codec_table_key_rule),
	CODEC_ROW_INDEXES(struct codec_new_table, indexes[1], "GlobalSecondaryIndexes",
			  &codec_global_shape),
	CODEC_ROW_INDEXES(struct codec_new_table, indexes[0], "LocalSecondaryIndexes",
			  &codec_local_shape),
	CODEC_ROWS_BILLING(struct codec_new_table),
	CODEC_ROW_BOOL(struct codec_new_table, of.protected, "DeletionProtectionEnabled"),
	SHAPE_ROW(struct codec_new_table, of.table_class, "TableClass", SHAPE_ENUM,
		  .words = &codec_class_words),
	CODEC_ROW_STREAM(struct codec_new_table, stream),
	CODEC_ROW_TAGS(struct codec_new_table, of.tags, of.n_tags, 0),
	SHAPE_ROW(struct codec_new_table, of.warm, "WarmThroughput", SHAPE_STRUCT,
		  .of = &codec_warm_shape),
	CODEC_ROW_REFUSED("ResourcePolicy"),
	CODEC_ROW_REFUSED("GlobalTableSourceArn"),
	CODEC_ROW_REFUSED("GlobalTableSettingsReplicationMode"),
};

static const struct shape_member codec_create_own_members[] = {
	CODEC_ROW_BOOL(struct codec_new_table, of.throttle, "Throttle"),
	CODEC_ROW_LONG(struct codec_new_table, of.collection_limit, "CollectionLimit"),
};
SHAPE_DEFINE(codec_create_own, struct codec_new_table, NULL)

static const struct shape codec_create = {SHAPE_DRAFT(struct create_table_in,
						      struct codec_new_table, codec_create_members,
						      codec_unpack_new_table, codec_pack_new_table),
					  .own = &codec_create_own};

SHAPE_REQUEST(create_table, &codec_create)

int
codec_decode_create_table(struct call *c, struct slice body, struct create_table_in *in)
{
	struct codec_reader r;
	const struct json *root = NULL;
	int status = codec_reader_open(&r, c, CODEC_FOREIGN, body, &root);

	if (status < 0) {
		return status;
	}
	r.file = true;
	status = shape_read_request(&r, codec_request_to_create_table, root, in);
	return status < 0 ? status : codec_reader_end(&r);
}

/* ------------------------------------------------------------ DescribeTable, DeleteTable, ListTables */

static_assert(offsetof(struct delete_table_in, table) == 0 &&
		      offsetof(struct describe_continuous_backups_in, table) == 0 &&
		      offsetof(struct describe_time_to_live_in, table) == 0,
	      "codec_table_only_shape reads it");
static const struct shape_member codec_table_only_shape_members[] = {
	CODEC_ROW_TABLE_FIRST(struct describe_table_in, table),
};
SHAPE_SHARE(codec_table_only_shape, struct describe_table_in, NULL)

SHAPE_REQUEST(describe_table, &codec_table_only_shape)
SHAPE_REQUEST(delete_table, &codec_table_only_shape)

static const struct shape_rule codec_page_rule = {.least = 1, .most = LIMIT_LIST_TABLES};

static const struct shape_member codec_list_tables_in_members[] = {
	SHAPE_ROW(struct list_tables_in, limit, "Limit", SHAPE_INTEGER, .rule = &codec_page_rule),
	SHAPE_ROW(struct list_tables_in, start, "ExclusiveStartTableName", SHAPE_STRING,
		  .rule = &codec_new_name_rule),
};
static const struct shape_member codec_list_tables_out_members[] = {
	CODEC_ROW_LIST(struct list_tables_out, names, "TableNames", &shape_strings),
	CODEC_ROW_STRING(struct list_tables_out, last, "LastEvaluatedTableName"),
};

SHAPE_ROWS(list_tables)
