/* explain - how a PartiQL statement reads: which keys, of what, for how many units */
#ifndef TOOLS_EXPLAIN_H
#define TOOLS_EXPLAIN_H

#include "tools/ctl.h"

/**
 * explain_statement - print an item that tells it: Operation, Table, Index, Keys, Filter, Cost ...
 *
 * A Query is run to count its units, page by page; of a Scan the table's size tells them.  At an endpoint, where a
 * Query costs money, it is run only with @run; otherwise the average item gives an estimate.
 * Errors:  those of a statement, of the table
 */
int explain_statement(struct ctl *ctl, struct call *c, const struct parameterized *of, bool run)
	__attribute__((warn_unused_result));

#endif
