/* where_int - structs and functions that the where files share */
#ifndef STORE_PARTIQL_WHERE_INT_H
#define STORE_PARTIQL_WHERE_INT_H

#include "store/partiql/partiql_reader.h"
#include "store/partiql/where.h"

/* The operands of a condition's top-level ANDs, whatever its parentheses; NULL: an operand that was removed. */
struct parts {
	struct arena *arena;
	struct node **at;
	size_t n;
	size_t cap;
};

/** parts_take - append the operands of @n, which may be NULL */
void parts_take(struct parts *p, struct node *n);

/** parts_together - Return: the remaining operands as one condition, or NULL */
struct node *parts_together(struct call *c, struct parts *p);

/** parts_is_attribute - Return: whether @n is the top-level attribute @name */
bool parts_is_attribute(const struct node *n, struct slice name);

/** parts_equal_to - Return: the value if @n is "name = value" or "value = name"; NULL: @n is something else */
const struct value *parts_equal_to(const struct node *n, struct slice name);

/** parts_is_list - Return: whether @n is "name IN (values)" */
bool parts_is_list(const struct node *n, struct slice name);

/**
 * where_partitions - find the partitions that the operands name; remove an operand that says nothing else
 * @out: set to one partition key for each partition
 * @n:   set to their number; 0: no operand names the partitions
 */
void where_partitions(struct call *c, struct parts *p, const struct key_schema *k,
		      struct key_values **out, size_t *n);

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

/* The ranges of sort keys within each partition. */
struct within {
	struct keycond whole; /* the only range, if n is 0 */
	struct keycond *runs; /* only op, a and b are set */
	size_t n;
};

/** where_within - find the ranges of sort keys that the operands allow; remove the operands that they express */
void where_within(struct call *c, struct parts *p, const struct key_schema *k, bool backward,
		  struct within *w);

#endif
