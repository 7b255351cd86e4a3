/* misnamed - misspelled attributes in conditions and updates: "attribute_not_exists(Artst)" always holds */
#ifndef TOOLS_WRITE_MISNAMED_H
#define TOOLS_WRITE_MISNAMED_H

#include "tools/write/item_options.h"

/**
 * misnamed_check - refuse a write whose condition always holds because of a misspelled name
 *
 * The condition is attribute_not_exists() alone with a name that no item has and that is similar to a key attribute, or
 * "Status <> SHIPPED" without quotes.  It would overwrite the item that it should protect.  If the table has more items
 * than the sample, only prints a note about the former, and ignores the latter.  Does not check placeholders of the
 * user, and sends nothing to far endpoints.
 * Errors:  -ERR_USAGE  with the similar name
 */
int misnamed_check(struct ctl *ctl, struct call *c, struct slice table,
		   const struct item_options *s) must_check;

/** misnamed_update - print a note about the first name in @update that differs from an attribute only in letter case */
void misnamed_update(const struct ctl *ctl, const struct call *c, struct slice table,
		     struct slice update);

/** misnamed_say - after a failed condition, print a note about its first name that no item has */
void misnamed_say(const struct ctl *ctl, const struct call *c, struct slice table,
		  const struct item_options *s);

#endif
