/*
 * codec_item - GetItem, PutItem, UpdateItem, DeleteItem
 */
#include "store/wire/codec_int.h"

/* ------------------------------------------------------------ GetItem */

int
codec_read_get_item_in(struct codec_reader *r, const struct json *root, struct get_item_in *in)
{
	int status = codec_capacity(r, root, &in->capacity);

	if (status == 0) {
		status = codec_table_name(r, root, &in->table);
	}
	if (status == 0) {
		status = codec_bool(r, root, "ConsistentRead", &in->consistent);
	}
	if (status == 0) {
		status = codec_expression(r, root, "ProjectionExpression", &in->projection);
	}
	if (status == 0) {
		status = codec_names(r, root, &in->ph);
	}
	if (status == 0) {
		status = codec_attributes(r, root, &in->attributes);
	}
	return status < 0 ? status : codec_need_item(r, root, "Key", &in->key);
}

void
codec_write_get_item_in(struct codec_writer *w, const struct get_item_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_item(w, "Key", &in->key);
	codec_put_string(w, "ProjectionExpression", in->projection);
	codec_put_placeholders(w, &in->ph);
	codec_put_attributes(w, &in->attributes);
	codec_put_true(w, "ConsistentRead", in->consistent);
	codec_put_capacity(w, in->capacity);
}

void
codec_write_get_item_out(struct codec_writer *w, const struct get_item_in *in,
			 const struct get_item_out *out)
{
	(void)in;
	if (out->found) {
		codec_put_item(w, "Item", &out->item);
	}
	codec_put_consumed(w, &out->consumed);
	if (out->mtime_ns != 0 && codec_open_own(w)) {
		codec_put_uint(w, "MTime", out->mtime_ns);
		json_close(&w->json);
	}
}

int
codec_read_get_item_out(struct codec_reader *r, const struct json *root,
			const struct get_item_in *in, struct get_item_out *out)
{
	(void)in;
	out->found = !codec_is_null(json_get(root, "Item"));
	int status = codec_item(r, root, "Item", &out->item);

	if (status == 0) {
		status = codec_consumed(r, root, &out->consumed);
	}
	return status < 0 ? status : codec_uint(r, r->own, "MTime", &out->mtime_ns);
}

/* ------------------------------------------------------------ writes of one item */

/*
 * @item:    the member that holds the item or its key
 * @updates: all five ReturnValues are allowed
 */
static int
read_write(struct codec_reader *r, const struct json *root, const char *item, bool updates,
	   struct write_in *in)
{
	int status = codec_capacity(r, root, &in->asked.capacity);

	if (status == 0) {
		status = codec_table_name(r, root, &in->table);
	}
	if (status == 0) {
		status = codec_expression(r, root, "ConditionExpression", &in->condition);
	}
	if (status == 0) {
		status = codec_placeholders(r, root, &in->ph);
	}
	if (status == 0) {
		status = codec_expected(r, root, &in->expected);
	}
	if (status == 0) {
		status = codec_need_item(r, root, item, &in->item);
	}
	if (status == 0) {
		status = updates ? codec_return_values(r, root, &in->return_values)
				 : codec_old_values(r, root, &in->return_values);
	}
	if (status == 0) {
		status = codec_failure_values(r, root, &in->return_on_failure);
	}
	if (status == 0) {
		status = codec_collections(r, root, &in->asked.collections);
	}
	return status < 0 ? status : codec_bool(r, r->own, "Relaxed", &in->relaxed);
}

static void
write_write(struct codec_writer *w, const char *item, const struct write_in *in, uint64_t mtime_ns)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_item(w, item, &in->item);
	codec_put_string(w, "ConditionExpression", in->condition);
	codec_put_placeholders(w, &in->ph);
	codec_put_conditions(w, "Expected", &in->expected);
	codec_put_returns(w, in->return_values, in->return_on_failure);
	codec_put_asked(w, &in->asked);
	if ((in->relaxed || mtime_ns != 0) && codec_open_own(w)) {
		codec_put_true(w, "Relaxed", in->relaxed);
		if (mtime_ns != 0) {
			codec_put_uint(w, "MTime", mtime_ns);
		}
		json_close(&w->json);
	}
}

