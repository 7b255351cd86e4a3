/* sort_words - parser of sort key conditions, as expressions and SQL have them: "begins_with ORDER#", "SK >= 5" */
#ifndef TOOLS_TEXT_SORT_WORDS_H
#define TOOLS_TEXT_SORT_WORDS_H

#include "store/base/core/base.h"

struct sort_words {
	const char *option; /* of query: "begins-with", "between" ... */
	const char *a,
		*b; /* its values, in the call's arena or the caller's; only "between" has b */
};

/**
 * sort_words_read - parse words: [NAME] OPERATOR VALUE, [NAME] BETWEEN A [AND] B, NAME >= A AND NAME <= B
 * @name: of the sort key
 *
 * Return: false if the words are not a condition; @out may have changed
 */
bool sort_words_read(struct call *c, struct slice name, const char *const *words, size_t n,
		     struct sort_words *out);

/** sort_words_text - as sort_words_read(), for one text, with values in quotes or not; also begins_with(NAME, VALUE) */
bool sort_words_text(struct call *c, struct slice name, struct slice text, struct sort_words *out);

/**
 * sort_words_like - parse a pattern that ends with its only '%' or '*', "ORDER#%", or a range, "A..B"
 *
 * Return: false if it is neither
 */
bool sort_words_like(struct call *c, const char *pattern, struct sort_words *out);

/** sort_words_put - append the condition as an option, quoted for a shell: "--begins-with ORDER#" */
void sort_words_put(struct buf *b, const struct sort_words *s);

#endif
