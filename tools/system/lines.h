/*
 * lines - reads JSON documents from a stream, one after the other
 *
 * A document is an object on one line (JSON Lines) or on several. One thread reads a stream: its locks are not used.
 */
#ifndef TOOLS_SYSTEM_LINES_H
#define TOOLS_SYSTEM_LINES_H

#include "store/model/item.h"

struct lines {
	FILE *from;
	uint64_t number; /* of the last line read, from 1 */
	uint64_t first;  /* of the last document */
	uint64_t bytes;  /* read so far */
	uint64_t total;  /* of a regular file, from the position at lines_init(); 0: not known */
};

enum { LINES_END = 1 };

/* Most bytes of a line, or of a document on several lines */
enum { LINES_MAX = 16 * 1024 * 1024 };

/** lines_init - start at the current position of @from, which is borrowed */
void lines_init(struct lines *l, FILE *from);

/**
 * lines_read - append one line of a stream, with its newline if it has one
 *
 * Return:  its bytes; 0 at the end of the stream; -EMSGSIZE if it exceeds LINES_MAX, or another -errno: the bytes that
 *          were read are appended
 */
ssize_t lines_read(FILE *from, struct buf *out) must_check;

/**
 * lines_next - read the next item
 * @out: in the call's arena
 *
 * Return:  0, or LINES_END
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE  "line N: ..."
 *          -ERR_IO                         the stream cannot be read
 *          -ERR_BUSY                       interrupted, see stop.h
 */
int lines_next(struct call *c, struct lines *l, struct item *out) must_check;

/** lines_place - prefix the call's error with "line N: " of the last document; Return: the error's -ERR_* */
int lines_place(struct call *c, const struct lines *l);

#endif
