/*
 * sql_group - SELECT with GROUP BY, HAVING, COUNT, SUM, MIN, MAX and AVG, which PartiQL of DynamoDB lacks
 *
 * Splits the statement: a SELECT without these clauses reads the items, and groups.h counts them.  The store receives
 * only the plain SELECT.
 */
#ifndef TOOLS_SQL_SQL_GROUP_H
#define TOOLS_SQL_SQL_GROUP_H

#include "store/partiql/statement.h"

#include "tools/query/groups.h"
#include "tools/session/ctl.h"

struct sql_group {
	struct groups_plan plan;
	struct statement source;    /* the part from FROM to GROUP BY */
	struct parameterized reads; /* reads the items; complete after sql_group_begin() */
	struct slice *names;        /* of the visible columns */
	size_t n_names;
	size_t from;       /* offset of FROM in the typed statement */
	size_t reads_from; /* offset of FROM in @reads */
};

/**
 * sql_group_of - parse a statement that has groups
 * @out: in the arena of the call; NULL: the statement has no groups, so the engine can execute it
 *
 * Errors:  -ERR_VALIDATION, -ERR_USAGE  syntax errors, with the place
 */
int sql_group_of(struct call *c, const struct parameterized *of, struct sql_group **out) must_check;

/**
 * sql_group_begin - complete g->reads with the key of the table or index, and check it
 * @says: note whether the SELECT is a Query or a Scan
 *
 * Call it once for each sql_group_of().  Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX, -ERR_VALIDATION
 */
int sql_group_begin(struct sql_group *g, struct ctl *ctl, struct call *c, bool says) must_check;

/** sql_group_place - convert the place of the call's error from an offset in g->reads to one in the typed statement */
void sql_group_place(const struct sql_group *g, struct call *c);

#endif
