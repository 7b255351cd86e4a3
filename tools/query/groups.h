/*
 * groups - items counted and added up by the values of some attributes, as GROUP BY does
 *
 * A missing attribute and NULL are left out of COUNT(a), SUM, MIN, MAX and AVG, as in SQL.  SUM and AVG take numbers;
 * MIN and MAX take numbers, texts or binary values, all of one type.  Items without an attribute of GROUP BY, or with
 * NULL in it, are the group NULL.  Memory grows with the number of groups, not with the number of items.
 */
#ifndef TOOLS_QUERY_GROUPS_H
#define TOOLS_QUERY_GROUPS_H

#include "store/base/core/buf.h"
#include "store/expr/trees.h"
#include "store/model/number.h"

enum groups_function {
	GROUPS_BY, /* the value that the group has in common */
	GROUPS_COUNT,
	GROUPS_SUM,
	GROUPS_MIN,
	GROUPS_MAX,
	GROUPS_AVG,
};

struct groups_column {
	enum groups_function function;
	struct path path;  /* n = 0: COUNT(*) */
	struct slice name; /* in the answer, and in messages */
	bool hidden;       /* not in the answer: of GROUP BY, HAVING or ORDER BY alone */
};

enum groups_test { GROUPS_EQ, GROUPS_NE, GROUPS_LT, GROUPS_LE, GROUPS_GT, GROUPS_GE };

/* A test of HAVING: a group stays if all are true. */
struct groups_having {
	size_t column;
	enum groups_test test;
	struct value value;
};

struct groups_order {
	size_t column;
	bool descending;
};

/* What is asked for; the caller keeps it. */
struct groups_plan {
	struct groups_column *columns;
	size_t n_columns;
	struct groups_having *having;
	size_t n_having;
	struct groups_order *order;
	size_t n_order;
	bool whole;  /* no GROUP BY: one group, even of no item */
	bool sparse; /* a row lacks what its group lacks, as in columns of CSV; else that is NULL */
	size_t bytes; /* of memory at most */
};

struct groups;

/** groups_put_key - append what sorts values: first by type, those that are missing (NULL) before all */
void groups_put_key(struct buf *out, const struct value *v);

struct groups *groups_new(const struct groups_plan *plan);
void groups_free(struct groups *g);

/**
 * groups_add - an item
 *
 * Errors:  -ERR_USAGE  a value that cannot be added up, compared or grouped by; a sum of over 38 digits; more memory
 *                      than the plan allows
 */
int groups_add(struct groups *g, struct call *c, const struct item *it)
	__attribute__((warn_unused_result));

/**
 * groups_print - hand each group to @row, in the order of ORDER BY, else of the values of GROUP BY
 * @row: returns false to stop
 *
 * Errors:  -ERR_USAGE  an average that is too small for a number
 */
int groups_print(struct groups *g, struct call *c, bool (*row)(void *arg, const struct item *it),
		 void *arg) __attribute__((warn_unused_result));

#endif
