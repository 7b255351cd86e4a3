/*
 * lines - JSON documents of a stream, one after the other
 *
 * A document is an object; it may stand on one line (JSON Lines) or on several.
 */
#ifndef TOOLS_SYSTEM_LINES_H
#define TOOLS_SYSTEM_LINES_H

#include <stdio.h>
#include <sys/types.h>

#include "store/model/item.h"

struct lines {
	FILE *from;
	uint64_t number; /* of the last line read, from 1 */
	uint64_t first;  /* of the last document */
	uint64_t bytes;  /* read so far */
	uint64_t total;  /* of a regular file from where it stood; 0: not known */
};

enum { LINES_END = 1 };

enum {
	LINES_MAX = 16 * 1024 * 1024
}; /* bytes of a line, or of a document on several; longer ones are refused */

void lines_init(struct lines *l, FILE *from);

/**
 * lines_read - append one line of a stream, with its newline, if it has one
 *
 * Return:  its bytes; 0: the stream has ended; -errno: it cannot be read, -EMSGSIZE: over LINES_MAX, what was read of it is appended
 */
ssize_t lines_read(FILE *from, struct buf *out) __attribute__((warn_unused_result));

/**
 * lines_next - the next item
 * @out: in the call's arena
 *
 * Return:  0, or LINES_END.
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE  "line N: ..."
 *          -ERR_IO                              the stream cannot be read
 *          -ERR_BUSY                            interrupted: see stop.h
 */
int lines_next(struct call *c, struct lines *l, struct item *out)
	__attribute__((warn_unused_result));

/** lines_place - "line N: " of the last document in front of the call's failure; Return: -ERR_* */
int lines_place(struct call *c, const struct lines *l);

#endif
