/*
 * codec_table - CreateTable, DescribeTable, ListTables, DeleteTable
 *
 * The TableDescription that most of them answer with is codec_describe.c's.
 */
#include "store/wire/codec_int.h"

/* ------------------------------------------------------------ CreateTable's request */

static int
refuse_enabled(struct codec_reader *r, const struct json *root, const char *name, const char *class,
	       const char *member)
{
	const struct json *json = NULL;
	bool enabled = false;
	int status = codec_struct(r, root, name, class, &json);

	if (status == 0) {
		status = codec_bool(r, json, member, &enabled);
	}
	if (status == 0 && enabled) {
		return call_fail(r->c, ERR_NOT_SUPPORTED, "%s is not supported yet", name);
	}
	return status;
}

/* What a table cannot have yet; a parameter that asks for the default is let through. */
static int
refuse_features(struct codec_reader *r, const struct json *root)
{
	static const char *const refused[] = {"OnDemandThroughput",
					      "WarmThroughput",
					      "ResourcePolicy",
					      "GlobalTableSourceArn",
					      "GlobalTableSettingsReplicationMode",
					      NULL};
	const struct json *tags = NULL;
	bool protect = false;
	struct slice class = SLICE("STANDARD");
	int status = codec_refuse(r, root, refused);

	if (status == 0) {
		status = refuse_enabled(r, root, "StreamSpecification", "StreamSpecification",
					"StreamEnabled");
	}
	if (status == 0) {
		status = refuse_enabled(r, root, "SSESpecification", "SSESpecification", "Enabled");
	}
	if (status == 0) {
		status = codec_bool(r, root, "DeletionProtectionEnabled", &protect);
	}
	if (status == 0) {
		status = codec_string(r, root, "TableClass", &class);
	}
	if (status == 0) {
		status = codec_list(r, root, "Tags", &tags);
	}
	if (status < 0) {
		return status;
	}
	const char *what = protect                        ? "DeletionProtectionEnabled"
			   : !slice_is(class, "STANDARD") ? "TableClass"
			   : tags != NULL && tags->n > 0  ? "Tags"
							  : NULL;

	return what == NULL ? 0
			    : call_fail(r->c, ERR_NOT_SUPPORTED, "%s is not supported yet", what);
}

static int
read_units(struct codec_reader *r, const struct json *obj, const char *name, uint64_t *out)
{
	int64_t v = INT64_MIN;
	int status = codec_integer(r, obj, name, "Long", &v);

	if (status < 0) {
		return status;
	}
	if (v == INT64_MIN) {
		codec_null(r, name);
	} else if (codec_at_least(r, name, v, 1)) {
		*out = (uint64_t)v;
	}
	return 0;
}

static int
read_billing(struct codec_reader *r, const struct json *root, struct schema *s)
{
	const struct json *units = NULL;
	int mode = 0;
	int status = codec_enum(r, root, "BillingMode", "[PROVISIONED, PAY_PER_REQUEST]",
				codec_billing_modes, &mode);

	if (status == 0) {
		status = codec_struct(r, root, "ProvisionedThroughput", "ProvisionedThroughput",
				      &units);
	}
	if (status < 0) {
		return status;
	}
	if (r->file && units == NULL && codec_is_null(json_get(root, "BillingMode"))) {
		mode = 1;
	}
	s->provisioned = mode == 0;
	if (s->provisioned == (units != NULL)) {
		status = units == NULL ? 0
				       : read_units(r, units, "ReadCapacityUnits", &s->read_units);
		if (status == 0 && units != NULL) {
			status = read_units(r, units, "WriteCapacityUnits", &s->write_units);
		}
		return status;
	}
	/* What is missing is told first. */
	if (r->n_faults > 0 || r->missing != NULL) {
		return 0;
	}
	return call_fail(r->c, ERR_VALIDATION, "One or more parameter values were invalid: %s",
			 s->provisioned ? "ReadCapacityUnits and WriteCapacityUnits must both be "
					  "specified when BillingMode is PROVISIONED"
					: "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
					  "specified when BillingMode is PAY_PER_REQUEST");
}

int
codec_read_create_table_in(struct codec_reader *r, const struct json *root,
			   struct create_table_in *in)
{
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	int status = refuse_features(r, root);

	if (status == 0) {
		status = codec_read_definitions(r, root, &in->definitions, &in->n_definitions);
	}
	if (status == 0) {
		status = codec_read_schema(r, root, s, in->definitions, in->n_definitions);
	}
	if (status == 0) {
		status = read_billing(r, root, s);
	}
	in->schema = s;
	return status;
}

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
	status = codec_read_create_table_in(&r, root, in);
	return status < 0 ? status : codec_reader_end(&r);
}

