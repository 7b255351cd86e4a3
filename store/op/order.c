/*
 * order - the stages of the checks of each request, as data
 *
 * The front end has decoded all values of the request, or knows which part it could not decode.
 */
#include "store/op/order.h"

#include <assert.h>

#include "store/model/item.h"
#include "store/model/legacy_check.h"
#include "store/model/placeholders.h"
#include "store/op/unmixed.h"
#include "store/op/validate.h"
#include "store/op/validate_int.h"

#define ORDER(...) ((const enum order_part[]){__VA_ARGS__, ORDER_END})

/* KeyConditions themselves are checked after the expressions. */
static const enum order_part *const order_stages[OP_COUNT] = {
	[OP_GET_ITEM] =
		ORDER(ORDER_MIXED, ORDER_ITEM, ORDER_ATTRIBUTES, ORDER_PLACEHOLDERS, ORDER_VALUES),
	[OP_PUT_ITEM] = ORDER(ORDER_MIXED, ORDER_ITEM, ORDER_RETURNS, ORDER_SIZE, ORDER_EXPECTED,
			      ORDER_PLACEHOLDERS, ORDER_VALUES),
	[OP_UPDATE_ITEM] = ORDER(ORDER_MIXED, ORDER_ITEM, ORDER_UPDATES, ORDER_EXPECTED,
				 ORDER_PLACEHOLDERS, ORDER_VALUES),
	[OP_DELETE_ITEM] = ORDER(ORDER_MIXED, ORDER_ITEM, ORDER_RETURNS, ORDER_EXPECTED,
				 ORDER_PLACEHOLDERS, ORDER_VALUES),
	[OP_QUERY] = ORDER(ORDER_LIMIT, ORDER_MIXED, ORDER_FILTER, ORDER_ATTRIBUTES, ORDER_START,
			   ORDER_KEY_GIVEN, ORDER_PLACEHOLDERS, ORDER_VALUES, ORDER_KEY),
	[OP_SCAN] = ORDER(ORDER_LIMIT, ORDER_MIXED, ORDER_ATTRIBUTES, ORDER_FILTER, ORDER_START,
			  ORDER_SEGMENTS, ORDER_PLACEHOLDERS, ORDER_VALUES),
};

/* ------------------------------------------------------------ one stage */

/* Source: BEHAVIOUR 13.4 */
static int
order_segments(struct call *c, const struct scan_in *in)
{
	if (in->has_segment && !in->has_total_segments) {
		return call_fail(c, ERR_VALIDATION,
				 "The TotalSegments parameter is required but was not present in "
				 "the request when Segment parameter is present");
	}
	if (!in->has_segment && in->has_total_segments) {
		return call_fail(c, ERR_VALIDATION,
				 "The Segment parameter is required but was not present in the "
				 "request when parameter TotalSegments is present");
	}
	if (!in->has_segment) {
		return 0;
	}
	if (in->total_segments < 1 || in->total_segments > LIMIT_SEGMENTS) {
		return call_fail(c, ERR_VALIDATION,
				 "1 validation error detected: Value '%u' at 'totalSegments' "
				 "failed to satisfy constraint: Member must have value %s than or "
				 "equal to %d",
				 in->total_segments, in->total_segments < 1 ? "greater" : "less",
				 in->total_segments < 1 ? 1 : LIMIT_SEGMENTS);
	}
	if (in->segment >= in->total_segments) {
		return call_fail(c, ERR_VALIDATION,
				 "The Segment parameter is zero-based and must be less than "
				 "parameter TotalSegments: Segment: %u is not less than "
				 "TotalSegments: %u",
				 in->segment, in->total_segments);
	}
	return 0;
}

static int
order_placeholders(struct call *c, const struct placeholders *ph)
{
	int r = placeholders_check_names(c, ph);

	return r < 0 ? r : placeholders_check_keys(c, ph);
}

static int
order_check_get(struct call *c, const struct get_item_in *in, enum order_part stage)
{
	switch ((int)stage) {
	case ORDER_MIXED:
		return unmixed_get(c, in);
	case ORDER_ATTRIBUTES:
		return legacy_check_names(c, &in->attributes);
	case ORDER_PLACEHOLDERS:
		return order_placeholders(c, &in->ph);
	default:
		return 0;
	}
}

