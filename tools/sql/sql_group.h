/*
 * sql_group - SELECT with GROUP BY, HAVING, COUNT, SUM, MIN, MAX and AVG
 *
 * PartiQL in DynamoDB has none of them.  The statement is taken apart here: a SELECT without them reads the items, and
 * groups.h counts them.  The protocol knows nothing of it.
 */
#ifndef TOOLS_SQL_SQL_GROUP_H
#define TOOLS_SQL_SQL_GROUP_H

#include "store/partiql/statement.h"

#include "tools/query/groups.h"
#include "tools/session/ctl.h"

struct sql_group {
	struct groups_plan plan;
	struct statement source;    /* what stands from FROM to GROUP BY */
	struct parameterized reads; /* the SELECT that reads the items */
	struct slice *names;        /* of the columns of the answer */
	size_t n_names;
	size_t from;       /* where FROM stands in the statement as it was typed */
	size_t reads_from; /* and in @reads */
};

/**
 * sql_group_of - the groups that a statement asks for
 * @out: in the call's arena; NULL: it asks for none, the engine knows it
 *
 * Errors:  -ERR_VALIDATION, -ERR_USAGE, with the place  a statement that is wrong
 */
int sql_group_of(struct call *c, const struct parameterized *of, struct sql_group **out)
	__attribute__((warn_unused_result));

/**
 * sql_group_begin - once the table can be asked: complete @g->reads, if @says say whether it is a Query or a Scan
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX, -ERR_VALIDATION
 */
int sql_group_begin(struct sql_group *g, struct ctl *ctl, struct call *c, bool says)
	__attribute__((warn_unused_result));

/** sql_group_place - a place in @g->reads becomes one in the statement as it was typed */
void sql_group_place(const struct sql_group *g, struct call *c);

#endif
