/*
 * unpack - a file read to its end, unpacked where it is compressed with gzip
 *
 * Whether it is, its first bytes tell.  It may have several parts, and zeros
 * behind the last one; anything else there is damage, which zlib's gzread()
 * takes for the end.
 */
#ifndef STORE_BASE_UNPACK_H
#define STORE_BASE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/** unpack_packed - is it compressed? Known after the first unpack_read() */
bool unpack_packed(const struct unpack *u);

/** unpack_bytes - how many of the file have been used, as they are on disk */
uint64_t unpack_bytes(const struct unpack *u);

#endif
