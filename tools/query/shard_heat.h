/* shard_heat - "shards heat": the consumption of partition keys, compared with what a partition provides per second */
#ifndef TOOLS_QUERY_SHARD_HEAT_H
#define TOOLS_QUERY_SHARD_HEAT_H

#include "tools/session/ctl.h"

struct heat_opts {
	const char *index;
	const char *since;
	struct opt_count limit;
};

/** heat_run - print the key usage of a table or index; Errors: -ERR_USAGE, also for an endpoint; those of the engine */
int heat_run(struct ctl *ctl, struct call *c, struct slice table, const struct heat_opts *o)
	__attribute__((warn_unused_result));

#endif
