/* shell_word - words of a command line that is shown to be pasted */
#ifndef STORE_BASE_TEXT_SHELL_WORD_H
#define STORE_BASE_TEXT_SHELL_WORD_H

#include "store/base/core/buf.h"

/** shell_word - append @s as a shell reads it again: in quotes where it has to be */
void shell_word(struct buf *b, struct slice s);

/** shell_text - likewise, always in quotes: in single ones if it has none, in double ones if that will do */
void shell_text(struct buf *b, struct slice s);

#endif
