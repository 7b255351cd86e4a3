/* lacking - an item that was refused, since it lacks an attribute of the key */
#ifndef TOOLS_LACKING_H
#define TOOLS_LACKING_H

#include "tools/ctl.h"

/**
 * lacking_say - below the message of a put that was refused so: which attribute @it lacks, and the one in its place,
 * or the typed line, where the attribute has another type
 *
 * An answer or a request of the API is none: import reads them. Other failures stay as they are.
 */
void lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it);

#endif
