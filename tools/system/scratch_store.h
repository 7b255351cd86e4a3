/*
 * scratch_store - a directory for a store that is gone when its user is
 *
 * While it is there signals wait: none ends the process before somebody has taken the directory away.  After SIGKILL
 * the next process that makes one does.
 */
#ifndef TOOLS_SYSTEM_SCRATCH_STORE_H
#define TOOLS_SYSTEM_SCRATCH_STORE_H

#include <signal.h>

#include "store/base/core/call.h"
#include "store/base/system/temporary.h"

struct scratch {
	struct temporary at;
	sigset_t before; /* signals that waited anyway */
};

/**
 * scratch_make - an empty directory
 * @place: the directory that it is in, if that can be written; NULL: memory-backed storage where there is some
 *
 * Signals wait from here on, until scratch_remove() or scratch_leave(); after a failure they do not.
 * Errors:  -ERR_IO
 */
int scratch_make(struct call *c, struct scratch *s, const char *place)
	__attribute__((warn_unused_result));

/** scratch_remove - with all that is in it */
void scratch_remove(struct scratch *s);

/** scratch_leave - to another process, which removes it, and has its descriptor open until then */
void scratch_leave(const struct scratch *s);

#endif
