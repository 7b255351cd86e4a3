/*
 * clauses - parser of query paths: chains of path components
 *
 *   .eq/V  .lt/V  .le/V  .gt/V  .ge/V  .between/A/B  .begins_with/V   conditions on the sort key
 *   .filter/EXPR   .project/a,b.c   .reverse   .limit/N                in any order, each once; at a
 *                                                                      table's root without .reverse: a Scan
 *   .shards/LO..HI   .shards/PREFIX{LO..HI}                            only at the start
 *   .jsonl  .json  .csv  .count                                        the result as a file
 *
 * An index with several sort attributes accepts an .eq for each of the first ones. The component after a clause's name
 * is its value, whatever it looks like; %XX in it is that byte.
 *
 * The parser knows neither tables nor types. Source: NAMESPACE 5.
 */
#ifndef FS_FORMAT_CLAUSES_H
#define FS_FORMAT_CLAUSES_H

#include "store/model/schema.h"

enum {
	CLAUSES_VALUE_MAX = 4095, /* longest component of a value, in bytes */
	CLAUSES_SHARDS_MAX = 10000,
	/* Components of the longest chain: the sort key's, then .shards .filter .project .limit with a
	 * value each and .reverse. */
	CLAUSES_MAX = 2 * (KEY_PART_MAX - 1) + 3 + 4 * 2 + 1,
};

enum clause {
	CLAUSE_NONE,
	CLAUSE_EQ,
	CLAUSE_LT,
	CLAUSE_LE,
	CLAUSE_GT,
	CLAUSE_GE,
	CLAUSE_BETWEEN,
	CLAUSE_BEGINS_WITH,
	CLAUSE_FILTER,
	CLAUSE_PROJECT,
	CLAUSE_REVERSE,
	CLAUSE_LIMIT,
	CLAUSE_SHARDS,
};

/* The component that ends a chain. */
enum generated { GENERATED_NONE, GENERATED_JSONL, GENERATED_JSON, GENERATED_CSV, GENERATED_COUNT };

/* A condition on an attribute of the sort key. Values are as typed, but with %XX decoded. */
struct sort_clause {
	enum clause kind; /* CLAUSE_EQ to CLAUSE_BEGINS_WITH */
	struct slice a;
	struct slice b; /* CLAUSE_BETWEEN only */
};

/* Zero is the empty chain: all items. Texts are in the arena of the call of clauses_add(). */
struct clauses {
	struct slice chain; /* the components as typed, a '/' before each */
	enum clause awaits; /* the clause whose value is missing: the chain is not complete */
	struct sort_clause sort[KEY_PART_MAX]; /* on the first attributes; all but the last: .eq */
	size_t n_sort;                         /* complete conditions */
	struct slice filter;                   /* may be empty; in the inline form */
	struct slice project;
	bool reverse;
	uint64_t limit; /* number of items; 0: all */
	bool sharded;
	struct slice shard_prefix; /* prefix of a string key, may be empty */
	uint32_t shard_lo, shard_hi;
};

/** clauses_name - the clause with this name, or CLAUSE_NONE */
enum clause clauses_name(struct slice component);

/** clauses_text - the name of a clause, which is not CLAUSE_NONE */
struct slice clauses_text(enum clause kind);

/** clauses_generated - the generated file with this name, or GENERATED_NONE */
enum generated clauses_generated(struct slice component);

/**
 * clauses_is_reserved - Return: whether the name has a meaning of its own: part of a query, a table file, .index,
 * .itemfs
 */
bool clauses_is_reserved(struct slice component);

/** clauses_shard - parse the number of a shard; false: it is none */
bool clauses_shard(struct slice digits, uint64_t *out);

/** clauses_is_sort - Return: whether it is a condition on the sort key */
bool clauses_is_sort(enum clause kind);

/** clauses_any - Return: whether there is any clause, complete or not */
static inline bool
clauses_any(const struct clauses *q)
{
	return q->chain.len > 0;
}

/**
 * clauses_add - add a component: the missing value, otherwise the name of a clause
 *
 * Errors:  -ERR_VALIDATION  a clause that is there already, an invalid value
 */
int clauses_add(struct call *c, struct clauses *q, struct slice component) must_check;

#endif
