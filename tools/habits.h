/* habits - what people bring along from the AWS command line: names of its commands, what it prints */
#ifndef TOOLS_HABITS_H
#define TOOLS_HABITS_H

#include "store/base/json.h"
#include "store/model/schema.h"

/**
 * habits_command - is @name one of its commands ("put-item") or operations ("PutItem")?
 *
 * Return: 0: no
 * Errors: -ERR_VALIDATION  yes: what it is called here
 */
int habits_command(struct call *c, const char *name) __attribute__((warn_unused_result));

/**
 * habits_item - is @json no item, but an answer or request with items in it?
 *
 * Return: 0: no; what has the partition key is an item
 * Errors: -ERR_VALIDATION  yes: how items are made of it
 */
int habits_item(struct call *c, const struct json *json, const struct key_schema *key)
	__attribute__((warn_unused_result));

#endif
