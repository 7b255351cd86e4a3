/* shard_order - see shard_order.h */
#include "store/model/shard_order.h"

#include "store/model/sort_key.h"

static void
shard_order_add(struct shard_order *o, const struct key_attr part[KEY_PART_MAX])
{
	for (size_t i = 0; i < key_part_n(part); i++) {
		o->at[o->n++] = &part[i];
	}
}

struct shard_order
shard_order(const struct schema *s, const struct key_schema *key)
{
	struct shard_order o = {.n = 0};

	shard_order_add(&o, key->sk);
	shard_order_add(&o, s->key.pk);
	shard_order_add(&o, s->key.sk);
	return o;
}

/* The value of a key attribute, or NULL. @at: its position in the last item, where it usually is again; updated */
static const struct value *
shard_order_find(const struct item *it, const struct key_attr *key, size_t *at)
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
		const struct value *v = shard_order_find(it, order->at[i], &at[i]);

		if (v != NULL) {
			sort_key_put(out, v);
		}
		sort_key_end(out);
	}
}

/* ------------------------------------------------------------ projections */

/* Whether the projection names exactly the attribute @name. */
static bool
projects(const struct placeholders *ph, struct slice projection, struct slice name)
{
	while (projection.len > 0) {
		struct slice path = ascii_trim(slice_take(&projection, ','));

		for (size_t i = 0; i < ph->n_names; i++) {
			if (slice_eq(ph->names[i].alias, path) &&
			    slice_eq(ph->names[i].name, name)) {
				return true;
			}
		}
		if (slice_eq(path, name)) {
			return true;
		}
	}
	return false;
}

static bool
is_hidden(const struct shard_hidden *h, struct slice name)
{
	for (size_t i = 0; i < h->n; i++) {
		if (slice_eq(h->names[i], name)) {
			return true;
		}
	}
	return false;
}

struct shard_hidden
shard_order_hidden(const struct shard_order *order, const struct placeholders *ph,
		   struct slice projection)
{
	struct shard_hidden h = {.n = 0};

	for (size_t i = 0; i < order->n; i++) {
		struct slice name = order->at[i]->name;

		if (!is_hidden(&h, name) && !projects(ph, projection, name)) {
			h.names[h.n++] = name;
		}
	}
	return h;
}

struct item
shard_order_shown(struct arena *a, const struct shard_hidden *h, const struct item *it)
{
	struct item out = {.at = arena_new(a, struct attr, it->n + 1)};

	for (size_t i = 0; i < it->n; i++) {
		if (!is_hidden(h, it->at[i].name)) {
			out.at[out.n++] = it->at[i];
		}
	}
	return out;
}
