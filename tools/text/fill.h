/*
 * fill - template parameters: replaces ${name} by a value
 *
 *   a word        OPEN#${date}        the bytes of the value; blanks in it do not split the word
 *   an expression Total > ${least}    a literal: text in quotes, a number as it is
 *                 "OPEN#${date}"      within quotes: the value's bytes, escaped
 *   JSON          {"PK":"${id}"}      as in an expression
 *
 * $${ is an escaped ${. No part of a value is ever read as an operator, a name, an option or another parameter.
 */
#ifndef TOOLS_TEXT_FILL_H
#define TOOLS_TEXT_FILL_H

#include "store/base/core/base.h"

enum fill_as {
	FILL_WORD,
	FILL_EXPRESSION,
	FILL_JSON,
	FILL_NOTHING, /* a text that has no place for values, such as a list of attributes */
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
 * fill_text - replace the parameters of @text
 * @fill: if NULL, @text is not a template, and @out is @text
 *
 * Errors:  -ERR_USAGE  an unknown parameter, a ${ without its }, a parameter where no value is allowed
 * Memory:  the call's arena, or @text itself
 */
int fill_text(struct call *c, const struct fill *fill, enum fill_as as, struct slice text,
	      struct slice *out) must_check;

/** fill_string - as fill_text(), for C strings; values must not contain zero bytes */
int fill_string(struct call *c, const struct fill *fill, enum fill_as as, const char *text,
		const char **out) must_check;

/** fill_is_json - return true if @text begins like JSON */
static inline bool
fill_is_json(struct slice text)
{
	text = ascii_trim(text);
	return text.len > 0 && (text.at[0] == '{' || text.at[0] == '[');
}

#endif
