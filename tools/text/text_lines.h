/* text_lines - the lines of a text that people write: scripts of actions, files of access patterns */
#ifndef TOOLS_TEXT_TEXT_LINES_H
#define TOOLS_TEXT_TEXT_LINES_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

struct text_lines {
	struct slice rest;
	int line; /* of the beginning of @rest, from 1 */
};

/** text_lines_next - take the next line, without its newline */
struct slice text_lines_next(struct text_lines *t);

/** text_indent - blanks before the first word */
size_t text_indent(struct slice line);

/**
 * text_is_idle - nothing but blanks or a comment
 * @continued: it may belong to the line above, where "#PK" is a word: then a comment is "#" and a blank
 */
bool text_is_idle(struct slice line, bool continued);

/* How messages name a line of the text. */
struct text_origin {
	const char *file; /* NULL: not named */
	bool told;        /* the call's error has its line */
};

/** text_put_place - append "FILE:LINE: "; without a file "line LINE: " */
void text_put_place(struct buf *out, const struct text_origin *o, int line);

/** text_at - the call's error with its place in front, unless it was told already; Return: -ERR_* of it */
int text_at(struct call *c, struct text_origin *o, int line);

#endif
