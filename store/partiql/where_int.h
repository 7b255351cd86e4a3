/* where_int - structs and functions that the where files share */
#ifndef STORE_PARTIQL_WHERE_INT_H
#define STORE_PARTIQL_WHERE_INT_H

#include "store/partiql/partiql_reader.h"
#include "store/partiql/where.h"

/** parts_equal_to - Return: the value if @n is "name = value" or "value = name"; NULL: @n is something else */
const struct value *parts_equal_to(const struct node *n, struct slice name);

/** parts_is_list - Return: whether @n is "name IN (values)" */
bool parts_is_list(const struct node *n, struct slice name);

/**
 * parts_range - the range that a comparison of an attribute with values allows
 *
 * Only op, a and b are set.  The values may have any type.
 * Return: op = KEYCOND_NONE if @n is no such comparison of @name
 */
struct keycond parts_range(const struct node *n, struct slice name);

/**
 * where_branches - refuse a condition with too many reads, with overlapping reads, or with filters on attributes
 *                  that the index does not hold
 *
 * Nothing is refused unless each read names its partition.  A filter on the sort key is never an overlap.  Filters are
 * refused only if each read has one on such an attribute.
 * Return:  0, -ERR_VALIDATION
 */
int where_branches(struct call *c, const struct schema *s, const struct index *ix,
		   const struct node *where) must_check;

#endif
