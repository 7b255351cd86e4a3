/*
 * opened - the files and directories that the kernel has open in a mount
 *
 * Each is in a list of its mount, because a mount may end without a RELEASE: with the process, or when it is still in
 * use.
 */
#ifndef FS_CORE_OPENED_H
#define FS_CORE_OPENED_H

#include "store/base/core/base.h"

struct mount;
struct opened;

/* Does what RELEASE would have done. */
typedef void opened_end_fn(struct mount *m, struct call *c, struct opened *o);

/* First member of an open object. mount.files_lock guards it. */
struct opened {
	struct opened *next; /* in mount.opened */
	struct opened **link;
	opened_end_fn *end;
};

/** opened_add, opened_drop - enter at OPEN, remove at RELEASE */
void opened_add(struct mount *m, struct opened *o, opened_end_fn *end);
void opened_drop(struct mount *m, struct opened *o);

/** opened_end - at the end of the mount, end all objects that are still open */
void opened_end(struct mount *m);

#endif
