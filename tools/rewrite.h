/* rewrite - statements of SQL that PartiQL has not, as the command that does it, ready to paste */
#ifndef TOOLS_REWRITE_H
#define TOOLS_REWRITE_H

#include "tools/ctl.h"

/**
 * rewrite_sql - append it, with the statements behind it; false: @text is none of those that can be rewritten
 * @ctl: whose store is asked; NULL: none
 */
bool rewrite_sql(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/**
 * rewrite_json - append JSON as somebody types it, "{'a':b,}", as JSON has it; false: it is none then either
 *
 * With double quotes, without comments and last commas, and with the brackets that are missing at the end.
 */
bool rewrite_json(struct slice text, struct buf *out);

#endif
