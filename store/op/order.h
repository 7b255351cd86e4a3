/*
 * order - in which order requests for one item, Query and Scan are judged before their table is looked up
 *
 * order.c has the table.  The types of a request's members and their constraints come before it (wire/codec/shape.h);
 * behind it the expressions, KeyConditions, the table, its key, the condition (local/read/select.c, local/write/write_item.c).
 */
#ifndef STORE_OP_ORDER_H
#define STORE_OP_ORDER_H

#include "store/op/op.h"

/* Parts of a request that hold attribute values; of two with a bad value the first is reported. */
enum order_part {
	ORDER_ITEM,     /* Item or Key; of other operations whatever has values */
	ORDER_FILTER,   /* QueryFilter, ScanFilter */
	ORDER_START,    /* ExclusiveStartKey */
	ORDER_UPDATES,  /* AttributeUpdates */
	ORDER_EXPECTED, /* Expected */
	ORDER_VALUES,   /* ExpressionAttributeValues */
	ORDER_KEY,      /* KeyConditions */
	ORDER_NONE,     /* a stage that is about no part with values */
};

/**
 * order_check_deep - the stage that the service's older layer, which takes over where values nest very deeply, judges
 * before all values
 *
 * Errors:  -ERR_VALIDATION
 */
int order_check_deep(struct call *c, const struct op_in *in) __attribute__((warn_unused_result));

/**
 * order_check_before - judge @in by the stages before that of @part, in which a value could not be read
 *
 * op_validate() walks all of them.  Requests of other operations have no stages.
 *
 * Errors:  -ERR_VALIDATION
 */
int order_check_before(struct call *c, const struct op_in *in, enum order_part part)
	__attribute__((warn_unused_result));

#endif
