/*
 * visible - text of any origin on one line or a terminal: nothing in it acts, hides or runs on
 *
 * Control characters, those that turn the direction of writing and those that XML forbids are
 * written as \n, \u001b, \u202e.
 */
#ifndef STORE_BASE_CORE_VISIBLE_H
#define STORE_BASE_CORE_VISIBLE_H

#include "store/base/core/buf.h"

/**
 * visible_put - append @text, at most @most characters of it
 * Return: was there more?
 */
bool visible_put(struct buf *out, struct slice text, size_t most);

/**
 * visible_lines - append @text as a terminal may have it: lines and tabs stay
 * @colors: what switches colours stays, too
 *
 * JSON stays the same JSON.
 */
void visible_lines(struct buf *out, struct slice text, bool colors);

/** visible_whole - number of bytes of @text up to a character that is cut off at its end */
size_t visible_whole(struct slice text);

/** visible_columns - columns of a fixed-width font that @text takes, too many rather than too few */
size_t visible_columns(struct slice text);

/** visible_markup - append @text as HTML's and XML's text and quoted attributes have it */
void visible_markup(struct buf *out, struct slice text);

#endif
