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

#endif
