/* shard_order - pure: an item's key as bytes, for the merging of shards */
#include "store/model/shard_order.h"

#include "store/model/sort_key.h"

static void
add(struct shard_order *o, const struct key_attr part[KEY_PART_MAX])
{
	for (size_t i = 0; i < key_part_n(part); i++) {
		o->at[o->n++] = &part[i];
	}
}

struct shard_order
shard_order(const struct schema *s, const struct key_schema *key)
{
	struct shard_order o = {.n = 0};

	add(&o, key->sk);
	add(&o, s->key.pk);
	add(&o, s->key.sk);
	return o;
}

/* The value of a key attribute; mostly it stands @at the place where it stood in the item before. */
static const struct value *
find(const struct item *it, const struct key_attr *key, size_t *at)
{
	if (*at >= it->n || !slice_eq(it->at[*at].name, key->name)) {
		for (*at = 0; *at < it->n && !slice_eq(it->at[*at].name, key->name); ++*at) {
		}
	}
	return *at < it->n && it->at[*at].value.type == key->type ? &it->at[*at].value : NULL;
}

void
shard_order_put(struct buf *out, const struct shard_order *order, const struct item *it,
		size_t at[SHARD_ORDER_MAX])
{
	for (size_t i = 0; i < order->n; i++) {
		const struct value *v = find(it, order->at[i], &at[i]);

		if (v != NULL) {
			sort_key_put(out, v);
		}
		sort_key_end(out);
	}
}
