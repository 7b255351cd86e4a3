/*
 * unpack - a file read to its end, unpacked where it is compressed with gzip
 *
 * Whether it is, its first bytes tell.  It may have several parts, and zeros
 * behind the last one; anything else there is damage, which zlib's gzread()
 * takes for the end.
 */
#ifndef STORE_BASE_TEXT_UNPACK_H
#define STORE_BASE_TEXT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/base/core/slice.h"

struct unpack;

enum {
	UNPACK_IO = -1,      /* errno says why; EINTR, too */
	UNPACK_DAMAGED = -2, /* or cut short */
};

/** unpack_open - of a descriptor, which is closed by unpack_close() */
struct unpack *unpack_open(int fd);

/** unpack_close - give everything back; NULL is fine */
void unpack_close(struct unpack *u);

/** unpack_read - as read(2): 0 at the end, less than @size where a pipe has no more; or UNPACK_* */
ssize_t unpack_read(struct unpack *u, char *at, size_t size);

/** unpack_give - the file begins with these bytes, 128 KiB at most, which have been read of it; before any other call */
void unpack_give(struct unpack *u, struct slice bytes);

/** unpack_peek - the file's first @n bytes, which stay unread; fewer: it has no more, or cannot be read, as unpack_read() says then */
struct slice unpack_peek(struct unpack *u, size_t n);

/** unpack_plain - read the file as it is; before the first unpack_read() */
void unpack_plain(struct unpack *u);

/** unpack_fd - the descriptor, to be waited for */
int unpack_fd(const struct unpack *u);

/** unpack_waits - does unpack_read() of plain bytes ask the descriptor? */
bool unpack_waits(const struct unpack *u);

/** unpack_packed - is it compressed? Known after the first unpack_read() */
bool unpack_packed(const struct unpack *u);

/** unpack_bytes - how many of the file have been used, as they are on disk */
uint64_t unpack_bytes(const struct unpack *u);

#endif
