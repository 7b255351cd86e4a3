/*
 * codec_transact - TransactGetItems and TransactWriteItems
 */
#include "store/base/text/json.h"
#include "store/model/limits.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ TransactGetItems */

static const struct shape_rule codec_transact_rule = {
	.min = 1, .max = LIMIT_TRANSACTION, .most_of_own = 2 * LIMIT_TRANSACTION};

static const struct shape_member codec_get_members[] = {
	CODEC_ROW_TABLE(struct transact_get, table),
	CODEC_ROW_KEY(struct transact_get, key, "Key"),
	CODEC_ROW_EXPRESSION(struct transact_get, projection, "ProjectionExpression"),
	CODEC_ROW_NAMES(struct transact_get, ph),
};
SHAPE_DEFINE(codec_get, struct transact_get, SHAPE_CLASS("Get"))

static const struct shape_member codec_transact_get_members[] = {
	SHAPE_INNER("Get", &codec_get, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};

/* Record a bad value with its action: it is reported after the faults of the actions before. */
static int
codec_take_fault(struct codec_reader *r, const struct shape *s, const struct json *json,
		 struct transact_fault *out)
{
	out->of_values = r->part == ORDER_VALUES;
	return shape_take_fault(r, s, json, &out->why);
}

static const struct shape codec_transact_get;

static int
codec_finish_get(struct codec_reader *r, const struct json *json, void *out)
{
	struct transact_get *get = out;

	return codec_take_fault(r, &codec_transact_get, json, &get->fault);
}

SHAPE_DEFINE(codec_transact_get, struct transact_get, SHAPE_CLASS("TransactGetItem"),
	     .finish = codec_finish_get)

static const struct shape_member codec_transact_get_items_in_members[] = {
	CODEC_ROW_CAPACITY(struct transact_get_items_in, capacity),
	SHAPE_ROW_LIST(struct transact_get_items_in, gets, n_gets, "TransactItems",
		       &codec_transact_get, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS,
		       .rule = &codec_transact_rule),
};

/* Items in the order of the request, {} for an item that was not found. */
static const struct shape_member codec_response_shape_members[] = {
	SHAPE_ROW(struct item_response, item, "Item", SHAPE_ITEM,
		  SHAPE_GIVEN(struct item_response, found)),
};
SHAPE_SHARE(codec_response_shape, struct item_response, NULL)

static const struct shape_member codec_gets_out_members[] = {
	CODEC_ROW_LIST(struct transact_get_items_out, responses, "Responses",
		       &codec_response_shape),
	CODEC_ROW_CONSUMED_LIST(struct transact_get_items_out, consumed),
};

static int
codec_finish_gets(struct codec_reader *r, const struct json *json, void *answer)
{
	const struct transact_get_items_out *out = answer;

	(void)json;
	return out->n_responses == r->in->transact_get_items.n_gets
		       ? 0
		       : call_fail(r->c, ERR_VALIDATION,
				   "an answer with %zu responses to %zu requests", out->n_responses,
				   r->in->transact_get_items.n_gets);
}

SHAPE_DEFINE(codec_gets_out, struct transact_get_items_out, NULL, .finish = codec_finish_gets)

SHAPE_ROWS_IN(transact_get_items)
SHAPE_ANSWER(transact_get_items, &codec_gets_out)

/* ------------------------------------------------------------ TransactWriteItems */

#define CODEC_ROWS_ACTION \
	CODEC_ROW_NAMES(struct transact_action, ph), CODEC_ROW_VALUES(struct transact_action, ph), \
		CODEC_ROW_FAILURE(struct transact_action, return_on_failure)

static const struct shape_member codec_put_members[] = {
	CODEC_ROW_TABLE(struct transact_action, table),
	CODEC_ROW_KEY(struct transact_action, item, "Item"),
	CODEC_ROW_EXPRESSION(struct transact_action, condition, "ConditionExpression"),
	CODEC_ROWS_ACTION,
};
SHAPE_DEFINE(codec_put, struct transact_action, SHAPE_CLASS("Put"))

static const struct shape_member codec_delete_members[] = {
	CODEC_ROW_TABLE(struct transact_action, table),
	CODEC_ROW_KEY(struct transact_action, item, "Key"),
	CODEC_ROW_EXPRESSION(struct transact_action, condition, "ConditionExpression"),
	CODEC_ROWS_ACTION,
};
SHAPE_DEFINE(codec_delete, struct transact_action, SHAPE_CLASS("Delete"))

static const struct shape_member codec_check_members[] = {
	CODEC_ROW_TABLE(struct transact_action, table),
	CODEC_ROW_KEY(struct transact_action, item, "Key"),
	SHAPE_ROW(struct transact_action, condition, "ConditionExpression", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED | SHAPE_NULLABLE),
	CODEC_ROWS_ACTION,
};
SHAPE_DEFINE(codec_check, struct transact_action, SHAPE_CLASS("ConditionCheck"))

static const struct shape_member codec_update_members[] = {
	CODEC_ROW_TABLE(struct transact_action, table),
	CODEC_ROW_KEY(struct transact_action, item, "Key"),
	SHAPE_ROW(struct transact_action, update, "UpdateExpression", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED | SHAPE_NULLABLE),
	CODEC_ROW_EXPRESSION(struct transact_action, condition, "ConditionExpression"),
	CODEC_ROWS_ACTION,
};
SHAPE_DEFINE(codec_update, struct transact_action, SHAPE_CLASS("Update"))

static const struct shape_member codec_action_members[] = {
	SHAPE_CHOICE(struct transact_action, kind, TRANSACT_CHECK, "ConditionCheck", &codec_check),
	SHAPE_CHOICE(struct transact_action, kind, TRANSACT_PUT, "Put", &codec_put),
	SHAPE_CHOICE(struct transact_action, kind, TRANSACT_DELETE, "Delete", &codec_delete),
	SHAPE_CHOICE(struct transact_action, kind, TRANSACT_UPDATE, "Update", &codec_update),
};

static const struct shape codec_action;

static int
codec_finish_action(struct codec_reader *r, const struct json *json, void *out)
{
	struct transact_action *action = out;
	size_t n = shape_choices(&codec_action, json);

	if (n > 1) {
		(void)codec_defer(r, ORDER_ITEM,
				  call_fail(r->c, ERR_VALIDATION,
					    "TransactItems can only contain one of Check, Put, "
					    "Update or Delete"));
	}
	return codec_take_fault(r, &codec_action, json, &action->fault);
}

SHAPE_DEFINE(codec_action, struct transact_action, SHAPE_CLASS("TransactWriteItem"),
	     .finish = codec_finish_action)

static const struct shape_member codec_writes_own_members[] = {
	SHAPE_ROW(struct transact_write_items_in, unsynced, "Relaxed", SHAPE_BOOL),
};
SHAPE_DEFINE(codec_writes_own, struct transact_write_items_in, NULL)

static const struct shape_member codec_writes_members[] = {
	SHAPE_ROW(struct transact_write_items_in, token, "ClientRequestToken", SHAPE_STRING,
		  .rule = &codec_token_rule),
	CODEC_ROW_CAPACITY(struct transact_write_items_in, asked.capacity),
	CODEC_ROW_COLLECTIONS(struct transact_write_items_in, asked.collections),
	SHAPE_ROW_LIST(struct transact_write_items_in, actions, n_actions, "TransactItems",
		       &codec_action, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS,
		       .rule = &codec_transact_rule),
};

/* An action without any of the four members is a fault of the whole request. */
static int
codec_finish_writes(struct codec_reader *r, const struct json *json, void *out)
{
	const struct json *actions = json_get(json, "TransactItems");

	(void)out;
	json_each (action, actions) {
		if (shape_choices(&codec_action, action) == 0) {
			return codec_defer(
				r, ORDER_ITEM,
				call_fail(r->c, ERR_VALIDATION,
					  "1 validation error detected: Value '' at "
					  "'transactItems' failed to satisfy constraint: "
					  "TransactWriteRequest should contain Delete or Put or "
					  "Update or ConditionCheck"));
		}
	}
	return 0;
}

SHAPE_DEFINE(codec_writes, struct transact_write_items_in, NULL, .own = &codec_writes_own,
	     .finish = codec_finish_writes)

static const struct shape_member codec_writes_out_own_members[] = {
	SHAPE_ROW(struct transact_write_items_out, seq, "Seq", SHAPE_LONG, .flags = SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_writes_out_own, struct transact_write_items_out, NULL)

static const struct shape_member codec_writes_out_members[] = {
	CODEC_ROW_CONSUMED_LIST(struct transact_write_items_out, report.consumed),
	CODEC_ROW_COLLECTION_LISTS(struct transact_write_items_out, report.collections),
};
SHAPE_DEFINE(codec_writes_out, struct transact_write_items_out, NULL, .own = &codec_writes_out_own)

SHAPE_OPERATION(transact_write_items, &codec_writes, &codec_writes_out)
