/*
 * bucket - the directories that stand for buckets: STORE/buckets/NAME
 *
 * NAME may be a symbolic link to any directory: whoever may write to the store chose it.
 * Beneath it none is followed, so nobody who only asks for a transfer leaves it.
 */
#ifndef STORE_LOCAL_ARCHIVE_BUCKET_H
#define STORE_LOCAL_ARCHIVE_BUCKET_H

#include <sys/types.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/text/unpack.h"
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

/* ------------------------------------------------------------ a file of a bucket */

struct object {
	int fd;
	struct unpack *packed; /* NULL: it is not compressed */
	struct buf text;       /* on the heap: what has been read and not yet used */
	size_t used;           /* of text */
	bool whole;            /* nothing follows text */
	uint64_t bytes;        /* that were read, unpacked */
};

/** object_open - of a descriptor, which is the object's from here on; object_close() in any case */
void object_open(struct object *o, int fd, bool gzip);

/** object_close - give everything back; the text is no more */
void object_close(struct object *o);

/**
 * object_more - read on
 *
 * Errors:  -ERR_VALIDATION  it is not compressed as it should be, or damaged;  -ERR_IO
 */
int object_more(struct object *o, struct call *c) __attribute__((warn_unused_result));

/** object_rest - what has been read and not yet used; borrowed until object_more() */
static inline struct slice
object_rest(const struct object *o)
{
	return slice_skip(buf_view(&o->text), o->used);
}

#endif
