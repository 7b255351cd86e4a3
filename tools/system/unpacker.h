/*
 * unpacker - decompresses a file with another program: zstd, bzip2, xz or unzip
 *
 * The first bytes of the file decide which one. The program runs without a shell, in its own session. It reads its
 * standard input and gets no file name. It is an error if the program does not read the file to its end.
 */
#ifndef TOOLS_SYSTEM_UNPACKER_H
#define TOOLS_SYSTEM_UNPACKER_H

#include "store/base/text/unpack.h"

struct unpacker;

/**
 * unpacker_open - start the program for a compressed file
 * @raw:    not yet read; it still belongs to the caller, but only unpacker_read() may read it
 * @out:    NULL if the file is not compressed in one of these ways
 * @member: name of the only file of a zip archive, in the call's arena; unchanged for other files
 *
 * Errors: -ERR_USAGE  the program is not installed; an archive in a pipe, without files, or with several
 *         -ERR_IO
 */
int unpacker_open(struct call *c, struct unpack *raw, struct unpacker **out, const char **member)
	must_check;

/**
 * unpacker_read - read decompressed bytes
 * @size: not 0
 * @n: 0 at the end, after the program has ended successfully
 *
 * Errors: -ERR_USAGE  the file is damaged, truncated, encrypted, or other bytes follow it
 *         -ERR_IO     also if a signal interrupts it
 */
int unpacker_read(struct unpacker *u, struct call *c, char *at, size_t size, size_t *n) must_check;

/** unpacker_close - kill the program if it still runs, and free everything; NULL is allowed */
void unpacker_close(struct unpacker *u);

#endif
