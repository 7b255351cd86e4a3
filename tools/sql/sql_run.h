/* sql_run - runs one PartiQL statement: reads its pages, and groups, sorts and prints the items */
#ifndef TOOLS_SQL_SQL_RUN_H
#define TOOLS_SQL_SQL_RUN_H

#include "store/partiql/statement.h"

#include "tools/session/ctl.h"

struct sql_mend;

/* Settings and sums of the statements of one command */
struct sql_run {
	struct ctl *ctl;
	const char *word;       /* the first word, if it is the text of all statements; else NULL */
	struct opt_count limit; /* --limit */
	bool explain;           /* explain the next statement instead of running it */
	bool reads;             /* --run: an explained statement is also read at an endpoint */
	bool again;             /* the statement runs a second time, with other quotes */
	struct {
		uint64_t asked; /* statements */
		uint64_t items;
	} written[STATEMENT_EXISTS + 1]; /* by kind; a server may accept EXISTS */
};

/** sql_run_show_in - from now on errors show their place in @statement; stored in the call's arena */
void sql_run_show_in(struct sql_run *q, struct call *c, struct slice statement);

/**
 * sql_run_statement - run or explain a statement and print its items
 * @mend: clauses that were taken out of the statement: ORDER BY, OFFSET, LIMIT; all zero: none
 *
 * Return: 0; -ERR_* of the parser or the engine
 */
int sql_run_statement(struct sql_run *q, struct call *c, const struct parameterized *of,
		      const struct sql_mend *mend) must_check;

#endif
