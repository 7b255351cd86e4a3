/* lead - which columns come first: those that were asked for, else the key */
#ifndef TOOLS_SESSION_LEAD_H
#define TOOLS_SESSION_LEAD_H

#include "tools/session/ctl.h"

/** lead_key - in tables, CSV and cells the key of @ix (NULL: of the table) comes first, then the table's; names stay @c's */
void lead_key(struct out *out, struct call *c, const struct schema *s, const struct index *ix);

/** lead_names - these names come first, in their order, in JSON and YAML too; borrowed */
void lead_names(struct out *out, const struct slice *names, size_t n);

/** lead_table - likewise of a table or an index whose schema is not known yet; nothing is asked where no form has columns */
void lead_table(struct ctl *ctl, struct call *c, struct slice table, struct slice index);

#endif
