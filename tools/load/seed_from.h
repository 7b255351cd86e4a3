/* seed_from - a copy of another store, for seed.c */
#ifndef TOOLS_LOAD_SEED_FROM_H
#define TOOLS_LOAD_SEED_FROM_H

#include "store/base/core/call.h"

struct ctl;

/**
 * seed_from - make the store @target a copy of another
 * @name:   a store as -s has it, or a backup
 * @target: is not there; its directory is, and has room for a backup
 *
 * Errors:  -ERR_USAGE  no such store;  those of backup, restore and copy, with @name
 */
int seed_from(struct ctl *ctl, struct call *c, const char *name, const char *target)
	__attribute__((warn_unused_result));

/** seed_path - DIR/NAME, in the call's arena */
const char *seed_path(struct call *c, const char *dir, const char *name);

#endif
