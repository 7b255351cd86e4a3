/* pattern_run - runs the commands of an access pattern, one after the other, or all patterns as tests */
#ifndef TOOLS_PATTERNS_PATTERN_RUN_H
#define TOOLS_PATTERNS_PATTERN_RUN_H

#include "tools/patterns/patterns.h"

struct ctl;

/**
 * pattern_run_store - open the store with a meter, so that the cost of patterns is known; Errors: as ctl_open_store()
 */
int pattern_run_store(struct ctl *ctl, struct call *c) must_check;

/**
 * pattern_run - run the commands of @p; the output of each is complete before the next one begins
 * @fill:  values of the parameters
 * @items: set to the number of items that were printed or, with --count, counted
 *
 * Return: the highest exit status of the commands, 1 if something was not found; -ERR_* of a command, with its place in
 * ctl->origin
 */
int pattern_run(struct ctl *ctl, struct call *c, const struct pattern *p, const struct fill *fill,
		uint64_t *items) must_check;

/** pattern_run_cost - append ", 0.5 read units" and ", 2.0 write units" */
void pattern_run_cost(struct buf *b, const struct meter_sums *sums);

struct ctl;

/**
 * pattern_check - run all patterns with the values in the file, and print for each whether its result is as expected
 *
 * Return: 0; 1 if a pattern has failed; -ERR_USAGE  a pattern writes to another machine without --yes or --dry-run;
 *         -ERR_BUSY  interrupted; the errors of ctl_open_store()
 */
int pattern_check(struct ctl *ctl, struct call *c, const struct patterns *all) must_check;

#endif
