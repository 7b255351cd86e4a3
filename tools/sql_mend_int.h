/* sql_mend_int - for the files of sql_mend alone */
#ifndef TOOLS_SQL_MEND_INT_H
#define TOOLS_SQL_MEND_INT_H

#include "tools/sql_mend.h"
#include "tools/sql_text.h"

enum { MEND_TABLES = 100 }; /* whose indexes are looked at */

/* A statement on its way. */
struct mend {
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

/** mend_schema - of a table; false: it is not there, which is no error */
bool mend_schema(struct mend *m, struct slice table, const struct schema **out);

/** mend_table - my-table, app.users, 'music', an index alone, public.music: a name in double quotes */
void mend_table(struct mend *m);

/** mend_only_table - SELECT * WHERE ...: in a store of one table it is that one */
void mend_only_table(struct mend *m);

/** mend_alias - FROM T [AS] a: the name goes, and so does it, or T, in a.b and a.* */
void mend_alias(struct mend *m);

/** mend_positions - GROUP BY 1 and ORDER BY 2 name what SELECT lists, GROUP BY ALL all of it; COUNT(1) is COUNT(*) */
void mend_positions(struct mend *m);

/** mend_columns - SELECT a AS b: an attribute keeps its name */
void mend_columns(struct mend *m);

/** mend_several - UNION, and statements without a semicolon between them */
void mend_several(struct mend *m);

/** mend_insert - (a, b) VALUES (1, 'x'), ...: a tuple for each row */
void mend_insert(struct mend *m);

/** mend_limit - LIMIT, OFFSET, TOP and FETCH go, and are noted */
void mend_limit(struct mend *m);

/** mend_pattern - LIKE and ILIKE with a pattern that is for jq, if that is all of the condition */
void mend_pattern(struct mend *m);

/** mend_distinct - DISTINCT a, b is GROUP BY a, b; COUNT(DISTINCT a) counts its rows */
void mend_distinct(struct mend *m);

/** mend_order - ORDER BY goes, and itemctl sorts; false: there is none, or one of more than attributes */
bool mend_order(struct mend *m);

/** mend_finish - the text, and what is done with its answer */
void mend_finish(const struct mend *m, struct sql_mend *out);

#endif
