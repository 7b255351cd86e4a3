/* pasted - adds the store to command lines in messages, so that they can be pasted */
#ifndef TOOLS_CLI_PASTED_H
#define TOOLS_CLI_PASTED_H

#include "store/base/core/buf.h"

/**
 * pasted_put - append a message with "-s STORE" inserted after "itemctl" in each command line
 * @store: the store of -s; NULL: insert nothing
 *
 * Unchanged are lines that already have a store, usage lines, lines that start a server if @store is a server, and
 * "itemctl" before a word that is not a command.
 */
void pasted_put(struct buf *out, struct slice message, const char *store);

#endif
