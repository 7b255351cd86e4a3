/* pasted - command lines in messages, so that they can be pasted as they are */
#ifndef TOOLS_CLI_PASTED_H
#define TOOLS_CLI_PASTED_H

#include "store/base/core/buf.h"

/**
 * pasted_put - append a message in which each "itemctl COMMAND" is of the store that was typed
 * @store: of -s, to be named in the lines; NULL: they need not name any
 *
 * A line that already has -s, one that starts a server where the store is one, and the name of the program before
 * another word, stay as they are.
 */
void pasted_put(struct buf *out, struct slice message, const char *store);

#endif
