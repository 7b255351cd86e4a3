/* utf8 - RFC 3629: no overlong forms, no surrogates, nothing above 10FFFF */
#ifndef STORE_BASE_UTF8_H
#define STORE_BASE_UTF8_H

#include "store/base/slice.h"

/** utf8_valid - is @s wholly well-formed UTF-8? */
bool utf8_valid(struct slice s);

/** utf8_cut - the longest prefix of @s of at most @max bytes that ends at a character's end */
struct slice utf8_cut(struct slice s, size_t max);

/** utf8_units - length of @s in UTF-16 code units, as DynamoDB's size() counts a string */
size_t utf8_units(struct slice s);

#endif
