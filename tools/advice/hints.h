/* hints - after an error, what to write instead of what was typed: items that are no JSON, bare assignments; which server runs */
#ifndef TOOLS_ADVICE_HINTS_H
#define TOOLS_ADVICE_HINTS_H

#include "tools/session/ctl.h"

/** hints_find - append the right command to @out; Return: false: none is known */
bool hints_find(const struct ctl *ctl, const struct call *c, struct buf *out);

/**
 * hints_item - append the item that the words behind the table are: NAME=VALUE each, perhaps behind the values of the key
 *
 * Return: false: they are none; what is appended then is of no use
 */
bool hints_item(const struct words *words, const struct key_schema *key, struct buf *out);

/** hints_import - append which command reads what put does not */
void hints_import(struct buf *out, struct slice table);

#endif
