/*
 * dead_owner - ends the owner of a store that was killed and hangs
 *
 * One of its threads waits in the kernel for a reply that the process itself should have given, in one of its mounts.
 * While it waits, the process keeps the store's lock and the connections of its mounts, and all users of these mounts
 * wait, too.  Aborting the connections ends the waits.
 */
#ifndef FS_DAEMON_DEAD_OWNER_H
#define FS_DAEMON_DEAD_OWNER_H

#include <stdbool.h>

#include "store/base/core/call.h"

enum dead_owner_outcome {
	DEAD_OWNER_ENDED = 1, /* a dead owner has ended: the store may be free now */
};

/**
 * dead_owner_end - if the owner of a store was killed, abort its connections and wait until it has ended
 * @store: absolute path
 *
 * A living owner is never touched, even if it is slow.  Aborts are reported in one line on standard error.
 * Return: 0: the owner is not dead, or there is none;  DEAD_OWNER_ENDED
 * Errors: -ERR_BUSY  it cannot be ended here, and the message says what to type, or a signal came;  those of
 * trust_check()
 */
int dead_owner_end(struct call *c, const char *store) __attribute__((warn_unused_result));

#endif
