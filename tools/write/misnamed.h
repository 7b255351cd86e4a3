/* misnamed - attributes of a condition that no item has: "attribute_not_exists(Artst)" always holds */
#ifndef TOOLS_WRITE_MISNAMED_H
#define TOOLS_WRITE_MISNAMED_H

#include "tools/write/single.h"

/**
 * misnamed_check - before a write: is it attribute_not_exists() alone, of nearly the name of a key's attribute, that no item has?
 *
 * Such a condition holds for every item, as does "Status <> SHIPPED" without quotes, and what it should protect would be overwritten. In a table with more items
 * than are looked at it is told only. An alias of the user's is taken as it is. Of far endpoints nothing is asked.
 * Errors:  -ERR_USAGE  with the name that was meant
 */
int misnamed_check(struct ctl *ctl, struct call *c, struct slice table, const struct single *s)
	__attribute__((warn_unused_result));

/** misnamed_update - before an update: a line about the first name in @update that no item has, if another attribute has the same letters, small or capital */
void misnamed_update(const struct ctl *ctl, const struct call *c, struct slice table,
		     struct slice update);

/** misnamed_say - after a condition that did not hold: a line about the first name that no item has */
void misnamed_say(const struct ctl *ctl, const struct call *c, struct slice table,
		  const struct single *s);

#endif
