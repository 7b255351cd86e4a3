/*
 * assign - "shards assign": writes the number of a shard into existing items
 *
 * "query --shards 0..N-1" reads these shards, with the same --prefix and --hash.
 */
#ifndef TOOLS_QUERY_ASSIGN_H
#define TOOLS_QUERY_ASSIGN_H

#include "tools/session/ctl.h"

struct assign_opts {
	const char *attr;
	struct opt_count shards;
	const char *hash; /* the attribute whose value determines the shard; NULL: random */
	bool random;
	bool overwrite; /* also replace values that are none of the N shards */
	const char *prefix;
	const char *filter;
	const char *names;
	const char *values;
};

/** assign_run - assign shards to all items of a table; Errors: -ERR_USAGE, also for skipped items; engine errors */
int assign_run(struct ctl *ctl, struct call *c, struct slice table, const struct assign_opts *o)
	must_check;

#endif
