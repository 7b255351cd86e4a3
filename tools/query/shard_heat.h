/* shard_heat - "shards heat": the usage of partition keys, compared with what a partition provides per second */
#ifndef TOOLS_QUERY_SHARD_HEAT_H
#define TOOLS_QUERY_SHARD_HEAT_H

#include "tools/session/ctl.h"

struct shard_heat_opts {
	const char *index;
	const char *since;
	struct opt_count limit;
};

/** shard_heat_run - print the key usage of a table or index; Errors: -ERR_USAGE, also for an endpoint; the engine's */
int shard_heat_run(struct ctl *ctl, struct call *c, struct slice table,
		   const struct shard_heat_opts *o) must_check;

#endif
