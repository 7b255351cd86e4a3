/* sql_join - a SELECT of several tables, which DynamoDB does not have: a statement for each table */
#ifndef TOOLS_SQL_SQL_JOIN_H
#define TOOLS_SQL_SQL_JOIN_H

#include "store/base/core/call.h"

/**
 * sql_join - append the line that reads each table of a join alone
 *
 * A statement keeps the columns of its table, those that join it, and the conditions that are of it alone, where the
 * names say of which table they are; else it reads whole items.
 *
 * Return: false: @text is no join, and nothing is appended
 */
bool sql_join(struct call *c, struct slice text, struct buf *out);

#endif
