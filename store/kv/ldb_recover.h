/* ldb_recover - what must be done with a LevelDB's logs before LevelDB itself reads them */
#ifndef STORE_KV_LDB_RECOVER_H
#define STORE_KV_LDB_RECOVER_H

#include "store/base/call.h"

/**
 * ldb_recover - make what the logs in @dir hold a prefix of the batches, or refuse
 *
 * The first damage ends the prefix.  What stands behind it is cut off, unless a
 * batch there carries the mark that all before it was on disk: then no crash
 * has done this, and the files stay as they are.  No LevelDB, nothing to do.
 *
 * Errors:  -ERR_BUSY  a process has it open;  -ERR_CORRUPT  refused;  -ERR_IO
 */
int ldb_recover(struct call *c, const char *dir) __attribute__((warn_unused_result));

/** ldb_busy - record that another process has @dir open, by its number and name; Return: -ERR_BUSY */
int ldb_busy(struct call *c, const char *dir);

#endif