static int
order_check_write(struct call *c, enum op_type type, const void *in, enum order_part stage)
{
	const struct write_in *write = in; /* the three writes begin with it */
	const struct update_item_in *update = in;

	switch ((int)stage) {
	case ORDER_MIXED:
		return type == OP_UPDATE_ITEM ? unmixed_update(c, update) : unmixed_write(c, write);
	case ORDER_ITEM:
		return type == OP_PUT_ITEM ? item_check(c, &write->item) : 0;
	case ORDER_RETURNS:
		return write->return_values <= RETURN_ALL_OLD
			       ? 0
			       : call_fail(c, ERR_VALIDATION,
					   "ReturnValues can only be ALL_OLD or NONE");
	case ORDER_SIZE:
		return item_size(&write->item) <= LIMIT_ITEM_BYTES ? 0 : item_fail_size(c);
	case ORDER_UPDATES:
		return legacy_check_updates(c, &update->updates);
	case ORDER_EXPECTED:
		return legacy_check_expected(c, &write->expected);
	case ORDER_PLACEHOLDERS:
		return order_placeholders(c, &write->ph);
	default:
		return 0;
	}
}
static_assert(offsetof(struct put_item_in, write) == 0, "order_check_write() relies on it");
static_assert(offsetof(struct update_item_in, write) == 0, "likewise");
static_assert(offsetof(struct delete_item_in, write) == 0, "likewise");

static int
order_check_read(struct call *c, enum op_type type, const void *in, enum order_part stage)
{
	const struct read_in *read = in; /* both reads begin with it */
	const struct query_in *query = in;

	switch ((int)stage) {
	case ORDER_LIMIT:
		return !read->has_limit || read->limit > 0
			       ? 0
			       : call_fail(c, ERR_VALIDATION,
					   CONSTRAINT
					   "Member must have value greater than or equal to 1",
					   "0", "limit");
	case ORDER_MIXED:
		return type == OP_QUERY ? unmixed_query(c, query) : unmixed_scan(c, read);
	case ORDER_FILTER:
		return legacy_check_filter(c, &read->conditions);
	case ORDER_ATTRIBUTES:
		return legacy_check_names(c, &read->attributes);
	case ORDER_KEY_GIVEN:
		return query->key_condition.at != NULL || query->key_conditions.given
			       ? 0
			       : call_fail(c, ERR_VALIDATION,
					   "Either the KeyConditions or KeyConditionExpression "
					   "parameter must be specified in the request.");
	case ORDER_SEGMENTS:
		return order_segments(c, in);
	case ORDER_PLACEHOLDERS:
		return order_placeholders(c, &read->ph);
	default:
		return 0;
	}
}
static_assert(offsetof(struct query_in, read) == 0, "order_check_read() relies on it");
static_assert(offsetof(struct scan_in, read) == 0, "likewise");

static int
order_check(struct call *c, enum op_type type, const void *in, enum order_part stage)
{
	switch ((int)type) {
	case OP_GET_ITEM:
		return order_check_get(c, in, stage);
	case OP_QUERY:
	case OP_SCAN:
		return order_check_read(c, type, in, stage);
	default:
		return order_check_write(c, type, in, stage);
	}
}

/* ------------------------------------------------------------ running the stages */

int
order_check_deep(struct call *c, const struct op_in *in)
{
	return in->type == OP_PUT_ITEM || in->type == OP_DELETE_ITEM
		       ? order_check(c, in->type, &in->get_item, ORDER_RETURNS)
		       : 0;
}

int
order_check_before(struct call *c, const struct op_in *in, enum order_part part)
{
	const enum order_part *stage = order_stages[in->type];
	int r = 0;

	assert(part <= ORDER_KEY);
	for (; stage != NULL && *stage != part && *stage != ORDER_END && r == 0; stage++) {
		r = order_check(c, in->type, &in->get_item, *stage);
	}
	return r;
}

static int
order_validate(struct call *c, enum op_type type, struct slice table, const void *in)
{
	int r = validate_table_name(c, table);

	if (r < 0) {
		return r;
	}
	for (const enum order_part *stage = order_stages[type]; *stage != ORDER_END && r == 0;
	     stage++) {
		r = *stage == ORDER_PLACEHOLDERS ? 0 : order_check(c, type, in, *stage);
	}
	return type == OP_PUT_ITEM || type == OP_UPDATE_ITEM || type == OP_DELETE_ITEM
		       ? validate_envelop(c, r)
		       : r;
}

/* ------------------------------------------------------------ one operation each */

#define ORDER_OPERATION(NAME, name, table) \
	int validate_##name(struct call *c, const struct name##_in *in) \
	{ \
		return order_validate(c, OP_##NAME, in->table, in); \
	}

ORDER_OPERATION(GET_ITEM, get_item, table)
ORDER_OPERATION(PUT_ITEM, put_item, write.table)
ORDER_OPERATION(UPDATE_ITEM, update_item, write.table)
ORDER_OPERATION(DELETE_ITEM, delete_item, write.table)
ORDER_OPERATION(QUERY, query, read.table)
ORDER_OPERATION(SCAN, scan, read.table)
