/*
 * where_partition - the partitions that a condition names
 *
 * A partition key is compared for equality: by =, IN, or an OR of such.
 */
#include "store/partiql/where_int.h"

/* A statement holds some four thousand values; of a key of several attributes they multiply. */
enum { PARTITIONS_MAX = 10000 };

/* Values of the partition key, each once. */
struct keys {
	struct arena *arena;
	const struct value **at;
	size_t n;
	size_t cap;
};

static void
add_key(struct keys *keys, const struct value *v)
{
	for (size_t i = 0; i < keys->n; i++) {
		if (value_eq(keys->at[i], v)) {
			return;
		}
	}
	keys->at =
		arena_room_of(keys->arena, keys->at, sizeof(struct value *), keys->n, &keys->cap);
	keys->at[keys->n++] = v;
}

/* What of @n can only be true of items with one of these keys?  False: nothing. */
static bool
find_keys(const struct node *n, struct slice name, struct keys *keys)
{
	const struct value *v = parts_equal_to(n, name);
	size_t before = keys->n;
	bool all = n->type == NODE_OR;

	if (v != NULL) {
		add_key(keys, v);
		return true;
	}
	if (parts_is_list(n, name)) {
		for (size_t i = 1; i < n->n; i++) {
			add_key(keys, n->arg[i]->value);
		}
		return true;
	}
	if (n->type != NODE_AND && n->type != NODE_OR) {
		return false;
	}
	for (size_t i = 0; i < n->n; i++) {
		if (find_keys(n->arg[i], name, keys) != all) {
			keys->n = all ? before : keys->n;
			return !all;
		}
	}
	return all;
}

/* The first part that names values of @pk; only "=" and IN say no more than the runs do. */
static int
take_keys(struct call *c, struct parts *p, const struct key_attr *pk, struct keys *keys)
{
	for (size_t i = 0; i < p->n && keys->n == 0; i++) {
		if (p->at[i] == NULL || !find_keys(p->at[i], pk->name, keys)) {
			continue;
		}
		for (size_t k = 0; k < keys->n; k++) {
			bool list = p->at[i]->type == NODE_IN;
			int r = list && keys->at[k]->type != pk->type
					? where_wrong_list(c)
					: where_check_value(c, pk, keys->at[k]);

			if (r < 0) {
				return r;
			}
		}
		if (p->at[i]->type == NODE_IN || p->at[i]->type == NODE_EQ) {
			p->at[i] = NULL;
		}
	}
	return 0;
}

/* Every partition that the values of @keys, one set for each attribute, make together. */
static int
cross(struct call *c, const struct keys *keys, size_t n_keys, struct key_values **out, size_t *n)
{
	size_t all = 1;

	for (size_t i = 0; i < n_keys; i++) {
		all *= keys[i].n;
		if (all > PARTITIONS_MAX) {
			return call_fail(c, ERR_VALIDATION,
					 "The IN operator is provided with too many operands; "
					 "number of operands: %zu",
					 all);
		}
	}
	*out = arena_new(&c->arena, struct key_values, all);
	*n = all;
	for (size_t i = 0; i < all; i++) {
		size_t left = i;

		(*out)[i].n = n_keys;
		for (size_t k = n_keys; k > 0; k--) {
			(*out)[i].at[k - 1] = keys[k - 1].at[left % keys[k - 1].n];
			left /= keys[k - 1].n;
		}
	}
	return 0;
}

int
where_partitions(struct call *c, struct parts *p, const struct key_schema *k,
		 struct key_values **out, size_t *n)
{
	struct keys keys[KEY_PART_MAX];
	size_t n_keys = key_part_n(k->pk);
	struct parts before = {.arena = p->arena};

	*n = 0;
	for (size_t i = 0; i < p->n; i++) {
		parts_add(&before, p->at[i]);
	}
	for (size_t i = 0; i < n_keys; i++) {
		keys[i] = (struct keys){.arena = &c->arena};
		int r = take_keys(c, p, &k->pk[i], &keys[i]);

		if (r < 0) {
			return r;
		}
		if (keys[i].n == 0) {
			*p = before;
			return 0;
		}
	}
	return cross(c, keys, n_keys, out, n);
}
