/*
 * inval - the invalidation thread, which notifies the kernel of changes made elsewhere
 *
 *   change (feed)  ->  names and nodes that it affects, in the table and in each index
 *                  ->  FUSE_NOTIFY_INC_EPOCH, FUSE_NOTIFY_INVAL_INODE without an offset
 *
 * The thread holds no lock while it notifies the kernel, and takes no lock that a request holds while it waits for the
 * kernel.  If the kernel has epochs, no notification waits for a reply of this process; otherwise a killed process
 * could not end.
 */
#ifndef FS_DAEMON_INVAL_H
#define FS_DAEMON_INVAL_H

#include "fs/core/mount_int.h"

/** inval_start - open the feed and start the thread; does nothing without a feed.  Errors: -ERR_IO */
int inval_start(struct call *c, struct mount *m) must_check;

/** inval_stop - stop and join the thread, if it runs.  Requests may still use m->reader. */
void inval_stop(struct mount *m);

/** inval_end - close the feed, after inval_stop() and the last request */
void inval_end(struct mount *m);

#endif
