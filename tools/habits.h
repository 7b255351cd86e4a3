/* habits - what people bring along from the AWS command line: what it prints */
#ifndef TOOLS_HABITS_H
#define TOOLS_HABITS_H

#include "store/base/json.h"
#include "store/model/schema.h"

/**
 * habits_item - the typed item of {"Item":...}, {"PutRequest":{"Item":...}}
 * @out: NULL: @json itself may be an item; what has the partition key is one
 *
 * Errors: -ERR_USAGE  an answer or request that is no item
 */
int habits_item(struct call *c, const struct json *json, const struct key_schema *key,
		const struct json **out) __attribute__((warn_unused_result));

#endif
