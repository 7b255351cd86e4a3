/* sql_mend - rewrites a SQL statement that PartiQL refuses as PartiQL, with the parts that itemctl does itself */
#ifndef TOOLS_SQL_SQL_MEND_H
#define TOOLS_SQL_SQL_MEND_H

#include "store/partiql/statement.h"

#include "tools/session/ctl.h"
#include "tools/sql/sql_order.h"
#include "tools/text/sql_text.h"

struct sql_mend {
	struct slice text;      /* one statement, or several separated by semicolons */
	struct opt_count limit; /* LIMIT, for --limit */
	struct sql_order order; /* ORDER BY and OFFSET, which itemctl does itself */
	struct slice ordered;   /* @text with ORDER BY, LIMIT and OFFSET; empty: as @text */
	struct slice pipe;      /* shell pipe for the output, such as " | wc -l"; empty: none */
	bool sure; /* a SELECT or INSERT with the same meaning, which can run instead */
};

/**
 * sql_mend - rewrite a statement that was refused
 * @of:  the number of its parameters may differ from the number of "?" in its text
 * @out: in the arena of the call
 *
 * Return: true: each statement of the result can be parsed, but a SELECT may name a missing table; false: the statement
 * could not be rewritten, and out->text has the result of the steps
 */
bool sql_mend(struct ctl *ctl, struct call *c, const struct parameterized *of,
	      struct sql_mend *out);

/**
 * sql_mend_texts - put single quotes around names in the place of values, unless an item has an attribute of that name
 * @words: also quote words without quotes; else only replace double quotes
 *
 * Samples items of the table, unless the store is on another machine.  Return: true if @t was changed
 */
bool sql_mend_texts(struct ctl *ctl, struct sql_text *t, bool words);

/** sql_mend_schema - get the schema of a table; false: it does not exist; the error of the call is unchanged */
bool sql_mend_schema(struct ctl *ctl, struct call *c, struct slice table,
		     const struct schema **out);

/** sql_mend_qualified - return true if a SELECT writes T.a or T.* for its table T, and no item has an attribute T */
bool sql_mend_qualified(struct ctl *ctl, struct call *c, struct slice text);

/** sql_mend_table_of_index - return the only table that has the index; empty: none has, or several have */
struct slice sql_mend_table_of_index(struct ctl *ctl, struct call *c, struct slice index);

#endif
