/*
 * unchanged - the condition "the item is still as it was read", for an endpoint
 *
 * See store/op/seen.h. These functions do nothing for a store in a directory, whose writes compare the item
 * themselves.
 */
#ifndef FS_PLACE_UNCHANGED_H
#define FS_PLACE_UNCHANGED_H

#include "fs/core/mount_int.h"

/**
 * unchanged_demand - make the condition of a write from the item in @seen, if it has one
 *
 * The number of items of a partition is not checked. @condition must be empty when @seen has an item.
 */
void unchanged_demand(const struct mount *m, struct arena *a, const struct seen *seen,
		      struct slice *condition, struct placeholders *ph);

/**
 * unchanged_look - read the item again; fail with -ERR_CONDITION if it differs from @seen
 * @key: at least the key attributes
 *
 * Used before a write whose condition is based on an older read. The condition cannot notice attributes that others
 * add, or change beyond the 140 that it compares, in the moment between this read and the write.
 */
int unchanged_look(const struct mount *m, struct call *c, struct slice table,
		   const struct item *key, const struct item *seen);

#endif
