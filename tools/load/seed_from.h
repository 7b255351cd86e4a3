/* seed_from - a new store as a copy of another store or of a backup */
#ifndef TOOLS_LOAD_SEED_FROM_H
#define TOOLS_LOAD_SEED_FROM_H

#include "store/base/core/call.h"

struct ctl;

/**
 * seed_from - create the store @target as a copy of another
 * @name:   a store, as for -s, or a backup
 * @target: does not exist; its parent directory does, and a temporary backup is written there
 *
 * Errors:  -ERR_USAGE  there is no such store; those of backup, restore and copy, with @name
 */
int seed_from(struct ctl *ctl, struct call *c, const char *name, const char *target) must_check;

/** seed_path - return DIR/NAME, in the arena of the call */
const char *seed_path(struct call *c, const char *dir, const char *name);

#endif
