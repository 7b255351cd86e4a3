/* itemkey - check of the key attributes of table and indexes in an item that is to be written */
#ifndef STORE_LOCAL_RECORDS_ITEMKEY_H
#define STORE_LOCAL_RECORDS_ITEMKEY_H

#include "store/expr/expr.h"
#include "store/local/records/keyspace.h"

/**
 * itemkey_of_table - get and check the table's key in an item
 *
 * Errors:  -ERR_VALIDATION    missing, of another type, empty
 *          -ERR_KEY_TOO_LONG  over 2,048 or 1,024 bytes
 * Memory:  @out borrows @it
 * Source:  BEHAVIOUR 3.2, 3.4
 */
int itemkey_of_table(struct call *c, const struct schema *s, const struct item *it,
		     struct key_values *out) must_check;

/**
 * itemkey_of_index - get and check the key of @it's entry in index @ix
 * @base: the item's key in the table, which is the last part of the entry's key
 *
 * Return:  0;  1: the index has no entry for it (a key attribute is missing);  < 0
 * Errors:  as itemkey_of_table(), naming the index
 * Memory:  as itemkey_of_table()
 * Source:  BEHAVIOUR 4.8, 4.10
 */
int itemkey_of_index(struct call *c, const struct index *ix, const struct item *it,
		     const struct key_values *base, struct key_values *out) must_check;

/**
 * itemkey_check_update - check an update's effect on the key of an index as far as that is possible without the item
 *
 * Errors:  -ERR_VALIDATION  @u changes a part of a key attribute, or sets it to another type
 */
int itemkey_check_update(struct call *c, const struct index *ix, const struct expr_update *u)
	must_check;

/**
 * itemkey_check_updated - check the key attributes of @ix that @u has changed in @it
 *
 * Errors:  as itemkey_of_index(), with DynamoDB's messages for updates
 */
int itemkey_check_updated(struct call *c, const struct index *ix, const struct expr_update *u,
			  const struct item *it) must_check;

#endif
