/* key - check of primary keys in requests, and their conversion to key values */
#ifndef STORE_LOCAL_RECORDS_KEY_H
#define STORE_LOCAL_RECORDS_KEY_H

#include "store/local/records/keyspace.h"

/**
 * key_check - check the limits of a key's values
 * @v: begins with the values of @k; more values may follow
 *
 * Errors:  -ERR_VALIDATION  an empty value
 *          -ERR_KEY_TOO_LONG  the attributes of the partition key have more than 2,048 bytes in total, or those of
 *                             the sort key more than 1,024
 * Source:  BEHAVIOUR 3.2, 3.4
 */
int key_check(struct call *c, const struct key_schema *k, const struct key_values *v) must_check;

/**
 * key_check_filled - check that no attribute of @k in @it is empty
 *
 * Attributes that are absent or have another type pass; other functions refuse them.
 * Errors:  -ERR_VALIDATION
 */
int key_check_filled(struct call *c, const struct key_schema *k, const struct item *it) must_check;

/** key_append - append the values of @more to @k: the table's key to an index's */
static inline void
key_append(struct key_values *k, const struct key_values *more)
{
	assert(k->n + more->n <= KEY_VALUES_MAX);
	for (size_t i = 0; i < more->n; i++) {
		k->at[k->n++] = more->at[i];
	}
}

/** key_mismatch - fail with "The provided key element does not match the schema"; Return: -ERR_VALIDATION */
int key_mismatch(struct call *c) must_check;

/**
 * key_from_request - get and check the values of a request's Key, which must hold exactly the key attributes
 * @key: attributes of the table's primary key
 * @out: borrows @key's values
 *
 * Errors:  those of key_mismatch() and key_check()
 */
int key_from_request(struct call *c, const struct key_schema *k, const struct item *key,
		     struct key_values *out) must_check;

/**
 * key_attributes - list the attributes that schema_place() lists, but each name only once
 *
 * Return: their number
 */
size_t key_attributes(const struct schema *s, const struct index *ix,
		      const struct key_attr *out[KEY_VALUES_MAX]);

/**
 * key_to_item - make an item of the key attributes of an item or index entry, as in LastEvaluatedKey
 * @values: from keyspace_parse_item(), or only the first of them
 *
 * Memory: the array is in the call's arena; values are @values'
 */
struct item key_to_item(struct call *c, const struct schema *s, const struct index *ix,
			const struct values *values);

/**
 * key_of_place - append the LevelDB key of the item or entry with the key attributes @place; inverse of key_to_item()
 *
 * Return:  0;  1: @place does not have exactly the key attributes, or one has a wrong type or size
 */
int key_of_place(struct buf *out, const struct schema *s, const struct index *ix,
		 const struct item *place);

/**
 * key_check_place - check that ExclusiveStartKey has the right number of attributes, and the partition key that is
 * queried with the right types
 *
 * Errors:  -ERR_VALIDATION
 */
int key_check_place(struct call *c, const struct schema *s, const struct index *ix,
		    const struct item *place) must_check;

/** key_check_place_sort - check the sort key in ExclusiveStartKey, after the condition on the partition key */
int key_check_place_sort(struct call *c, const struct key_schema *queried, const struct item *place)
	must_check;

/** key_check_actions - check that a transaction's keys differ; Errors: -ERR_VALIDATION; Source: BEHAVIOUR 11.3 */
int key_check_actions(struct call *c, const struct slice *keys, size_t n) must_check;

/** key_check_distinct - check that a batch's keys differ; Errors: -ERR_VALIDATION; Source: BEHAVIOUR 10.2, 10.3 */
int key_check_distinct(struct call *c, const struct slice *keys, size_t n) must_check;

#endif
