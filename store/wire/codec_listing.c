/*
 * codec_listing - the mount's listings: ListPartitions and ListEntries
 *
 *   ListPartitions  {"TableName", "IndexName"?, "From"?: VALUES, "After"?: true,
 *                    "At"?: VALUES, "Limit"?}
 *               ->  {"Partitions": [{"Key": VALUES, "Items", "ItemBytes", "RenderedBytes"}],
 *                    "More"?: true}
 *   ListEntries     {"TableName", "IndexName"?, "PartitionKey"?: VALUES, "After"?: ITEM, "At"?: ITEM,
 *                    "Limit"?}
 *               ->  {"Entries": [{"Key": VALUES, "RenderedBytes", "MTime"}], "More"?: true}
 *
 * VALUES is an array of typed values ({"S":"x"}), one for each key attribute in
 * the order of struct key_values, ITEM a map of them, MTime nanoseconds of Unix time.  A view does not travel: a remote listing reads the newest state.
 */
#include "store/model/item_json.h"
#include "store/wire/codec_int.h"

void
codec_put_values(struct codec_writer *w, const char *name, const struct values *v)
{
	if (v->n == 0) {
		return;
	}
	codec_open(w, name, '[');
	for (size_t i = 0; i < v->n; i++) {
		codec_put_member(w, &v->at[i]);
	}
	json_close(&w->json);
}

int
codec_values(struct codec_reader *r, const struct json *obj, const char *name, struct values *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, name, &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	out->at = arena_new(&r->c->arena, struct value, list->n);
	json_each (child, list) {
		status = codec_element(r, child, "AttributeValue");
		if (status == 0) {
			status = value_from_typed_json(r->c, child, &out->at[out->n++]);
		}
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

/* An item that may be absent, as a pointer. */
static int
read_pointer(struct codec_reader *r, const struct json *obj, const char *name,
	     const struct item **out)
{
	if (codec_is_null(json_get(obj, name))) {
		return 0;
	}
	struct item *it = arena_new(&r->c->arena, struct item, 1);

	*out = it;
	return codec_item(r, obj, name, it);
}

/* ------------------------------------------------------------ ListPartitions */

int
codec_read_list_partitions_in(struct codec_reader *r, const struct json *root,
			      struct list_partitions_in *in)
{
	bool given = false;
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_string(r, root, "IndexName", &in->index);
	}
	if (status == 0) {
		status = codec_values(r, root, "From", &in->from);
	}
	if (status == 0) {
		status = codec_bool(r, root, "After", &in->after);
	}
	if (status == 0) {
		status = codec_values(r, root, "At", &in->at);
	}
	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_list_partitions_in(struct codec_writer *w, const struct list_partitions_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_string(w, "IndexName", in->index);
	codec_put_values(w, "From", &in->from);
	codec_put_true(w, "After", in->after);
	codec_put_values(w, "At", &in->at);
	codec_put_limit(w, in->limit);
}

void
codec_write_list_partitions_out(struct codec_writer *w, const struct list_partitions_in *in,
				const struct list_partitions_out *out)
{
	(void)in;
	codec_open(w, "Partitions", '[');
	for (size_t i = 0; i < out->n_partitions; i++) {
		const struct partition *p = &out->partitions[i];

		json_open(&w->json, '{');
		codec_put_values(w, "Key", &p->pk);
		codec_put_uint(w, "Items", p->items);
		codec_put_uint(w, "ItemBytes", p->item_bytes);
		codec_put_uint(w, "RenderedBytes", p->rendered_bytes);
		json_close(&w->json);
	}
	json_close(&w->json);
	codec_put_true(w, "More", out->more);
}

static int
read_partition(struct codec_reader *r, const struct json *json, struct partition *p)
{
	int status = codec_element(r, json, "Partition");

	if (status == 0) {
		status = codec_values(r, json, "Key", &p->pk);
	}
	if (status == 0) {
		status = codec_uint(r, json, "Items", &p->items);
	}
	if (status == 0) {
		status = codec_uint(r, json, "ItemBytes", &p->item_bytes);
	}
	return status < 0 ? status : codec_uint(r, json, "RenderedBytes", &p->rendered_bytes);
}

int
codec_read_list_partitions_out(struct codec_reader *r, const struct json *root,
			       const struct list_partitions_in *in, struct list_partitions_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "Partitions", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct partition *partitions = arena_new(&r->c->arena, struct partition, list->n);

	json_each (child, list) {
		status = read_partition(r, child, &partitions[out->n_partitions++]);
		if (status < 0) {
			return status;
		}
	}
	out->partitions = partitions;
	return codec_bool(r, root, "More", &out->more);
}

/* ------------------------------------------------------------ ListEntries */

int
codec_read_list_entries_in(struct codec_reader *r, const struct json *root,
			   struct list_entries_in *in)
{
	bool given = false;
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_string(r, root, "IndexName", &in->index);
	}
	if (status == 0) {
		status = codec_values(r, root, "PartitionKey", &in->pk);
	}
	if (status == 0) {
		status = read_pointer(r, root, "After", &in->after);
	}
	if (status == 0) {
		status = read_pointer(r, root, "At", &in->at);
	}
	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_list_entries_in(struct codec_writer *w, const struct list_entries_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_string(w, "IndexName", in->index);
	codec_put_values(w, "PartitionKey", &in->pk);
	if (in->after != NULL) {
		codec_put_item(w, "After", in->after);
	}
	if (in->at != NULL) {
		codec_put_item(w, "At", in->at);
	}
	codec_put_limit(w, in->limit);
}

void
codec_write_list_entries_out(struct codec_writer *w, const struct list_entries_in *in,
			     const struct list_entries_out *out)
{
	(void)in;
	codec_open(w, "Entries", '[');
	for (size_t i = 0; i < out->n_entries; i++) {
		const struct entry *e = &out->entries[i];

		json_open(&w->json, '{');
		codec_put_values(w, "Key", &e->key);
		codec_put_uint(w, "RenderedBytes", e->rendered_bytes);
		codec_put_uint(w, "MTime", e->mtime_ns);
		json_close(&w->json);
	}
	json_close(&w->json);
	codec_put_true(w, "More", out->more);
}

static int
read_entry(struct codec_reader *r, const struct json *json, struct entry *e)
{
	int status = codec_element(r, json, "Entry");

	if (status == 0) {
		status = codec_values(r, json, "Key", &e->key);
	}
	if (status == 0) {
		status = codec_uint(r, json, "RenderedBytes", &e->rendered_bytes);
	}
	return status < 0 ? status : codec_uint(r, json, "MTime", &e->mtime_ns);
}

int
codec_read_list_entries_out(struct codec_reader *r, const struct json *root,
			    const struct list_entries_in *in, struct list_entries_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "Entries", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct entry *entries = arena_new(&r->c->arena, struct entry, list->n);

	json_each (child, list) {
		status = read_entry(r, child, &entries[out->n_entries++]);
		if (status < 0) {
			return status;
		}
	}
	out->entries = entries;
	return codec_bool(r, root, "More", &out->more);
}
