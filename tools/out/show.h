/* show - messages on standard error, with control characters escaped, and colors on terminals */
#ifndef TOOLS_OUT_SHOW_H
#define TOOLS_OUT_SHOW_H

#include "store/base/core/base.h"

/**
 * show_put - append lines, escaped
 * @lines: may contain texts of users, files and servers, which must not control the terminal
 *
 * The middle of lines over 2,000 bytes is left out.
 */
void show_put(struct buf *out, struct slice lines);

/** show_lines - as show_put(), to standard error */
void show_lines(struct slice lines);

/* Sequences before and after the name of an error */
#define SHOW_ERROR "\x1b[1;31m"
#define SHOW_ERROR_END "\x1b[0m"

/**
 * show_has_colors - return true if @fd is a terminal that shows colors, and NO_COLOR is unset or empty (see no-color.org)
 *
 * Without TERM, or if it is "dumb", the terminal would print the sequences.
 */
bool show_has_colors(int fd);

#endif
