/* pattern_run - the commands of an access pattern, one after the other */
#ifndef TOOLS_PATTERNS_PATTERN_RUN_H
#define TOOLS_PATTERNS_PATTERN_RUN_H

#include "tools/patterns/patterns.h"

struct ctl;

/** pattern_run_store - open the store for patterns: metered, so that what they cost is known; Errors: as ctl_open_store() */
int pattern_run_store(struct ctl *ctl, struct call *c) __attribute__((warn_unused_result));

/**
 * pattern_run - run @p; its answers go where ctl->out goes, each complete before the next command begins
 * @fill:  its parameters' values
 * @items: that were answered or, with --count, counted
 *
 * Return:  an exit status: 1, something was not found
 * Errors:  those of the commands, with the place in ctl->origin
 */
int pattern_run(struct ctl *ctl, struct call *c, const struct pattern *p, const struct fill *fill,
		uint64_t *items) __attribute__((warn_unused_result));

/** pattern_run_writes - the first line of @p that may change something; NULL: it only reads */
const struct pattern_line *pattern_run_writes(struct call *c, const struct pattern *p);

/** pattern_run_cost - append ", 0.5 read units" and ", 2.0 write units" */
void pattern_run_cost(struct buf *b, const struct meter_sums *sums);

#endif
