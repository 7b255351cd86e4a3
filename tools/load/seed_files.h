/* seed_files - the files of --seed, and the kind of each: definitions of tables, items, or an export */
#ifndef TOOLS_LOAD_SEED_FILES_H
#define TOOLS_LOAD_SEED_FILES_H

#include "tools/cli/opts.h"

struct ctl;

struct seed_file {
	const char *path;
	const char *table; /* table of the items, from FILE=TABLE or the file; or NULL */
	bool defines;      /* defines tables; else it has items */
	bool exported;     /* the folder of an export */
	bool makes;        /* its items create the table; set by seed.c */
	const char *why;   /* why it defines no tables; NULL: not examined, or no error */
};

struct seed_list {
	const struct words *given; /* the values of --seed */
	struct ctl *ctl;           /* for notes */
	struct seed_file *at;      /* in the arena of the call */
	size_t n;
	size_t room;
};

/**
 * seed_files_add - append the file or files that @word names: FILE, FILE=TABLE or DIR
 *
 * For a directory, adds the files in DIR, and exports in DIR/AWSDynamoDB, that have the suffix of a definition or of
 * items.  Files that another word names as FILE=TABLE are left to that word.  A note lists all other files.
 *
 * Errors:  -ERR_USAGE; those of no_file()
 */
int seed_files_add(struct seed_list *s, struct call *c, const char *word) must_check;

#endif
