/*
 * ops_move_item - renames of items, and the transaction of all renames
 *
 * A rename is one transaction that deletes the item at the old name and puts it at the new one.  An exchange is two
 * puts.  The transaction demands that each item is still as it was read.  If it is not, the result is PLACE_CHANGED and
 * ops_move() begins again.
 */
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/op/op.h"

#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_find.h"
#include "fs/place/place_remote.h"
#include "fs/place/place_stat.h"

/* ------------------------------------------------------------ the transaction */

/* The outcome for the error of a transaction, from the reason of the first action that failed. */
static int
ops_rename_explain(const struct request *rq, int r, size_t target)
{
	const struct error *e = &rq->c.error;

	if (r == -ERR_UNKNOWN_OPERATION) {
		return PLACE_ONE_BY_ONE;
	}
	if (r != -ERR_CANCELED) {
		return r;
	}
	for (size_t i = 0; i < e->n_reasons; i++) {
		if (slice_is(e->reasons[i].code, "ConditionalCheckFailed")) {
			return i == target ? PLACE_EXISTS : PLACE_CHANGED;
		}
		if (slice_is(e->reasons[i].code, "ValidationError")) {
			return -ERR_VALIDATION;
		}
		/* These pass: the request may be tried again. */
		if (slice_is(e->reasons[i].code, "ProvisionedThroughputExceeded") ||
		    slice_is(e->reasons[i].code, "ThrottlingError") ||
		    slice_is(e->reasons[i].code, "TransactionConflict")) {
			return -ERR_THROTTLED;
		}
	}
	return r;
}

int
ops_transact(struct request *rq, const struct transact_action *actions, size_t n, size_t target)
{
	assert(n > 0 && target <= n);
	struct transact_action *asked = arena_new(&rq->c.arena, struct transact_action, n);
	struct transact_write_items_in in = {.actions = asked, .n_actions = n, .unsynced = true};
	struct transact_write_items_out out;

	for (size_t i = 0; i < n; i++) {
		asked[i] = actions[i];
		unchanged_demand(rq->m, &rq->c.arena, DEMAND(&asked[i]));
	}
	int r = engine_transact_write_items(rq->m->engine, &rq->c, &in, &out);

	place_wrote(rq->m);

	return ops_rename_explain(rq, r, target);
}

/* Set @out to @it with the key of @child.  Learns the full component if the name of @child is shortened. */
static int
rekey(struct request *rq, struct move *mv, struct child *child, const struct item *it,
      struct item *out)
{
	struct slice partition, full;

	*out = item_with_key(&rq->c.arena, &child->place.schema->key, it, &child->place.key);
	int r = place_adopt(&rq->c, &child->place, rq->m->suffix, out, &partition, &full);

	if (full.len > 0) {
		child->full = full;
	}
	if (r == 0 && partition.len > 0) {
		inode_set_full(&rq->m->inodes, mv->to_dir, partition);
	}
	return r;
}

/* ------------------------------------------------------------ items */

int
ops_text_of_replaced(struct request *rq, const struct node *n, const struct place *p,
		     struct buf *text)
{
	assert(lock_held_write(&rq->m->names_lock));
	if (n == NULL || !file_is_open(rq->m, n)) {
		return 0;
	}
	int r = file_render(rq->m, &rq->c, p, text);

	return r == PLACE_ABSENT ? 0 : r;
}

void
ops_let_go(struct request *rq, struct node *n, struct slice text)
{
	assert(lock_held_write(&rq->m->names_lock));
	if (n != NULL && file_is_open(rq->m, n)) {
		file_unlinked(rq->m, &rq->c, n, text);
	}
}

bool
ops_is_new_file(struct request *rq, struct node *n)
{
	struct file *f = n == NULL ? NULL : file_get(rq->m, n);
	bool is_new = f != NULL && file_is_new(f);

	file_put(rq->m, f);
	return is_new;
}

/* Rename in the store, then among the nodes.  @actions: a delete and a put */
static int
ops_rename_take_name(struct request *rq, struct move *mv, struct transact_action *actions)
{
	struct node *from = mv->from_node, *to = mv->to_node;
	struct place *target = &mv->to.place;
	struct buf replaced;
	write_scope(&rq->m->names_lock);

	buf_init(&replaced, &rq->c.arena);
	int r = ops_text_of_replaced(rq, to, target, &replaced);

	if (r != 0) {
		return r;
	}
	struct hidden *before = hidden_claim(rq->m, mv->to_dir, mv->to.stem);

	if ((mv->flags & MOVE_NOREPLACE) != 0 && before == NULL) {
		place_demand_absence(rq->m, &rq->c.arena, target, DEMAND(&actions[1]));
	}
	r = ops_transact(rq, actions, 2, 1);
	hidden_let_go(rq->m, before, r == 0);
	if (r != 0) {
		return r;
	}
	ops_let_go(rq, to, buf_view(&replaced));
	if (from != NULL) {
		inode_move(&rq->m->inodes, from, NODE_ITEM, mv->to_dir, mv->to.stem, mv->to.full);
	}
	return 0;
}

