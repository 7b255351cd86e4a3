/* utf8 - RFC 3629: no overlong forms, no surrogates, nothing above 10FFFF */
#ifndef STORE_BASE_CORE_UTF8_H
#define STORE_BASE_CORE_UTF8_H

#include "store/base/core/slice.h"

/** utf8_valid - is @s wholly well-formed UTF-8? */
bool utf8_valid(struct slice s);

/** utf8_cut - the longest prefix of @s of at most @max bytes that ends at a character's end */
struct slice utf8_cut(struct slice s, size_t max);

/** utf8_past_mark - @s without the byte order mark that some editors begin a text with */
struct slice utf8_past_mark(struct slice s);

/** utf8_begins - does a character begin with this byte?  The others go on with one */
static inline bool
utf8_begins(char ch)
{
	return ((unsigned char)ch & 0xc0) != 0x80;
}

/** utf8_characters - how many of @s */
size_t utf8_characters(struct slice s);

/** utf8_next - the character of well-formed @s at byte @at, which goes on to the next one */
uint32_t utf8_next(struct slice s, size_t *at);

/** utf8_units - length of @s in UTF-16 code units, as DynamoDB's size() counts a string */
size_t utf8_units(struct slice s);

#endif
