/* where - the key, or the key ranges, that a condition names */
#ifndef STORE_PARTIQL_WHERE_H
#define STORE_PARTIQL_WHERE_H

#include "store/partiql/statement.h"

/** where_check_value - refuse @v as a value of key attribute @attr if its type is wrong or it is empty */
int where_check_value(struct call *c, const struct key_attr *attr, const struct value *v)
	must_check;

/**
 * where_key - find the key of the one item that @where names
 * @kind: if an attribute is compared with two different values, a write is refused; SELECT and EXISTS use the first
 *        value and leave the second comparison in @rest.  Only SELECT accepts IN with one value
 * @key:  set to the key; n = 0: not every key attribute is compared for equality
 * @rest: set to the rest of the condition, or NULL
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  a key value is of the wrong type or empty, or there are two different ones
 */
int where_key(struct call *c, const struct key_schema *k, enum statement_kind kind,
	      struct node *where, struct item *key, struct node **rest) must_check;

/** where_check_reads - refuse a condition that needs too many reads;  Return: 0, -ERR_VALIDATION */
int where_check_reads(struct call *c, const struct key_schema *k, const struct node *where)
	must_check;

/* The key ranges of a condition. */
struct where_runs {
	struct keycond *at; /* the ranges of a partition are adjacent */
	size_t n;           /* 0: the whole table or index */
	size_t each;        /* number of ranges of each partition */
	struct node *rest;  /* the rest of the condition, or NULL */
};

/**
 * where_runs - find the key ranges that contain all items for which @where can be true
 * @backward: in descending order of sort keys
 *
 * The ranges are distinct.  Partitions are in the order in which @where names them; the ranges of a partition are in
 * the order of their sort keys.
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  key values of the wrong type, or empty; reads that the service refuses
 */
int where_runs(struct call *c, const struct schema *s, const struct index *ix, struct node *where,
	       bool backward, struct where_runs *out) must_check;

#endif
