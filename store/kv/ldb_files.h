/* ldb_files - checks the files in a database's directory before LevelDB opens them by name */
#ifndef STORE_KV_LDB_FILES_H
#define STORE_KV_LDB_FILES_H

#include "store/base/core/base.h"

/**
 * ldb_files_check - refuse files that lead out of the directory, and make the others private to their owner
 * @dir: its path, for messages
 * @fd:  of the directory
 *
 * LevelDB follows links, waits for pipes, and truncates any file with the name of its next file.
 *
 * Errors:  -ERR_CORRUPT  a link, pipe, socket or device, another name of another user's file, or CURRENT names a file
 *                        outside the directory
 *          -ERR_IO
 */
int ldb_files_check(struct call *c, const char *dir, int fd) must_check;

/** ldb_files_is_log - return true if @name is that of a log, digits and ".log"; @number: set to the digits */
bool ldb_files_is_log(const char *name, uint64_t *number);

#endif
