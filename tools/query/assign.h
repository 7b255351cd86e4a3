/*
 * assign - "shards assign": write the number of a shard into items that are there
 *
 * The numbers are those that "query --shards 0..N-1" reads, with the same --prefix and --hash.
 */
#ifndef TOOLS_QUERY_ASSIGN_H
#define TOOLS_QUERY_ASSIGN_H

#include "tools/session/ctl.h"

struct assign_opts {
	const char *attr;
	struct opt_count shards;
	const char *hash; /* the attribute whose value decides; NULL: by chance */
	bool random;
	bool overwrite; /* the attribute also where it holds what is none of the N shards */
	const char *prefix;
	const char *filter;
	const char *names;
	const char *values;
};

/** assign_run - the whole table; Errors: -ERR_USAGE, also when items were left alone, and those of the engine */
int assign_run(struct ctl *ctl, struct call *c, struct slice table, const struct assign_opts *o)
	__attribute__((warn_unused_result));

#endif
