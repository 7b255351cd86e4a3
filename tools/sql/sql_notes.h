/* sql_notes - what a person should know of the answer to a SELECT: why it is empty, which attribute no item has */
#ifndef TOOLS_SQL_SQL_NOTES_H
#define TOOLS_SQL_SQL_NOTES_H

#include "store/partiql/statement.h"

#include "tools/session/absent.h"

struct sql_notes {
	bool parsed; /* @st is what it says */
	bool select; /* it is a SELECT */
	struct statement st;
	struct absent_names asked;
};

/** sql_notes_begin - before the statement is executed; orders the columns of its answer; in the call's arena */
struct sql_notes sql_notes_begin(struct ctl *ctl, struct call *c, const struct parameterized *of);

/** sql_notes_see - an item of the answer */
void sql_notes_see(struct sql_notes *n, const struct item *it);

/** sql_notes_order - the items are to be sorted by @lacks, which none of them has; empty: one has */
void sql_notes_order(const struct ctl *ctl, struct slice lacks);

/** sql_notes_say - behind the answer, which had @items items */
void sql_notes_say(struct ctl *ctl, struct call *c, const struct sql_notes *n, uint64_t items);

#endif
