/* lead - columns that come first: those that were requested, else the key */
#ifndef TOOLS_SESSION_LEAD_H
#define TOOLS_SESSION_LEAD_H

#include "tools/session/ctl.h"

/**
 * lead_key - in tables, CSV and cells put the key of @ix first, then the key of the table
 * @ix: NULL: no index
 *
 * The names are in the arena of @c, which must outlive @out.
 */
void lead_key(struct out *out, struct call *c, const struct schema *s, const struct index *ix);

/** lead_names - put these names first, in this order; several names also in JSON and YAML; borrowed */
void lead_names(struct out *out, const struct slice *names, size_t n);

/** lead_table - lead_key() for a table or index of unknown schema; sends nothing if the format has no columns */
void lead_table(struct ctl *ctl, struct call *c, struct slice table, struct slice index);

#endif
