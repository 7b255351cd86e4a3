/* show - prints messages on standard error, with control characters escaped */
#ifndef TOOLS_OUT_SHOW_H
#define TOOLS_OUT_SHOW_H

#include "store/base/core/buf.h"

/**
 * show_put - append lines, escaped
 * @lines: may contain texts of users, files and servers, which must not control the terminal
 *
 * The middle of lines over 2,000 bytes is left out.
 */
void show_put(struct buf *out, struct slice lines);

/** show_lines - as show_put(), to standard error */
void show_lines(struct slice lines);

#endif
