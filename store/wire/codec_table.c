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
	int status = codec_refuse(r, root, refused);

	if (status == 0) {
		status = refuse_enabled(r, root, "SSESpecification", "SSESpecification", "Enabled");
	}
	return status;
}

static int
read_unit(struct codec_reader *r, const struct json *obj, const char *name, uint64_t *out)
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

int
codec_read_units(struct codec_reader *r, const struct json *obj, const char *name, bool *given,
		 uint64_t *reads, uint64_t *writes)
{
	const struct json *units = NULL;
	int status = codec_struct(r, obj, name, "ProvisionedThroughput", &units);

	*given = units != NULL;
	if (status == 0 && units != NULL) {
		status = read_unit(r, units, "ReadCapacityUnits", reads);
	}
	if (status == 0 && units != NULL) {
		status = read_unit(r, units, "WriteCapacityUnits", writes);
	}
	return status;
}

int
codec_read_billing(struct codec_reader *r, const struct json *root, struct codec_billing *out)
{
	bool given;
	int status;

	*out = (struct codec_billing){.mode = -1};
	status = codec_enum(r, root, "BillingMode", "[PROVISIONED, PAY_PER_REQUEST]",
			    codec_billing_modes, &out->mode);
	return status < 0 ? status
			  : codec_read_units(r, root, "ProvisionedThroughput", &given,
					     &out->read_units, &out->write_units);
}

static int
read_first_billing(struct codec_reader *r, const struct json *root, struct schema *s)
{
	struct codec_billing b;
	int status = codec_read_billing(r, root, &b);

	/* What is missing is told first. */
	if (status < 0 || r->n_faults > 0 || r->missing != NULL) {
		return status;
	}
	if (r->file && b.mode < 0 && b.read_units == 0) {
		b.mode = 1;
	}
	s->provisioned = b.mode != 1;
	s->read_units = b.read_units;
	s->write_units = b.write_units;
	return s->provisioned == (b.read_units != 0) ? 0 : fail_billing(r->c, s->provisioned);
}

int
codec_read_class(struct codec_reader *r, const struct json *root, int *out)
{
	return codec_enum(r, root, "TableClass", "[STANDARD, STANDARD_INFREQUENT_ACCESS]",
			  codec_table_classes, out);
}

static int
read_index_units(struct codec_reader *r, const struct json *root, struct schema *s)
{
	const struct json *list = json_get(root, codec_index_lists[1]);
	struct index *ix = s->index;
	int status = 0;

	for (const struct json *json = list == NULL ? NULL : list->child;
	     json != NULL && status == 0; json = json->next) {
		bool given;

		while (!ix->global) {
			ix++;
		}
		status = codec_read_units(r, json, "ProvisionedThroughput", &given, &ix->read_units,
					  &ix->write_units);
		ix++;
	}
	return status;
}

/* What ImportTable has too; @indexes holds the lists of indexes. */
static int
read_new_table(struct codec_reader *r, const struct json *root, const struct json *indexes,
	       struct schema *s, struct create_table_in *in)
{
	int status = refuse_features(r, root);

	in->schema = s;
	if (status == 0) {
		status = codec_read_definitions(r, root, &in->definitions, &in->n_definitions);
	}
	if (status == 0) {
		status = codec_read_schema(r, root, indexes, s, in->definitions, in->n_definitions);
	}
	if (status == 0) {
		status = read_index_units(r, indexes, s);
	}
	return status < 0 ? status : read_first_billing(r, root, s);
}

int
codec_read_imported_table(struct codec_reader *r, const struct json *obj,
			  struct create_table_in *in)
{
	const struct json *list = json_get(obj, codec_index_lists[1]);
	struct json global = list == NULL ? (struct json){0} : *list;
	struct json indexes = {.type = JSON_OBJECT, .child = list == NULL ? NULL : &global};

	global.next = NULL;
	return read_new_table(r, obj, &indexes, arena_new(&r->c->arena, struct schema, 1), in);
}

int
codec_read_create_table_in(struct codec_reader *r, const struct json *root,
			   struct create_table_in *in)
{
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	int class = CLASS_STANDARD;
	bool given = false;
	int status = read_new_table(r, root, root, s, in);

	if (status == 0) {
		status = codec_bool(r, root, "DeletionProtectionEnabled", &s->protected);
	}
	if (status == 0) {
		status = codec_read_class(r, root, &class);
	}
	if (status == 0) {
		status = codec_read_stream(r, root, &given, &s->stream.view);
	}
	if (status == 0) {
		status = codec_read_tags(r, root, &s->tags, &s->n_tags);
	}
	s->class = (enum table_class) class;
	return status < 0 ? status : codec_settings(r, s);
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

void
codec_write_units(struct codec_writer *w, const char *name, uint64_t reads, uint64_t writes)
{
	codec_open(w, name, '{');
	codec_put_uint(w, "ReadCapacityUnits", reads);
	codec_put_uint(w, "WriteCapacityUnits", writes);
	json_close(&w->json);
}

void
codec_write_index_list(struct codec_writer *w, const char *name, const struct index *at, size_t n,
		       bool global)
{
	codec_open(w, name, '[');
	for (size_t i = 0; i < n; i++) {
		const struct index *ix = &at[i];

		if (ix->global == global) {
			json_open(&w->json, '{');
			codec_put_string(w, "IndexName", ix->name);
			codec_write_key(w, &ix->key);
			codec_write_projection(w, ix);
			if (ix->read_units != 0) {
				codec_write_units(w, "ProvisionedThroughput", ix->read_units,
						  ix->write_units);
			}
			json_close(&w->json);
		}
	}
	json_close(&w->json);
}

void
codec_write_indexes(struct codec_writer *w, const struct schema *s, bool global)
{
	if (codec_has_index(s, global)) {
		codec_write_index_list(w, codec_index_lists[global], s->index, s->n_index, global);
	}
}

void
codec_write_new_table(struct codec_writer *w, const struct create_table_in *in)
{
	const struct schema *s = in->schema;

	codec_put_string(w, "TableName", s->table);
	codec_write_attributes(w, s, in->definitions, in->n_definitions);
	codec_write_key(w, &s->key);
	codec_write_indexes(w, s, false);
	codec_write_indexes(w, s, true);
	codec_put_string(w, "BillingMode", slice_from(codec_billing_modes[!s->provisioned]));
	if (s->provisioned) {
		codec_write_units(w, "ProvisionedThroughput", s->read_units, s->write_units);
	}
}

void
codec_write_create_table_in(struct codec_writer *w, const struct create_table_in *in)
{
	const struct schema *s = in->schema;

	codec_write_new_table(w, in);
	codec_put_true(w, "DeletionProtectionEnabled", s->protected);
	if (s->class != CLASS_STANDARD) {
		codec_put_string(w, "TableClass", slice_from(codec_table_classes[s->class]));
	}
	codec_write_stream(w, s->stream.view);
	if (s->n_tags > 0) {
		codec_write_tags(w, s->tags, s->n_tags);
	}
	if ((s->throttle || s->collection_limit != 0) && codec_open_own(w)) {
		codec_put_settings(w, s);
		json_close(&w->json);
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
