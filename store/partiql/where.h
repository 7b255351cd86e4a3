/* where - what a condition says about the key of a table or index */
#ifndef STORE_PARTIQL_WHERE_H
#define STORE_PARTIQL_WHERE_H

#include "store/partiql/statement.h"

/** where_check_value - refuse @v for a key attribute: another type, or empty */
int where_check_value(struct call *c, const struct key_attr *attr, const struct value *v)
	__attribute__((warn_unused_result));

/**
 * where_key - the key of the one item that @where names
 * @kind: a write takes two values for one attribute as a fault; SELECT and EXISTS take the first one,
 *        the other is asked beside it; SELECT alone takes IN with one value
 * @key:  its attributes; n = 0: not the whole key is compared for equality
 * @rest: what else is asked, or NULL
 *
 * Errors:  -ERR_VALIDATION  a key value of the wrong type, empty, or two different ones
 */
int where_key(struct call *c, const struct key_schema *k, enum statement_kind kind,
	      struct node *where, struct item *key, struct node **rest)
	__attribute__((warn_unused_result));

/** where_check_reads - refuse a condition that stands for too many reads; Errors: -ERR_VALIDATION */
int where_check_reads(struct call *c, const struct key_schema *k, const struct node *where)
	__attribute__((warn_unused_result));

/* One run of keys, or with no keys at all the whole table or index. */
struct where_runs {
	struct keycond *at; /* those of one partition stand together */
	size_t n;           /* 0: everything */
	size_t each;        /* how many each partition has */
	struct node *rest;  /* what else is asked, or NULL */
};

/**
 * where_runs - the runs of keys that hold all items that @where can be true of
 * @backward: the runs' sort keys fall
 *
 * Runs are distinct, in the order in which @where names their keys; those of one partition
 * in the order of their sort keys.
 *
 * Errors:  -ERR_VALIDATION  key values of the wrong type, or empty; reads that the service refuses
 */
int where_runs(struct call *c, const struct schema *s, const struct index *ix, struct node *where,
	       bool backward, struct where_runs *out) __attribute__((warn_unused_result));

#endif
