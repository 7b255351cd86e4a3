/* lacking - an item or a key that was refused, since it is not as the table's key is */
#ifndef TOOLS_ADVICE_LACKING_H
#define TOOLS_ADVICE_LACKING_H

#include "tools/session/ctl.h"

/**
 * lacking_say - below the message of a put that was refused so: the key of the table, and the typed line with an item
 * that has it
 *
 * An answer or a request of the API is none: import reads them. Other failures stay as they are.
 */
void lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it);

/**
 * lacking_put - append the key of the table, and the typed line with @it, "Item" or "Key", as it is to be in place of @typed
 * @message: why it was refused, in DynamoDB's words
 *
 * Return:  false, and nothing is appended, if nothing is known
 */
bool lacking_put(const struct ctl *ctl, struct call *own, struct slice table, const char *member,
		 const char *message, const struct item *it, struct slice typed, struct buf *out);

#endif
