/* ldb_recover - what must be done with a LevelDB's logs before LevelDB itself reads them */
#ifndef STORE_KV_LDB_RECOVER_H
#define STORE_KV_LDB_RECOVER_H

#include "store/base/call.h"

/**
 * ldb_recover - make what the logs in @dir hold a prefix of the batches, or refuse
 * @lock: a descriptor that keeps others who open it this way out until it is closed, which the
 *        caller does whatever is returned; -1: there is no such directory
 *
 * The first damage ends the prefix.  What stands behind it is cut off, unless a
 * batch there carries the mark that all before it was on disk: then no crash
 * has done this, and the files stay as they are.  No LevelDB, nothing to do.
 *
 * Errors:  -ERR_BUSY  somebody has it open;  -ERR_CORRUPT  refused, also by ldb_files_check();  -ERR_IO
 */
int ldb_recover(struct call *c, const char *dir, int *lock) __attribute__((warn_unused_result));

/** ldb_busy - record that somebody has @dir open, and who; Return: -ERR_BUSY */
int ldb_busy(struct call *c, const char *dir);

#endif
