/* sql_order - items in the order of attributes that need be no keys, as ORDER BY of SQL has them */
#ifndef TOOLS_SQL_SQL_ORDER_H
#define TOOLS_SQL_SQL_ORDER_H

#include "store/base/core/call.h"
#include "store/model/item.h"

enum { SQL_ORDER_MAX = 8 }; /* attributes */

/* What is asked for. */
struct sql_order {
	struct {
		struct slice name;
		bool descending;
		bool hidden; /* not in the answer */
	} by[SQL_ORDER_MAX];
	size_t n;      /* 0: items stay as they come */
	size_t offset; /* items that are left out, which is for who prints them */
};

struct sql_sorted; /* items, in memory */

struct sql_sorted *sql_order_new(const struct sql_order *order);
void sql_order_free(struct sql_sorted *s);

/** sql_order_add - a copy of @it; Errors: -ERR_USAGE  more memory than CALL_BUDGET bytes */
int sql_order_add(struct sql_sorted *s, struct call *c, const struct item *it)
	__attribute__((warn_unused_result));

/** sql_order_lacking - the first attribute of the order that none of the items has; empty: none, or there are no items */
struct slice sql_order_lacking(const struct sql_sorted *s);

/** sql_order_print - hand the items to @row, sorted, until it returns false: missing attributes first, then by type, then by value */
void sql_order_print(struct sql_sorted *s, bool (*row)(void *arg, const struct item *it),
		     void *arg);

#endif
