/* sql_mend_int - the state of a rewrite and its steps, for the files of sql_mend alone */
#ifndef TOOLS_SQL_SQL_MEND_INT_H
#define TOOLS_SQL_SQL_MEND_INT_H

#include "tools/sql/sql_mend.h"
#include "tools/text/sql_text.h"

enum { SQL_MEND_TABLES = 100 }; /* limit of tables whose indexes are compared */

/* A statement that is being rewritten.  Each step leaves it unchanged if it finds nothing to do. */
struct sql_mending {
	struct sql_text t;
	struct ctl *ctl;
	const struct parameterized *of;
	bool sure;    /* see struct sql_mend */
	bool missing; /* the table does not exist */
	size_t limit; /* items; SIZE_MAX: all */
	struct sql_order order;
	bool count;      /* print the number of rows */
	bool rows;       /* an INSERT that names its columns */
	struct slice jq; /* shell pipe that selects items; empty: none */
};

/** sql_mend_table - put quotes around my-table, app.users, 'music', an index alone, T-INDEX, public.music */
void sql_mend_table(struct sql_mending *m);

/** sql_mend_only_table - SELECT * WHERE ...: add FROM if the store has only one table */
void sql_mend_only_table(struct sql_mending *m);

/** sql_mend_alias - FROM T [AS] a: remove the alias, and the alias or T from a.b and a.* */
void sql_mend_alias(struct sql_mending *m);

/** sql_mend_positions - with GROUP BY, replace positions (ORDER BY 2) and ALL by names; write COUNT(1) as COUNT(*) */
void sql_mend_positions(struct sql_mending *m);

/** sql_mend_columns - SELECT a AS b: remove the alias, and use the attribute in ORDER BY */
void sql_mend_columns(struct sql_mending *m);

/** sql_mend_slips - correct a misspelt verb, or a misspelt keyword after it */
void sql_mend_slips(struct sql_mending *m);

/** sql_mend_from - FROM T, and FROM T SELECT a, as in DuckDB: begin with SELECT */
void sql_mend_from(struct sql_mending *m);

/** sql_mend_list - SELECT * TABLE, SELECT * FORM TABLE, SELECT FROM TABLE, SELECT a, FROM TABLE: correct the list */
void sql_mend_list(struct sql_mending *m);

/** sql_mend_changes - DELETE T and DELETE * FROM T: write DELETE FROM T; move WHERE of an UPDATE after SET */
void sql_mend_changes(struct sql_mending *m);

/** sql_mend_twice - SET a = b * 2: write b + b, because SET only adds and subtracts */
void sql_mend_twice(struct sql_mending *m);

/** sql_mend_where - remove a WHERE without a condition from a SELECT */
void sql_mend_where(struct sql_mending *m);

/** sql_mend_like - replace LIKE by begins_with(), contains() or =; any other pattern stays */
void sql_mend_like(struct sql_mending *m);

/** sql_mend_bare_texts - a = "x" in a write: single quotes, if no attribute has the name x */
void sql_mend_bare_texts(struct sql_mending *m);

/** sql_mend_words - WHERE PK = C-1 AND Date > 2024-01-01: put quotes around the values */
void sql_mend_words(struct sql_mending *m);

/** sql_mend_key_types - key = 5 for a text, key = '5' for a number: write the type that the key has */
void sql_mend_key_types(struct sql_mending *m);

/** sql_mend_limit - move LIMIT, OFFSET, TOP and FETCH to m->limit and m->order.offset */
void sql_mend_limit(struct sql_mending *m);

/** sql_mend_pattern - move LIKE or ILIKE, if it is the whole condition, to a pipe to jq */
void sql_mend_pattern(struct sql_mending *m);

/** sql_mend_distinct - write DISTINCT a, b as GROUP BY a, b; for COUNT(DISTINCT a) count its rows */
void sql_mend_distinct(struct sql_mending *m);

/** sql_mend_order - move ORDER BY to m->order; call it once, last; false: there is none, or it has expressions */
bool sql_mend_order(struct sql_mending *m);

#endif
