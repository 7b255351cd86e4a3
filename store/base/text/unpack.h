/*
 * unpack - sequential reader of a file that may be compressed with gzip
 *
 * The first bytes of the file tell whether it is.  A gzip file may have several parts, and zeros
 * after the last one.  Anything else there is damage, which zlib's gzread()
 * takes for the end.
 */
#ifndef STORE_BASE_TEXT_UNPACK_H
#define STORE_BASE_TEXT_UNPACK_H

#include "store/base/core/base.h"

struct unpack;

enum {
	UNPACK_IO = -1,      /* errno has the reason, which may be EINTR */
	UNPACK_DAMAGED = -2, /* the gzip data are damaged or truncated */
};

/** unpack_open - read from @fd, which unpack_close() closes */
struct unpack *unpack_open(int fd);

/** unpack_close - close the descriptor and free @u; does nothing for NULL */
void unpack_close(struct unpack *u);

/** unpack_read - as read(2): 0 at the end, less than @size if a pipe has no more at the moment; or UNPACK_* */
ssize_t unpack_read(struct unpack *u, char *at, size_t size);

/** unpack_give - pass the first bytes of the file, at most 128 KiB, that the caller has read; before any other call */
void unpack_give(struct unpack *u, struct slice bytes);

/**
 * unpack_peek - the next @n <= 128 KiB bytes of the file, as on disk, which stay unread
 *
 * Return: borrowed until the next call; fewer bytes at the end of the file, or if reading failed: unpack_read() fails
 * then, too.
 */
struct slice unpack_peek(struct unpack *u, size_t n);

/** unpack_plain - read the file as it is, even if it looks like gzip; before the first unpack_read() */
void unpack_plain(struct unpack *u);

/** unpack_fd - the descriptor, for poll(2) */
int unpack_fd(const struct unpack *u);

/** unpack_waits - return true if the next unpack_read() of a plain file reads the descriptor, and so may block */
bool unpack_waits(const struct unpack *u);

/** unpack_packed - return true if the file is compressed; valid after the first unpack_read() */
bool unpack_packed(const struct unpack *u);

/** unpack_bytes - number of bytes of the file, as on disk, that have been consumed */
uint64_t unpack_bytes(const struct unpack *u);

#endif
