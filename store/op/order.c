/*
 * order - the stages of the checks of each request, as data
 *
 * The front end has decoded all values of the request, or knows which part it could not decode.
 */
#include "store/op/order.h"

#include "store/model/item.h"
#include "store/model/legacy_check.h"
#include "store/model/placeholders.h"
#include "store/op/op.h"
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
	int r = validate_number(c, in->total_segments, "totalSegments", 1, LIMIT_SEGMENTS);

	if (r == 0 && in->segment >= in->total_segments) {
		return call_fail(c, ERR_VALIDATION,
				 "The Segment parameter is zero-based and must be less than "
				 "parameter TotalSegments: Segment: %u is not less than "
				 "TotalSegments: %u",
				 in->segment, in->total_segments);
	}
	return r;
}

static int
order_placeholders(struct call *c, const struct placeholders *ph)
{
	int r = placeholders_check_names(c, ph);

	return r < 0 ? r : placeholders_check_keys(c, ph);
}

/* Each stage occurs only in operations that have the member. */
static int
order_check(struct call *c, const struct op_in *in, enum order_part stage)
{
	const struct read_in *read = op_read(in);
	const struct write_in *write = op_write(in);

	switch (stage) {
	case ORDER_LIMIT:
		return !read->has_limit ? 0
					: validate_number(c, read->limit, "limit", 1, UINT32_MAX);
	case ORDER_MIXED:
		return unmixed_request(c, in);
	case ORDER_ITEM:
		return in->type == OP_PUT_ITEM ? item_check(c, &write->item) : 0;
	case ORDER_RETURNS:
		return write->return_values <= RETURN_ALL_OLD
			       ? 0
			       : call_fail(c, ERR_VALIDATION,
					   "ReturnValues can only be ALL_OLD or NONE");
	case ORDER_SIZE:
		return item_size(&write->item) <= LIMIT_ITEM_BYTES ? 0 : item_fail_size(c);
	case ORDER_UPDATES:
		return legacy_check_updates(c, &in->update_item.updates);
	case ORDER_EXPECTED:
		return legacy_check_expected(c, &write->expected);
	case ORDER_FILTER:
		return legacy_check_filter(c, &read->conditions);
	case ORDER_ATTRIBUTES:
		return legacy_check_names(c, read != NULL ? &read->attributes
							  : &in->get_item.attributes);
	case ORDER_KEY_GIVEN:
		return in->query.key_condition.at != NULL || in->query.key_conditions.given
			       ? 0
			       : call_fail(c, ERR_VALIDATION,
					   "Either the KeyConditions or KeyConditionExpression "
					   "parameter must be specified in the request.");
	case ORDER_SEGMENTS:
		return order_segments(c, &in->scan);
	case ORDER_PLACEHOLDERS:
		return order_placeholders(c, read != NULL    ? &read->ph
					     : write != NULL ? &write->ph
							     : &in->get_item.ph);
	case ORDER_START:
	case ORDER_VALUES:
	case ORDER_KEY:
	case ORDER_END:
		break;
	}
	return 0;
}

/* ------------------------------------------------------------ running the stages */

int
order_check_deep(struct call *c, const struct op_in *in)
{
	return in->type == OP_PUT_ITEM || in->type == OP_DELETE_ITEM
		       ? order_check(c, in, ORDER_RETURNS)
		       : 0;
}

int
order_check_before(struct call *c, const struct op_in *in, enum order_part part)
{
	const enum order_part *stage = order_stages[in->type];
	int r = 0;

	assert(part <= ORDER_KEY);
	for (; stage != NULL && *stage != part && *stage != ORDER_END && r == 0; stage++) {
		r = order_check(c, in, *stage);
	}
	return r;
}

int
order_validate(struct call *c, const struct op_in *in)
{
	const struct read_in *read = op_read(in);
	const struct write_in *write = op_write(in);
	int r = validate_table_name(c, read != NULL    ? read->table
				       : write != NULL ? write->table
						       : in->get_item.table);

	if (r < 0) {
		return r;
	}
	for (const enum order_part *stage = order_stages[in->type]; *stage != ORDER_END && r == 0;
	     stage++) {
		r = *stage == ORDER_PLACEHOLDERS ? 0 : order_check(c, in, *stage);
	}
	return write != NULL ? validate_envelop(c, r) : r;
}
