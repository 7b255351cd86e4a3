/* sql_mend - a statement of SQL that PartiQL refuses, as PartiQL and itemctl have it */
#ifndef TOOLS_SQL_SQL_MEND_H
#define TOOLS_SQL_SQL_MEND_H

#include "store/partiql/statement.h"

#include "tools/session/ctl.h"
#include "tools/sql/sql_order.h"
#include "tools/text/sql_text.h"

struct sql_mend {
	struct slice text;      /* one statement, or several with semicolons between them */
	struct opt_count limit; /* of --limit */
	struct sql_order order; /* ORDER BY and OFFSET, which itemctl does itself */
	struct slice ordered;   /* all of it in one statement that itemctl knows; empty: as @text */
	struct slice pipe;      /* what the answer goes through in a shell; empty: nothing */
	bool sure; /* a SELECT or INSERT that says the same, and can be run in its place */
};

/**
 * sql_mend - rewrite a statement that was refused
 * @of: its parameters need not be as many as its ?
 * @out: in the call's arena
 *
 * What comes out can be read; of a SELECT the table may be missing. False: no such statement is known, and @out->text
 * is how far it came.
 */
bool sql_mend(struct ctl *ctl, struct call *c, const struct parameterized *of,
	      struct sql_mend *out);

/**
 * sql_mend_texts - put single quotes around what stands where a value does and is the name of no attribute; false: nothing does
 * @words: also around words without quotes, else only in the place of double ones
 *
 * Some items of the table are looked at, but not where that costs.
 */
bool sql_mend_texts(struct ctl *ctl, struct sql_text *t, bool words);

/** sql_mend_qualified - does a SELECT write T.a and T.* for the attributes of its table T, which has no attribute T? */
bool sql_mend_qualified(struct ctl *ctl, struct call *c, struct slice text);

/** sql_mend_table_of_index - the only table with such an index; empty: there is none, or more than one */
struct slice sql_mend_table_of_index(struct ctl *ctl, struct call *c, struct slice index);

#endif
