/* codec_alter - UpdateTable */
#include "store/wire/codec_int.h"

/* In the order of enum index_change_kind. */
static const struct {
	const char *name;
	const char *class;
} kinds[] = {
	[INDEX_CREATE] = {"Create", "CreateGlobalSecondaryIndexAction"},
	[INDEX_UPDATE] = {"Update", "UpdateGlobalSecondaryIndexAction"},
	[INDEX_DELETE] = {"Delete", "DeleteGlobalSecondaryIndexAction"},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* ------------------------------------------------------------ indexes added, changed and dropped */

static int
read_action(struct codec_reader *r, const struct json *json, struct update_table_in *in,
	    struct index_change *ch)
{
	bool has_units;
	int status;

	ch->index.global = true;
	if (ch->kind == INDEX_CREATE) {
		status = codec_read_index(r, json, in->definitions, in->n_definitions, &ch->index);
	} else {
		status = codec_string(r, json, "IndexName", &ch->index.name);
		if (status == 0 && codec_is_null(json_get(json, "IndexName"))) {
			codec_null(r, "IndexName");
		}
	}
	if (status < 0 || ch->kind == INDEX_DELETE) {
		return status;
	}
	status = codec_read_units(r, json, "ProvisionedThroughput", &has_units,
				  &ch->index.read_units, &ch->index.write_units);
	if (status == 0 && !has_units && ch->kind == INDEX_UPDATE) {
		codec_null(r, "ProvisionedThroughput");
	}
	return status;
}

/* One element of the list; several actions in it are as many changes. */
static int
read_element(struct codec_reader *r, const struct json *json, struct update_table_in *in,
	     struct index_change *changes)
{
	size_t before = in->n_changes;
	int status = codec_element(r, json, "GlobalSecondaryIndexUpdate");

	for (int kind = 0; kind < KINDS && status == 0; kind++) {
		const struct json *action = NULL;

		status = codec_struct(r, json, kinds[kind].name, kinds[kind].class, &action);
		if (status == 0 && action != NULL) {
			struct index_change *ch = &changes[in->n_changes++];

			ch->kind = (enum index_change_kind)kind;
			status = read_action(r, action, in, ch);
		}
	}
	if (status < 0 || in->n_changes > before) {
		return status;
	}
	return call_fail(r->c, ERR_VALIDATION,
			 "One or more parameter values were invalid: One of "
			 "GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
			 "GlobalSecondaryIndexUpdate.Delete must not be null");
}

static int
read_index_changes(struct codec_reader *r, const struct json *root, struct update_table_in *in)
{
	const struct json *list = NULL;
	struct index_change *changes;
	int status = 0;

	if (!codec_is_null(json_get(root, "AttributeDefinitions"))) {
		status = codec_read_definitions(r, root, &in->definitions, &in->n_definitions);
	}
	if (status == 0) {
		status = codec_list(r, root, "GlobalSecondaryIndexUpdates", &list);
	}
	if (status < 0 || list == NULL) {
		return status;
	}
	changes = arena_new(&r->c->arena, struct index_change, KINDS * list->n);
	in->changes = changes;
	json_each (child, list) {
		status = read_element(r, child, in, changes);
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

static void
write_change(struct codec_writer *w, const struct index_change *ch)
{
	const struct index *ix = &ch->index;

	json_open(&w->json, '{');
	codec_open(w, kinds[ch->kind].name, '{');
	codec_put_string(w, "IndexName", ix->name);
	if (ch->kind == INDEX_CREATE) {
		codec_write_key(w, &ix->key);
		codec_write_projection(w, ix);
	}
	if (ix->read_units != 0) {
		codec_write_units(w, "ProvisionedThroughput", ix->read_units, ix->write_units);
	}
	json_close(&w->json);
	json_close(&w->json);
}

static void
write_definitions(struct codec_writer *w, const struct update_table_in *in)
{
	struct schema keys = {0};

	for (size_t i = 0; i < in->n_changes && in->n_definitions == 0; i++) {
		if (in->changes[i].kind == INDEX_CREATE) {
			keys.key = in->changes[i].index.key;
		}
	}
	if (in->n_definitions > 0 || keys.key.pk[0].name.len > 0) {
		codec_write_attributes(w, &keys, in->definitions, in->n_definitions);
	}
}

static void
write_index_changes(struct codec_writer *w, const struct update_table_in *in)
{
	write_definitions(w, in);
	if (in->n_changes == 0) {
		return;
	}
	codec_open(w, "GlobalSecondaryIndexUpdates", '[');
	for (size_t i = 0; i < in->n_changes; i++) {
		write_change(w, &in->changes[i]);
	}
	json_close(&w->json);
}

/* ------------------------------------------------------------ the request */

static int
read_flags(struct codec_reader *r, const struct json *root, struct update_table_in *in)
{
	bool *protect = arena_new(&r->c->arena, bool, 1);
	enum table_class *class = arena_new(&r->c->arena, enum table_class, 1);
	enum stream_view *stream = arena_new(&r->c->arena, enum stream_view, 1);
	bool given = false;
	int word = -1;
	int status = codec_bool(r, root, "DeletionProtectionEnabled", protect);

	in->protect = codec_is_null(json_get(root, "DeletionProtectionEnabled")) ? NULL : protect;
	if (status == 0) {
		status = codec_read_class(r, root, &word);
	}
	if (word >= 0) {
		*class = (enum table_class)word;
		in->class = class;
	}
	if (status == 0) {
		status = codec_read_stream(r, root, &given, stream);
	}
	in->stream = given ? stream : NULL;
	return status;
}

/* What only ItemFS has. */
static int
read_settings(struct codec_reader *r, struct update_table_in *in)
{
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	int status = codec_settings(r, s);

	if (!codec_is_null(json_get(r->own, "Throttle"))) {
		in->throttle = &s->throttle;
	}
	if (!codec_is_null(json_get(r->own, "CollectionLimit"))) {
		in->collection_limit = &s->collection_limit;
	}
	return status;
}

int
codec_read_update_table_in(struct codec_reader *r, const struct json *root,
			   struct update_table_in *in)
{
	static const char *const refused[] = {"OnDemandThroughput",
					      "WarmThroughput",
					      "ReplicaUpdates",
					      "MultiRegionConsistency",
					      "GlobalTableWitnessUpdates",
					      "GlobalTableSettingsReplicationMode",
					      "SSESpecification",
					      NULL};
	struct codec_billing b = {.mode = -1};
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_refuse(r, root, refused);
	}
	if (status == 0) {
		status = codec_read_billing(r, root, &b);
	}
	if (status == 0) {
		status = read_flags(r, root, in);
	}
	if (status == 0) {
		status = read_index_changes(r, root, in);
	}
	if (status == 0) {
		status = read_settings(r, in);
	}
	in->billing = (enum billing_change)(b.mode + 1);
	in->read_units = b.read_units;
	in->write_units = b.write_units;
	return status;
}

static void
write_settings(struct codec_writer *w, const struct update_table_in *in)
{
	if ((in->throttle != NULL || in->collection_limit != NULL) && codec_open_own(w)) {
		if (in->throttle != NULL) {
			codec_put_bool(w, "Throttle", *in->throttle);
		}
		if (in->collection_limit != NULL) {
			codec_put_uint(w, "CollectionLimit", *in->collection_limit);
		}
		json_close(&w->json);
	}
}

void
codec_write_update_table_in(struct codec_writer *w, const struct update_table_in *in)
{
	codec_put_string(w, "TableName", in->table);
	if (in->billing != BILLING_KEPT) {
		codec_put_string(w, "BillingMode",
				 slice_from(codec_billing_modes[in->billing - 1]));
	}
	if (in->read_units != 0) {
		codec_write_units(w, "ProvisionedThroughput", in->read_units, in->write_units);
	}
	if (in->protect != NULL) {
		codec_put_bool(w, "DeletionProtectionEnabled", *in->protect);
	}
	if (in->class != NULL) {
		codec_put_string(w, "TableClass", slice_from(codec_table_classes[*in->class]));
	}
	if (in->stream != NULL && *in->stream == STREAM_NONE) {
		codec_open(w, "StreamSpecification", '{');
		codec_put_bool(w, "StreamEnabled", false);
		json_close(&w->json);
	} else if (in->stream != NULL) {
		codec_write_stream(w, *in->stream);
	}
	write_index_changes(w, in);
	write_settings(w, in);
}

/* ------------------------------------------------------------ the answer */

void
codec_write_update_table_out(struct codec_writer *w, const struct update_table_in *in,
			     const struct update_table_out *out)
{
	(void)in;
	codec_write_table(w, "TableDescription", &out->table);
}

int
codec_read_update_table_out(struct codec_reader *r, const struct json *root,
			    const struct update_table_in *in, struct update_table_out *out)
{
	(void)in;
	return codec_read_table(r, root, "TableDescription", &out->table);
}
