/*
 * unchanged - "what was read is still so", said to a server elsewhere
 *
 * The engine of a store compares whole items (struct seen in op.h).  Another's server knows
 * conditions only: each attribute that was read must have the value it had.  It cannot be told
 * that there is no other one.
 */
#ifndef FS_UNCHANGED_H
#define FS_UNCHANGED_H

#include "fs/mount_int.h"

/**
 * unchanged_demand - of a server elsewhere: make the condition of what @seen says; else nothing
 *
 * How many items a partition has is not asked there.  @condition is empty when @seen has an item.
 */
void unchanged_demand(const struct mount *m, struct arena *a, const struct seen *seen,
		      struct slice *condition, struct placeholders *ph);

#endif
