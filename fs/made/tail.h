/* tail - the thread of a mount that asks an endpoint for the records of all followers' streams */
#ifndef FS_MADE_TAIL_H
#define FS_MADE_TAIL_H

#include "fs/core/mount_int.h"

/** tail_start - start the thread if it does not run; Errors: -ERR_BUSY  no thread. The caller holds follow.lock. */
int tail_start(struct mount *m, struct call *c) must_check;

/** tail_go_on - wake the thread: a follower is new, or has been read from. The caller holds follow.lock. */
void tail_go_on(struct mount *m);

/** tail_wait - after follow_end(), wait for the thread */
void tail_wait(struct mount *m);

#endif
