/*
 * escape - text of unknown origin, escaped for one line, a terminal, HTML or a URL
 *
 * For lines and terminals, escapes as \n, \u001b, \u202e: control characters, invisible characters, characters that change the direction of
 * writing, and those that XML forbids.
 */
#ifndef STORE_BASE_CORE_ESCAPE_H
#define STORE_BASE_CORE_ESCAPE_H

#include "store/base/core/buf.h"

/**
 * escape_put - append @text, escaped, at most @most characters of it
 * Return: true if @text has more characters.
 */
bool escape_put(struct buf *out, struct slice text, size_t most);

/**
 * escape_lines - append @text, escaped for a terminal: line ends and tabs stay
 * @colors: keep the sequences that switch colours, too
 *
 * Escaping does not change the meaning of JSON.
 */
void escape_lines(struct buf *out, struct slice text, bool colors);

/** escape_whole - number of bytes of @text without a character that is cut off at its end */
size_t escape_whole(struct slice text);

/** escape_columns - upper estimate of the columns that @text takes in a fixed-width font */
size_t escape_columns(struct slice text);

/** escape_markup - append @text, escaped for text and quoted attributes of HTML and XML */
void escape_markup(struct buf *out, struct slice text);

/** escape_percent - append @text; each byte that @keeps refuses becomes %XX */
void escape_percent(struct buf *out, struct slice text, bool (*keeps)(char ch));

/** escape_unreserved - Return: true for the bytes that need no escape in a URL (RFC 3986): letters, digits, -._~ */
bool escape_unreserved(char ch);

#endif
