/*
 * ops_move - renames and exchanges of partitions
 *
 * All items of the partitions are moved in one transaction.  If that is not possible, the rename fails with EXDEV, and
 * mv(1) copies and deletes.
 */
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/core/times.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_remote.h"
#include "fs/place/place_stat.h"

enum { MOVE_ITEMS_MAX = 100 };

/* The items of a partition. */
struct items {
	struct item at[MOVE_ITEMS_MAX];
	uint64_t mtime_ns[MOVE_ITEMS_MAX];
	uint64_t n;
	size_t bytes;
};

/* Commit the open texts in the directory. */
static int
settle_files(struct request *rq, const struct node *dir)
{
	struct file **all;
	size_t n = file_all(rq->m, &rq->c.arena, &all);
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		if (r == 0 && inode_is_child(&rq->m->inodes, all[i]->node, dir)) {
			r = ops_settle_file(rq, all[i]->node);
		}
		file_put(rq->m, all[i]);
	}
	return r;
}

static struct item
ops_move_key_of(struct request *rq, const struct schema *s, const struct item *it)
{
	const struct item none = {0};
	struct item key = item_with_key(&rq->c.arena, &s->key, it, &none);

	key.n = 2;
	return key;
}

/* The time of an item, which a move keeps.  0: the item is gone, so its condition in the transaction will be false. */
static uint64_t
ops_move_time_of(const struct place *p, const struct list_entries_out *listed,
		 const struct item *it)
{
	const struct value *sk = item_get(it, p->schema->key.sk->name);

	for (size_t i = 0; i < listed->n_entries; i++) {
		if (value_eq(place_listed_values(p, &listed->entries[i]).at, sk)) {
			return listed->entries[i].mtime_ns;
		}
	}
	return 0;
}

static int
read_times(struct request *rq, const struct place *p, struct items *items)
{
	struct list_entries_in in = {.limit = MOVE_ITEMS_MAX};
	struct list_entries_out listed = {0};

	if (mount_is_remote(rq->m)) {
		return 0; /* an endpoint stores no times */
	}
	int r = place_list_entries(rq->m, &rq->c, p, &in, &listed);

	for (size_t i = 0; r == 0 && i < items->n; i++) {
		items->mtime_ns[i] = ops_move_time_of(p, &listed, &items->at[i]);
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
			const struct item *it = &answer.page.items[i];

			out->at[out->n++] = *it;
			out->bytes += item_size(it);
		}
		in.read.start = answer.page.last;
	} while (in.read.start.n > 0 && out->bytes <= LIMIT_TRANSACTION_BYTES);
	return out->bytes > LIMIT_TRANSACTION_BYTES ? PLACE_APART : read_times(rq, p, out);
}

static struct item
with_partition(struct request *rq, const struct place *to, const struct item *it)
{
	struct attr pk = {.name = to->schema->key.pk->name, .value = to->pk.at[0]};
	struct item key = {.at = &pk, .n = 1};

	return item_with_key(&rq->c.arena, &to->schema->key, it, &key);
}

/* The item with the same sort key as @it, or NULL. */
static const struct item *
twin_of(const struct items *items, const struct schema *s, const struct item *it)
{
	const struct value *sk = item_get(it, s->key.sk->name);

	for (size_t i = 0; i < items->n; i++) {
		if (value_eq(item_get(&items->at[i], s->key.sk->name), sk)) {
			return &items->at[i];
		}
	}
	return NULL;
}

/* One of the two partitions of a move. */
struct end {
	const struct place *place;
	const struct items *items;
};

