/*
 * codec_batch - BatchGetItem and BatchWriteItem
 *
 * Keyed by table name on the wire, arrays in op.h; what was not processed has
 * the form of a request.
 */
#include "store/model/item_json.h"
#include "store/wire/codec_int.h"

#define CLASS "com.amazonaws.dynamodb.v20120810."

/* "requestItems.TABLE.member.", the place of a complaint. */
static struct slice
place(struct codec_reader *r, struct slice table)
{
	struct buf b;

	buf_init(&b, &r->c->arena);
	buf_fmt(&b, "requestItems.%.*s.member.", SLICE_ARG(table));
	return buf_view(&b);
}

/* ------------------------------------------------------------ BatchGetItem */

static int
read_keys(struct codec_reader *r, const struct json *json, struct batch_get *get)
{
	struct item *keys = NULL;
	int status = codec_element(r, json, "KeysAndAttributes");

	get->table = json->name;
	r->prefix = place(r, json->name);
	if (status == 0) {
		status = codec_attributes(r, json, &get->attributes);
	}
	if (status == 0) {
		status = codec_bool(r, json, "ConsistentRead", &get->consistent);
	}
	if (status == 0) {
		status = codec_expression(r, json, "ProjectionExpression", &get->projection);
	}
	if (status == 0) {
		status = codec_names(r, json, &get->ph);
	}
	if (status == 0) {
		status = codec_items(r, json, "Keys", &keys, &get->n_keys);
	}
	if (keys == NULL) {
		codec_null(r, "Keys");
	}
	get->keys = keys;
	r->prefix = (struct slice){0};
	return status;
}

static int
read_gets(struct codec_reader *r, const struct json *map, const struct batch_get **out, size_t *n)
{
	struct batch_get *gets = arena_new(&r->c->arena, struct batch_get, map->n);

	json_each (child, map) {
		int status = read_keys(r, child, &gets[(*n)++]);

		if (status < 0) {
			return status;
		}
	}
	*out = gets;
	return 0;
}

int
codec_read_batch_get_item_in(struct codec_reader *r, const struct json *root,
			     struct batch_get_item_in *in)
{
	const struct json *map = NULL;
	int status = codec_capacity(r, root, &in->capacity);

	if (status == 0) {
		status = codec_map(r, root, "RequestItems", CLASS "KeysAndAttributes", &map);
	}
	if (status == 0 && map == NULL) {
		codec_null(r, "RequestItems");
	}
	return status < 0 || map == NULL ? status : read_gets(r, map, &in->tables, &in->n_tables);
}

static void
write_gets(struct codec_writer *w, const char *name, const struct batch_get *gets, size_t n)
{
	codec_open(w, name, '{');
	for (size_t i = 0; i < n; i++) {
		json_name_slice(&w->json, gets[i].table);
		json_open(&w->json, '{');
		codec_put_items(w, "Keys", gets[i].keys, gets[i].n_keys);
		codec_put_string(w, "ProjectionExpression", gets[i].projection);
		codec_put_placeholders(w, &gets[i].ph);
		codec_put_attributes(w, &gets[i].attributes);
		codec_put_true(w, "ConsistentRead", gets[i].consistent);
		json_close(&w->json);
	}
	json_close(&w->json);
}

void
codec_write_batch_get_item_in(struct codec_writer *w, const struct batch_get_item_in *in)
{
	write_gets(w, "RequestItems", in->tables, in->n_tables);
	codec_put_capacity(w, in->capacity);
}

