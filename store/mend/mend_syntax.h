/* mend_syntax - words of expressions, and corrections of their syntax */
#ifndef STORE_MEND_MEND_SYNTAX_H
#define STORE_MEND_MEND_SYNTAX_H

#include "store/expr/expr.h"
#include "store/mend/mend.h"

/**
 * mend_word - return the next word of @text, and move *@at after it
 *
 * A word includes a leading "#" or ":". Any other character is a word of its own.
 * Return:  empty at the end of @text
 */
struct slice mend_word(struct slice text, size_t *at);

/** mend_is_name - return true if @word is a name of an attribute or function, or a "#" placeholder */
bool mend_is_name(struct slice word);

/** mend_with - return @text with @by in place of @word, which is a part of @text; in the call's arena */
struct slice mend_with(struct mend *m, struct slice text, struct slice word, struct slice by);

/**
 * mend_function - return the function that @word means
 * @functions: names of functions, separated by blanks
 *
 * Return:  one of @functions; empty if none is meant
 */
struct slice mend_function(struct slice word, const char *functions);

/** mend_fault - return the byte offset of the first fault in @text; SIZE_MAX: none, or @kind is EXPR_PROJECTION */
size_t mend_fault(struct mend *m, enum expr_kind kind, struct slice text);

/**
 * mend_syntax - correct up to six mistakes of syntax, one after the other
 * @keywords: keywords of this kind of expression, separated by blanks
 *
 * Return:  the corrected text, or @text if some fault remains
 */
struct slice mend_syntax(struct mend *m, enum expr_kind kind, const char *keywords,
			 struct slice text);

#endif
