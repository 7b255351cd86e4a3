/*
 * seed - the initial content of a store in memory: a copy of another store, and tables and items of files
 *
 *   --from STORE  --backup, restore or copy-->  the store
 *   --seed FILE   --create-table, then import-->
 *
 * Each step runs the command of that name.
 */
#ifndef TOOLS_LOAD_SEED_H
#define TOOLS_LOAD_SEED_H

#include "tools/cli/opts.h"

struct ctl;

struct seed {
	const char *from;   /* a store or a backup; NULL: an empty store */
	struct words files; /* FILE, FILE=TABLE or DIR */
	bool infer;         /* --infer of import, for CSV files */
};

/** seed_is_wanted - return true if there is a store or a file to begin with */
bool seed_is_wanted(const struct seed *s);

/** seed_no_temp - refuse --seed and --from for the permanent @store; Errors: -ERR_USAGE  names other commands */
int seed_no_temp(struct call *c, const char *store) must_check;

/**
 * seed_fill - create the store
 * @base: an empty directory
 * @out:  the path of the store, in @base; also set on failure
 *
 * Processes all definitions before all items.  Removes nothing after a failure.
 * Errors:  -ERR_VALIDATION  there is no such store, or no table for an item file; those of the commands, with the name
 *          of the file
 */
int seed_fill(struct ctl *ctl, struct call *c, const struct seed *s, const char *base,
	      const char **out) must_check;

#endif
