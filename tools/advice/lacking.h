/* lacking - suggestions for an item or a key that was refused because it does not fit the table's key */
#ifndef TOOLS_ADVICE_LACKING_H
#define TOOLS_ADVICE_LACKING_H

#include "tools/session/ctl.h"

/**
 * lacking_say - add the table's key, and the typed line with an item that has it, to the error of a put
 *
 * If @it is an answer or a request of the API, suggests import.  Leaves other errors unchanged.
 */
void lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it);

/**
 * lacking_put - append the table's key, and the typed line with a corrected item in place of @typed
 * @member:  "Item" or "Key": what @it is
 * @message: DynamoDB's reason for the refusal
 * @typed:   the word to replace; "-": do not append the line
 *
 * Return:  false: there is no suggestion, and nothing is appended
 */
bool lacking_put(const struct ctl *ctl, struct call *own, struct slice table, const char *member,
		 const char *message, const struct item *it, struct slice typed, struct buf *out);

#endif
