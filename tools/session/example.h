/* example - command lines for error messages, with a table and a key of the store */
#ifndef TOOLS_SESSION_EXAMPLE_H
#define TOOLS_SESSION_EXAMPLE_H

#include "tools/session/ctl.h"

/**
 * example_of - "itemctl get TABLE PK SK" with the table words[0], else the first table, and the key of its first item
 *
 * Only for commands that read, and not for far stores.  Return: in the call's arena; NULL: there is no example
 */
const char *example_of(struct ctl *ctl, struct call *c, const struct command *command,
		       const struct words *words);

/**
 * example_of_keys - append the typed line of "get" with several partition keys as a SELECT of all these partitions
 *
 * Return: false: the words after the table do not have a common prefix, or the partition key has several attributes
 */
bool example_of_keys(struct ctl *ctl, struct call *c, const struct words *words, struct buf *out);

/** example_of_table - append a line that reads table @argv[0] with the key in the next words; false: no such table */
bool example_of_table(struct ctl *ctl, struct call *c, int argc, char **argv, struct buf *out);

/**
 * example_of_path - append the typed line with the path TABLE/PK/SK or PK/SK replaced by separate words
 *
 * Return: false: @path is an existing file or has no "/"
 */
bool example_of_path(struct buf *out, const char *path);

#endif
