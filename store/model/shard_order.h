/*
 * shard_order - the order in which the items of several queries are merged
 *
 * The queries read the shards of a write-sharded key. The items of each shard are already in this order.
 */
#ifndef STORE_MODEL_SHARD_ORDER_H
#define STORE_MODEL_SHARD_ORDER_H

#include "store/model/placeholders.h"
#include "store/model/schema.h"

enum { SHARD_ORDER_MAX = KEY_PART_MAX + 2 };

/* The sort key of the table or index, then the table's key. */
struct shard_order {
	const struct key_attr *at[SHARD_ORDER_MAX];
	size_t n;
};

/** shard_order - return the order for @key, the key of the table or index that is queried; @s and @key are borrowed */
struct shard_order shard_order(const struct schema *s, const struct key_schema *key);

/**
 * shard_order_put - append the bytes by which @it is sorted with memcmp
 * @at: positions of the attributes in the last item, for a faster search; zeros at first; updated
 */
void shard_order_put(struct buf *out, const struct shard_order *order, const struct item *it,
		     size_t at[SHARD_ORDER_MAX]);

/* Attributes that are requested only for merging. */
struct shard_hidden {
	struct slice names[SHARD_ORDER_MAX];
	size_t n;
};

/** shard_order_hidden - return the attributes of @order that the projection does not name */
struct shard_hidden shard_order_hidden(const struct shard_order *order,
				       const struct placeholders *ph, struct slice projection);

/** shard_order_shown - return @it without the attributes in @h; in @a, with borrowed values */
struct item shard_order_shown(struct arena *a, const struct shard_hidden *h, const struct item *it);

#endif
