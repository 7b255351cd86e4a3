/* text_lines - iterates over the lines of scripts and files of access patterns, and puts their places into errors */
#ifndef TOOLS_TEXT_TEXT_LINES_H
#define TOOLS_TEXT_TEXT_LINES_H

#include "store/base/core/base.h"

struct text_lines {
	struct slice rest;
	int line; /* number of lines taken, so the number of the last one, from 1 */
};

/** text_lines_next - take the next line, without its newline */
struct slice text_lines_next(struct text_lines *t);

/** text_indent - number of blanks before the first word */
size_t text_indent(struct slice line);

/**
 * text_is_idle - return true if the line is empty or a comment
 * @continued: it may continue the line above, where "#PK" is a word, so a comment needs a blank after its "#"
 */
bool text_is_idle(struct slice line, bool continued);

/* How messages name a line of the text. */
struct text_origin {
	const char *file; /* NULL: not named */
	bool told;        /* the call's error already has its place */
};

/** text_put_place - append "FILE:LINE: "; without a file "line LINE: " */
void text_put_place(struct buf *out, const struct text_origin *o, int line);

/** text_at - prefix the call's error with its place, unless it has one (@o->told); Return: the error's -ERR_* */
int text_at(struct call *c, struct text_origin *o, int line);

#endif
