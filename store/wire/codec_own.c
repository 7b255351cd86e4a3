/*
 * codec_own - ItemFS's own operations but for the listings (codec_listing.c) and DescribeHeat (codec_heat.c)
 *
 *   LoadItems       {"TableName", "Items": [ITEM]}     -> {"Loaded"}
 *   ChangeItems     {"TableName", "Keys": [ITEM], "UpdateExpression"?, "ConditionExpression"?, names, values}
 *                                                      -> {"Changed", "Refused"}
 *   SetTime         {"TableName", "Key": ITEM, "MTime"} -> {"Seq"}
 *   Sync            {}                                 -> {}
 *   Sweep           {"TableName"?, "Now"?, "AnyAge"?: true, "Next"?: BYTES} -> {"Items", "Deleted", "Ahead"?, "Next"?: BYTES}
 *   Compact         {"TableName"?, "Next"?: BYTES} -> {"Bytes"?, "Ahead"?, "Next"?: BYTES}
 *   Check           {"Next"?: BYTES, "Repair"?: true} -> {"Problems": [BYTES], "Repaired"?, "Items", "Entries", "Looked"?, "Ahead"?, "Next"?: BYTES}
 *   BackupStore     {"Path": BYTES, "Mark"} -> {"Records", "Bytes", "Broken": [BYTES]}
 *   Refused         {"Path"?: BYTES} -> {"Lines": [BYTES]}
 *
 * VALUE is a typed value ({"S":"x"}), ITEM a map of them, BYTES a typed value
 * too: S where the bytes are UTF-8 and B (base64) where they are not, since
 * paths of a filesystem may be anything.  Times are nanoseconds of Unix time.
 */
#include "store/base/utf8.h"
#include "store/model/item_json.h"
#include "store/wire/codec_int.h"

static struct value
bytes_value(struct slice s)
{
	return (struct value){.type = utf8_valid(s) ? VALUE_S : VALUE_B, .text = s};
}

static void
put_bytes(struct codec_writer *w, const char *name, struct slice s)
{
	if (s.len > 0) {
		struct value v = bytes_value(s);

		codec_put_value(w, name, &v);
	}
}

static int
bytes_of(struct codec_reader *r, const struct value *v, struct slice *out)
{
	if (v->type != VALUE_S && v->type != VALUE_B) {
		return call_fail(r->c, ERR_VALIDATION, "expected S or B, not %s",
				 value_type_name(v->type));
	}
	*out = v->text;
	return 0;
}

static int
read_bytes(struct codec_reader *r, const struct json *obj, const char *name, struct slice *out)
{
	const struct value *v = NULL;
	int status = codec_value(r, obj, name, &v);

	return status < 0 || v == NULL ? status : bytes_of(r, v, out);
}

static void
put_lines(struct codec_writer *w, const char *name, const struct slice *lines, size_t n)
{
	codec_open(w, name, '[');
	for (size_t i = 0; i < n; i++) {
		struct value v = bytes_value(lines[i]);

		codec_put_member(w, &v);
	}
	json_close(&w->json);
}

static int
read_lines(struct codec_reader *r, const struct json *obj, const char *name,
	   const struct slice **out, size_t *n)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, name, &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	struct slice *lines = arena_new(&r->c->arena, struct slice, list->n);

	json_each (child, list) {
		struct value v;

		status = codec_element(r, child, "AttributeValue");
		if (status == 0) {
			status = value_from_typed_json(r->c, child, &v);
		}
		if (status == 0) {
			status = bytes_of(r, &v, &lines[(*n)++]);
		}
		if (status < 0) {
			return status;
		}
	}
	*out = lines;
	return 0;
}

/* ------------------------------------------------------------ LoadItems, ChangeItems, SetTime, Sync */

int
codec_read_load_items_in(struct codec_reader *r, const struct json *root, struct load_items_in *in)
{
	struct item *items = NULL;
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_items(r, root, "Items", &items, &in->n_items);
	}
	in->items = items;
	return status;
}

void
codec_write_load_items_in(struct codec_writer *w, const struct load_items_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_items(w, "Items", in->items, in->n_items);
}

void
codec_write_load_items_out(struct codec_writer *w, const struct load_items_in *in,
			   const struct load_items_out *out)
{
	(void)in;
	codec_put_uint(w, "Loaded", out->loaded);
}

int
codec_read_load_items_out(struct codec_reader *r, const struct json *root,
			  const struct load_items_in *in, struct load_items_out *out)
{
	(void)in;
	return codec_uint(r, root, "Loaded", &out->loaded);
}

