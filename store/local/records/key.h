/*
 * key - primary keys as requests name them: checked, and turned into key values
 */
#ifndef STORE_LOCAL_RECORDS_KEY_H
#define STORE_LOCAL_RECORDS_KEY_H

#include "store/local/records/keyspace.h"

/**
 * key_check - the limits of a key's values
 * @v: may have more values behind those of @k
 *
 * Errors:  -ERR_VALIDATION  an empty value;  -ERR_KEY_TOO_LONG  over 2,048 or 1,024 bytes, of all
 *          attributes of a part together
 * Source:  BEHAVIOUR 3.2, 3.4
 */
int key_check(struct call *c, const struct key_schema *k, const struct key_values *v)
	__attribute__((warn_unused_result));

/**
 * key_check_filled - is no attribute of @k in @it empty?
 *
 * What is absent or of another type is for others to refuse.
 * Errors:  -ERR_VALIDATION
 */
int key_check_filled(struct call *c, const struct key_schema *k, const struct item *it)
	__attribute__((warn_unused_result));

/** key_append - the values of @more behind those of @k: the table's key behind an index's */
static inline void
key_append(struct key_values *k, const struct key_values *more)
{
	for (size_t i = 0; i < more->n; i++) {
		k->at[k->n++] = more->at[i];
	}
}

/** key_mismatch - "The provided key element does not match the schema": -ERR_VALIDATION */
int key_mismatch(struct call *c) __attribute__((warn_unused_result));

/**
 * key_from_request - the values of a Key that must hold the key attributes and nothing else
 * @key: attributes of the table's primary key
 * @out: borrows @key's values
 *
 * Errors:  those of key_mismatch() and key_check()
 */
int key_from_request(struct call *c, const struct key_schema *k, const struct item *key,
		     struct key_values *out) __attribute__((warn_unused_result));

/**
 * key_attributes - as schema_place(), but each name once
 *
 * Return: how many
 */
size_t key_attributes(const struct schema *s, const struct index *ix,
		      const struct key_attr *out[KEY_VALUES_MAX]);

/**
 * key_to_item - the attributes of an item's or entry's place: what LastEvaluatedKey holds
 * @values: from keyspace_parse_item(), or the first of them
 *
 * Memory: the array is in the call's arena; values are @values'
 */
struct item key_to_item(struct call *c, const struct schema *s, const struct index *ix,
			const struct values *values);

/**
 * key_of_place - the inverse: the LevelDB key of the place that @place names
 *
 * Return:  0, or 1 when @place has not exactly the key attributes, or one of a wrong type or size
 */
int key_of_place(struct buf *out, const struct schema *s, const struct index *ix,
		 const struct item *place);

/**
 * key_check_place - has ExclusiveStartKey as many attributes as the place, and the partition key that is queried?
 *
 * Errors:  -ERR_VALIDATION
 */
int key_check_place(struct call *c, const struct schema *s, const struct index *ix,
		    const struct item *place) __attribute__((warn_unused_result));

/** key_check_place_sort - likewise the sort key, behind the condition on the partition key */
int key_check_place_sort(struct call *c, const struct key_schema *queried, const struct item *place)
	__attribute__((warn_unused_result));

/** key_check_actions - a transaction's keys; Errors: -ERR_VALIDATION; Source: BEHAVIOUR 11.3 */
int key_check_actions(struct call *c, const struct slice *keys, size_t n)
	__attribute__((warn_unused_result));

/** key_check_distinct - a batch's keys; Errors: -ERR_VALIDATION; Source: BEHAVIOUR 10.2, 10.3 */
int key_check_distinct(struct call *c, const struct slice *keys, size_t n)
	__attribute__((warn_unused_result));

#endif
