/* get - read of one item by its key, for GetItem, BatchGetItem and TransactGetItems */
#ifndef STORE_LOCAL_READ_GET_H
#define STORE_LOCAL_READ_GET_H

#include "store/local/records/local_int.h"
#include "store/local/records/record.h"

enum get_outcome { GET_ABSENT = 1 };

struct got {
	struct record_head head;
	struct item item;
	size_t item_bytes; /* by DynamoDB's count */
};

/**
 * get_one - read and decode one item
 * @at:  snapshot; NULL for the newest state
 * @key: its LevelDB key
 *
 * Return:  0, GET_ABSENT, -ERR_IO, -ERR_CORRUPT
 * Memory:  in the call's arena
 */
int get_one(struct local *l, struct call *c, struct kv_snapshot *at, struct slice key,
	    struct got *out) must_check;

/**
 * get_key - make the LevelDB key of the item with a request's Key
 *
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG  as key_from_request()
 */
int get_key(struct call *c, const struct schema *s, const struct item *key, struct slice *out)
	must_check;

/** get_place - the budgets used by a read of the item with the LevelDB key @key, which is borrowed */
struct throttle_place;
struct throttle_place get_place(const struct schema *s, struct slice key);

/**
 * get_wanted - bind the projection of a read, before its table is looked up
 * @text, @ph:  a ProjectionExpression and its placeholders
 * @attributes: AttributesToGet; NULL: the operation has none
 * @out:        set to NULL if all attributes are requested
 *
 * Errors:  -ERR_VALIDATION
 */
struct expr_projection;
int get_wanted(struct call *c, struct slice text, const struct placeholders *ph,
	       const struct attributes_to_get *attributes, struct expr_projection **out) must_check;

/**
 * get_schema - find the table, and check that no path of the projection @wanted leads into a key attribute
 *
 * Errors:  -ERR_NO_TABLE, -ERR_VALIDATION
 */
int get_schema(struct local *l, struct call *c, struct slice table,
	       const struct expr_projection *wanted, const struct schema **s) must_check;

/** get_bind - get_wanted(), then get_schema(); Errors: those of both */
int get_bind(struct local *l, struct call *c, struct slice table, struct slice text,
	     const struct placeholders *ph, const struct attributes_to_get *attributes,
	     const struct schema **s, struct expr_projection **out) must_check;

#endif
