/*
 * transact_get - TransactGetItems: up to 100 items of one state of the store
 */
#include "store/expr/expr.h"
#include "store/local/capacity.h"
#include "store/local/get.h"
#include "store/local/key.h"
#include "store/model/limits.h"

/* One member of the transaction, bound. */
struct member {
	const struct schema *schema;
	struct expr_projection *projection;
	struct slice key;
};

static int
bind(struct local *l, struct call *c, const struct transact_get *get, struct member *out)
{
	int r = get_bind(l, c, get->table, get->projection, &get->ph, NULL, &out->schema,
			 &out->projection);

	return r < 0 ? r : get_key(c, out->schema, &get->key, &out->key);
}

int
local_exec_transact_get_items(struct local *l, struct call *c,
			      const struct transact_get_items_in *in,
			      struct transact_get_items_out *out)
{
	struct member *members = arena_new(&c->arena, struct member, in->n_gets);
	struct slice *keys = arena_new(&c->arena, struct slice, in->n_gets);
	struct item *items = arena_new(&c->arena, struct item, in->n_gets);
	bool *found = arena_new(&c->arena, bool, in->n_gets);
	struct capacity_sheet sheet = capacity_sheet(c, in->capacity);
	size_t bytes = 0;

	for (size_t i = 0; i < in->n_gets; i++) {
		int r = bind(l, c, &in->gets[i], &members[i]);

		if (r < 0) {
			return r;
		}
		keys[i] = members[i].key;
	}
	int distinct = key_check_actions(c, keys, in->n_gets);

	if (distinct < 0) {
		return distinct;
	}
	cleanup(get_snapshot_free) struct get_snapshot snapshot = get_snapshot(l);

	for (size_t i = 0; i < in->n_gets; i++) {
		struct got got = {0};
		int r = get_one(l, c, snapshot.at, members[i].key, &got);

		if (r < 0) {
			return r;
		}
		capacity_count_read(&sheet, members[i].schema, in->gets[i].table, got.item_bytes,
				    CAPACITY_TRANSACTION);
		if (r == GET_ABSENT) {
			continue;
		}
		bytes += got.item_bytes;
		if (bytes > LIMIT_TRANSACTION_BYTES) {
			return call_fail(c, ERR_VALIDATION,
					 "The aggregate size of the items in the transaction "
					 "exceeds 4 MB");
		}
		found[i] = true;
		items[i] = expr_project(c, members[i].projection, &got.item);
	}
	*out = (struct transact_get_items_out){
		.items = items,
		.found = found,
		.n_items = in->n_gets,
		.consumed = capacity_tell(&sheet, CAPACITY_READ),
	};
	return 0;
}
