/* explain - how a PartiQL statement reads: which keys, of what, for how many units */
#ifndef TOOLS_EXPLAIN_EXPLAIN_H
#define TOOLS_EXPLAIN_EXPLAIN_H

#include "tools/session/ctl.h"

/* Behind "1 write unit". */
#define EXPLAIN_EACH_KB \
	" for each KB of the item, before or after; the same for each index that changes"

/* What is read. */
struct explain_source {
	struct ctl *ctl;
	struct slice table;
	struct slice index; /* empty: the table itself */
	bool consistent;
};

/**
 * explain_statement - print an item that tells it: Operation, Table, Index, Keys, Filter, Cost ...
 *
 * A Query is run to count its units, page by page; of a Scan the table's size tells them.  At an endpoint, where a
 * Query costs money, it is run only with @run; otherwise the average item gives an estimate.
 * Errors:  those of a statement, of the table
 */
int explain_statement(struct ctl *ctl, struct call *c, const struct parameterized *of, bool run)
	__attribute__((warn_unused_result));

/** explain_line - append "NAME    TEXT" */
void explain_line(struct buf *out, const char *name, struct slice text);

/** explain_units - append the line of what it costs, which is noted; @about: "about ", or "" */
void explain_units(struct ctl *ctl, struct call *c, struct buf *out, const char *about,
		   uint64_t halves);

/** explain_scan_cost - append what a Scan costs, by the size that the table's description has */
int explain_scan_cost(const struct explain_source *of, struct call *c, struct buf *out)
	__attribute__((warn_unused_result));

/** explain_query_estimate - likewise @items of the average size; 0: a partition, whose size nobody knows */
int explain_query_estimate(const struct explain_source *of, struct call *c, struct buf *out,
			   uint64_t items) __attribute__((warn_unused_result));

#endif
