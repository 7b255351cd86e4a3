/* rng - random values and items for property tests; the same seed gives the same ones */
#ifndef TESTS_SUPPORT_RNG_H
#define TESTS_SUPPORT_RNG_H

#include "store/model/item.h"

struct rng {
	uint64_t state; /* any seed */
};

/** rng_roll - return a number from 0 to @sides - 1 */
uint32_t rng_roll(struct rng *d, uint32_t sides);

/** rng_key - return a key value of type S, N or B; it is short and uses few different bytes, so that
 * prefixes and equal values are frequent */
struct value rng_key(struct rng *d, struct arena *a, enum value_type type);

/** rng_value - return a value of any type, at most @depth containers deep */
struct value rng_value(struct rng *d, struct arena *a, unsigned depth);

/** rng_item - return an item of up to @most attributes of any type, named a0, a1, ... */
struct item rng_item(struct rng *d, struct arena *a, uint32_t most);

#endif
