/*
 * scratch_store - a temporary directory for a store
 *
 * All signals are blocked in the calling thread while it exists, so that none ends the process before the directory is
 * removed. After SIGKILL, the next process that creates such a directory removes it.
 */
#ifndef TOOLS_SYSTEM_SCRATCH_STORE_H
#define TOOLS_SYSTEM_SCRATCH_STORE_H

#include <signal.h>

#include "store/base/system/temporary.h"

struct scratch {
	struct temporary at;
	sigset_t before; /* signals that were blocked before */
};

/**
 * scratch_make - create an empty directory
 * @place: its parent; NULL: /dev/shm. If that cannot be written, /tmp is used.
 *
 * Signals are blocked until scratch_remove() or scratch_leave(); after a failure they are not blocked.
 * Errors:  -ERR_IO
 */
int scratch_make(struct call *c, struct scratch *s, const char *place) must_check;

/** scratch_remove - remove the directory with its contents and unblock signals */
void scratch_remove(struct scratch *s);

/** scratch_leave - leave the directory to another process, which keeps its descriptor open; unblock signals */
void scratch_leave(const struct scratch *s);

#endif