void
codec_write_batch_get_item_out(struct codec_writer *w, const struct batch_get_item_in *in,
			       const struct batch_get_item_out *out)
{
	(void)in;
	codec_open(w, "Responses", '{');
	for (size_t i = 0; i < out->n_tables; i++) {
		json_name_slice(&w->json, out->tables[i].table);
		json_open(&w->json, '[');
		for (size_t k = 0; k < out->tables[i].n_items; k++) {
			codec_put_element(w, &out->tables[i].items[k]);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
	write_gets(w, "UnprocessedKeys", out->unprocessed, out->n_unprocessed);
	codec_put_consumed_list(w, &out->consumed);
}

int
codec_read_batch_get_item_out(struct codec_reader *r, const struct json *root,
			      const struct batch_get_item_in *in, struct batch_get_item_out *out)
{
	struct batch_got *tables = arena_new(&r->c->arena, struct batch_got, in->n_tables);
	const struct json *map = NULL;
	int status = codec_map(r, root, "Responses", "java.util.List<java.util.Map>", &map);

	/* In the order of the request, whatever the order of the answer. */
	for (size_t i = 0; i < in->n_tables && status == 0; i++) {
		struct item *items = NULL;

		tables[i].table = in->tables[i].table;
		status = codec_items(r, map, slice_cstr(&r->c->arena, tables[i].table), &items,
				     &tables[i].n_items);
		tables[i].items = items;
	}
	out->tables = tables;
	out->n_tables = in->n_tables;
	if (status == 0) {
		status = codec_consumed_list(r, root, &out->consumed);
	}
	if (status == 0) {
		status = codec_map(r, root, "UnprocessedKeys", CLASS "KeysAndAttributes", &map);
	}
	return status < 0 || map == NULL
		       ? status
		       : read_gets(r, map, &out->unprocessed, &out->n_unprocessed);
}

/* ------------------------------------------------------------ BatchWriteItem */

static int
read_action(struct codec_reader *r, const struct json *json, struct batch_action *a)
{
	const struct json *put = NULL;
	const struct json *del = NULL;
	int status = codec_element(r, json, "WriteRequest");

	if (status == 0) {
		status = codec_struct(r, json, "PutRequest", "PutRequest", &put);
	}
	if (status == 0) {
		status = codec_struct(r, json, "DeleteRequest", "DeleteRequest", &del);
	}
	if (status < 0) {
		return status;
	}
	if ((put == NULL) == (del == NULL)) {
		/* Its words for both. */
		return call_fail(r->c, ERR_VALIDATION,
				 "Supplied AttributeValue has more than one datatypes set, must "
				 "contain exactly one of the supported datatypes");
	}
	a->is_delete = del != NULL;
	return a->is_delete ? codec_need_item(r, del, "Key", &a->item)
			    : codec_need_item(r, put, "Item", &a->item);
}

static int
read_write(struct codec_reader *r, const struct json *list, struct batch_write *write)
{
	struct batch_action *actions = arena_new(&r->c->arena, struct batch_action, list->n);

	write->table = list->name;
	r->prefix = place(r, list->name);
	json_each (child, list) {
		int status = read_action(r, child, &actions[write->n_actions++]);

		if (status < 0) {
			return status;
		}
	}
	write->actions = actions;
	r->prefix = (struct slice){0};
	return 0;
}

static int
read_writes(struct codec_reader *r, const struct json *root, const char *name,
	    const struct batch_write **out, size_t *n)
{
	const struct json *map = NULL;
	int status = codec_map(r, root, name, "java.util.List<" CLASS "WriteRequest>", &map);

	if (status < 0 || map == NULL) {
		return status;
	}
	struct batch_write *writes = arena_new(&r->c->arena, struct batch_write, map->n);

	json_each (child, map) {
		const struct json *list = NULL;

		status = codec_list(r, map, slice_cstr(&r->c->arena, child->name), &list);
		if (status == 0 && list != NULL) {
			status = read_write(r, list, &writes[(*n)++]);
		}
		if (status < 0) {
			return status;
		}
	}
	*out = writes;
	return 0;
}

int
codec_read_batch_write_item_in(struct codec_reader *r, const struct json *root,
			       struct batch_write_item_in *in)
{
	int status = codec_capacity(r, root, &in->asked.capacity);

	if (status == 0) {
		status = codec_collections(r, root, &in->asked.collections);
	}
	if (codec_is_null(json_get(root, "RequestItems"))) {
		codec_null(r, "RequestItems");
	}
	return status < 0 ? status
			  : read_writes(r, root, "RequestItems", &in->tables, &in->n_tables);
}

static void
write_writes(struct codec_writer *w, const char *name, const struct batch_write *writes, size_t n)
{
	codec_open(w, name, '{');
	for (size_t i = 0; i < n; i++) {
		json_name_slice(&w->json, writes[i].table);
		json_open(&w->json, '[');
		for (size_t k = 0; k < writes[i].n_actions; k++) {
			const struct batch_action *a = &writes[i].actions[k];

			json_open(&w->json, '{');
			codec_open(w, a->is_delete ? "DeleteRequest" : "PutRequest", '{');
			codec_put_item(w, a->is_delete ? "Key" : "Item", &a->item);
			json_close(&w->json);
			json_close(&w->json);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
}

void
codec_write_batch_write_item_in(struct codec_writer *w, const struct batch_write_item_in *in)
{
	write_writes(w, "RequestItems", in->tables, in->n_tables);
	codec_put_asked(w, &in->asked);
}

void
codec_write_batch_write_item_out(struct codec_writer *w, const struct batch_write_item_in *in,
				 const struct batch_write_item_out *out)
{
	(void)in;
	write_writes(w, "UnprocessedItems", out->unprocessed, out->n_unprocessed);
	codec_put_consumed_list(w, &out->told.consumed);
	codec_put_collection_lists(w, &out->told.collections);
}

int
codec_read_batch_write_item_out(struct codec_reader *r, const struct json *root,
				const struct batch_write_item_in *in,
				struct batch_write_item_out *out)
{
	int status = codec_consumed_list(r, root, &out->told.consumed);

	(void)in;
	if (status == 0) {
		status = codec_collection_lists(r, root, &out->told.collections);
	}
	return status < 0 ? status
			  : read_writes(r, root, "UnprocessedItems", &out->unprocessed,
					&out->n_unprocessed);
}
