/*
 * unpacker - a file that another program unpacks: zstd, bzip2, xz, unzip
 *
 * Which one it is the file's first bytes tell.  The program is started without a shell and without a terminal;
 * it reads its standard input and never learns a name.  A file that it does not unpack to its end is an error.
 */
#ifndef TOOLS_SYSTEM_UNPACKER_H
#define TOOLS_SYSTEM_UNPACKER_H

#include "store/base/core/call.h"
#include "store/base/text/unpack.h"

struct unpacker;

/**
 * unpacker_open - see whether the file is one
 * @raw:    nothing of it has been read; it stays with the caller, and is read by unpacker_read() alone
 * @out:    NULL: it is none
 * @member: of a zip archive, the name of its only file, in the call's arena; else unchanged
 *
 * Errors: -ERR_USAGE  there is no such program; an archive in a pipe, of no file or of several; -ERR_IO
 */
int unpacker_open(struct call *c, struct unpack *raw, struct unpacker **out, const char **member)
	__attribute__((warn_unused_result));

/**
 * unpacker_read - some bytes of what it unpacks
 * @n: 0 at the end, of which the program says that it is whole
 *
 * Errors: -ERR_USAGE  the file is damaged, cut short, encrypted, or something stands behind it; -ERR_IO, also of a signal
 */
int unpacker_read(struct unpacker *u, struct call *c, char *at, size_t size, size_t *n)
	__attribute__((warn_unused_result));

/** unpacker_close - end the program; NULL is fine */
void unpacker_close(struct unpacker *u);

#endif
