/*
 * estimate - engine wrapper that adds up the capacity units that requests would consume
 *
 * It uses the sizes and counts of DescribeTable.  Scan and GetItem end the command with an error, since the first one
 * is sufficient.  A Query reads one page and is answered as empty.  Writes are answered as done but not sent, so that a
 * command reads its whole input.
 */
#ifndef TOOLS_EXPLAIN_ESTIMATE_H
#define TOOLS_EXPLAIN_ESTIMATE_H

#include "store/engine/engine.h"

struct estimate {
	double read_units;
	double write_units;
	uint64_t requests;  /* requests in the sums */
	bool partly;        /* a Query has more pages, which are not in the sums */
	bool ended;         /* the error of the command is that of the estimate: ignore it */
	double asked_units; /* read units consumed by the estimate itself */
};

/** estimate_open - wrap an engine; engine_close() closes @below, too; @e is borrowed until then */
struct engine *estimate_open(struct engine *below, struct estimate *e);

/** estimate_table_info - describe a table; if @index is not empty, out->totals are those of the index */
int estimate_table_info(struct engine *engine, struct call *c, struct slice table,
			struct slice index, struct table_info *out) must_check;

/**
 * estimate_copy - estimate the consumption of copying a table
 *
 * Errors: those of DescribeTable
 */
int estimate_copy(struct engine *engine, struct call *c, struct slice table, bool consistent,
		  struct estimate *out) must_check;

#endif
