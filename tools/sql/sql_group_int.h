/* sql_group_int - the parser of a SELECT with groups, for the files of sql_group alone */
#ifndef TOOLS_SQL_SQL_GROUP_INT_H
#define TOOLS_SQL_SQL_GROUP_INT_H

#include "store/partiql/partiql_reader.h"

#include "tools/sql/sql_group.h"

/* The state of the parser.  Its parts are read in the order of the functions below. */
struct sql_group_parse {
	struct sql_group *g; /* the result */
	struct reader r;
	size_t cap_columns; /* room in the arrays of g->plan */
	size_t cap_having;
	size_t cap_order;
	size_t tail; /* offset of GROUP BY, HAVING or ORDER BY */
};

/** sql_group_is - return true if @text is a SELECT that has GROUP BY or calls an aggregate function before FROM */
bool sql_group_is(struct slice text);

/** sql_group_read_list - read the columns of SELECT to the plan; Errors: -ERR_USAGE, -ERR_VALIDATION, with the place */
int sql_group_read_list(struct sql_group_parse *p) must_check;

/** sql_group_skip_reads - skip FROM and WHERE, which the engine parses; sets p->tail; counts ? in p->r.asked */
void sql_group_skip_reads(struct sql_group_parse *p);

/** sql_group_read_tail - read GROUP BY, HAVING and ORDER BY into the plan; Errors: as sql_group_read_list() */
int sql_group_read_tail(struct sql_group_parse *p) must_check;

#endif
