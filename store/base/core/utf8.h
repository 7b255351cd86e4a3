/* utf8 - UTF-8 as in RFC 3629: no overlong forms, no surrogates, nothing above 10FFFF */
#ifndef STORE_BASE_CORE_UTF8_H
#define STORE_BASE_CORE_UTF8_H

#include "store/base/core/slice.h"

/* The byte order mark, which some editors write at the beginning of a file. */
#define UTF8_MARK "\xef\xbb\xbf"

/**
 * utf8_length - length of the character at the beginning of @s, which is not empty
 *
 * Return: more than @s.len if @s ends within the character; 0 if it is malformed.
 */
size_t utf8_length(struct slice s);

/** utf8_valid - return true if all of @s is well-formed UTF-8 */
bool utf8_valid(struct slice s);

/** utf8_cut - the longest prefix of @s of at most @max bytes that ends at a character's end */
struct slice utf8_cut(struct slice s, size_t max);

/** utf8_past_mark - @s without a leading byte order mark */
struct slice utf8_past_mark(struct slice s);

/** utf8_begins - return true if @ch is the first byte of a character, not a continuation byte */
static inline bool
utf8_begins(char ch)
{
	return ((unsigned char)ch & 0xc0) != 0x80;
}

/** utf8_characters - number of characters of @s */
size_t utf8_characters(struct slice s);

/** utf8_encode - write the character @ch to @to, which has room for four bytes; Return: the number of bytes */
size_t utf8_encode(char *to, uint32_t ch);

/** utf8_units - length of @s in UTF-16 code units, as DynamoDB's size() counts a string */
size_t utf8_units(struct slice s);

#endif
