/*
 * object - a file of a bucket, read from its beginning to its end, compressed or not
 */
#ifndef STORE_LOCAL_ARCHIVE_OBJECT_H
#define STORE_LOCAL_ARCHIVE_OBJECT_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/text/unpack.h"

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
