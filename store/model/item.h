/* item - attributes of an item or map by name, comparison, size, limits of every item */
#ifndef STORE_MODEL_ITEM_H
#define STORE_MODEL_ITEM_H

#include "store/model/value.h"

/** item_get - return the value of the attribute @name, or NULL */
const struct value *item_get(const struct item *it, struct slice name);

/** item_size - return the bytes that DynamoDB counts for names and values; Source: BEHAVIOUR 2.12 */
size_t item_size(const struct item *it);

/** item_eq - return true if both have the same attributes with equal values, in any order */
bool item_eq(const struct item *a, const struct item *b);

/** item_copy - return a deep copy in @a */
struct item item_copy(struct arena *a, const struct item *it);

/**
 * item_check - check the limits of every item, whatever its table
 *
 * Errors:  -ERR_VALIDATION  an attribute without a name or with one over 64 KiB, nesting over 32
 *                           levels, an empty set, a duplicate set member
 * Source:  BEHAVIOUR 2.2-2.5, 2.15
 */
int item_check(struct call *c, const struct item *it) must_check;

/**
 * value_check_nesting - check that lists and maps in @v are not nested too deep; its names and sets are valid
 * @level: of @v, at least 1; 1 for an attribute of an item
 *
 * Errors:  -ERR_VALIDATION
 */
int value_check_nesting(struct call *c, const struct value *v, size_t level) must_check;

/** item_fail_size - fail because an item is too large; Return: -ERR_ITEM_TOO_BIG */
int item_fail_size(struct call *c) must_check;

/** item_fail_update_size - fail because an update makes an item too large; Return: -ERR_ITEM_TOO_BIG */
int item_fail_update_size(struct call *c) must_check;

/** item_fail_no_name - fail because an attribute or a member of a map has an empty name; Return: -ERR_VALIDATION */
int item_fail_no_name(struct call *c) must_check;

/** item_fail_nesting - fail because a list or map is at level 32; Return: -ERR_VALIDATION */
int item_fail_nesting(struct call *c) must_check;

/**
 * item_fail_value - turn the failure @r of one value into that of the placeholder @name, if it is -ERR_VALIDATION
 *
 * Return: @r
 */
int item_fail_value(struct call *c, int r, struct slice name) must_check;

#endif
