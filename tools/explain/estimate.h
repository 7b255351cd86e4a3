/*
 * estimate - the capacity units that requests would consume
 *
 * The units are computed from the sizes and counts of DescribeTable, except for a Query, whose first page was read.
 */
#ifndef TOOLS_EXPLAIN_ESTIMATE_H
#define TOOLS_EXPLAIN_ESTIMATE_H

#include "store/engine/engine.h"

struct recorder;

struct estimate {
	double read_units;
	double write_units;
	bool partly;        /* a Query has more pages, which are not in the sums */
	double asked_units; /* read units consumed by the estimate itself */
};

/** estimate_table_info - describe a table; if @index is not empty, out->totals are those of the index */
int estimate_table_info(struct engine *engine, struct call *c, struct slice table,
			struct slice index, struct table_info *out) must_check;

/**
 * estimate_records - add up the requests that a recorder has noted with RECORDER_COST
 *
 * Errors: those of DescribeTable
 */
int estimate_records(struct engine *engine, struct call *c, const struct recorder *from,
		     struct estimate *out) must_check;

/** estimate_copy - estimate the consumption of copying a table; Errors: as estimate_records() */
int estimate_copy(struct engine *engine, struct call *c, struct slice table, bool consistent,
		  struct estimate *out) must_check;

#endif
