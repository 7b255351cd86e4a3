/* dice - random values and items for property tests; the same seed gives the same ones */
#ifndef TESTS_SUPPORT_DICE_H
#define TESTS_SUPPORT_DICE_H

#include "store/model/item.h"

struct dice {
	uint64_t state; /* any seed */
};

/** dice_roll - return a number from 0 to @sides - 1 */
uint32_t dice_roll(struct dice *d, uint32_t sides);

/** dice_key - return a key value of type S, N or B; it is short and uses few different bytes, so that
 * prefixes and equal values are frequent */
struct value dice_key(struct dice *d, struct arena *a, enum value_type type);

/** dice_value - return a value of any type, at most @depth containers deep */
struct value dice_value(struct dice *d, struct arena *a, unsigned depth);

/** dice_item - return an item of up to @most attributes of any type, named a0, a1, ... */
struct item dice_item(struct dice *d, struct arena *a, uint32_t most);

#endif
