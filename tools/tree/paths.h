/* paths - what ls, cat, tree and find share: a run over the paths that were typed, messages, entries of directories */
#ifndef TOOLS_TREE_PATHS_H
#define TOOLS_TREE_PATHS_H

#include "tools/text/words.h"
#include "tools/tree/tree.h"

/* A run of one of the commands */
struct paths {
	struct ctl *ctl;
	struct call *c;
	const void *opts;
	struct tree tree;
	bool begun; /* a path was printed before this one */
	int status; /* 1: a message was printed */
};

/**
 * paths_run - run @each for every path that was typed, for @otherwise if there is none
 *
 * Return: the exit status: 1 after paths_complain()
 * Errors: as tree_open()
 */
int paths_run(struct ctl *ctl, struct call *c, const struct words *words, const void *opts,
	      const char *otherwise, void (*each)(struct paths *f, struct slice path, bool several))
	must_check;

/** paths_complain - print the message of the errno @e for a path, and the mount's reason */
void paths_complain(struct paths *f, struct slice path, int e);

/** paths_put_name - append a name to the output; on a terminal without characters that control it */
void paths_put_name(struct paths *f, struct slice name);

/** paths_goes_on - Return: false once the output has failed, for instance because a pipe was closed */
bool paths_goes_on(struct paths *f);

/** paths_is_dots - Return: whether the name is "." or ".." */
bool paths_is_dots(struct slice name);

#endif
