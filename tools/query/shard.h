/*
 * shard - sharded queries: the partitions, and the attributes to merge by
 *
 * Sends no requests; result_printer.c merges the results.
 */
#ifndef TOOLS_QUERY_SHARD_H
#define TOOLS_QUERY_SHARD_H

#include "store/model/shard_order.h"

#include "tools/session/ctl.h"

enum { SHARDS_MAX = 10000 };

struct shard_range {
	uint32_t lo;
	uint32_t hi; /* inclusive; >= lo; at most SHARDS_MAX shards */
};

/**
 * shard_range - parse "0..14"
 * @hash: "ATTR=VALUE" restricts the range to the shard of that value, lo + CRC-32 of VALUE modulo the number of shards;
 *        or NULL
 *
 * Errors:  -ERR_USAGE
 */
int shard_range(struct call *c, const char *text, const char *hash, struct shard_range *out)
	must_check;

/** shard_keys - make the partition key of each shard: @prefix (or NULL) and its number; Errors: as key_text_parse() */
int shard_keys(struct call *c, const struct key_attr *pk, const char *prefix,
	       const struct shard_range *range, struct value **out) must_check;

/**
 * shard_project - add the attributes that merging needs to a projection
 * @e:          gets their names
 * @projection: not empty, with placeholders; replaced
 * @out:        the attributes that were added
 */
void shard_project(struct call *c, struct exprs *e, const struct shard_order *order,
		   struct slice *projection, struct shard_hidden *out);

/**
 * shard_page_size - return the number of items of a page, so that two pages for each of @n shards need little memory
 * @n:     at least 1
 * @limit: items wanted in total: not much more is read; 0: all
 */
uint32_t shard_page_size(size_t n, uint64_t limit);

/** shard_say_none - note that no item has an @attr from the first to the last of the @n > 0 @partitions */
void shard_say_none(const struct ctl *ctl, const struct key_attr *attr,
		    const struct value *partitions, size_t n, bool prefixed);

#endif