int
codec_read_change_items_in(struct codec_reader *r, const struct json *root,
			   struct change_items_in *in)
{
	struct item *keys = NULL;
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_items(r, root, "Keys", &keys, &in->n_keys);
	}
	in->keys = keys;
	if (status == 0) {
		status = codec_expression(r, root, "UpdateExpression", &in->update);
	}
	if (status == 0) {
		status = codec_expression(r, root, "ConditionExpression", &in->condition);
	}
	return status < 0 ? status : codec_placeholders(r, root, &in->ph);
}

void
codec_write_change_items_in(struct codec_writer *w, const struct change_items_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_items(w, "Keys", in->keys, in->n_keys);
	codec_put_string(w, "UpdateExpression", in->update);
	codec_put_string(w, "ConditionExpression", in->condition);
	codec_put_placeholders(w, &in->ph);
}

void
codec_write_change_items_out(struct codec_writer *w, const struct change_items_in *in,
			     const struct change_items_out *out)
{
	(void)in;
	codec_put_uint(w, "Changed", out->changed);
	codec_put_uint(w, "Refused", out->refused);
}

int
codec_read_change_items_out(struct codec_reader *r, const struct json *root,
			    const struct change_items_in *in, struct change_items_out *out)
{
	int status = codec_uint(r, root, "Changed", &out->changed);

	(void)in;
	return status < 0 ? status : codec_uint(r, root, "Refused", &out->refused);
}

int
codec_read_set_time_in(struct codec_reader *r, const struct json *root, struct set_time_in *in)
{
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_need_item(r, root, "Key", &in->key);
	}
	return status < 0 ? status : codec_uint(r, root, "MTime", &in->mtime_ns);
}

void
codec_write_set_time_in(struct codec_writer *w, const struct set_time_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_item(w, "Key", &in->key);
	codec_put_uint(w, "MTime", in->mtime_ns);
}

void
codec_write_set_time_out(struct codec_writer *w, const struct set_time_in *in,
			 const struct set_time_out *out)
{
	(void)in;
	codec_put_uint(w, "Seq", out->seq);
}

int
codec_read_set_time_out(struct codec_reader *r, const struct json *root,
			const struct set_time_in *in, struct set_time_out *out)
{
	(void)in;
	return codec_uint(r, root, "Seq", &out->seq);
}

int
codec_read_sync_in(struct codec_reader *r, const struct json *root, struct sync_in *in)
{
	(void)r;
	(void)root;
	(void)in;
	return 0;
}

void
codec_write_sync_in(struct codec_writer *w, const struct sync_in *in)
{
	(void)w;
	(void)in;
}

CODEC_EMPTY_OUT(sync)

/* ------------------------------------------------------------ Sweep, Compact, Check, Refused */

/* Nothing instead of 0. */
static void
put_positive(struct codec_writer *w, const char *name, uint64_t v)
{
	if (v > 0) {
		codec_put_uint(w, name, v);
	}
}

int
codec_read_sweep_in(struct codec_reader *r, const struct json *root, struct sweep_in *in)
{
	int status = codec_string(r, root, "TableName", &in->table);

	if (status == 0) {
		status = codec_uint(r, root, "Now", &in->now_s);
	}
	if (status == 0) {
		status = codec_bool(r, root, "AnyAge", &in->any_age);
	}
	return status < 0 ? status : read_bytes(r, root, "Next", &in->next);
}

void
codec_write_sweep_in(struct codec_writer *w, const struct sweep_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_uint(w, "Now", in->now_s);
	codec_put_true(w, "AnyAge", in->any_age);
	put_bytes(w, "Next", in->next);
}

void
codec_write_sweep_out(struct codec_writer *w, const struct sweep_in *in,
		      const struct sweep_out *out)
{
	(void)in;
	codec_put_uint(w, "Items", out->items);
	codec_put_uint(w, "Deleted", out->deleted);
	put_positive(w, "Ahead", out->ahead);
	put_bytes(w, "Next", out->next);
}

int
codec_read_sweep_out(struct codec_reader *r, const struct json *root, const struct sweep_in *in,
		     struct sweep_out *out)
{
	int status = codec_uint(r, root, "Items", &out->items);

	(void)in;
	if (status == 0) {
		status = codec_uint(r, root, "Deleted", &out->deleted);
	}
	if (status == 0) {
		status = codec_uint(r, root, "Ahead", &out->ahead);
	}
	return status < 0 ? status : read_bytes(r, root, "Next", &out->next);
}

int
codec_read_compact_in(struct codec_reader *r, const struct json *root, struct compact_in *in)
{
	int status = codec_string(r, root, "TableName", &in->table);

	return status < 0 ? status : read_bytes(r, root, "Next", &in->next);
}

