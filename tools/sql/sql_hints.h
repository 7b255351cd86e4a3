/* sql_hints - advice for a statement that was refused */
#ifndef TOOLS_SQL_SQL_HINTS_H
#define TOOLS_SQL_SQL_HINTS_H

#include "tools/sql/sql_mend.h"

/* A statement, and the line that contains it. */
struct sql_typed {
	const struct parameterized *of;
	const char *word;     /* the word of the command line, if it is only this; else NULL */
	struct slice rest;    /* the text from the statement on, with the statements after it */
	struct slice changed; /* the statement as far as it could be rewritten */
	const struct sql_mend *mend; /* the statement as PartiQL; NULL: not known */
};

/** sql_hints_line - append the command that runs @mend */
void sql_hints_line(struct buf *out, const struct sql_typed *typed, const struct sql_mend *mend);

/** sql_hints_find - append advice for the error of the call; Return: false: there is none */
bool sql_hints_find(struct ctl *ctl, struct call *c, const struct sql_typed *typed,
		    struct buf *out);

/** sql_hints_absent - append that the item of an UPDATE or DELETE does not exist; false: there are other conditions */
bool sql_hints_absent(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** sql_hints_unquoted - append the command for @words that are a statement without quotes; false: they are none */
bool sql_hints_unquoted(struct call *c, const struct words *words, struct buf *out);

#endif
