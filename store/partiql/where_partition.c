/*
 * where_partition - the partitions that a condition names
 *
 * The partition key is compared for equality: by =, IN, or an OR of such.  It is one
 * attribute: statements about indexes with several are refused.
 */
#include "store/model/value.h"
#include "store/partiql/where_int.h"

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
where_partition_find_keys(const struct node *n, struct slice name, struct keys *keys)
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
		if (where_partition_find_keys(n->arg[i], name, keys) != all) {
			keys->n = all ? before : keys->n;
			return !all;
		}
	}
	return all;
}

void
where_partitions(struct call *c, struct parts *p, const struct key_schema *k,
		 struct key_values **out, size_t *n)
{
	struct keys keys = {.arena = &c->arena};

	for (size_t i = 0; i < p->n && keys.n == 0; i++) {
		/* Only "=" and IN say no more than the runs do. */
		if (where_partition_find_keys(p->at[i], k->pk[0].name, &keys) &&
		    (p->at[i]->type == NODE_IN || p->at[i]->type == NODE_EQ)) {
			p->at[i] = NULL;
		}
	}
	*n = keys.n;
	*out = arena_new(&c->arena, struct key_values, keys.n);
	for (size_t i = 0; i < keys.n; i++) {
		(*out)[i].n = 1;
		(*out)[i].at[0] = keys.at[i];
	}
}