void
codec_write_compact_in(struct codec_writer *w, const struct compact_in *in)
{
	codec_put_string(w, "TableName", in->table);
	put_bytes(w, "Next", in->next);
}

void
codec_write_compact_out(struct codec_writer *w, const struct compact_in *in,
			const struct compact_out *out)
{
	(void)in;
	put_positive(w, "Bytes", out->bytes);
	put_positive(w, "Ahead", out->ahead);
	put_bytes(w, "Next", out->next);
}

int
codec_read_compact_out(struct codec_reader *r, const struct json *root, const struct compact_in *in,
		       struct compact_out *out)
{
	int status = codec_uint(r, root, "Bytes", &out->bytes);

	(void)in;
	if (status == 0) {
		status = codec_uint(r, root, "Ahead", &out->ahead);
	}
	return status < 0 ? status : read_bytes(r, root, "Next", &out->next);
}

int
codec_read_check_in(struct codec_reader *r, const struct json *root, struct check_in *in)
{
	int status = codec_bool(r, root, "Repair", &in->repair);

	return status < 0 ? status : read_bytes(r, root, "Next", &in->next);
}

void
codec_write_check_in(struct codec_writer *w, const struct check_in *in)
{
	codec_put_true(w, "Repair", in->repair);
	put_bytes(w, "Next", in->next);
}

void
codec_write_check_out(struct codec_writer *w, const struct check_in *in,
		      const struct check_out *out)
{
	(void)in;
	put_lines(w, "Problems", out->problems, out->n_problems);
	put_positive(w, "Repaired", out->repaired);
	codec_put_uint(w, "Items", out->items);
	codec_put_uint(w, "Entries", out->entries);
	put_positive(w, "Looked", out->looked);
	put_positive(w, "Ahead", out->ahead);
	put_bytes(w, "Next", out->next);
}

int
codec_read_check_out(struct codec_reader *r, const struct json *root, const struct check_in *in,
		     struct check_out *out)
{
	int status = read_lines(r, root, "Problems", &out->problems, &out->n_problems);

	(void)in;
	if (status == 0) {
		status = codec_uint(r, root, "Repaired", &out->repaired);
	}
	if (status == 0) {
		status = codec_uint(r, root, "Items", &out->items);
	}
	if (status == 0) {
		status = codec_uint(r, root, "Entries", &out->entries);
	}
	if (status == 0) {
		status = codec_uint(r, root, "Looked", &out->looked);
	}
	if (status == 0) {
		status = codec_uint(r, root, "Ahead", &out->ahead);
	}
	return status < 0 ? status : read_bytes(r, root, "Next", &out->next);
}

int
codec_read_backup_store_in(struct codec_reader *r, const struct json *root,
			   struct backup_store_in *in)
{
	int status = read_bytes(r, root, "Path", &in->dir);

	return status < 0 ? status : codec_uint(r, root, "Mark", &in->mark);
}

void
codec_write_backup_store_in(struct codec_writer *w, const struct backup_store_in *in)
{
	put_bytes(w, "Path", in->dir);
	codec_put_uint(w, "Mark", in->mark);
}

void
codec_write_backup_store_out(struct codec_writer *w, const struct backup_store_in *in,
			     const struct backup_store_out *out)
{
	(void)in;
	codec_put_uint(w, "Records", out->records);
	codec_put_uint(w, "Bytes", out->bytes);
	put_lines(w, "Broken", out->broken, out->n_broken);
}

int
codec_read_backup_store_out(struct codec_reader *r, const struct json *root,
			    const struct backup_store_in *in, struct backup_store_out *out)
{
	int status = codec_uint(r, root, "Records", &out->records);

	(void)in;
	if (status == 0) {
		status = codec_uint(r, root, "Bytes", &out->bytes);
	}
	return status < 0 ? status : read_lines(r, root, "Broken", &out->broken, &out->n_broken);
}

int
codec_read_refused_in(struct codec_reader *r, const struct json *root, struct refused_in *in)
{
	return read_bytes(r, root, "Path", &in->path);
}

void
codec_write_refused_in(struct codec_writer *w, const struct refused_in *in)
{
	put_bytes(w, "Path", in->path);
}

void
codec_write_refused_out(struct codec_writer *w, const struct refused_in *in,
			const struct refused_out *out)
{
	(void)in;
	put_lines(w, "Lines", out->lines, out->n_lines);
}

int
codec_read_refused_out(struct codec_reader *r, const struct json *root, const struct refused_in *in,
		       struct refused_out *out)
{
	(void)in;
	return read_lines(r, root, "Lines", &out->lines, &out->n_lines);
}
