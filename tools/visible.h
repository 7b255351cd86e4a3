/*
 * visible - text of any origin on one line of a picture: nothing in it acts, hides or runs on
 *
 * Control characters, those that turn the direction of writing and those that XML forbids are
 * written as \n, \u001b, \u202e.
 */
#ifndef TOOLS_VISIBLE_H
#define TOOLS_VISIBLE_H

#include "store/base/buf.h"

/**
 * visible_put - append @text, at most @most characters of it
 * Return: was there more?
 */
bool visible_put(struct buf *out, struct slice text, size_t most);

/** visible_columns - columns of a fixed-width font that @text takes, too many rather than too few */
size_t visible_columns(struct slice text);

/** visible_markup - append @text as HTML's and XML's text and quoted attributes have it */
void visible_markup(struct buf *out, struct slice text);

#endif
