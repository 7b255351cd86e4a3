/*
 * ops_move - a partition's directory gets another name: all of its items in one
 * transaction, or EXDEV, upon which mv copies and deletes.
 */
#include <errno.h>

#include "store/model/limits.h"

#include "fs/hidden.h"
#include "fs/ops.h"

enum { MOVE_ITEMS_MAX = 100 };

struct items {
	struct item at[MOVE_ITEMS_MAX];
	size_t n;
	size_t bytes;
};

/* Open texts below the directory are saved first. */
static int
settle_files(struct request *rq, const struct node *dir)
{
	struct file **all;
	size_t n = file_all(rq->m, &rq->c.arena, &all);
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		if (r == 0 && inode_parent(&rq->m->inodes, all[i]->node) == dir) {
			r = ops_settle_file(rq, all[i]->node);
		}
		file_put(rq->m, all[i]);
	}
	return r;
}

static int
read_items(struct request *rq, const struct place *p, struct items *out)
{
	struct name_alias name = {.alias = SLICE("#k"), .name = p->schema->key.pk->name};
	struct attr value = {.name = SLICE(":k"), .value = p->pk.at[0]};
	struct query_in in = {
		.read = {.table = p->table,
			 .ph = {.names = &name,
				.n_names = 1,
				.names_given = true,
				.values = {.at = &value, .n = 1},
				.values_given = true},
			 .consistent = true,
			 .has_limit = true,
			 .limit = MOVE_ITEMS_MAX + 1},
		.key_condition = SLICE("#k = :k"),
	};
	struct query_out answer = {0};

	out->n = 0;
	out->bytes = 0;
	do {
		int r = engine_query(rq->m->engine, &rq->c, &in, &answer);

		if (r < 0) {
			return r;
		}
		if (out->n + answer.page.count > MOVE_ITEMS_MAX) {
			return PLACE_APART;
		}
		for (size_t i = 0; i < answer.page.count; i++) {
			out->at[out->n++] = answer.page.items[i];
			out->bytes += item_size(&answer.page.items[i]);
		}
		in.read.start = answer.page.last;
	} while (in.read.start.n > 0 && out->bytes <= LIMIT_TRANSACTION_BYTES);
	return out->bytes > LIMIT_TRANSACTION_BYTES ? PLACE_APART : 0;
}

static struct item
key_of(struct request *rq, const struct schema *s, const struct item *it)
{
	const struct item none = {0};
	struct item key = item_with_key(&rq->c.arena, &s->key, it, &none);

	key.n = 2;
	return key;
}

static struct item
with_partition(struct request *rq, const struct place *to, const struct item *it)
{
	struct attr pk = {.name = to->schema->key.pk->name, .value = to->pk.at[0]};
	struct item key = {.at = &pk, .n = 1};

	return item_with_key(&rq->c.arena, &to->schema->key, it, &key);
}

static int
move_items(struct request *rq, const struct place *from, const struct place *to,
	   const struct items *items)
{
	static const uint64_t none = 0;
	const uint64_t all = items->n;
	struct transact_action *actions =
		arena_new(&rq->c.arena, struct transact_action, 2 * items->n);

	for (size_t i = 0; i < items->n; i++) {
		actions[2 * i] = (struct transact_action){
			.kind = TRANSACT_DELETE,
			.table = from->table,
			.item = key_of(rq, from->schema, &items->at[i]),
			.seen = {.item = &items->at[i], .siblings = &all},
		};
		actions[2 * i + 1] = (struct transact_action){
			.kind = TRANSACT_PUT,
			.table = to->table,
			.item = with_partition(rq, to, &items->at[i]),
			.seen.siblings = &none,
		};
	}
	return ops_transact(rq, actions, 2 * items->n, 2 * items->n);
}

/* Names of the items stay, their texts do not. */
static void
mark_moved(struct request *rq, struct node *dir, const struct place *p, const struct items *items)
{
	struct slice suffix = slice_from(rq->m->suffix);

	for (size_t i = 0; i < items->n; i++) {
		struct values pk, value;
		struct buf component, name;

		if (!place_entry_values(&rq->c.arena, p->schema, NULL, &items->at[i], &pk,
					&value)) {
			continue;
		}
		buf_init(&component, &rq->c.arena);
		buf_init(&name, &rq->c.arena);
		place_put_values(&component, NULL, &value);
		(void)path_put_name(&name, buf_view(&component), suffix);
		struct node *n =
			inode_find(&rq->m->inodes, dir, slice_of(name.at, name.len - suffix.len));

		if (n != NULL) {
			ops_moved(rq, n);
			inode_unref(&rq->m->inodes, n);
		}
	}
}

/* 0: the target may be taken. */
static int
check_target(struct request *rq, const struct move *mv)
{
	const struct node *to = mv->to_node;
	bool pending = to != NULL && pending_is(to);
	int r = place_has_items(rq->m, &rq->c, &mv->to.place);

	if (r < 0) {
		return r;
	}
	if (r == 1 || pending) {
		return (mv->flags & MOVE_NOREPLACE) != 0 ? PLACE_EXISTS
		       : r == 1                          ? PLACE_NOT_EMPTY
							 : 0;
	}
	return 0;
}

int
ops_move_partition(struct request *rq, struct move *mv)
{
	struct node *from = mv->from_node, *to = mv->to_node;
	struct items *items = arena_new(&rq->c.arena, struct items, 1);

	if (to != NULL) {
		hidden_settle(rq->m, &rq->c, to);
	}
	int r = check_target(rq, mv);

	if (r == 0) {
		r = settle_files(rq, from);
	}
	if (r == 0) {
		hidden_settle(rq->m, &rq->c, from);
	}
	if (r == 0 && mv->from.place.pk.n > 0) {
		r = read_items(rq, &mv->from.place, items);
	}
	if (r == 0 && items->n == 0 && !pending_is(from)) {
		return PLACE_ABSENT;
	}
	if (r == 0 && items->n > 0 && mv->to.place.pk.n == 0) {
		return call_fail(&rq->c, ERR_VALIDATION,
				 "a shortened name does not tell which partition key is meant");
	}
	if (r == 0 && items->n > 0) {
		r = move_items(rq, &mv->from.place, &mv->to.place, items);
	}
	if (r != 0) {
		return r;
	}
	if (to != NULL) {
		(void)pending_drop(rq->m, to);
	}
	inode_move(&rq->m->inodes, from, NODE_PARTITION, mv->to_dir, mv->to.stem, mv->to.full);
	mark_moved(rq, from, &mv->from.place, items);
	return 0;
}
