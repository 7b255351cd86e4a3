/*
 * groups - GROUP BY: counts and adds up items by the values of some attributes
 *
 * COUNT(a), SUM, MIN, MAX and AVG ignore missing attributes and NULL, as in SQL.  SUM and AVG take numbers;
 * MIN and MAX take numbers, texts or binary values, all of one type.  Items without an attribute of GROUP BY, or with
 * NULL in it, are the group NULL.  Memory grows with the number of groups, not with the number of items.
 */
#ifndef TOOLS_QUERY_GROUPS_H
#define TOOLS_QUERY_GROUPS_H

#include "store/expr/trees.h"
#include "store/model/number.h"

enum groups_function {
	GROUPS_BY, /* an attribute of GROUP BY */
	GROUPS_COUNT,
	GROUPS_SUM,
	GROUPS_MIN,
	GROUPS_MAX,
	GROUPS_AVG,
};

struct groups_column {
	enum groups_function function;
	struct path path;  /* n = 0: COUNT(*) */
	struct slice name; /* in rows and messages */
	bool hidden;       /* not in rows: only in GROUP BY, HAVING or ORDER BY */
};

/* In the order of enum lexeme_type. */
enum groups_test { GROUPS_EQ, GROUPS_NE, GROUPS_LT, GROUPS_LE, GROUPS_GT, GROUPS_GE };

/* A test of HAVING; a group is printed if all tests are true. */
struct groups_having {
	size_t column; /* index in plan->columns */
	enum groups_test test;
	struct value value;
};

struct groups_order {
	size_t column; /* index in plan->columns */
	bool descending;
};

/* The query; the caller keeps it until groups_free(). */
struct groups_plan {
	struct groups_column *columns;
	size_t n_columns;
	struct groups_having *having;
	size_t n_having;
	struct groups_order *order;
	size_t n_order;
	bool whole; /* no GROUP BY: one group, even without items */
	bool sparse; /* a row omits missing attributes of GROUP BY, for columns of CSV; else they are NULL */
	size_t bytes; /* limit of memory */
};

struct groups;

/** groups_put_key - append the sort key of a value: by type, then by value; @v == NULL (missing) comes first */
void groups_put_key(struct buf *out, const struct value *v);

/** groups_new - create an empty set of groups; @plan: borrowed */
struct groups *groups_new(const struct groups_plan *plan);

/** groups_free - free it with all groups; NULL is allowed */
void groups_free(struct groups *g);

/**
 * groups_add - add an item to its group; not allowed after groups_print()
 *
 * Errors:  -ERR_USAGE  a value that cannot be added up, compared or grouped by; a sum of over 38 digits; more memory
 *                      than the plan allows
 */
int groups_add(struct groups *g, struct call *c, const struct item *it) must_check;

/**
 * groups_print - pass each group as an item to @row, in the order of ORDER BY, then of the values of GROUP BY
 * @row: returns false to stop
 *
 * Errors:  -ERR_USAGE  an average that is too small for a number
 */
int groups_print(struct groups *g, struct call *c, bool (*row)(void *arg, const struct item *it),
		 void *arg) must_check;

#endif
