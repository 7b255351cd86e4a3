/*
 * bucket - the directories that stand for buckets: STORE/buckets/NAME
 *
 * NAME may be a symbolic link to any directory: whoever may write to the store chose it.
 * Beneath it none is followed, so nobody who only asks for a transfer leaves it.
 */
#ifndef STORE_LOCAL_ARCHIVE_BUCKET_H
#define STORE_LOCAL_ARCHIVE_BUCKET_H

#include <sys/types.h>

#include "store/local/records/local_int.h"

enum { BUCKET_FILE = 0666 }; /* of a mode: without the x */

/**
 * bucket_open - the directory of a bucket
 * @mode: of what is made in it, but for the umask: 0700 in a directory of the store, whose privacy it has; 0777 behind
 *        a link, where others may expect it.  NULL: nothing is made
 *
 * Return:  a descriptor
 * Errors:  -ERR_UNREACHABLE  there is none;  -ERR_ACCESS, -ERR_IO
 */
int bucket_open(const struct local *l, struct call *c, struct slice name, mode_t *mode)
	__attribute__((warn_unused_result));

/**
 * bucket_folder - the folder @path, "a/b", beneath the directory @dir
 * @mode: with which it is made where it is missing; 0: it is not
 *
 * Return:  a descriptor
 * Errors:  -ERR_ACCESS  also: something else has such a name;  -ERR_IO, -ERR_NO_SPACE
 */
int bucket_folder(struct call *c, int dir, struct slice path, mode_t mode)
	__attribute__((warn_unused_result));

/**
 * bucket_list - the names of a bucket's files that begin with @prefix, in the order of their bytes
 * @dir: the bucket's
 *
 * A name is a path, "a/b", as S3 has it; "a" is the beginning of it too.
 * Errors:  -ERR_ACCESS  one of them is no file, but a link, a pipe, ...;  -ERR_LIMIT  too many;  -ERR_IO
 */
int bucket_list(struct call *c, int dir, struct slice prefix, const struct slice **out, size_t *n)
	__attribute__((warn_unused_result));

/**
 * bucket_file - open the file @name of a bucket for reading
 *
 * Return:  a descriptor
 * Errors:  -ERR_ACCESS  it is no file, or not to be reached without following a link;  -ERR_IO
 */
int bucket_file(struct call *c, int dir, struct slice name) __attribute__((warn_unused_result));

/** bucket_put - a new file of @dir, durably; @mode: without its x; Errors: as bucket_folder() */
int bucket_put(struct call *c, int dir, const char *name, mode_t mode, struct slice bytes)
	__attribute__((warn_unused_result));

/** bucket_failed - that @what failed with the errno @e: -ERR_ACCESS, -ERR_NO_SPACE, -ERR_IO */
int bucket_failed(struct call *c, const char *what, int e) __attribute__((warn_unused_result));

#endif
