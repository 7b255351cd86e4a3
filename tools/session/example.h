/* example - the line of a command that lacks words, with a table and a key of the store; and tables in the place of commands */
#ifndef TOOLS_SESSION_EXAMPLE_H
#define TOOLS_SESSION_EXAMPLE_H

#include "tools/session/ctl.h"

/**
 * example_of - "itemctl get TABLE PK SK", as words[0], or else the first table, and its first item have them
 *
 * Only of commands that read, and of a store that is a directory.  Return: in the call's arena; NULL: none is known
 */
const char *example_of(struct ctl *ctl, struct call *c, const struct command *command,
		       const struct words *words);

/** example_of_keys - append the typed line as a statement that reads all the partitions, if the words of "get" beyond its key are no names; false: they may be, or of other tables */
bool example_of_keys(struct ctl *ctl, struct call *c, const struct words *words, struct buf *out);

/** example_of_table - append the line that reads @argv[0], if that is a table of the store; its key is what follows */
bool example_of_table(struct ctl *ctl, struct call *c, int argc, char **argv, struct buf *out);

/** example_of_path - append the typed line with TABLE/PK/SK, or PK/SK, as words of their own; false: @path is a file, or has no "/" */
bool example_of_path(struct buf *out, const char *path);

#endif
