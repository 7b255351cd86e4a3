/*
 * clauses - queries as paths: what a chain of path components asks for
 *
 *   .eq/V  .lt/V  .le/V  .gt/V  .ge/V  .between/A/B  .begins_with/V   the sort key
 *   .filter/EXPR   .project/a,b.c   .reverse   .limit/N                in any order, each once; at a
 *                                                                      table's root without .reverse: a Scan
 *   .shards/LO..HI   .shards/PREFIX{LO..HI}                            first, and nowhere else
 *   .jsonl  .json  .csv  .count                                        the answer as a file
 *
 * An index with several sort attributes takes an .eq for each of the first ones.  What follows a
 * clause's name is its value, whatever it looks like; in it %XX stands for that byte.
 *
 * Pure: knows neither tables nor types.  Source: NAMESPACE 5.
 */
#ifndef FS_FORMAT_CLAUSES_H
#define FS_FORMAT_CLAUSES_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/model/schema.h"

enum {
	CLAUSES_VALUE_MAX = 4095, /* bytes of a component that is a value */
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

/* What ends a chain. */
enum terminal { TERMINAL_NONE, TERMINAL_JSONL, TERMINAL_JSON, TERMINAL_CSV, TERMINAL_COUNT };

/* A condition on an attribute of the sort key; values as they were written, but for %XX. */
struct sort_clause {
	enum clause kind; /* CLAUSE_EQ to CLAUSE_BEGINS_WITH */
	struct slice a;
	struct slice b; /* CLAUSE_BETWEEN only */
};

/* Zero is the empty chain: everything.  Texts are in the memory of the call of clauses_add(). */
struct clauses {
	struct slice chain; /* the components as they were written, a '/' before each */
	enum clause awaits; /* whose value is missing: the chain is not complete */
	struct sort_clause
		sort[KEY_PART_MAX]; /* of the first attributes; only the last is no .eq */
	size_t n_sort;              /* complete ones */
	struct slice filter;        /* empty: none; in the inline form */
	struct slice project;
	bool reverse;
	uint64_t limit; /* items; 0: all */
	bool sharded;
	struct slice shard_prefix; /* of a string key, or empty */
	uint32_t shard_lo, shard_hi;
};

/** clauses_name - the clause that has this name, or CLAUSE_NONE */
enum clause clauses_name(struct slice component);

/** clauses_text - the name of a clause */
struct slice clauses_text(enum clause kind);

/** clauses_terminal - the terminal that has this name, or TERMINAL_NONE */
enum terminal clauses_terminal(struct slice component);

/** clauses_is_reserved - is it a name that stands for a query, or for the table or mount itself? */
bool clauses_is_reserved(struct slice component);

/** clauses_is_sort - is it a condition on the sort key? */
bool clauses_is_sort(enum clause kind);

/** clauses_any - is there any clause, complete or not? */
static inline bool
clauses_any(const struct clauses *q)
{
	return q->chain.len > 0;
}

/**
 * clauses_add - one component more: the value that is awaited, else a clause's name
 *
 * Errors:  -ERR_VALIDATION  a clause that is there already, a value that is none
 */
int clauses_add(struct call *c, struct clauses *q, struct slice component)
	__attribute__((warn_unused_result));

#endif
