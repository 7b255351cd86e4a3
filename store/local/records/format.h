/* format - STORE/FORMAT, the file that makes a directory a store: "itemfs 1\n" */
#ifndef STORE_LOCAL_RECORDS_FORMAT_H
#define STORE_LOCAL_RECORDS_FORMAT_H

#include "store/base/core/base.h"

/**
 * format_check - check that @dir is a store of a known format, and one that this user may trust (trust.h)
 * @create: make a store of a directory that is absent or empty; it is synced on return
 * @out:    -1 before the call; a descriptor of the directory, which the caller closes, also after an error
 *
 * Errors:  -ERR_VALIDATION  @dir does not exist, is no directory, or is no store
 *          -ERR_ACCESS      it belongs to another user
 *          -ERR_IO          a newer format, a store whose database is missing, no permission
 */
int format_check(struct call *c, const char *dir, bool create, int *out) must_check;

/**
 * format_vacant - make sure that @dir exists and is empty, for a restore into it
 * @made: set if the directory was absent and has been created
 * @out:  as for format_check()
 *
 * Errors:  -ERR_VALIDATION, -ERR_IO, -ERR_ACCESS  it belongs to another user
 */
int format_vacant(struct call *c, const char *dir, bool *made, int *out) must_check;

/** format_write - make a store of the directory @fd by writing FORMAT, and sync it; Errors: -ERR_IO */
int format_write(struct call *c, const char *dir, int fd) must_check;

#endif
