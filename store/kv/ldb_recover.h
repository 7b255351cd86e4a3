/* ldb_recover - locks a database, and checks or cuts its logs and manifest before LevelDB reads them */
#ifndef STORE_KV_LDB_RECOVER_H
#define STORE_KV_LDB_RECOVER_H

#include "store/base/core/base.h"

/**
 * ldb_recover_lock - lock a database against other callers of this function, and run ldb_files_check()
 * @at:   the directory that @name is in, or AT_FDCWD
 * @name: of the database's directory, not of a link to it
 * @dir:  its path, for messages
 * @lock: set to a descriptor of the directory, which holds the lock; the caller closes it in any case. -1: there is no
 *        such directory
 *
 * Errors:  -ERR_BUSY     another process has it open
 *          -ERR_CORRUPT  from ldb_files_check()
 *          -ERR_IO
 */
int ldb_recover_lock(struct call *c, int at, const char *name, const char *dir, int *lock)
	must_check;

/**
 * ldb_recover_exclude - take LevelDB's own lock, if the file system has locks
 * @fd:   of ldb_recover_lock()
 * @lock: set to a descriptor that holds the lock; the caller closes it in any case. < 0: there is none
 *
 * For a database that is read through a copy, because LevelDB then locks only the copy. It also works on a read-only
 * disk.
 *
 * Errors:  -ERR_BUSY  another process has it open
 */
int ldb_recover_exclude(struct call *c, const char *dir, int fd, int *lock) must_check;

/**
 * ldb_recover - cut the logs of a database so that they hold a prefix of the batches, or refuse
 * @dir:  its path, for messages
 * @fd:   of ldb_recover_lock(); -1: nothing to do
 * @copy: a directory with copies of logs and manifest, which are cut instead (ldb_shadow.h); -1: none
 *
 * The first damage ends the prefix, and the rest is cut off. But if data is missing that was on disk, for example
 * before a batch with the mark, a crash is not the cause: the function fails and the files stay as they are. A
 * directory without a database is left alone.
 *
 * Errors:  -ERR_BUSY     another process has it open
 *          -ERR_CORRUPT  synced data is missing or damaged, or a table file is
 *          -ERR_IO
 */
int ldb_recover(struct call *c, const char *dir, int fd, int copy) must_check;

#endif
