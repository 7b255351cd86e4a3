/*
 * shard - what a sharded query needs beside a query: its partitions, and the keys to merge by
 *
 * Pure but for the arena: merging itself is answer.c's.
 */
#ifndef TOOLS_QUERY_SHARD_H
#define TOOLS_QUERY_SHARD_H

#include "store/model/shard_order.h"

#include "tools/session/ctl.h"

enum { SHARDS_MAX = 10000 };

struct shard_range {
	uint32_t lo;
	uint32_t hi; /* >= lo; at most SHARDS_MAX shards */
};

/**
 * shard_range - "0..14", narrowed by "ATTR=VALUE" to the one shard of the value
 * @hash: or NULL; shard = lo + CRC-32 of VALUE's bytes modulo the number of shards
 *
 * Errors:  -ERR_USAGE
 */
int shard_range(struct call *c, const char *text, const char *hash, struct shard_range *out)
	__attribute__((warn_unused_result));

/** shard_keys - the partition key of each shard: @prefix (or NULL) and its number */
int shard_keys(struct call *c, const struct key_attr *pk, const char *prefix,
	       const struct shard_range *range, struct value **out)
	__attribute__((warn_unused_result));

/**
 * shard_project - add to a projection what merging needs
 * @e:          names are appended
 * @projection: rewritten, not empty; replaced
 * @out:        what was added
 */
void shard_project(struct call *c, struct exprs *e, const struct shard_order *order,
		   struct slice *projection, struct shard_hidden *out);

/**
 * shard_page_size - items of one page, so that two for each of @n shards stay small
 * @limit: items wanted of all together, or 0: then not much more is read than that
 */
uint32_t shard_page_size(size_t n, uint64_t limit);

/** shard_say_none - a note that no item has @attr from the first to the last of the @n @partitions */
void shard_say_none(const struct ctl *ctl, const struct key_attr *attr,
		    const struct value *partitions, size_t n, bool prefixed);

#endif
