/* utf16 - a text of UTF-16, as some spreadsheets and shells write it, into UTF-8, piece by piece: iconv(3) */
#ifndef TOOLS_TEXT_UTF16_H
#define TOOLS_TEXT_UTF16_H

#include <iconv.h>

#include "store/base/core/buf.h"

struct utf16 {
	iconv_t cd; /* valid once begun */
	bool begun;
	struct buf rest; /* heap: half of a character, from the last piece */
};

/** utf16_name - the encoding of a file that begins so, as iconv knows it; NULL: none of UTF-16 */
const char *utf16_name(struct slice beginning);

/** utf16_begin - Return: false where this system's iconv does not know it */
bool utf16_begin(struct utf16 *u, const char *name);

/** utf16_put - append what a piece holds; Return: false for what is no UTF-16 */
bool utf16_put(struct utf16 *u, struct slice piece, struct buf *out);

/** utf16_end - harmless when it has not begun; Return: false when half of a character is left */
bool utf16_end(struct utf16 *u);

#endif
