/* sql_hints_int - for the files of sql_hints alone; functions that append to @out return false if there is no advice */
#ifndef TOOLS_SQL_SQL_HINTS_INT_H
#define TOOLS_SQL_SQL_HINTS_INT_H

#include "tools/session/ctl.h"

/** sql_hints_several - append the command for an UPDATE or DELETE whose condition does not name one item */
bool sql_hints_several(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** sql_hints_transaction - append the command for BEGIN; ...; COMMIT */
bool sql_hints_transaction(struct ctl *ctl, struct call *c, struct slice rest, struct buf *out);

/** sql_hints_put - append the command for REPLACE, UPSERT, INSERT OR REPLACE, and INSERT ... ON CONFLICT */
bool sql_hints_put(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** sql_hints_values - append the form of an INSERT for INSERT INTO t VALUES (1, 2, 3) */
bool sql_hints_values(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

#endif
