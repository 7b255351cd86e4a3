/* sort_words - a condition on the sort key in words, as expressions and SQL have it: "begins_with ORDER#", "SK >= 5" */
#ifndef TOOLS_TEXT_SORT_WORDS_H
#define TOOLS_TEXT_SORT_WORDS_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

struct sort_words {
	const char *option; /* of query: "begins-with", "between" ... */
	const char *a,
		*b; /* its values, in the call's arena or as they were given; b is NULL but for "between" */
};

/**
 * sort_words_read - a condition whose words stand apart: [NAME] OPERATOR VALUE, [NAME] BETWEEN A [AND] B, NAME >= A AND NAME <= B
 * @name: of the sort key
 *
 * Return: false: it is none.
 */
bool sort_words_read(struct call *c, struct slice name, const char *const *words, size_t n,
		     struct sort_words *out);

/** sort_words_text - likewise of one text, values perhaps in quotes; also begins_with(NAME, VALUE) */
bool sort_words_text(struct call *c, struct slice name, struct slice text, struct sort_words *out);

/** sort_words_like - of a pattern that ends in its only '%' or '*', "ORDER#%", or of a range, "A..B" */
bool sort_words_like(struct call *c, const char *pattern, struct sort_words *out);

/** sort_words_put - append it as an option, for a shell: "--begins-with ORDER#" */
void sort_words_put(struct buf *b, const struct sort_words *s);

#endif
