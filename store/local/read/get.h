/* get - one item of a table by its key: what GetItem, BatchGetItem and TransactGetItems share */
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
 * Memory:  call's arena
 */
int get_one(struct local *l, struct call *c, struct kv_snapshot *at, struct slice key,
	    struct got *out) __attribute__((warn_unused_result));

/**
 * get_key - the LevelDB key that a request's Key names
 *
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG  as key_from_request()
 */
int get_key(struct call *c, const struct schema *s, const struct item *key, struct slice *out)
	__attribute__((warn_unused_result));

/** get_place - what reading the item with the LevelDB key @key draws on; it borrows that */
struct throttle_place;
struct throttle_place get_place(const struct schema *s, struct slice key);

/* A snapshot that is let go at the end of the block: cleanup(get_snapshot_free). */
struct get_snapshot {
	struct kv *kv;
	struct kv_snapshot *at;
};
struct get_snapshot get_snapshot(struct local *l);
void get_snapshot_free(struct get_snapshot *s);

/**
 * get_wanted - what is wanted of an item, before its table is looked up
 * @text, @ph:  a ProjectionExpression and its placeholders
 * @attributes: AttributesToGet; NULL: the operation has none
 * @out:        NULL in it: all
 *
 * Errors:  -ERR_VALIDATION
 */
struct expr_projection;
int get_wanted(struct call *c, struct slice text, const struct placeholders *ph,
	       const struct attributes_to_get *attributes, struct expr_projection **out)
	__attribute__((warn_unused_result));

/** get_schema - that of @table; @wanted: leads it into a key? Errors: -ERR_NO_TABLE, -ERR_VALIDATION */
int get_schema(struct local *l, struct call *c, struct slice table,
	       const struct expr_projection *wanted, const struct schema **s)
	__attribute__((warn_unused_result));

/** get_bind - both; Errors: likewise */
int get_bind(struct local *l, struct call *c, struct slice table, struct slice text,
	     const struct placeholders *ph, const struct attributes_to_get *attributes,
	     const struct schema **s, struct expr_projection **out)
	__attribute__((warn_unused_result));

#endif
