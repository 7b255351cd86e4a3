/* sql_hints - what is written instead of a statement that was refused */
#ifndef TOOLS_SQL_SQL_HINTS_H
#define TOOLS_SQL_SQL_HINTS_H

#include "tools/sql/sql_mend.h"

/* A statement as it was typed. */
struct sql_typed {
	const struct parameterized *of;
	const char *word;  /* of the command line, which is the statement and no more; else NULL */
	struct slice rest; /* the text from the statement on, with those behind it */
	struct slice changed;        /* as far as it could be mended */
	const struct sql_mend *mend; /* what PartiQL has for it; NULL: nothing is known */
};

/** sql_hints_line - append the command that runs @mend */
void sql_hints_line(struct buf *out, const struct sql_typed *typed, const struct sql_mend *mend);

/** sql_hints_find - append what helps against the call's error; Return: false: nothing is known */
bool sql_hints_find(struct ctl *ctl, struct call *c, const struct sql_typed *typed,
		    struct buf *out);

/** sql_hints_absent - append that the item an UPDATE or DELETE names is not there; false: it has other conditions */
bool sql_hints_absent(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** sql_hints_unquoted - append the command whose statement lost its quotes and became @words; false: it is none */
bool sql_hints_unquoted(struct call *c, const struct words *words, struct buf *out);

#endif
