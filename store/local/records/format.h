/* format - STORE/FORMAT, the file that makes a directory a store: "itemfs 1\n" */
#ifndef STORE_LOCAL_RECORDS_FORMAT_H
#define STORE_LOCAL_RECORDS_FORMAT_H

#include "store/base/core/call.h"

/**
 * format_check - is @dir a store that this program can read, and may (trust.h)?
 * @create: make it one where it is absent or empty; durable on return
 * @out:    a descriptor of the directory
 *
 * Errors:  -ERR_VALIDATION  not there, not a directory, not a store
 *          -ERR_ACCESS      somebody else's
 *          -ERR_IO          a newer format, a store whose database is missing, no permission
 */
int format_check(struct call *c, const char *dir, bool create, int *out)
	__attribute__((warn_unused_result));

/**
 * format_vacant - @dir is there, and nothing is in it
 * @made: it was absent, and has been made
 * @out:  a descriptor of the directory
 *
 * Errors:  -ERR_VALIDATION, -ERR_IO, -ERR_ACCESS  somebody else's
 */
int format_vacant(struct call *c, const char *dir, bool *made, int *out)
	__attribute__((warn_unused_result));

/** format_write - what lies in the directory @fd is a store from here on, durably; Errors: -ERR_IO */
int format_write(struct call *c, const char *dir, int fd) __attribute__((warn_unused_result));

#endif
