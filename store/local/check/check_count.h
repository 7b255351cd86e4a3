/* check_count - checks of the counts of collections and of the totals */
#ifndef STORE_LOCAL_CHECK_CHECK_COUNT_H
#define STORE_LOCAL_CHECK_CHECK_COUNT_H

#include "store/local/check/check_int.h"

/**
 * check_counts - compare the counts in the partition directory with the items or entries of k->s, k->ix
 * @from: where to begin, or empty; set to where the next page begins
 *
 * A page ends only between two collections.
 * Return, Errors:  as check_items()
 */
int check_counts(struct check *k, struct slice *from) __attribute__((warn_unused_result));

/**
 * check_totals - compare the totals of k->s, k->ix with the partition directory, in one call
 *
 * Return:  0
 * Errors:  as check_items()
 */
int check_totals(struct check *k) __attribute__((warn_unused_result));

/** check_collection - Return: length of the part of @key that its whole collection shares; 0: the key is damaged */
size_t check_collection(const struct schema *s, const struct index *ix, struct slice key);

#endif
