/*
 * codec_item - GetItem, PutItem, UpdateItem, DeleteItem
 */
#include "store/base/text/json.h"
#include "store/model/item_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ GetItem */

static const struct shape_member codec_get_item_in_members[] = {
	CODEC_ROW_CAPACITY(struct get_item_in, capacity),
	CODEC_ROW_TABLE(struct get_item_in, table),
	CODEC_ROW_KEY(struct get_item_in, key, "Key"),
	CODEC_ROW_EXPRESSION(struct get_item_in, projection, "ProjectionExpression"),
	CODEC_ROW_NAMES(struct get_item_in, ph),
	CODEC_ROW_ATTRIBUTES(struct get_item_in, attributes),
	CODEC_ROW_BOOL(struct get_item_in, consistent, "ConsistentRead"),
};

static const struct shape_member codec_get_own_members[] = {
	SHAPE_ROW(struct get_item_out, mtime_ns, "MTime", SHAPE_LONG),
};
SHAPE_DEFINE(codec_get_own, struct get_item_out, NULL)

static const struct shape_member codec_get_out_members[] = {
	SHAPE_ROW(struct get_item_out, item, "Item", SHAPE_ITEM,
		  SHAPE_GIVEN(struct get_item_out, found)),
	CODEC_ROW_CONSUMED(struct get_item_out, consumed),
};
SHAPE_DEFINE(codec_get_out, struct get_item_out, NULL, .own = &codec_get_own)

SHAPE_ROWS_IN(get_item)
SHAPE_ANSWER(get_item, &codec_get_out)

/* ------------------------------------------------------------ writes of one item */

/* Members of struct write_in in @type, before and after the item or its key. */
#define CODEC_ROWS_WRITE_BEGIN(type) \
	CODEC_ROW_CAPACITY(type, write.asked.capacity), CODEC_ROW_TABLE(type, write.table)
#define CODEC_ROWS_WRITE_END(type) \
	CODEC_ROW_COLLECTIONS(type, write.asked.collections), \
		CODEC_ROW_EXPRESSION(type, write.condition, "ConditionExpression"), \
		CODEC_ROW_NAMES(type, write.ph), CODEC_ROW_VALUES(type, write.ph), \
		CODEC_ROW_CONDITIONS(type, write.expected, "Expected", &codec_expected_shape, \
				     ORDER_EXPECTED), \
		CODEC_ROW_FAILURE(type, write.return_on_failure)

static const struct shape_member codec_put_own_members[] = {
	SHAPE_ROW(struct put_item_in, write.unsynced, "Relaxed", SHAPE_BOOL),
	SHAPE_ROW(struct put_item_in, mtime_ns, "MTime", SHAPE_LONG),
};
SHAPE_DEFINE(codec_put_own, struct put_item_in, NULL)

static const struct shape_member codec_put_in_members[] = {
	CODEC_ROWS_WRITE_BEGIN(struct put_item_in),
	CODEC_ROW_KEY(struct put_item_in, write.item, "Item"),
	CODEC_ROW_RETURNS(struct put_item_in, write.return_values),
	CODEC_ROW_OPERATOR(struct put_item_in, write.expected),
	CODEC_ROWS_WRITE_END(struct put_item_in),
};
SHAPE_DEFINE(codec_put_in, struct put_item_in, NULL, .own = &codec_put_own,
	     .layer = SHAPE_CURRENT_JOINS_ALL)

/* The members of "ItemFS" in UpdateItem and DeleteItem. */
static const struct shape_member codec_write_own_members[] = {
	SHAPE_ROW(struct write_in, unsynced, "Relaxed", SHAPE_BOOL),
};
SHAPE_DEFINE(codec_write_own, struct write_in, NULL)
static_assert(offsetof(struct put_item_in, write) == 0, "codec_also_written() reads it");
static_assert(offsetof(struct update_item_in, write) == 0, "codec_write_own reads it");
static_assert(offsetof(struct delete_item_in, write) == 0, "likewise");

static const struct shape_member codec_update_in_members[] = {
	CODEC_ROWS_WRITE_BEGIN(struct update_item_in),
	CODEC_ROW_RETURNS(struct update_item_in, write.return_values),
	CODEC_ROW_OPERATOR(struct update_item_in, write.expected),
	CODEC_ROW_KEY(struct update_item_in, write.item, "Key"),
	CODEC_ROW_EXPRESSION(struct update_item_in, update, "UpdateExpression"),
	SHAPE_ROW_MAP(struct update_item_in, updates.at, updates.n, "AttributeUpdates",
		      &codec_update_shape, SHAPE_GIVEN(struct update_item_in, updates.given),
		      .part = ORDER_UPDATES),
	CODEC_ROWS_WRITE_END(struct update_item_in),
};
SHAPE_DEFINE(codec_update_in, struct update_item_in, NULL, .own = &codec_write_own,
	     .layer = SHAPE_CURRENT)

static const struct shape_member codec_delete_in_members[] = {
	CODEC_ROWS_WRITE_BEGIN(struct delete_item_in),
	CODEC_ROW_KEY(struct delete_item_in, write.item, "Key"),
	CODEC_ROW_RETURNS(struct delete_item_in, write.return_values),
	CODEC_ROW_OPERATOR(struct delete_item_in, write.expected),
	CODEC_ROWS_WRITE_END(struct delete_item_in),
};
SHAPE_DEFINE(codec_delete_in, struct delete_item_in, NULL, .own = &codec_write_own,
	     .layer = SHAPE_CURRENT_JOINS)

/* ------------------------------------------------------------ answers of the writes */

static const struct shape_member codec_written_own_members[] = {
	SHAPE_ROW(struct written, had_old, "Existed", SHAPE_BOOL),
	SHAPE_ROW(struct written, seq, "Seq", SHAPE_LONG, .flags = SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_written_own, struct written, NULL)

static const struct shape_member codec_written_members[] = {
	CODEC_ROW_CONSUMED(struct written, report.consumed),
	CODEC_ROW_COLLECTION(struct written, report.collections),
};

/* Read the attributes.  Attributes of the old item mean that there was one. */
static int
codec_finish_written(struct codec_reader *r, const struct json *json, void *out)
{
	const struct write_in *in =
		&r->in->put_item.write; /* at the same address in all three requests */
	struct written *w = out;
	const struct json *attributes = json_get(json, "Attributes");
	int status = codec_is_null(attributes)
			     ? 0
			     : item_from_typed_json(r->c, attributes, &w->attributes);

	w->had_old = w->attributes.n > 0 && (in->return_values == RETURN_ALL_OLD ||
					     in->return_values == RETURN_UPDATED_OLD);
	return status;
}

/* Write the attributes only if the request asks for them; the engine may return them anyway. */
static void
codec_also_written(struct codec_writer *w, const void *out)
{
	const struct write_in *in = w->in;
	const struct written *written = out;

	if (in->return_values != RETURN_NONE && written->attributes.n > 0) {
		json_name(&w->json, "Attributes");
		item_put_json(codec_by_hand(w), &written->attributes, ITEM_TYPED);
	}
}

SHAPE_DEFINE(codec_written, struct written, NULL, .own = &codec_written_own,
	     .finish = codec_finish_written, .also = codec_also_written)

SHAPE_OPERATION(put_item, &codec_put_in, &codec_written)
SHAPE_OPERATION(update_item, &codec_update_in, &codec_written)
SHAPE_OPERATION(delete_item, &codec_delete_in, &codec_written)
