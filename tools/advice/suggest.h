/* suggest - what may help after an error: how a command is written, the nearest table */
#ifndef TOOLS_ADVICE_SUGGEST_H
#define TOOLS_ADVICE_SUGGEST_H

#include "tools/session/ctl.h"

/** suggest - add a line to the call's error, where there is one that helps; the store is asked for its tables */
void suggest(const struct ctl *ctl, struct call *c);

/** suggest_line - the call's error as it is, and @line below it */
void suggest_line(struct call *c, struct slice line);

/** suggest_near_table - below the call's error, the line with the table whose name is near @typed, but not @but; false: there is none */
bool suggest_near_table(const struct ctl *ctl, struct call *c, struct slice typed,
			struct slice but);

#endif
