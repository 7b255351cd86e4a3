/*
 * codec_batch - BatchGetItem and BatchWriteItem
 *
 * JSON has maps by table name, and op.h has arrays.  Unprocessed keys and items have the form of a request.
 */
#include "store/model/limits.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ BatchGetItem */

static const struct shape_rule codec_keys_rule = {.min = 1, .max = LIMIT_BATCH_GET};
static const struct shape_rule codec_keys_by_table_rule = {.tables = true};

static const struct shape_member codec_keys_members[] = {
	CODEC_ROW_ATTRIBUTES(struct batch_get, attributes),
	SHAPE_ROW_LIST(struct batch_get, keys, n_keys, "Keys", &shape_items,
		       .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_NEWER | SHAPE_ANSWERED,
		       .rule = &codec_keys_rule),
	CODEC_ROW_BOOL(struct batch_get, consistent, "ConsistentRead"),
	CODEC_ROW_EXPRESSION(struct batch_get, projection, "ProjectionExpression"),
	CODEC_ROW_NAMES(struct batch_get, ph),
};
SHAPE_DEFINE(codec_keys, struct batch_get, SHAPE_CLASS("KeysAndAttributes"),
	     .key = offsetof(struct batch_get, table))

static const struct shape_member codec_batch_get_item_in_members[] = {
	SHAPE_ROW_MAP(struct batch_get_item_in, tables, n_tables, "RequestItems", &codec_keys,
		      .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_NEWER,
		      .rule = &codec_keys_by_table_rule),
	CODEC_ROW_CAPACITY(struct batch_get_item_in, capacity),
};

static const struct shape_member codec_got_members[] = {
	SHAPE_BARE(struct batch_got, items, SHAPE_LIST, SHAPE_COUNT(struct batch_got, n_items),
		   .of = &shape_items),
};
SHAPE_DEFINE(codec_got, struct batch_got, NULL, .bare = true,
	     .key = offsetof(struct batch_got, table))

static const struct shape_member codec_batch_get_out_members[] = {
	SHAPE_ROW_MAP(struct batch_get_item_out, tables, n_tables, "Responses", &codec_got,
		      .flags = SHAPE_ALWAYS),
	SHAPE_ROW_MAP(struct batch_get_item_out, unprocessed, n_unprocessed, "UnprocessedKeys",
		      &codec_keys, .flags = SHAPE_ALWAYS),
	CODEC_ROW_CONSUMED_LIST(struct batch_get_item_out, consumed),
};

/* Bring the tables of the answer into the order of the request. */
static int
codec_finish_batch_get(struct codec_reader *r, const struct json *json, void *answer)
{
	const struct batch_get_item_in *in = &r->in->batch_get_item;
	struct batch_get_item_out *out = answer;
	struct batch_got *tables = arena_new(&r->c->arena, struct batch_got, in->n_tables);

	(void)json;
	for (size_t i = 0; i < in->n_tables; i++) {
		tables[i].table = in->tables[i].table;
		for (size_t k = 0; k < out->n_tables; k++) {
			if (slice_eq(out->tables[k].table, tables[i].table)) {
				tables[i] = out->tables[k];
			}
		}
	}
	out->tables = tables;
	out->n_tables = in->n_tables;
	return 0;
}

SHAPE_DEFINE(codec_batch_get_out, struct batch_get_item_out, NULL, .finish = codec_finish_batch_get)

SHAPE_ROWS_IN(batch_get_item)
SHAPE_ANSWER(batch_get_item, &codec_batch_get_out)

/* ------------------------------------------------------------ BatchWriteItem */

static const struct shape_member codec_put_request_members[] = {
	CODEC_ROW_KEY(struct batch_action, item, "Item"),
};
SHAPE_DEFINE(codec_put_request, struct batch_action, SHAPE_CLASS("PutRequest"))

static const struct shape_member codec_delete_request_members[] = {
	CODEC_ROW_KEY(struct batch_action, item, "Key"),
};
SHAPE_DEFINE(codec_delete_request, struct batch_action, SHAPE_CLASS("DeleteRequest"))

static const struct shape_member codec_write_request_members[] = {
	SHAPE_CHOICE(struct batch_action, kind, BATCH_PUT, "PutRequest", &codec_put_request),
	SHAPE_CHOICE(struct batch_action, kind, BATCH_DELETE, "DeleteRequest",
		     &codec_delete_request),
};

static int codec_finish_write_request(struct codec_reader *r, const struct json *json, void *out);

SHAPE_DEFINE(codec_write_request, struct batch_action, SHAPE_CLASS("WriteRequest"),
	     .finish = codec_finish_write_request)

/* Fail unless there is exactly one of the two.  The service has the same message for both and for neither. */
static int
codec_finish_write_request(struct codec_reader *r, const struct json *json, void *out)
{
	(void)out;
	return shape_choices(&codec_write_request, json) == 1
		       ? 0
		       : codec_defer(
				 r, ORDER_ITEM,
				 call_fail(r->c, ERR_VALIDATION,
					   "Supplied AttributeValue has more than one datatypes "
					   "set, must contain exactly one of the supported "
					   "datatypes"));
}

static const struct shape_rule codec_actions_rule = {.max = LIMIT_BATCH_WRITE};

static const struct shape_member codec_actions_members[] = {
	SHAPE_BARE(struct batch_write, actions, SHAPE_LIST,
		   SHAPE_COUNT(struct batch_write, n_actions), .of = &codec_write_request,
		   .flags = SHAPE_NEWER, .rule = &codec_actions_rule),
};
static const struct shape codec_actions_of_table = {
	.java_class = "java.util.List<" SHAPE_CLASS("WriteRequest") ">",
	.bare = true,
	SHAPE_MEMBERS(struct batch_write, codec_actions_members),
	.key = offsetof(struct batch_write, table)};

static const struct shape_rule codec_actions_by_table_rule = {.tables = true, .filled = true};

static const struct shape_member codec_batch_write_item_in_members[] = {
	CODEC_ROW_CAPACITY(struct batch_write_item_in, asked.capacity),
	CODEC_ROW_COLLECTIONS(struct batch_write_item_in, asked.collections),
	SHAPE_ROW_MAP(struct batch_write_item_in, tables, n_tables, "RequestItems",
		      &codec_actions_of_table,
		      .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_NEWER | SHAPE_LAST,
		      .rule = &codec_actions_by_table_rule),
};

static const struct shape_member codec_batch_write_item_out_members[] = {
	SHAPE_ROW_MAP(struct batch_write_item_out, unprocessed, n_unprocessed, "UnprocessedItems",
		      &codec_actions_of_table, .flags = SHAPE_ALWAYS),
	CODEC_ROW_CONSUMED_LIST(struct batch_write_item_out, report.consumed),
	CODEC_ROW_COLLECTION_LISTS(struct batch_write_item_out, report.collections),
};

SHAPE_ROWS(batch_write_item)
