/* items - values for tests: written as JSON in the mount's form, or at random */
#ifndef TESTS_SUPPORT_ITEMS_H
#define TESTS_SUPPORT_ITEMS_H

#include "store/model/item.h"

/** value_of - the value that @json stands for; aborts when it is none */
struct value value_of(struct call *c, const char *json);

/** item_of - the item that @json stands for; aborts when it is none */
struct item item_of(struct call *c, const char *json);

/**
 * random_value - any value that DynamoDB would take
 * @depth: lists and maps nest at most so deep below it
 */
struct value random_value(struct arena *a, unsigned *seed, int depth);

/** text_is - is @s this text?  Both are printed when it is not */
bool text_is(struct slice s, const char *expected);

/** random_item - an item of up to @n attributes with values of random_value() */
struct item random_item(struct arena *a, unsigned *seed, int n, int depth);

#endif
