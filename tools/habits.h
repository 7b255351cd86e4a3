/* habits - what people bring along from the AWS command line: what it prints */
#ifndef TOOLS_HABITS_H
#define TOOLS_HABITS_H

#include "store/base/json.h"
#include "store/model/schema.h"

/**
 * habits_item - is @json no item, but an answer or request with items in it?
 *
 * Return: 0: no; what has the partition key is an item
 * Errors: -ERR_USAGE  yes: how items are made of it
 */
int habits_item(struct call *c, const struct json *json, const struct key_schema *key)
	__attribute__((warn_unused_result));

#endif
