/* rewrite_words - the words of a statement, without a grammar */
#ifndef TOOLS_SQL_REWRITE_WORDS_H
#define TOOLS_SQL_REWRITE_WORDS_H

#include "store/base/core/slice.h"

/** rewrite_next - take the next word from *@text: a word, a text with its quotes, or any other single character */
struct slice rewrite_next(struct slice *text);

/** rewrite_take - take the words of @want from *@text, ignoring case; false: *@text is unchanged */
bool rewrite_take(struct slice *text, const char *want);

/** rewrite_find - return the offset of the first @word (or words) in @text; text.len: there is none */
size_t rewrite_find(struct slice text, const char *word);

/** rewrite_bare - return a word without its quotes (single, double or backticks) */
struct slice rewrite_bare(struct slice word);

/** rewrite_ends - return true if @text has nothing but blanks and one semicolon */
bool rewrite_ends(struct slice text);

#endif
