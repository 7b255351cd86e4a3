/* codec_gsi - GlobalSecondaryIndexUpdates, the part of UpdateTable that adds, changes and drops indexes */
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

/* ------------------------------------------------------------ reading */

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

int
codec_read_index_changes(struct codec_reader *r, const struct json *root,
			 struct update_table_in *in)
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

/* ------------------------------------------------------------ writing */

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

void
codec_write_index_changes(struct codec_writer *w, const struct update_table_in *in)
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
