/*
 * seen - "the item is still what was read" as a condition of the API
 *
 * The engine of a store compares whole items (struct seen in op.h).  A server knows conditions only: each
 * attribute that was read must have the value it had, of the first 140.  It cannot be told that there is
 * no other one: who read long ago reads again before.
 */
#ifndef STORE_OP_SEEN_H
#define STORE_OP_SEEN_H

#include "store/op/op.h"

/** seen_condition - of @it, which has an attribute at least; memory: @a's, and the item's values */
void seen_condition(struct arena *a, const struct item *it, struct slice *condition,
		    struct placeholders *ph);

#endif
