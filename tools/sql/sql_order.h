/* sql_order - ORDER BY of SQL: sorts items in memory by any attributes */
#ifndef TOOLS_SQL_SQL_ORDER_H
#define TOOLS_SQL_SQL_ORDER_H

#include "store/model/item.h"

enum { SQL_ORDER_MAX = 8 }; /* attributes */

/* The clause. */
struct sql_order {
	struct {
		struct slice name;
		bool descending;
		bool hidden; /* read only for the order, and not printed */
	} by[SQL_ORDER_MAX];
	size_t n;      /* 0: do not sort */
	size_t offset; /* items to skip; done by the caller of sql_order_print() */
};

struct sql_sorted; /* items, in memory */

/** sql_order_new - create an empty list; @order: borrowed */
struct sql_sorted *sql_order_new(const struct sql_order *order);

/** sql_order_free - free it with its items; NULL is allowed */
void sql_order_free(struct sql_sorted *s);

/** sql_order_add - append a copy of @it; Errors: -ERR_USAGE  it needs more memory than CALL_BUDGET */
int sql_order_add(struct sql_sorted *s, struct call *c, const struct item *it) must_check;

/** sql_order_lacking - return the first attribute of the order that no item has; empty: there is none, or no items */
struct slice sql_order_lacking(const struct sql_sorted *s);

/**
 * sql_order_print - sort the items, and pass each to @row until it returns false
 *
 * Missing attributes come first; values are ordered by type, then by value.  Equal items keep their order.  Call it
 * once: it removes hidden attributes from the items.
 */
void sql_order_print(struct sql_sorted *s, bool (*row)(void *arg, const struct item *it),
		     void *arg);

#endif
