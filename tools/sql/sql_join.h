/* sql_join - one SELECT for each table of a join, because DynamoDB has no joins */
#ifndef TOOLS_SQL_SQL_JOIN_H
#define TOOLS_SQL_SQL_JOIN_H

#include "store/base/core/call.h"

/**
 * sql_join - append a line that reads each table of a join with its own statement
 *
 * A statement has the columns of its table, the columns of ON, and the conditions on its table alone, if their names
 * include the table; else it reads whole items.
 *
 * Return: false: @text is no join, and nothing is appended
 */
bool sql_join(struct call *c, struct slice text, struct buf *out);

#endif
