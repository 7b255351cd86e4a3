/* where_int - what the files of where.h share */
#ifndef STORE_PARTIQL_WHERE_INT_H
#define STORE_PARTIQL_WHERE_INT_H

#include "store/partiql/reader.h"
#include "store/partiql/where.h"

/* The conditions between which AND stands, whatever the parentheses. */
struct parts {
	struct arena *arena;
	struct node **at;
	size_t n;
	size_t cap;
};

/** parts_take - append those of @n, which may be NULL */
void parts_take(struct parts *p, struct node *n);

/** parts_add - append @n as it is */
void parts_add(struct parts *p, struct node *n);

/** parts_together - what is left as one condition, or NULL; those that became NULL do not count */
struct node *parts_together(struct call *c, struct parts *p);

/** parts_is_attribute - is @n the top-level attribute @name? */
bool parts_is_attribute(const struct node *n, struct slice name);

/** parts_equal_to - the value that @n compares the attribute @name with by "="; NULL: @n is something else */
const struct value *parts_equal_to(const struct node *n, struct slice name);

/** parts_is_list - is @n "name IN (values)"? */
bool parts_is_list(const struct node *n, struct slice name);

/** where_wrong_list - refuse a value of an IN for its type */
int where_wrong_list(struct call *c) __attribute__((warn_unused_result));

/**
 * where_partitions - the partitions that the parts name, which are taken out where they say no more
 * @n: 0 when an attribute of the key is not compared
 */
int where_partitions(struct call *c, struct parts *p, const struct key_schema *k,
		     struct key_values **out, size_t *n) __attribute__((warn_unused_result));

/**
 * where_branches - refuse a condition that stands for too many reads, or whose reads overlap
 *
 * Errors:  -ERR_VALIDATION
 * Source:  only where each branch names a partition; what is negated of a sort key overlaps nothing
 */
int where_branches(struct call *c, const struct key_schema *k, const struct node *where)
	__attribute__((warn_unused_result));

/* What a partition's runs have in common, and where they differ. */
struct within {
	struct key_values equal; /* sort attributes, all but the last that is given */
	struct keycond whole;
	struct keycond *runs; /* of the last one; only op, a and b */
	size_t n;
};

/** where_within - the runs within one partition that the parts allow; what says no more is taken out */
int where_within(struct call *c, struct parts *p, const struct key_schema *k, bool backward,
		 struct within *w) __attribute__((warn_unused_result));

#endif
