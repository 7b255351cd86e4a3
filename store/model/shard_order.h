/*
 * shard_order - by which attributes the items of several collections are merged
 *
 * Of a write-sharded key: each shard's items come in order already.
 */
#ifndef STORE_MODEL_SHARD_ORDER_H
#define STORE_MODEL_SHARD_ORDER_H

#include "store/base/core/buf.h"
#include "store/model/placeholders.h"
#include "store/model/schema.h"

enum { SHARD_ORDER_MAX = KEY_PART_MAX + 2 };

/* The sort key of table or index, then the table's key. */
struct shard_order {
	const struct key_attr *at[SHARD_ORDER_MAX];
	size_t n;
};

/** shard_order - @key: of the table or index that is queried */
struct shard_order shard_order(const struct schema *s, const struct key_schema *key);

/**
 * shard_order_put - append what sorts @it among those of other shards, by its bytes
 * @at: where the attributes stood in the item before: zeros at first
 */
void shard_order_put(struct buf *out, const struct shard_order *order, const struct item *it,
		     size_t at[SHARD_ORDER_MAX]);

/* Attributes that are asked for only to merge by. */
struct shard_hidden {
	struct slice names[SHARD_ORDER_MAX];
	size_t n;
};

/** shard_order_hidden - those of @order that the projection does not name */
struct shard_hidden shard_order_hidden(const struct shard_order *order,
				       const struct placeholders *ph, struct slice projection);

/** shard_order_shown - the item without them */
struct item shard_order_shown(struct arena *a, const struct shard_hidden *h, const struct item *it);

#endif
