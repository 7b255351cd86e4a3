/*
 * estimate - an engine that reckons up what requests would consume, and carries out none that changes anything
 *
 * Sizes and counts are those of DescribeTable.  Scan and GetItem end the command, since all is known with the first of
 * them; a Query is asked for one page, and answered as if it found nothing.  Writes are answered as if they were done, so that a command
 * goes through its whole input.
 */
#ifndef TOOLS_EXPLAIN_ESTIMATE_H
#define TOOLS_EXPLAIN_ESTIMATE_H

#include "store/engine/engine.h"

struct estimate {
	double read_units;
	double write_units;
	uint64_t requests;  /* that were reckoned up */
	bool partly;        /* of a Query that has more pages */
	bool ended;         /* the command ends with an error, and that is what was wanted */
	double asked_units; /* consumed by the estimate itself */
};

/** estimate_open - @below is closed with it; @e is borrowed */
struct engine *estimate_open(struct engine *below, struct estimate *e);

/**
 * estimate_copy - what the copy of a table consumes
 *
 * Errors: as of DescribeTable
 */
int estimate_copy(struct engine *engine, struct call *c, struct slice table, bool consistent,
		  struct estimate *out) __attribute__((warn_unused_result));

#endif