/* Add actions that move the items of @from to the partition of @to, if both partitions are still as they were read. */
static size_t
add_actions(struct request *rq, struct end from, struct end to, struct transact_action *out)
{
	const struct schema *s = from.place->schema;
	size_t n = 0;

	for (size_t i = 0; i < from.items->n; i++) {
		const struct item *it = &from.items->at[i];
		const struct item *twin = twin_of(to.items, s, it);
		struct transact_action *put = &out[n++];

		*put = (struct transact_action){
			.kind = TRANSACT_PUT,
			.table = to.place->table,
			.item = with_partition(rq, to.place, it),
			.mtime_ns = from.items->mtime_ns[i],
			.seen = {.item = twin, .siblings = &to.items->n},
		};
		/* An endpoint cannot check the number of items: demand at least that none is replaced. */
		if (twin == NULL && mount_is_remote(rq->m)) {
			place_demand_absence(rq->m, &rq->c.arena, to.place, DEMAND(put));
		}
		/* With a twin, the move in the other direction replaces the item, so it is not deleted. */
		if (twin == NULL) {
			out[n++] = (struct transact_action){
				.kind = TRANSACT_DELETE,
				.table = from.place->table,
				.item = ops_move_key_of(rq, s, it),
				.seen = {.item = it, .siblings = &from.items->n},
			};
		}
	}
	return n;
}

/* The largest number of actions.  Our own engine accepts twice as many from the mount as DynamoDB. */
static size_t
actions_max(const struct mount *m)
{
	return mount_is_remote(m) ? LIMIT_TRANSACTION : (size_t)2 * MOVE_ITEMS_MAX;
}

/* Move the items of @a to the partition of @b, and those of @b to that of @a. */
static int
move_items(struct request *rq, struct end a, struct end b)
{
	assert(lock_held_write(&rq->m->names_lock));
	size_t most = 2 * (a.items->n + b.items->n);
	struct transact_action *actions = arena_new(&rq->c.arena, struct transact_action, most);

	if ((a.items->n > 0 && b.place->pk.n == 0) || (b.items->n > 0 && a.place->pk.n == 0)) {
		return call_fail(&rq->c, ERR_VALIDATION,
				 "a shortened name does not determine the partition key");
	}
	size_t n = add_actions(rq, a, b, actions);

	n += add_actions(rq, b, a, actions + n);
	if (n > actions_max(rq->m) || a.items->bytes + b.items->bytes > LIMIT_TRANSACTION_BYTES) {
		return PLACE_APART;
	}
	return n == 0 ? 0 : ops_transact(rq, actions, n, n);
}

/* ------------------------------------------------------------ the kernel's view of the moved files */

/* The node names in a partition: first of the items, then of the files that only this mount has. */
struct names {
	struct slice *at;
	size_t n_items;
	size_t n;
};

static struct names
names_in(struct request *rq, const struct node *dir, const struct place *p,
	 const struct items *items)
{
	struct slice suffix = slice_from(rq->m->suffix), *own;
	size_t n_own = file_list_own(rq->m, &rq->c.arena, dir, &own);
	struct names out = {.at = arena_new(&rq->c.arena, struct slice, items->n + n_own)};

	for (size_t i = 0; i < items->n; i++) {
		struct values pk, value;

		if (place_entry_values(&rq->c.arena, p->schema, NULL, &items->at[i], &pk, &value)) {
			struct slice name = place_name(&rq->c.arena, NULL, &value, suffix);

			out.at[out.n++] = slice_of(name.at, name.len - suffix.len);
		}
	}
	out.n_items = out.n;
	for (size_t i = 0; i < n_own; i++) {
		out.at[out.n++] = own[i];
	}
	return out;
}

static uint64_t
ino_in(uint64_t dir_ino, struct slice name)
{
	return name.at[0] == '/' ? place_scratch_ino(dir_ino, slice_skip(name, 1))
				 : place_child_ino(dir_ino, name);
}

static void
take_access_times(struct mount *m, const struct names *names, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < names->n; i++) {
		times_move(&m->access_times, ino_in(from, names->at[i]), ino_in(to, names->at[i]));
	}
}

/* The key attributes in the texts have changed. */
static void
mark_moved(struct request *rq, struct node *dir, const struct names *names)
{
	for (size_t i = 0; i < names->n_items; i++) {
		struct node *n = inode_find(&rq->m->inodes, dir, names->at[i]);

		if (n != NULL) {
			ops_moved(rq, n);
			inode_unref(&rq->m->inodes, n);
		}
	}
}

/* ------------------------------------------------------------ */

/*
 * Commit open texts, delete hidden items, and read the items of a partition.
 *
 * Return: 0; PLACE_ABSENT: it has no items and is not pending; or another outcome or error
 */
