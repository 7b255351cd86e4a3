/* bare_value - kinds of values without quotes in an expression: paths, numbers, sums, texts */
#ifndef TOOLS_SESSION_BARE_VALUE_H
#define TOOLS_SESSION_BARE_VALUE_H

#include "store/engine/engine.h"

/** bare_value_is_quote - return true for ', " and ` */
bool bare_value_is_quote(char ch);

/** bare_value_word - the word that begins at @at, with '#', ':', '.', '[', ']' and '-'; may be empty */
struct slice bare_value_word(struct slice text, size_t at);

/** bare_value_is_path - return true for a path that begins with a name; *end: where the name ends */
bool bare_value_is_path(struct slice value, size_t *end);

/**
 * bare_value_is_text - return true if @value must be a text: it is no placeholder, constant, number, name or sum
 * @sample: items whose attributes are names; NULL: each path is a name
 */
bool bare_value_is_text(const struct page *sample, struct slice value);

#endif
