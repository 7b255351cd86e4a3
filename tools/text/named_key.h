/* named_key - hints for key values that were typed as NAME=VALUE: "Artist=Acme" instead of "Acme" */
#ifndef TOOLS_TEXT_NAMED_KEY_H
#define TOOLS_TEXT_NAMED_KEY_H

#include "store/model/schema.h"

/** named_key_value - the rest of @word after "NAME=", without quotes; empty if @word does not begin with it */
struct slice named_key_value(struct slice name, struct slice word);

/**
 * named_key_hint - the corrected command, if a value of its key was typed as NAME=VALUE
 * @command: its name
 * @values: [n], at most 2, the values of the key as they were typed
 * @rest: the word after them, or NULL
 *
 * Return: a line in the call's arena; NULL if no value was typed so
 */
const char *named_key_hint(const char *command, struct call *c, struct slice table,
			   const struct key_schema *key, const struct slice *values, size_t n,
			   const char *rest);

#endif
