/* paths - what ls, cat, tree and find share: a run over the paths that were typed, messages, entries of directories */
#ifndef TOOLS_TREE_PATHS_H
#define TOOLS_TREE_PATHS_H

#include "tools/text/words.h"
#include "tools/tree/tree.h"

/* A directory that ls prints after all files */
struct paths_later {
	struct slice path;
	struct tree_at at;
	struct paths_later *next;
};

/* A run of one of the commands */
struct paths {
	struct ctl *ctl;
	struct call *c;
	const void *opts;
	struct tree tree;
	struct paths_later *first; /* of ls; in the call's arena */
	struct paths_later *last;
	bool begun; /* ls has printed something */
	int status; /* 1: a message was printed */
};

/* What a command does */
struct paths_command {
	const char *otherwise; /* the path if none is typed */
	void (*each)(struct paths *f, struct slice path, bool several); /* for every path */
	void (*end)(struct paths *f); /* after the last one; or NULL */
	bool near;                    /* refuse a far endpoint */
};

/**
 * paths_run - run a command for the paths that were typed
 *
 * Return: the exit status: 1 after paths_complain()
 * Errors: as tree_open(); -ERR_USAGE  an option that has no effect
 */
int paths_run(struct ctl *ctl, struct call *c, const struct words *words, const void *opts,
	      const struct paths_command *command) must_check;

/** paths_complain - print the message of the errno @e for a path, and the mount's reason */
void paths_complain(struct paths *f, struct slice path, int e);

/** paths_put_name - append a name to the output; on a terminal without characters that control it */
void paths_put_name(struct paths *f, struct slice name);

/** paths_join - append a name to the path of its directory, after a '/' unless the path is empty or ends with one */
void paths_join(struct buf *path, struct slice name);

/** paths_goes_on - Return: false once the output has failed, for instance because a pipe was closed */
bool paths_goes_on(struct paths *f);

/** paths_is_dots - Return: whether the name is "." or ".." */
bool paths_is_dots(struct slice name);

#endif
