/*
 * shard - sharded queries: the partitions, and the attributes to merge by; the command shards
 *
 * Only the subcommands send requests; result_printer.c merges the results.
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

/* ------------------------------------------------------------ how many partitions a key needs */

/* Source: DynamoDB Developer Guide, "Best practices for modeling relational data", write sharding. */
struct shard_plan {
	double items;     /* of this kind in the table */
	double fraction;  /* of them that one reading reads, above 0 and up to 1 */
	double item_size; /* bytes */
	double rate;      /* readings per second */

	/* Filled by shard_plan(). */
	double items_per_rcu;  /* whole items, or a fraction of one if it needs several units */
	double partition_rate; /* items per second that one partition can return */
	double required;       /* items per second that are read */
	double exact;          /* partitions, not rounded */
	double n;              /* partitions, rounded up */
	double padded;         /* partitions, a fifth more, rounded up */
};

/** shard_plan - compute the results from the first four members, which are above 0 */
void shard_plan(struct shard_plan *p);

/* ------------------------------------------------------------ subcommands of shards */

struct shard_heat_opts {
	const char *index;
	const char *since;
	struct opt_count limit;
};

/** shard_heat_run - print the key usage of a table or index; Errors: -ERR_USAGE, also for an endpoint; the engine's */
int shard_heat_run(struct ctl *ctl, struct call *c, struct slice table,
		   const struct shard_heat_opts *o) must_check;

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

/**
 * assign_run - assign shards to all items of a table
 *
 * "query --shards 0..N-1" reads these shards, with the same --prefix and --hash.
 * Errors:  -ERR_USAGE, also for skipped items; engine errors
 */
int assign_run(struct ctl *ctl, struct call *c, struct slice table, const struct assign_opts *o)
	must_check;

#endif
