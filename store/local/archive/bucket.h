/*
 * bucket - the directories that represent buckets: STORE/buckets/NAME
 *
 * NAME may be a symbolic link to any directory if root or the current user owns the link.  Below NAME no symbolic
 * link is followed, so that a client that requests a transfer cannot leave the bucket.
 */
#ifndef STORE_LOCAL_ARCHIVE_BUCKET_H
#define STORE_LOCAL_ARCHIVE_BUCKET_H

#include <sys/types.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/text/unpack.h"
#include "store/local/records/local_int.h"

enum { BUCKET_FILE = 0666 }; /* mask for a directory's mode: gives that of files in it */

/**
 * bucket_open - open the directory of a bucket
 * @mode: set to the mode, before the umask, of directories to create in it: 0700 in a directory of the store, which
 *        is private; 0777 in the target of a link, which others may use.  NULL: nothing will be created
 *
 * Return:  a descriptor, owned by the caller
 * Errors:  -ERR_UNREACHABLE  the bucket does not exist;  -ERR_ACCESS, -ERR_NO_SPACE, -ERR_IO
 */
int bucket_open(const struct local *l, struct call *c, struct slice name, mode_t *mode)
	__attribute__((warn_unused_result));

/**
 * bucket_folder - open the folder @path, "a/b", below the directory @dir
 * @mode: of the folders that are created if they are missing; 0: create nothing
 *
 * Return:  a descriptor, owned by the caller
 * Errors:  -ERR_ACCESS  no permission, or a part of the path is no directory;  -ERR_IO, -ERR_NO_SPACE
 */
int bucket_folder(struct call *c, int dir, struct slice path, mode_t mode)
	__attribute__((warn_unused_result));

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
	__attribute__((warn_unused_result));

/**
 * bucket_file - open the file @name of a bucket for reading
 *
 * Return:  a descriptor, owned by the caller
 * Errors:  -ERR_ACCESS  no permission, not a regular file, or a part of the path is a link;  -ERR_IO
 */
int bucket_file(struct call *c, int dir, struct slice name) __attribute__((warn_unused_result));

/**
 * bucket_put - create a file with content in @dir and sync it; the caller syncs @dir
 * @mode: of a directory, as from bucket_open()
 *
 * Return:  0
 * Errors:  -ERR_ACCESS, -ERR_NO_SPACE;  -ERR_IO  also: the file exists
 */
int bucket_put(struct call *c, int dir, const char *name, mode_t mode, struct slice bytes)
	__attribute__((warn_unused_result));

/** bucket_failed - report that @what failed with the errno @e;  Return: -ERR_ACCESS, -ERR_NO_SPACE, -ERR_IO */
int bucket_failed(struct call *c, const char *what, int e) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ a file of a bucket */

struct object {
	int fd;
	struct unpack *packed; /* NULL: it is not compressed */
	struct buf text;       /* on the heap: bytes that have been read */
	size_t used;           /* number of bytes of @text that the caller has used */
	bool whole;            /* the end of the file was reached */
	uint64_t bytes;        /* number of bytes read, after decompression */
};

/** object_open - begin to read a file; @o owns @fd from here on.  object_close() must follow */
void object_open(struct object *o, int fd, bool gzip);

/** object_close - close the file and free the text */
void object_close(struct object *o);

/**
 * object_more - discard the used text and read another block; sets @o->whole at the end of the file
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  the file is not compressed although it should be, or is damaged;  -ERR_IO
 */
int object_more(struct object *o, struct call *c) __attribute__((warn_unused_result));

/** object_rest - Return: the text that is not yet used; borrowed until object_more() */
static inline struct slice
object_rest(const struct object *o)
{
	return slice_skip(buf_view(&o->text), o->used);
}

#endif
