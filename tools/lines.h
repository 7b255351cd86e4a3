/*
 * lines - JSON documents of a stream, one after the other
 *
 * A document is an object; it may stand on one line (JSON Lines) or on several.
 */
#ifndef TOOLS_LINES_H
#define TOOLS_LINES_H

#include <stdio.h>

#include "store/model/item.h"

struct lines {
	FILE *from;
	char *line; /* private: getline's */
	size_t room;
	uint64_t number; /* of the last line read, from 1 */
	uint64_t first;  /* of the last document */
	uint64_t bytes;  /* read so far */
	uint64_t total;  /* of a regular file from where it stood; 0: not known */
};

enum { LINES_END = 1 };

void lines_init(struct lines *l, FILE *from);
void lines_release(struct lines *l);

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
