/* explain - explanation of a PartiQL statement: operation, keys, filter and cost; capacity units of requests */
#ifndef TOOLS_EXPLAIN_EXPLAIN_H
#define TOOLS_EXPLAIN_EXPLAIN_H

#include "store/engine/engine.h"

#include "tools/session/ctl.h"

/* Follows "1 write unit". */
#define EXPLAIN_EACH_KB \
	" for each KB of the item, before or after; the same for each index that changes"

/* The table or index that is read. */
struct explain_source {
	struct ctl *ctl;
	struct slice table;
	struct slice index; /* empty: the table itself */
	bool consistent;
};

/**
 * explain_statement - print the explanation in lines: reads or writes, keys, filter, hint, cost
 *
 * The units of a Query are measured by running it; those of a Scan are computed from the size of the table.  At an
 * endpoint, where a Query costs money, it is run only with @run; otherwise the average item size gives an estimate.
 * Errors:  those of the statement and of DescribeTable
 */
int explain_statement(struct ctl *ctl, struct call *c, const struct parameterized *of, bool run)
	must_check;

/* explain_line - append "NAME    TEXT" as a line; the text is formatted as by buf_fmt() */
#define explain_line(out, name, ...) \
	(buf_fmt((out), "%-7s ", (name)), buf_fmt((out), __VA_ARGS__), buf_char((out), '\n'))

/** explain_units - append the line with the cost, and add it to ctl->explained; @about: "about " or "" */
void explain_units(struct ctl *ctl, struct buf *out, const char *about, uint64_t halves);

/** explain_scan_cost - append the cost of a Scan, computed from the size that DescribeTable reports */
int explain_scan_cost(const struct explain_source *of, struct call *c, struct buf *out) must_check;

/** explain_query_estimate - likewise for @items items of the average size; 0: a partition of unknown size */
int explain_query_estimate(const struct explain_source *of, struct call *c, struct buf *out,
			   uint64_t items) must_check;

/* ------------------------------------------------------------ units, from the sizes and counts of DescribeTable */

struct recorder;

struct estimate {
	double read_units;
	double write_units;
	bool partly;        /* a Query has more pages, which are not in the sums */
	double asked_units; /* read units consumed by the estimate itself */
};

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
