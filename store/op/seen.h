/*
 * seen - a ConditionExpression that holds while an item is as it was read
 *
 * The engine of a store compares whole items (struct seen in op.h).  For a server, the condition requires
 * that each of the first 140 attributes has the value that was read.  It cannot exclude
 * additional attributes, so a caller that read the item long ago reads it again first.
 */
#ifndef STORE_OP_SEEN_H
#define STORE_OP_SEEN_H

#include "store/op/op.h"

/** seen_condition - build the condition for @it, which is not empty; the result is in @a and borrows from @it */
void seen_condition(struct arena *a, const struct item *it, struct slice *condition,
		    struct placeholders *ph);

#endif
