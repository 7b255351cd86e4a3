/*
 * inval - the thread that tells the kernel what changed elsewhere
 *
 *   change (feed)  ->  names and nodes it touches, in the table and in each index
 *                  ->  FUSE_NOTIFY_INC_EPOCH, FUSE_NOTIFY_INVAL_INODE without an offset
 *
 * It holds no lock while it notifies, and takes no lock that a request holds
 * while it waits for the kernel.  Where the kernel has epochs, no notification
 * waits for an answer of this process: else a process that is killed would stay.
 */
#ifndef FS_DAEMON_INVAL_H
#define FS_DAEMON_INVAL_H

#include "fs/core/mount_int.h"

/** inval_start - begin to listen and start the thread; Errors: -ERR_IO */
int inval_start(struct call *c, struct mount *m) __attribute__((warn_unused_result));

/** inval_stop - stop and join the thread; harmless when it does not run.  Requests may still ask the reader. */
void inval_stop(struct mount *m);

/** inval_end - listen no more: after inval_stop() and the last request */
void inval_end(struct mount *m);

#endif
