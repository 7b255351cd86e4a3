/*
 * bucket - the directories that represent buckets: STORE/buckets/NAME
 *
 * NAME may be a symbolic link to any directory if root or the current user owns the link.  Below NAME no symbolic
 * link is followed, so that a client that requests a transfer cannot leave the bucket.
 */
#ifndef STORE_LOCAL_ARCHIVE_BUCKET_H
#define STORE_LOCAL_ARCHIVE_BUCKET_H

#include "store/local/records/local_int.h"

/** bucket_code - error code for errno @e of a file of a bucket: -ERR_ACCESS, -ERR_NO_SPACE, -ERR_IO */
enum err bucket_code(int e);

/**
 * bucket_open - open the directory of a bucket
 * @mode: set to the mode, before the umask, of directories to create in it: 0700 in a directory of the store, which
 *        is private; 0777 in the target of a link, which others may use.  NULL: nothing will be created
 *
 * Return:  a descriptor, owned by the caller
 * Errors:  -ERR_UNREACHABLE  the bucket does not exist;  -ERR_ACCESS, -ERR_NO_SPACE, -ERR_IO
 */
int bucket_open(const struct local *l, struct call *c, struct slice name, mode_t *mode) must_check;

/**
 * bucket_folder - open the folder @path, "a/b", below the directory @dir
 * @mode: of the folders that are created if they are missing; 0: create nothing
 *
 * Return:  a descriptor, owned by the caller
 * Errors:  -ERR_ACCESS  no permission, or a part of the path is no directory;  -ERR_IO, -ERR_NO_SPACE
 */
int bucket_folder(struct call *c, int dir, struct slice path, mode_t mode) must_check;

/**
 * bucket_list - list the names of a bucket's files that begin with @prefix, in byte order
 * @dir: descriptor of the bucket
 * @out: in the call's arena
 *
 * A name is a path, "a/b", as in S3; @prefix may end within a part of it.
 * Return:  0
 * Errors:  -ERR_ACCESS  a name is not that of a regular file, but of a link, a pipe, ...;  -ERR_LIMIT  too many files,
 *          or a name is too long;  -ERR_IO
 */
int bucket_list(struct call *c, int dir, struct slice prefix, const struct slice **out, size_t *n)
	must_check;

/**
 * bucket_file - open the file @name of a bucket for reading
 *
 * Return:  a descriptor, owned by the caller
 * Errors:  -ERR_ACCESS  no permission, not a regular file, or a part of the path is a link;  -ERR_IO
 */
int bucket_file(struct call *c, int dir, struct slice name) must_check;

#endif
