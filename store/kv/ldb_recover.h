/* ldb_recover - what must be done with a LevelDB's logs before LevelDB itself reads them */
#ifndef STORE_KV_LDB_RECOVER_H
#define STORE_KV_LDB_RECOVER_H

#include "store/base/core/call.h"

/**
 * ldb_recover_lock - keep others who open a database this way out; and ldb_files_check()
 * @at:   the directory that @name is in, or AT_FDCWD
 * @name: of the database's directory, not of a link to it
 * @dir:  the same for messages
 * @lock: a descriptor that does so until it is closed, which the caller does whatever is returned;
 *        -1: there is no such directory
 *
 * Errors:  -ERR_BUSY  somebody has it open;  -ERR_CORRUPT  refused by ldb_files_check();  -ERR_IO
 */
int ldb_recover_lock(struct call *c, int at, const char *name, const char *dir, int *lock)
	__attribute__((warn_unused_result));

/**
 * ldb_recover_exclude - keep LevelDB itself from opening the database, where the disk has locks
 * @fd:   of ldb_recover_lock()
 * @lock: a descriptor that does so until it is closed, which the caller does whatever is returned; < 0: there is none
 *
 * For a database that is read through a copy: LevelDB then locks only the copy.  It also works on a
 * disk that is read-only.
 *
 * Errors:  -ERR_BUSY  somebody has it open
 */
int ldb_recover_exclude(struct call *c, const char *dir, int fd, int *lock)
	__attribute__((warn_unused_result));

/**
 * ldb_recover - make what the logs in a database hold a prefix of the batches, or refuse
 * @dir:  its name for messages
 * @fd:   of ldb_recover_lock(); -1: nothing to do
 * @copy: a directory with copies of logs and manifest, which are treated instead (ldb_shadow.h); -1
 *
 * The first damage ends the prefix.  What stands behind it is cut off, unless a
 * batch there carries the mark that all before it was on disk: then no crash
 * has done this, and the files stay as they are.  No LevelDB, nothing to do.
 *
 * Errors:  -ERR_BUSY  somebody has it open;  -ERR_CORRUPT  refused;  -ERR_IO
 */
int ldb_recover(struct call *c, const char *dir, int fd, int copy)
	__attribute__((warn_unused_result));

#endif
