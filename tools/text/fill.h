/*
 * fill - ${name} in a template replaced by values, which stay values
 *
 *   a word        OPEN#${date}        the bytes of the value; no word begins or ends in it
 *   an expression Total > ${least}    a literal: text in quotes, a number as it is
 *                 "OPEN#${date}"      within quotes: the value's bytes, escaped
 *   JSON          {"PK":"${id}"}      likewise
 *
 * $${ stands for ${.  What a value holds is never read as an operator, a name,
 * an option or another parameter.
 */
#ifndef TOOLS_TEXT_FILL_H
#define TOOLS_TEXT_FILL_H

#include "store/base/core/ascii.h"
#include "store/base/core/call.h"
#include "store/base/core/slice.h"

enum fill_as {
	FILL_WORD,
	FILL_EXPRESSION,
	FILL_JSON,
	FILL_NOTHING, /* a list of attributes, say: has no place for values */
};

struct fill_value {
	struct slice name;
	struct slice text;
	bool number;
};

struct fill {
	const struct fill_value *at;
	size_t n;
};

/**
 * fill_text - @text with its parameters replaced
 * @fill: NULL: nothing is a template, @out is @text
 *
 * Errors:  -ERR_USAGE  an unknown parameter, a ${ that does not end, a place where no value can stand
 * Memory:  the call's arena, or @text itself
 */
int fill_text(struct call *c, const struct fill *fill, enum fill_as as, struct slice text,
	      struct slice *out) __attribute__((warn_unused_result));

/** fill_string - the same for C strings; a value must not hold a zero byte, and no argument can */
int fill_string(struct call *c, const struct fill *fill, enum fill_as as, const char *text,
		const char **out) __attribute__((warn_unused_result));

/** fill_is_json - is a word that is written like @text JSON? */
static inline bool
fill_is_json(struct slice text)
{
	text = ascii_trim(text);
	return text.len > 0 && (text.at[0] == '{' || text.at[0] == '[');
}

#endif
