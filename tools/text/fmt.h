/* fmt - a text made by a format of printf() */
#ifndef TOOLS_TEXT_FMT_H
#define TOOLS_TEXT_FMT_H

#include "store/base/core/buf.h"

/** fmt_slice - in the memory of @a, with a NUL behind it */
struct slice fmt_slice(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** fmt_word - @word as a shell reads it again, in the memory of @a */
const char *fmt_word(struct arena *a, const char *word);

/** fmt_shell - append a command line: a % in @text is the next argument, a struct slice, quoted where a shell needs it */
void fmt_shell(struct buf *out, const char *text, ...);

#endif
