/*
 * bulk - many puts, deletes or updates: LoadItems and ChangeItems where the store has them, else
 * BatchWriteItem, and nothing for updates
 *
 * A DynamoDB endpoint has neither: found out at the first call and remembered.
 */
#ifndef TOOLS_WRITE_BULK_H
#define TOOLS_WRITE_BULK_H

#include "store/engine/engine.h"

#include "tools/write/parallel.h"

struct bulk {
	struct engine *engine;
	struct slice table;
	const struct key_schema *key; /* of the table */
	bool no_load;                 /* BatchWriteItem from now on */
	bool no_change;               /* the store has no ChangeItems */
	struct parallel parallel;     /* of BatchWriteItem */
};

/**
 * bulk_put - put @items in batches, those with one key in order; durable after bulk_sync()
 * @done: how many of the first ones are put; also filled on failure, when others may be put, too, by BatchWriteItem
 *
 * Errors:  those of LoadItems or BatchWriteItem
 * Thread:  one at a time for each struct
 */
int bulk_put(struct bulk *b, struct call *c, const struct item *items, size_t n, size_t *done)
	__attribute__((warn_unused_result));

/**
 * bulk_delete - delete @keys, durably; a key may come twice
 * @done: [n]: it is deleted; also filled on failure
 */
int bulk_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n, bool *done)
	__attribute__((warn_unused_result));

/**
 * bulk_change - one update of many items, or their deletion; durable after bulk_sync()
 * @in:  its table and keys are filled here
 * @out: also filled on failure: the first changed + refused keys are done
 *
 * Return:  0; BULK_UNKNOWN: the store has no such operation, and nothing was done.
 * Errors:  those of ChangeItems
 */
enum { BULK_UNKNOWN = 1 };
int bulk_change(struct bulk *b, struct call *c, struct change_items_in *in, const struct item *keys,
		size_t n, struct change_items_out *out) __attribute__((warn_unused_result));

/** bulk_sync - everything put so far becomes durable */
int bulk_sync(struct bulk *b, struct call *c) __attribute__((warn_unused_result));

#endif
