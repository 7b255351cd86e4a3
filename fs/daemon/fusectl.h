/* fusectl - the kernel's end of a FUSE connection, without its mount point: that may hang */
#ifndef FS_DAEMON_FUSECTL_H
#define FS_DAEMON_FUSECTL_H

#include <stdbool.h>

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
