/* mistyped - comparisons with a value of a type that no item has there */
#ifndef TOOLS_ADVICE_MISTYPED_H
#define TOOLS_ADVICE_MISTYPED_H

#include "tools/session/ctl.h"

/**
 * mistyped_say - tell of the first comparison in @expression that can be true of no item of @sample, and correct it; else false
 * @expression: as it was typed, or a statement from WHERE on
 */
bool mistyped_say(const struct ctl *ctl, const struct page *sample, struct slice expression,
		  const struct placeholders *ph);

/** mistyped_put - likewise appended to @out, without the command line */
bool mistyped_put(struct buf *out, const struct page *sample, struct slice expression,
		  const struct placeholders *ph);

#endif
