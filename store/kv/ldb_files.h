/* ldb_files - what lies in a LevelDB's directory, before LevelDB opens any of it by name */
#ifndef STORE_KV_LDB_FILES_H
#define STORE_KV_LDB_FILES_H

#include "store/base/core/call.h"

/**
 * ldb_files_check - nothing in it leads out of it; the files are their owner's alone
 * @dir: its name, for messages
 * @fd:  of the directory
 *
 * LevelDB follows links, waits for pipes, and empties whatever has the name of its next file.
 *
 * Errors:  -ERR_CORRUPT  something that LevelDB has not made, or a file that is somebody else's
 *          elsewhere;  -ERR_IO
 */
int ldb_files_check(struct call *c, const char *dir, int fd) __attribute__((warn_unused_result));

/** ldb_files_is_log - is it the name of a log of LevelDB's, digits and ".log"?  @number: of it */
bool ldb_files_is_log(const char *name, uint64_t *number);

#endif
