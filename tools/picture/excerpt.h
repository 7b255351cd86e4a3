/* excerpt - picture of a large table or index: the beginnings of a few collections of each kind of items */
#ifndef TOOLS_PICTURE_EXCERPT_H
#define TOOLS_PICTURE_EXCERPT_H

#include "store/page/picture.h"

#include "tools/session/ctl.h"

/**
 * excerpt_read - fill a picture with the beginnings of a few collections of each kind, and end it
 * @p: picture_begin() was called
 *
 * Errors: those of shapes_find() and Query
 */
int excerpt_read(struct ctl *ctl, struct call *c, struct picture *p) must_check;

#endif
