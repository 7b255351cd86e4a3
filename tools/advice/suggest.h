/* suggest - the suggestion that is added to the error message of a command */
#ifndef TOOLS_ADVICE_SUGGEST_H
#define TOOLS_ADVICE_SUGGEST_H

#include "tools/session/ctl.h"

/** suggest - add at most one suggestion to the call's error; may send requests to the store, which is still open */
void suggest(const struct ctl *ctl, struct call *c);

/** suggest_line - add @line below the message of the call's error */
void suggest_line(struct call *c, struct slice line);

/**
 * suggest_near_table - add the typed line with the table whose name is most similar to @typed to the call's error
 * @but: a table not to suggest
 *
 * Return: false: there is none
 */
bool suggest_near_table(const struct ctl *ctl, struct call *c, struct slice typed,
			struct slice but);

#endif