static int
ops_rename_replace(struct request *rq, struct move *mv)
{
	struct place *source = &mv->from.place, *target = &mv->to.place;
	struct item item, moved;
	uint64_t mtime_ns;

	if ((mv->flags & MOVE_NOREPLACE) != 0 && ops_is_new_file(rq, mv->to_node)) {
		return PLACE_EXISTS;
	}
	int r = place_read(rq->m, &rq->c, source, &item, &mtime_ns);

	if (r == 0) {
		r = rekey(rq, mv, &mv->to, &item, &moved);
	}
	if (r != 0 || item_eq(&item, &moved)) {
		return r;
	}
	/* The item keeps its time. */
	struct transact_action actions[] = {
		{.kind = TRANSACT_DELETE,
		 .table = source->table,
		 .item = source->key,
		 .seen.item = &item},
		{.kind = TRANSACT_PUT, .table = target->table, .item = moved, .mtime_ns = mtime_ns},
	};

	r = ops_rename_take_name(rq, mv, actions);
	if (r != 0) {
		return r;
	}
	ops_take_access_times(rq, mv);
	if (mv->from_node != NULL) {
		ops_moved(rq, mv->from_node);
	}
	return 0;
}

static int
ops_rename_exchange(struct request *rq, struct move *mv)
{
	struct node *from = mv->from_node, *to = mv->to_node;
	struct place *a = &mv->from.place, *b = &mv->to.place;
	struct item a_item, b_item, a_moved, b_moved;
	uint64_t a_ns, b_ns;
	int r = place_read(rq->m, &rq->c, a, &a_item, &a_ns);

	if (r == 0) {
		r = place_read(rq->m, &rq->c, b, &b_item, &b_ns);
	}
	if (r == 0) {
		r = rekey(rq, mv, &mv->to, &a_item, &a_moved);
	}
	if (r == 0) {
		r = rekey(rq, mv, &mv->from, &b_item, &b_moved);
	}
	if (r != 0 || item_eq(&a_item, &a_moved)) {
		return r;
	}
	struct transact_action actions[] = {
		{.kind = TRANSACT_PUT,
		 .table = b->table,
		 .item = a_moved,
		 .seen.item = &b_item,
		 .mtime_ns = a_ns},
		{.kind = TRANSACT_PUT,
		 .table = a->table,
		 .item = b_moved,
		 .seen.item = &a_item,
		 .mtime_ns = b_ns},
	};

	{
		write_scope(&rq->m->names_lock);
		r = ops_transact(rq, actions, 2, 2);
		if (r == 0 && from != NULL && to != NULL) {
			inode_swap(&rq->m->inodes, from, to);
		}
	}
	if (r != 0) {
		return r;
	}
	ops_take_access_times(rq, mv);
	if (from != NULL && to != NULL) {
		ops_moved(rq, from);
		ops_moved(rq, to);
	}
	return 0;
}

int
ops_move_item(struct request *rq, struct move *mv)
{
	assert(mv->from.kind == NODE_ITEM && mv->to.kind == NODE_ITEM);
	bool both = (mv->flags & MOVE_EXCHANGE) != 0;
	int r = ops_settle_file(rq, mv->from_node);

	/* Committing the new file at a hidden item's name ends the hiding.  Items that are still hidden are absent. */
	if (r == 0 && both) {
		r = ops_settle_file(rq, mv->to_node);
	}
	if (r == 0 && (hidden_is(rq->m, mv->from_dir, mv->from.stem) ||
		       (both && hidden_is(rq->m, mv->to_dir, mv->to.stem)))) {
		r = PLACE_ABSENT;
	}
	if (r == 0 && both) {
		return ops_rename_exchange(rq, mv);
	}
	if (r == 0) {
		r = ops_rename_replace(rq, mv);
	}
	if (r == 0) {
		(void)pending_drop(rq->m, mv->to_dir);
		place_emptied(rq->m, &rq->c, mv->from_dir, &mv->from_place, rq->c.uid);
	}
	return r;
}
