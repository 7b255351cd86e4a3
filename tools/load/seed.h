/*
 * seed - what a store in memory begins with: a copy of another store, tables and items of files
 *
 *   --from STORE  --backup, restore or copy-->  the store
 *   --seed FILE   --create-table, then import-->
 *
 * Each step is the command of that name, with the words that would be typed.
 */
#ifndef TOOLS_LOAD_SEED_H
#define TOOLS_LOAD_SEED_H

#include "tools/cli/opts.h"

struct ctl;

struct seed {
	const char *from;   /* a store or a backup; NULL: an empty store */
	struct words files; /* FILE, FILE=TABLE or DIR */
	bool infer;         /* as import has it */
};

/** seed_is_wanted - is there anything to begin with? */
bool seed_is_wanted(const struct seed *s);

/** seed_no_temp - refuse it for @store, which stays; Errors: -ERR_USAGE  with the commands that fill that */
int seed_no_temp(struct call *c, const char *store) __attribute__((warn_unused_result));

/**
 * seed_fill - make a store of it
 * @base: an empty directory
 * @out:  the store, in @base
 *
 * All definitions come before all items.  Nothing is removed after a failure.
 * Errors:  -ERR_USAGE  no such store, no table for a file of items; those of the commands, with the name of the file
 */
int seed_fill(struct ctl *ctl, struct call *c, const struct seed *s, const char *base,
	      const char **out) __attribute__((warn_unused_result));

#endif
