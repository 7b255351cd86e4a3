/* picture_png - pictures as a PNG: a browser that is installed draws the SVG */
#ifndef TOOLS_PICTURE_PICTURE_PNG_H
#define TOOLS_PICTURE_PICTURE_PNG_H

#include "store/base/core/call.h"

#include "tools/picture/picture_file.h"

/**
 * picture_png - all pictures as one PNG
 *
 * The browser gets a directory of its own for its files, which is removed afterwards, and loads nothing.
 *
 * Errors: -ERR_USAGE  no browser is installed, or the picture is larger than one draws
 *         -ERR_IO     none of those that are installed has drawn it
 */
int picture_png(struct call *c, struct sink *out, const struct picture *pictures, size_t n)
	__attribute__((warn_unused_result));

#endif
