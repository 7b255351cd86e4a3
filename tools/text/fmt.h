/* fmt - formatted texts in an arena, and command lines for a shell */
#ifndef TOOLS_TEXT_FMT_H
#define TOOLS_TEXT_FMT_H

#include "store/base/core/base.h"

/** fmt_slice - printf() into the arena @a; a NUL follows the text */
struct slice fmt_slice(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** fmt_word - @word quoted for a shell, in the arena @a */
const char *fmt_word(struct arena *a, const char *word);

/** fmt_shell - append a command line; each % in @text is replaced by the next argument, a struct slice, with quotes */
void fmt_shell(struct buf *out, const char *text, ...);

#endif
