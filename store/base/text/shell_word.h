/* shell_word - quote words of a command line that users paste into a shell */
#ifndef STORE_BASE_TEXT_SHELL_WORD_H
#define STORE_BASE_TEXT_SHELL_WORD_H

#include "store/base/core/base.h"

/** shell_word - append @s as one word of a shell, in quotes if it needs them */
void shell_word(struct buf *b, struct slice s);

/** shell_text - append @s in single quotes; in double quotes if it contains single quotes and nothing special */
void shell_text(struct buf *b, struct slice s);

#endif
