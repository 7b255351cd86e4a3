/* bare - texts that somebody has forgotten to put in quotes */
#ifndef TOOLS_TEXT_BARE_H
#define TOOLS_TEXT_BARE_H

#include "store/base/core/slice.h"

/* "name operator word": both are names of attributes as it stands. */
struct bare {
	struct slice name;
	struct slice operator;
	struct slice word;
};

/** bare_find - the first comparison of @expression with a bare word; false: there is none */
bool bare_find(struct slice expression, struct bare *out);

/** bare_name - the next name of a top-level attribute in @expression from *@at on, which is moved behind it; empty: none */
struct slice bare_name(struct slice expression, size_t *at);

/**
 * bare_literal - the next comparison of a name or #alias with a literal or :placeholder, from *@at on
 * @out: ->operator is a sign, BETWEEN, IN or begins_with; ->word is the literal as it is written
 *
 * *@at is moved behind it. A literal at *@at itself is compared with nothing.
 */
bool bare_literal(struct slice expression, size_t *at, struct bare *out);

#endif
