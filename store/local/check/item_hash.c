/* item_hash - sums of keyed hashes, where the order does not matter; chained hashes for lists */
#include "store/local/check/table_scan_int.h"

static void
item_hash_add(struct hash128 *sum, struct hash128 h)
{
	sum->low += h.low;
	sum->high += h.high;
}

static struct hash128 value_hash(const struct hash_key *key, const struct value *v);

static struct hash128
list_hash(const struct hash_key *key, const struct values *list, bool set)
{
	struct hash128 all = {0, set ? 0 : list->n};

	for (size_t i = 0; i < list->n; i++) {
		const struct value *v = &list->at[i];

		if (set) {
			item_hash_add(&all, hash_keyed(key, v->text));
		} else {
			all = hash_join(key, all, value_hash(key, v), v->type);
		}
	}
	return all;
}

/* The type is not included: the caller adds it. */
static struct hash128
value_hash(const struct hash_key *key, const struct value *v)
{
	switch (v->type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		return hash_keyed(key, v->text);
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
	case VALUE_L:
		return list_hash(key, &v->list, v->type != VALUE_L);
	case VALUE_M:
		return item_hash(key, &v->map);
	case VALUE_BOOL:
		return (struct hash128){v->truth, 0};
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return (struct hash128){0, 0};
}

struct hash128
item_hash(const struct hash_key *key, const struct item *it)
{
	struct hash128 sum = {0, 0};

	for (size_t i = 0; i < it->n; i++) {
		const struct attr *a = &it->at[i];

		item_hash_add(&sum, hash_join(key, hash_keyed(key, a->name),
					      value_hash(key, &a->value), a->value.type));
	}
	return sum;
}
