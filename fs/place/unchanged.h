/*
 * unchanged - "what was read is still so", said to a server elsewhere
 *
 * See store/op/seen.h.
 */
#ifndef FS_PLACE_UNCHANGED_H
#define FS_PLACE_UNCHANGED_H

#include "fs/core/mount_int.h"

/**
 * unchanged_demand - of a server elsewhere: make the condition of what @seen says; else nothing
 *
 * How many items a partition has is not asked there.  @condition is empty when @seen has an item.
 */
void unchanged_demand(const struct mount *m, struct arena *a, const struct seen *seen,
		      struct slice *condition, struct placeholders *ph);

/**
 * unchanged_look - of a server elsewhere: read the item again, -ERR_CONDITION if it is not all of @seen
 *
 * Before a write that demands what was read long ago: so only what others add, or change behind the
 * attributes that are compared, in the moment between this and the write is not seen.  @key: at least
 * the key's attributes.
 */
int unchanged_look(const struct mount *m, struct call *c, struct slice table,
		   const struct item *key, const struct item *seen);

#endif