static int
ops_move_gather(struct request *rq, struct node *dir, const struct place *p, struct items **out)
{
	struct items *items = arena_new(&rq->c.arena, struct items, 1);
	int r = settle_files(rq, dir);

	*out = items;
	if (r == 0) {
		hidden_settle(rq->m, &rq->c, dir);
	}
	if (r == 0 && p->pk.n > 0) {
		r = read_items(rq, p, items);
	}
	return r == 0 && items->n == 0 && !pending_is(dir) ? PLACE_ABSENT : r;
}

/* Return: 0 if the target is free or may be replaced */
static int
check_target(struct request *rq, const struct move *mv)
{
	struct node *to = mv->to_node;
	bool shown = to != NULL && pending_is(to);

	if (to != NULL) {
		hidden_settle(rq->m, &rq->c, to);
	}
	int r = place_has_items(rq->m, &rq->c, &mv->to.place);

	if (r < 0 || (r == 0 && !shown)) {
		return r;
	}
	if ((mv->flags & MOVE_NOREPLACE) != 0) {
		return PLACE_EXISTS;
	}
	return r == 1 || file_has_own(rq->m, to) ? PLACE_NOT_EMPTY : 0;
}

static int
move_names(struct request *rq, struct move *mv, const struct items *from, const struct items *to)
{
	write_scope(&rq->m->names_lock);
	int r = move_items(rq, (struct end){&mv->from.place, from},
			   (struct end){&mv->to.place, to});

	if (r == 0 && (mv->flags & MOVE_EXCHANGE) != 0) {
		inode_swap(&rq->m->inodes, mv->from_node, mv->to_node);
		return 0;
	}
	if (r == 0 && mv->to_node != NULL) {
		(void)pending_drop(rq->m, mv->to_node);
	}
	if (r == 0) {
		inode_move(&rq->m->inodes, mv->from_node, NODE_PARTITION, mv->to_dir, mv->to.stem,
			   mv->to.full);
	}
	return r;
}

static int
ops_move_move(struct request *rq, struct move *mv)
{
	static const struct items none;
	struct items *items;
	int r = check_target(rq, mv);

	if (r == 0) {
		r = ops_move_gather(rq, mv->from_node, &mv->from.place, &items);
	}
	if (r == 0) {
		r = move_names(rq, mv, items, &none);
	}
	if (r != 0) {
		return r;
	}
	struct names names = names_in(rq, mv->from_node, &mv->from.place, items);

	take_access_times(rq->m, &names, mv->from.place.ino, mv->to.place.ino);
	mark_moved(rq, mv->from_node, &names);
	ops_scratch_moved(rq, mv->from_node);
	return 0;
}

static int
ops_move_exchange(struct request *rq, struct move *mv)
{
	struct items *from, *to;
	int r = mv->to_node == NULL ? PLACE_ABSENT
				    : ops_move_gather(rq, mv->from_node, &mv->from.place, &from);

	if (r == 0) {
		r = ops_move_gather(rq, mv->to_node, &mv->to.place, &to);
	}
	if (r == 0) {
		r = move_names(rq, mv, from, to);
	}
	if (r != 0) {
		return r;
	}
	struct names a = names_in(rq, mv->from_node, &mv->from.place, from);
	struct names b = names_in(rq, mv->to_node, &mv->to.place, to);
	uint64_t a_ino = mv->from.place.ino, b_ino = mv->to.place.ino;
	uint64_t aside = place_child_ino(a_ino, SLICE("/exchanged")); /* no file's number */

	take_access_times(rq->m, &a, a_ino, aside);
	take_access_times(rq->m, &b, b_ino, a_ino);
	take_access_times(rq->m, &a, aside, b_ino);
	mark_moved(rq, mv->from_node, &a);
	mark_moved(rq, mv->to_node, &b);
	ops_scratch_moved(rq, mv->from_node);
	ops_scratch_moved(rq, mv->to_node);
	return 0;
}

int
ops_move_partition(struct request *rq, struct move *mv)
{
	assert(mv->from.kind == NODE_PARTITION && mv->from_node != NULL);
	return (mv->flags & MOVE_EXCHANGE) != 0 ? ops_move_exchange(rq, mv) : ops_move_move(rq, mv);
}