static void
write_written(struct codec_writer *w, const struct write_in *in, const struct written *out)
{
	if (in->return_values != RETURN_NONE && out->attributes.n > 0) {
		codec_put_item(w, "Attributes", &out->attributes);
	}
	codec_put_consumed(w, &out->told.consumed);
	codec_put_collection(w, &out->told.collections);
	if (codec_open_own(w)) {
		codec_put_true(w, "Existed", out->had_old);
		codec_put_uint(w, "Seq", out->seq);
		json_close(&w->json);
	}
}

static int
read_written(struct codec_reader *r, const struct json *root, const struct write_in *in,
	     struct written *out)
{
	bool old = in->return_values == RETURN_ALL_OLD || in->return_values == RETURN_UPDATED_OLD;
	int status = codec_item(r, root, "Attributes", &out->attributes);

	out->had_old = old && out->attributes.n > 0;

	if (status == 0) {
		status = codec_consumed(r, root, &out->told.consumed);
	}
	if (status == 0) {
		status = codec_collection(r, root, in->table, &out->told.collections);
	}
	if (status == 0) {
		status = codec_bool(r, r->own, "Existed", &out->had_old);
	}
	return status < 0 ? status : codec_uint(r, r->own, "Seq", &out->seq);
}

/* ------------------------------------------------------------ PutItem */

int
codec_read_put_item_in(struct codec_reader *r, const struct json *root, struct put_item_in *in)
{
	int status = read_write(r, root, "Item", false, &in->write);

	return status < 0 ? status : codec_uint(r, r->own, "MTime", &in->mtime_ns);
}

void
codec_write_put_item_in(struct codec_writer *w, const struct put_item_in *in)
{
	write_write(w, "Item", &in->write, in->mtime_ns);
}

void
codec_write_put_item_out(struct codec_writer *w, const struct put_item_in *in,
			 const struct put_item_out *out)
{
	write_written(w, &in->write, &out->written);
}

int
codec_read_put_item_out(struct codec_reader *r, const struct json *root,
			const struct put_item_in *in, struct put_item_out *out)
{
	return read_written(r, root, &in->write, &out->written);
}

/* ------------------------------------------------------------ UpdateItem */

int
codec_read_update_item_in(struct codec_reader *r, const struct json *root,
			  struct update_item_in *in)
{
	int status = codec_expression(r, root, "UpdateExpression", &in->update);

	if (status == 0) {
		status = codec_updates(r, root, &in->updates);
	}
	return status < 0 ? status : read_write(r, root, "Key", true, &in->write);
}

void
codec_write_update_item_in(struct codec_writer *w, const struct update_item_in *in)
{
	codec_put_string(w, "UpdateExpression", in->update);
	codec_put_updates(w, &in->updates);
	write_write(w, "Key", &in->write, 0);
}

void
codec_write_update_item_out(struct codec_writer *w, const struct update_item_in *in,
			    const struct update_item_out *out)
{
	write_written(w, &in->write, &out->written);
}

int
codec_read_update_item_out(struct codec_reader *r, const struct json *root,
			   const struct update_item_in *in, struct update_item_out *out)
{
	return read_written(r, root, &in->write, &out->written);
}

/* ------------------------------------------------------------ DeleteItem */

int
codec_read_delete_item_in(struct codec_reader *r, const struct json *root,
			  struct delete_item_in *in)
{
	return read_write(r, root, "Key", false, &in->write);
}

void
codec_write_delete_item_in(struct codec_writer *w, const struct delete_item_in *in)
{
	write_write(w, "Key", &in->write, 0);
}

void
codec_write_delete_item_out(struct codec_writer *w, const struct delete_item_in *in,
			    const struct delete_item_out *out)
{
	write_written(w, &in->write, &out->written);
}

int
codec_read_delete_item_out(struct codec_reader *r, const struct json *root,
			   const struct delete_item_in *in, struct delete_item_out *out)
{
	return read_written(r, root, &in->write, &out->written);
}
