/* mistyped - comparisons with a value whose type differs from that of the attribute in all items */
#ifndef TOOLS_ADVICE_MISTYPED_H
#define TOOLS_ADVICE_MISTYPED_H

#include "tools/session/ctl.h"

/**
 * mistyped_say - print a note about the first comparison that is true for no item of @sample, and its correction
 * @expression: as typed, or a statement from WHERE on
 *
 * Return: false: there is no such comparison
 */
bool mistyped_say(const struct ctl *ctl, const struct page *sample, struct slice expression,
		  const struct placeholders *ph);

/**
 * mistyped_put - as mistyped_say(), but append the note to @out
 * @line: with the typed line, if the correction keeps the value
 */
bool mistyped_put(struct buf *out, const struct page *sample, struct slice expression,
		  const struct placeholders *ph, bool line);

#endif
