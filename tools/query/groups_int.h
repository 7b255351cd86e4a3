/* groups_int - the tree of groups, for the files of groups alone */
#ifndef TOOLS_QUERY_GROUPS_INT_H
#define TOOLS_QUERY_GROUPS_INT_H

#include "store/base/core/arena.h"
#include "store/base/core/buf.h"
#include "store/model/number.h"
#include "store/model/value.h"

#include "tools/query/groups.h"

/* A column of a group. */
struct groups_cell {
	uint64_t n; /* number of values; GROUPS_BY: 0 or 1 */
	struct number sum;
	enum value_type type; /* of @text */
	struct buf text;      /* minimum, maximum, or the value of GROUP BY */
	bool truth;
};

struct group {
	struct slice key;
	struct groups_cell cells[];
};

struct groups {
	const struct groups_plan *plan;
	struct arena arena; /* memory of the groups and their texts */
	void *tree;
	struct group **all; /* all groups in order, for groups_print() */
	size_t n;
	uint64_t items;
	struct buf key; /* of the current item */
};

/** groups_find - return the group with the key g->key; if it does not exist, create it with the values of @it (or NULL) */
struct group *groups_find(struct groups *g, const struct item *it);

/** groups_sorted - fill g->all, in the order of the values of GROUP BY; call it after the last groups_add() */
void groups_sorted(struct groups *g);

#endif
