/* sql_mend_int - for the files of sql_mend alone */
#ifndef TOOLS_SQL_SQL_MEND_INT_H
#define TOOLS_SQL_SQL_MEND_INT_H

#include "tools/sql/sql_mend.h"
#include "tools/text/sql_text.h"

enum { SQL_MEND_TABLES = 100 }; /* whose indexes are looked at */

/* A statement on its way. */
struct sql_mending {
	struct sql_text t;
	struct ctl *ctl;
	const struct parameterized *of;
	bool sure;
	bool missing; /* there is no such table */
	size_t limit; /* items; SIZE_MAX: all */
	struct sql_order order;
	bool count;      /* the rows are counted */
	bool rows;       /* of an INSERT that names its columns */
	struct slice jq; /* what chooses items behind the statement; empty: nothing */
};

/** sql_mend_schema - of a table; false: it is not there, which is no error */
bool sql_mend_schema(struct sql_mending *m, struct slice table, const struct schema **out);

/** sql_mend_table - my-table, app.users, 'music', an index alone, public.music: a name in double quotes */
void sql_mend_table(struct sql_mending *m);

/** sql_mend_only_table - SELECT * WHERE ...: in a store of one table it is that one */
void sql_mend_only_table(struct sql_mending *m);

/** sql_mend_alias - FROM T [AS] a: the name goes, and so does it, or T, in a.b and a.* */
void sql_mend_alias(struct sql_mending *m);

/** sql_mend_positions - GROUP BY 1 and ORDER BY 2 name what SELECT lists, GROUP BY ALL all of it; COUNT(1) is COUNT(*) */
void sql_mend_positions(struct sql_mending *m);

/** sql_mend_columns - SELECT a AS b: an attribute keeps its name */
void sql_mend_columns(struct sql_mending *m);

/** sql_mend_several - UNION, and statements without a semicolon between them */
void sql_mend_several(struct sql_mending *m);

/** sql_mend_insert - (a, b) VALUES (1, 'x'), ...: a tuple for each row */
void sql_mend_insert(struct sql_mending *m);

/** sql_mend_returning - RETURNING * of a write */
void sql_mend_returning(struct sql_mending *m);

/** sql_mend_limit - LIMIT, OFFSET, TOP and FETCH go, and are noted */
void sql_mend_limit(struct sql_mending *m);

/** sql_mend_pattern - LIKE and ILIKE with a pattern that is for jq, if that is all of the condition */
void sql_mend_pattern(struct sql_mending *m);

/** sql_mend_distinct - DISTINCT a, b is GROUP BY a, b; COUNT(DISTINCT a) counts its rows */
void sql_mend_distinct(struct sql_mending *m);

/** sql_mend_order - ORDER BY goes, and itemctl sorts; false: there is none, or one of more than attributes */
bool sql_mend_order(struct sql_mending *m);

/** sql_mend_finish - the text, and what is done with its answer */
void sql_mend_finish(const struct sql_mending *m, struct sql_mend *out);

#endif
