/* where_int - what the files of where.h share */
#ifndef STORE_PARTIQL_WHERE_INT_H
#define STORE_PARTIQL_WHERE_INT_H

#include "store/partiql/partiql_reader.h"
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

/** parts_together - what is left as one condition, or NULL; those that became NULL do not count */
struct node *parts_together(struct call *c, struct parts *p);

/** parts_is_attribute - is @n the top-level attribute @name? */
bool parts_is_attribute(const struct node *n, struct slice name);

/** parts_equal_to - the value that @n compares the attribute @name with by "="; NULL: @n is something else */
const struct value *parts_equal_to(const struct node *n, struct slice name);

/** parts_is_list - is @n "name IN (values)"? */
bool parts_is_list(const struct node *n, struct slice name);

/**
 * where_partitions - the partitions that the parts name, which are taken out where they say no more
 * @n: 0 when the partition key is not compared
 */
void where_partitions(struct call *c, struct parts *p, const struct key_schema *k,
		      struct key_values **out, size_t *n);

/* One comparison of a key attribute. */
struct key_range {
	bool sort;
	bool prefix; /* begins_with(attribute, a) */
	enum node_type op;
	const struct value *a;
	const struct value *b; /* BETWEEN: the upper bound */
};

/** range_of - does @n compare @attr with values, of whatever type? */
bool range_of(const struct node *n, const struct key_attr *attr, struct key_range *out);

/** range_meets - can a sort key be in both ranges?  Between two different values there is always a third */
bool range_meets(const struct key_range *p, const struct key_range *q);

/* One read: its parts hold together. */
struct branch {
	struct key_range *at;
	size_t n;
	const struct node **filter; /* what is no range */
	size_t n_filter;
	bool unranged; /* some of the filter is about the sort key */
};

struct branches {
	struct arena *arena;
	const struct key_schema *key;
	struct branch *at;
	size_t n;
	size_t cap;
};

/** branch_partition - the partition that it reads, or NULL */
const struct value *branch_partition(const struct branch *b);

/**
 * where_branches - refuse a condition that stands for too many reads, whose reads overlap, or whose
 * filters need what the index does not hold
 *
 * Errors:  -ERR_VALIDATION
 * Source:  only where each branch names a partition; what is negated of a sort key overlaps nothing
 */
int where_branches(struct call *c, const struct schema *s, const struct index *ix,
		   const struct node *where) __attribute__((warn_unused_result));

/**
 * where_projected - refuse filters on what the entries of @ix do not hold: where_projected.c
 *
 * Errors:  -ERR_VALIDATION
 * Source:  only where each branch has such a one; named are those of the branch with the greatest
 *          partition key, in the order of a Java HashSet
 */
int where_projected(struct call *c, const struct schema *s, const struct index *ix,
		    const struct branches *all) __attribute__((warn_unused_result));

/* What a partition's runs have in common, and where they differ. */
struct within {
	struct keycond whole;
	struct keycond *runs; /* only op, a and b */
	size_t n;
};

/** where_within - the runs within one partition that the parts allow; what says no more is taken out */
void where_within(struct call *c, struct parts *p, const struct key_schema *k, bool backward,
		  struct within *w);

#endif
