/*
 * order - the order of checks of single-item requests, Query and Scan, before their table is looked up
 *
 * order.c has the table of stages.  Earlier are checked the types and constraints of the request's members
 * (wire/codec/shape.h); later the expressions, KeyConditions, the table, its key and the condition
 * (local/read/select.c, local/write/write_item.c).
 */
#ifndef STORE_OP_ORDER_H
#define STORE_OP_ORDER_H

#include "store/op/op.h"

/* The stages of the checks. Those until ORDER_KEY are parts of a request that contain attribute values. */
enum order_part {
	ORDER_ITEM,     /* Item or Key; in other operations, any part with values */
	ORDER_FILTER,   /* QueryFilter, ScanFilter */
	ORDER_START,    /* ExclusiveStartKey */
	ORDER_UPDATES,  /* AttributeUpdates */
	ORDER_EXPECTED, /* Expected */
	ORDER_VALUES,   /* ExpressionAttributeValues */
	ORDER_KEY,      /* KeyConditions */

	ORDER_LIMIT,
	ORDER_MIXED,   /* expressions beside older parameters; placeholders without expressions */
	ORDER_RETURNS, /* ReturnValues of PutItem and DeleteItem */
	ORDER_SIZE,    /* of the item */
	ORDER_ATTRIBUTES,   /* AttributesToGet */
	ORDER_KEY_GIVEN,    /* a key condition of either kind */
	ORDER_SEGMENTS,     /* Segment, TotalSegments */
	ORDER_PLACEHOLDERS, /* names and values; ORDER_VALUES is the stage of bad values in them */
	ORDER_END,
};

/**
 * order_check_deep - run the stages that come first if values are nested very deeply
 *
 * In that case the service's older layer handles the request, and checks ReturnValues before all values.
 *
 * Errors:  -ERR_VALIDATION
 */
int order_check_deep(struct call *c, const struct op_in *in) must_check;

/**
 * order_check_before - run the stages of @in before that of @part, in which a value could not be decoded
 *
 * Requests of other operations have no stages.  op_validate() runs all stages except the placeholders, which are
 * checked when the expressions are bound.
 *
 * Errors:  -ERR_VALIDATION
 */
int order_check_before(struct call *c, const struct op_in *in, enum order_part part) must_check;

#endif
