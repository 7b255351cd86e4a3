/*
 * bulk - many puts or deletes: LoadItems where the store has it, else BatchWriteItem
 *
 * A DynamoDB endpoint has no LoadItems: found out at the first call and
 * remembered.
 */
#ifndef TOOLS_BULK_H
#define TOOLS_BULK_H

#include "store/engine/engine.h"

struct bulk {
	struct engine *engine;
	struct slice table;
	const struct key_schema *key; /* of the table */
	bool no_load;                 /* BatchWriteItem from now on */
};

/**
 * bulk_put - put @items in order, in batches; durable after bulk_sync()
 *
 * Errors:  those of LoadItems or BatchWriteItem; the batches before the failing one are done
 * Thread:  one at a time for each struct
 */
int bulk_put(struct bulk *b, struct call *c, const struct item *items, size_t n)
	__attribute__((warn_unused_result));

/** bulk_delete - delete @keys, durably; a key may come twice */
int bulk_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n)
	__attribute__((warn_unused_result));

/** bulk_sync - everything put so far becomes durable */
int bulk_sync(struct bulk *b, struct call *c) __attribute__((warn_unused_result));

#endif
