/* utf16 - converts UTF-16, as some spreadsheets and shells write it, to UTF-8, piece by piece, with iconv(3) */
#ifndef TOOLS_TEXT_UTF16_H
#define TOOLS_TEXT_UTF16_H

#include <iconv.h>

#include "store/base/core/base.h"

struct utf16 {
	iconv_t cd; /* valid if @begun */
	bool begun;
	struct buf rest; /* heap: an incomplete character at the end of the last piece */
};

/** utf16_name - iconv's name of the encoding of a file with this beginning; NULL if it is not UTF-16 */
const char *utf16_name(struct slice beginning);

/** utf16_begin - start a conversion; Return: false if this system's iconv lacks the encoding @name */
bool utf16_begin(struct utf16 *u, const char *name);

/** utf16_put - append the text of a piece; Return: false if it is not UTF-16 */
bool utf16_put(struct utf16 *u, struct slice piece, struct buf *out);

/** utf16_end - free the conversion, if it was begun; Return: false if the text ended within a character */
bool utf16_end(struct utf16 *u);

#endif
