/* rewrite - statements of SQL that PartiQL has not, as the command that does it, ready to paste */
#ifndef TOOLS_REWRITE_H
#define TOOLS_REWRITE_H

#include "tools/ctl.h"

/**
 * rewrite_sql - append it; false: @text is none of those that can be rewritten
 * @ctl: whose store is asked; NULL: none
 */
bool rewrite_sql(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** rewrite_item - "{'a':'b',}" with double quotes and no last comma, as an argument of a shell; false: it is no JSON then either */
bool rewrite_item(struct slice text, struct buf *out);

#endif
