/* picture_png - pictures as PNG, rendered by an installed browser from SVG */
#ifndef TOOLS_PICTURE_PICTURE_PNG_H
#define TOOLS_PICTURE_PICTURE_PNG_H

#include "store/base/core/call.h"

#include "tools/picture/picture_form.h"

/**
 * picture_png - write all pictures as one PNG
 *
 * The files of the browser are in a temporary directory, which is removed.  The SVG refers to no other resource.
 *
 * Return: 0, also if @out has failed: the caller checks that
 *         -ERR_USAGE  no browser is installed, or the picture is too large for browsers
 *         -ERR_IO     no installed browser has drawn the picture
 *         -ERR_BUSY   interrupted
 */
int picture_png(struct call *c, struct sink *out, const struct picture *pictures, size_t n)
	must_check;

#endif
