/* item - the attributes of an item, found by name */
#ifndef STORE_MODEL_ITEM_H
#define STORE_MODEL_ITEM_H

#include "store/model/value.h"

/** item_get - the value of the attribute @name, or NULL */
const struct value *item_get(const struct item *it, struct slice name);

/** item_size - bytes DynamoDB counts: names and values; Source: BEHAVIOUR 2.12 */
size_t item_size(const struct item *it);

/** item_eq - the same attributes with equal values, in any order */
bool item_eq(const struct item *a, const struct item *b);

/** item_copy - a deep copy in @a's memory */
struct item item_copy(struct arena *a, const struct item *it);

/**
 * item_check - limits that hold for every item, whatever its table
 *
 * Errors:  -ERR_VALIDATION  an attribute without a name or with one over 64 KiB, nesting over 32
 *                           levels, an empty set, a duplicate set member
 * Source:  BEHAVIOUR 2.2-2.5, 2.15
 */
int item_check(struct call *c, const struct item *it) __attribute__((warn_unused_result));

/**
 * value_check_nesting - may @v stand on level @level? 1 for an attribute of an item
 *
 * Errors:  -ERR_VALIDATION
 */
int value_check_nesting(struct call *c, const struct value *v, size_t level)
	__attribute__((warn_unused_result));

/** item_fail_size - the failure of an item that is too large */
int item_fail_size(struct call *c) __attribute__((warn_unused_result));

/** item_fail_update_size - the failure of an update that makes an item too large */
int item_fail_update_size(struct call *c) __attribute__((warn_unused_result));

/** item_fail_no_name - the failure of an attribute or a map's member without a name */
int item_fail_no_name(struct call *c) __attribute__((warn_unused_result));

/** item_fail_nesting - the failure of everything that finds a list or map on the 32nd level */
int item_fail_nesting(struct call *c) __attribute__((warn_unused_result));

/**
 * item_fail_value - the failure @r of one value becomes that of the placeholder @name
 * Return: @r
 */
int item_fail_value(struct call *c, int r, struct slice name) __attribute__((warn_unused_result));

#endif
