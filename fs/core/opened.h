/*
 * opened - what the kernel has open in a mount
 *
 * Each open file and directory is in a list of its mount, because a mount may end without a
 * RELEASE: with the process, or when somebody is still in it.
 */
#ifndef FS_CORE_OPENED_H
#define FS_CORE_OPENED_H

#include "store/base/core/call.h"

struct mount;
struct opened;

/* What RELEASE would have done. */
typedef void opened_end_fn(struct mount *m, struct call *c, struct opened *o);

/* First member of what is open. */
struct opened {
	struct opened *next; /* in mount.opened; guarded by files_lock */
	struct opened **link;
	opened_end_fn *end;
};

/** opened_add, opened_drop - OPEN, RELEASE */
void opened_add(struct mount *m, struct opened *o, opened_end_fn *end);
void opened_drop(struct mount *m, struct opened *o);

/** opened_end - the mount ends: what is still open ends, too */
void opened_end(struct mount *m);

#endif
