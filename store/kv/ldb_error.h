/* ldb_error - what LevelDB and the system say of the database's files, as an error of the call */
#ifndef STORE_KV_LDB_ERROR_H
#define STORE_KV_LDB_ERROR_H

#include "store/base/core/call.h"

/* What LevelDB calls its directory: the number of a descriptor follows. */
#define LDB_PINNED "/proc/self/fd/"

enum { LDB_PINNED_BYTES = 32 };

/** ldb_free_text - for cleanup(): a text that LevelDB has made, or NULL */
void ldb_free_text(char **text);

/** ldb_failed - LevelDB says @why, in which LDB_PINNED is replaced; Return: -ERR_CORRUPT, -ERR_NO_SPACE, -ERR_IO */
int ldb_failed(struct call *c, const char *why);

/** ldb_failed_for - the same; of damage, @what tells of which file and what to do */
int ldb_failed_for(struct call *c, const char *why, const char *what);

/** ldb_fail_errno - the same for what is done here with the file @name: errno tells */
int ldb_fail_errno(struct call *c, const char *name);

#endif
