/*
 * bulk - many puts, deletes or updates by LoadItems and ChangeItems, or by BatchWriteItem
 *
 * A DynamoDB endpoint does not have LoadItems and ChangeItems: bulk.c detects that at the first call and remembers it.
 * Then there is no bulk operation for updates.
 */
#ifndef TOOLS_WRITE_BULK_H
#define TOOLS_WRITE_BULK_H

#include "store/engine/engine.h"

#include "tools/write/parallel.h"

struct bulk {
	struct engine *engine;
	struct slice table;
	const struct key_schema *key; /* of the table */
	bool no_load;                 /* the store has no LoadItems: use BatchWriteItem */
	bool no_change;               /* the store has no ChangeItems */
	struct parallel parallel;     /* for BatchWriteItem */
};

/**
 * bulk_put - put @items in batches, in order if they have the same key; durable after bulk_sync()
 * @done: number of items at the beginning that are put; also filled on failure, when BatchWriteItem may have put others
 *
 * Errors:  those of LoadItems or BatchWriteItem
 * Thread:  one at a time for each struct bulk
 */
int bulk_put(struct bulk *b, struct call *c, const struct item *items, size_t n, size_t *done)
	must_check;

/**
 * bulk_delete - delete @keys by BatchWriteItem; they may contain duplicates; durable on return
 * @done: [n]: the item is deleted; also filled on failure
 */
int bulk_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n, bool *done)
	must_check;

/**
 * bulk_change - the same update, or the deletion, of many items; durable after bulk_sync()
 * @in:  bulk_change() fills its table and keys
 * @out: also filled on failure: the first changed + refused keys are done
 *
 * Return:  0; BULK_UNKNOWN: the store has no ChangeItems, and nothing was done
 * Errors:  those of ChangeItems
 */
enum { BULK_UNKNOWN = 1 };
int bulk_change(struct bulk *b, struct call *c, struct change_items_in *in, const struct item *keys,
		size_t n, struct change_items_out *out) must_check;

/** bulk_remove - delete @keys, which are distinct; @done and the result are as for bulk_put() */
int bulk_remove(struct bulk *b, struct call *c, const struct item *keys, size_t n, size_t *done)
	must_check;

/** bulk_sync - make all puts and changes so far durable */
int bulk_sync(struct bulk *b, struct call *c) must_check;

#endif
