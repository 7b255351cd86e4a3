/* sql_notes - notes about the result of a SELECT: why it is empty, and attributes that no item has */
#ifndef TOOLS_SQL_SQL_NOTES_H
#define TOOLS_SQL_SQL_NOTES_H

#include "store/partiql/statement.h"

#include "tools/session/absent.h"

struct sql_notes {
	bool parsed; /* @st is valid */
	bool select; /* a SELECT */
	struct statement st;
	struct absent_names asked;
};

/** sql_notes_begin - parse a statement before it is executed, and set the order of columns; in the arena of the call */
struct sql_notes sql_notes_begin(struct ctl *ctl, struct call *c, const struct parameterized *of);

/** sql_notes_see - record the attributes of an item of the result */
void sql_notes_see(struct sql_notes *n, const struct item *it);

/** sql_notes_order - note that no item has the attribute @lacks of ORDER BY; nothing if @lacks is empty */
void sql_notes_order(const struct ctl *ctl, struct slice lacks);

/** sql_notes_say - print notes after the result, which had @items items */
void sql_notes_say(struct ctl *ctl, struct call *c, const struct sql_notes *n, uint64_t items);

#endif
