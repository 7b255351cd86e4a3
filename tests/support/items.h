/* items - values for tests: written as JSON in the mount's form, or at random */
#ifndef TESTS_SUPPORT_ITEMS_H
#define TESTS_SUPPORT_ITEMS_H

#include "store/model/item.h"

/** value_of - parse a value; abort if @json is not one */
struct value value_of(struct call *c, const char *json);

/** item_of - parse an item; abort if @json is not one */
struct item item_of(struct call *c, const char *json);

/**
 * random_value - return any value that DynamoDB accepts
 * @depth: maximum nesting of lists and maps below it
 */
struct value random_value(struct arena *a, unsigned *seed, int depth);

/** text_is - return true if @s is this text; otherwise print both */
bool text_is(struct slice s, const char *expected);

/** random_item - return an item of up to @n attributes with values of random_value() */
struct item random_item(struct arena *a, unsigned *seed, int n, int depth);

#endif
