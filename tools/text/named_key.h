/* named_key - "Artist=Acme" where the value alone is a key */
#ifndef TOOLS_TEXT_NAMED_KEY_H
#define TOOLS_TEXT_NAMED_KEY_H

#include "store/model/schema.h"

/** named_key_value - what follows "NAME=" in @word, without quotes; without bytes: @word does not begin so */
struct slice named_key_value(struct slice name, struct slice word);

/**
 * named_key_hint - the command as it is meant, when a word of its key names the attribute, too
 * @command: its name; @values: [n], at most 2: of the key, as they were typed; @rest: the word behind them, or NULL
 *
 * Return: a line in the call's arena; NULL: no word does.
 */
const char *named_key_hint(const char *command, struct call *c, struct slice table,
			   const struct key_schema *key, const struct slice *values, size_t n,
			   const char *rest);

#endif