static void
write_throughput(struct codec_writer *w, const struct schema *s)
{
	codec_open(w, "ProvisionedThroughput", '{');
	codec_put_uint(w, "ReadCapacityUnits", s->read_units);
	codec_put_uint(w, "WriteCapacityUnits", s->write_units);
	json_close(&w->json);
}

static void
write_indexes(struct codec_writer *w, const struct schema *s, bool global)
{
	if (!codec_has_index(s, global)) {
		return;
	}
	codec_open(w, codec_index_lists[global], '[');
	for (size_t i = 0; i < s->n_index; i++) {
		const struct index *ix = &s->index[i];

		if (ix->global == global) {
			json_open(&w->json, '{');
			codec_put_string(w, "IndexName", ix->name);
			codec_write_key(w, &ix->key);
			codec_write_projection(w, ix);
			if (global && s->provisioned) {
				write_throughput(w, s);
			}
			json_close(&w->json);
		}
	}
	json_close(&w->json);
}

void
codec_write_create_table_in(struct codec_writer *w, const struct create_table_in *in)
{
	const struct schema *s = in->schema;

	codec_put_string(w, "TableName", s->table);
	codec_write_attributes(w, s, in->definitions, in->n_definitions);
	codec_write_key(w, &s->key);
	write_indexes(w, s, false);
	write_indexes(w, s, true);
	codec_put_string(w, "BillingMode", slice_from(codec_billing_modes[!s->provisioned]));
	if (s->provisioned) {
		write_throughput(w, s);
	}
}

/* ------------------------------------------------------------ the operations */

void
codec_write_create_table_out(struct codec_writer *w, const struct create_table_in *in,
			     const struct create_table_out *out)
{
	(void)in;
	codec_write_table(w, "TableDescription", &out->table);
}

int
codec_read_create_table_out(struct codec_reader *r, const struct json *root,
			    const struct create_table_in *in, struct create_table_out *out)
{
	(void)in;
	return codec_read_table(r, root, "TableDescription", &out->table);
}

int
codec_read_describe_table_in(struct codec_reader *r, const struct json *root,
			     struct describe_table_in *in)
{
	return codec_table_name(r, root, &in->table);
}

void
codec_write_describe_table_in(struct codec_writer *w, const struct describe_table_in *in)
{
	codec_put_string(w, "TableName", in->table);
}

void
codec_write_describe_table_out(struct codec_writer *w, const struct describe_table_in *in,
			       const struct describe_table_out *out)
{
	(void)in;
	codec_write_table(w, "Table", &out->table);
}

int
codec_read_describe_table_out(struct codec_reader *r, const struct json *root,
			      const struct describe_table_in *in, struct describe_table_out *out)
{
	(void)in;
	return codec_read_table(r, root, "Table", &out->table);
}

int
codec_read_delete_table_in(struct codec_reader *r, const struct json *root,
			   struct delete_table_in *in)
{
	return codec_table_name(r, root, &in->table);
}

void
codec_write_delete_table_in(struct codec_writer *w, const struct delete_table_in *in)
{
	codec_put_string(w, "TableName", in->table);
}

void
codec_write_delete_table_out(struct codec_writer *w, const struct delete_table_in *in,
			     const struct delete_table_out *out)
{
	(void)in;
	codec_write_table(w, "TableDescription", &out->table);
}

int
codec_read_delete_table_out(struct codec_reader *r, const struct json *root,
			    const struct delete_table_in *in, struct delete_table_out *out)
{
	(void)in;
	return codec_read_table(r, root, "TableDescription", &out->table);
}

int
codec_read_list_tables_in(struct codec_reader *r, const struct json *root,
			  struct list_tables_in *in)
{
	bool given = false;
	int status = codec_filled(r, root, "ExclusiveStartTableName", 3, &in->start);

	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_list_tables_in(struct codec_writer *w, const struct list_tables_in *in)
{
	codec_put_string(w, "ExclusiveStartTableName", in->start);
	codec_put_limit(w, in->limit);
}

void
codec_write_list_tables_out(struct codec_writer *w, const struct list_tables_in *in,
			    const struct list_tables_out *out)
{
	(void)in;
	codec_open(w, "TableNames", '[');
	for (size_t i = 0; i < out->n_names; i++) {
		json_string(&w->json, out->names[i]);
	}
	json_close(&w->json);
	codec_put_string(w, "LastEvaluatedTableName", out->last);
}

int
codec_read_list_tables_out(struct codec_reader *r, const struct json *root,
			   const struct list_tables_in *in, struct list_tables_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "TableNames", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct slice *names = arena_new(&r->c->arena, struct slice, list->n);

	json_each (child, list) {
		status = codec_text(r, child, &names[out->n_names++]);
		if (status < 0) {
			return status;
		}
	}
	out->names = names;
	return codec_string(r, root, "LastEvaluatedTableName", &out->last);
}
