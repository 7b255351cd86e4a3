/*
 * dead_owner - the owner of a store that was killed and cannot end
 *
 * One of its threads waits in the kernel for an answer that the process itself would have had to
 * give, in one of its mounts.  As long as it waits the process keeps the store's lock and the
 * connections of its mounts, and whoever uses these waits too.  To abort the connections ends all
 * of that.
 */
#ifndef FS_DAEMON_DEAD_OWNER_H
#define FS_DAEMON_DEAD_OWNER_H

#include <stdbool.h>

#include "store/base/core/call.h"

enum dead_owner_outcome {
	DEAD_OWNER_ENDED = 1, /* there was one: the store may be free now */
};

/**
 * dead_owner_end - if the owner of a store was killed, abort its connections and wait for its end
 * @store: absolute path
 *
 * An owner that lives is never touched, however slow it is.  What was done is said in one line.
 * Return: 0: the owner is not dead, or there is none;  DEAD_OWNER_ENDED
 * Errors: -ERR_BUSY  it cannot be ended here: the message says what to type;  those of trust_check()
 */
int dead_owner_end(struct call *c, const char *store) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ the kernel's end of a FUSE connection, without its mount point */

/** fusectl_open - the file system in which each connection has a directory; -1: it is not to be had */
int fusectl_open(void) __attribute__((warn_unused_result));

/**
 * fusectl_connection - what fusectl_abort() takes; -1: no such connection, or somebody else's
 * @fusectl: of fusectl_open(), or -1
 *
 * It stays that connection's: when another one gets its number, it aborts nothing.
 */
int fusectl_connection(int fusectl, unsigned number) __attribute__((warn_unused_result));

/** fusectl_abort - whoever waits for the connection goes on with an error, now and later */
bool fusectl_abort(int connection);

#endif
