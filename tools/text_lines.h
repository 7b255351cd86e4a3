/* text_lines - the lines of a text that people write: scripts of actions, files of access patterns */
#ifndef TOOLS_TEXT_LINES_H
#define TOOLS_TEXT_LINES_H

#include <stdbool.h>

#include "store/base/slice.h"

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

#endif
