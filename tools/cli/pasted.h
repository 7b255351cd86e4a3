/* pasted - adds the store to command lines in messages, so that they can be pasted */
#ifndef TOOLS_CLI_PASTED_H
#define TOOLS_CLI_PASTED_H

#include "store/base/core/base.h"

/**
 * pasted_put - append a message with "-s STORE" inserted after "itemctl" in each command line
 * @store: the store of -s; NULL: insert nothing
 *
 * Nothing is inserted into lines that already have a store, into usage lines, and before a word that is not a command.
 * If @store is a server or a port, nothing is inserted into lines with "serve" or --port either.
 */
void pasted_put(struct buf *out, struct slice message, const char *store);

#endif
