/* rewrite - commands instead of SQL statements that PartiQL lacks, ready to paste */
#ifndef TOOLS_SQL_REWRITE_H
#define TOOLS_SQL_REWRITE_H

#include "tools/session/ctl.h"

/**
 * rewrite_sql - append the command lines for @text, which may have several statements
 * @ctl: its store is asked for tables and indexes; NULL: no store is used
 *
 * Return: false: the first statement cannot be rewritten, and nothing is appended
 */
bool rewrite_sql(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** rewrite_mongo - append the line for a call of the MongoDB shell, db.TABLE.VERB(JSON); false: not supported */
bool rewrite_mongo(struct call *c, struct slice text, struct buf *out);

/**
 * rewrite_command - replace a statement such as CREATE TABLE at the start of the words by the words of one command
 * @argc, @argv: the words; replaced, in the arena of the call
 *
 * Does not replace statements that delete.  Return: the line of the command; empty: nothing was replaced
 */
struct slice rewrite_command(struct call *c, int *argc, char ***argv);

#endif
