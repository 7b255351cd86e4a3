/* heat - "shards heat": what partition keys consume, beside what a partition gives in a second */
#ifndef TOOLS_HEAT_H
#define TOOLS_HEAT_H

#include "tools/ctl.h"

struct heat_opts {
	const char *index;
	const char *since;
	struct opt_count limit;
};

/** heat_since - "90s", "10m", "1h" as seconds; Errors: -ERR_USAGE also: longer than is kept */
int heat_since(struct call *c, const char *text, uint64_t *out) __attribute__((warn_unused_result));

/** heat_run - Errors: -ERR_USAGE, -ERR_NOT_SUPPORTED an endpoint; those of the engine */
int heat_run(struct ctl *ctl, struct call *c, struct slice table, const struct heat_opts *o)
	__attribute__((warn_unused_result));

#endif
