/* rewrite - statements of SQL that PartiQL has not, as the command that does it, ready to paste */
#ifndef TOOLS_SQL_REWRITE_H
#define TOOLS_SQL_REWRITE_H

#include "tools/session/ctl.h"

/**
 * rewrite_sql - append it, with the statements behind it; false: @text is none of those that can be rewritten
 * @ctl: whose store is asked; NULL: none
 */
bool rewrite_sql(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** rewrite_mongo - append the line for a call of MongoDB's shell, db.TABLE.VERB(JSON); false: @text is none whose meaning is certain */
bool rewrite_mongo(struct call *c, struct slice text, struct buf *out);

/**
 * rewrite_command - words that begin with a statement or call which one command carries out, as CREATE TABLE, become its words
 *
 * What deletes is only suggested. Return: the command's line, in the call's arena; empty: they stay
 */
struct slice rewrite_command(struct call *c, int *argc, char ***argv);

#endif
