/* suggest_table - suggestions for words that are no table: similar tables, indexes, keys */
#ifndef TOOLS_ADVICE_SUGGEST_TABLE_H
#define TOOLS_ADVICE_SUGGEST_TABLE_H

#include "tools/session/ctl.h"

/**
 * suggest_table_index - suggest the option --index for an index in place of the table
 *
 * The word is "TABLE.INDEX", as in PartiQL, "TABLE/INDEX", or the index alone.
 * Return: false: there is no such index, or the command has no such option
 */
bool suggest_table_index(const struct ctl *ctl, struct call *c);

/**
 * suggest_table_lacking - after an invalid table name: suggest to put the only table before the key
 *
 * Return: false: the error is another one, or there is no suggestion
 */
bool suggest_table_lacking(const struct ctl *ctl, struct call *c);

/** suggest_table - after a missing table: suggest a similar one or another command; the store is open */
void suggest_table(const struct ctl *ctl, struct call *c);

/**
 * suggest_near_table - add the typed line with the table whose name is most similar to @typed to the call's error
 * @but: a table not to suggest
 *
 * Return: false: there is none
 */
bool suggest_near_table(const struct ctl *ctl, struct call *c, struct slice typed,
			struct slice but);

#endif
