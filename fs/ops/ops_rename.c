/*
 * ops_rename - items get another name: one transaction that deletes and puts.
 * Partitions are moved by ops_move.c.
 *
 * What is moved was read before: the transaction is refused when another door
 * has changed it meanwhile, and all is done again with what is newest.
 */
#include <errno.h>

#include "store/base/core/cleanup.h"
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/op/op.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/times.h"
#include "fs/file/handle.h"
#include "fs/file/hidden.h"
#include "fs/file/request.h"
#include "fs/format/clauses.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/unchanged.h"

enum { TRIES = 10 }; /* of a rename that others are always faster than */

/* ------------------------------------------------------------ both ends */

int
ops_move_ends(struct request *rq, struct move *mv)
{
	struct mount *m = rq->m;
	int r = place_below(m, &rq->c, mv->from_dir, mv->from_name, &mv->from_place, &mv->from);

	return r != 0 ? r : place_below(m, &rq->c, mv->to_dir, mv->to_name, &mv->to_place, &mv->to);
}

struct refusal_rule {
	int errnum;
	const char *why;
};

static bool
is_file(enum node_kind kind)
{
	return kind == NODE_ITEM || kind == NODE_SCRATCH;
}

const char *
ops_table_command(struct request *rq, enum table_change change, const char *name, const char *to)
{
	/* $S: the store, $N: the name, $T: its new one */
	static const char *const sentences[] = {
		[TABLE_MAKE] =
			"a table is made with the names of its key attributes, here PK and SK (only PK: no "
			"sort key); a copy of another, with itemctl -s $S copy TABLE --to $N: "
			"itemctl -s $S create-table $N --key PK,SK",
		[TABLE_FILL] = "only tables are here; the items of a file go into one with: "
			       "itemctl -s $S import TABLE $N",
		[TABLE_ITEMS] =
			"only directories are here; the items of a file go into the table with: "
			"itemctl -s $S import $T $N",
		[TABLE_DROP] =
			"the table stays; items that rm -r has removed are gone, but a backup "
			"or the table's stream may have them; itemctl -s $S drop $N --yes "
			"removes the table and all its items",
		[TABLE_RENAME] = "tables are not renamed: itemctl -s $S copy $N --to $T && "
				 "itemctl -s $S drop $N --yes",
	};
	struct buf b;

	buf_init(&b, &rq->c.arena);
	for (const char *at = sentences[change]; *at != '\0'; at++) {
		if (*at != '$') {
			buf_char(&b, *at);
			continue;
		}
		at++;
		shell_word(&b, slice_from(*at == 'S' ? rq->m->hub->store : *at == 'N' ? name : to));
	}
	return slice_cstr(&rq->c.arena, buf_view(&b));
}

/* What can be said without the store. */
static struct refusal_rule
ops_rename_refuse(struct request *rq, const struct move *mv)
{
	const struct place *from = &mv->from.place, *to = &mv->to.place;
	bool from_closed = place_is_read_only(rq->m, from);
	bool to_closed = place_is_read_only(rq->m, to);

	if ((mv->flags & ~(unsigned)(MOVE_NOREPLACE | MOVE_EXCHANGE)) != 0) {
		return (struct refusal_rule){EINVAL, "only NOREPLACE and EXCHANGE are known"};
	}
	if (rq->m->ro || (from_closed && to_closed) || place_is_fleeting(from) ||
	    place_is_fleeting(to)) {
		return (struct refusal_rule){EROFS, mount_read_only(rq->m)};
	}
	if (from_closed || to_closed) {
		return (struct refusal_rule){EXDEV, "index views are another view of the items"};
	}
	if (mv->from.kind == NODE_TABLE || mv->to.kind == NODE_TABLE) {
		return (struct refusal_rule){
			EPERM, ops_table_command(rq, TABLE_RENAME, mv->from_name, mv->to_name)};
	}
	if (!slice_eq(from->table, to->table)) {
		return (struct refusal_rule){EXDEV, "items do not move between tables"};
	}
	if (clauses_is_reserved(slice_from(mv->to_name))) {
		return (struct refusal_rule){EPERM, "this name is a query's"};
	}
	if (is_file(mv->from.kind) != is_file(mv->to.kind)) {
		return (struct refusal_rule){EPERM, "items are files and partitions directories"};
	}
	if ((mv->flags & MOVE_EXCHANGE) != 0 && mv->from.kind != mv->to.kind) {
		return (struct refusal_rule){EINVAL, "an item and a scratch file do not exchange"};
	}
	return (struct refusal_rule){0};
}

int
ops_settle_file(struct request *rq, struct node *n)
{
	struct file *f = n == NULL ? NULL : file_get(rq->m, n);
	uint64_t seq = 0;
	int r = f == NULL ? 0 : file_flush(rq->m, &rq->c, f, true, &seq);

	file_put(rq->m, f);
	if (seq != 0) {
		hub_epoch(rq->m->hub, rq->m);
	}
	return r;
}

/*
 * The size is another one with other key attributes.  Without an offset this
 * only marks the attributes as old: it takes no lock that a request needs.
 */
void
ops_moved(struct request *rq, struct node *n)
{
	n->flags |= NODE_OTHER_TEXT;
	(void)fuse_lowlevel_notify_inval_inode(rq->m->session, node_id(rq->m, n), -1, 0);
}

void
ops_take_access_times(struct request *rq, const struct move *mv)
{
	struct times *t = &rq->m->access_times;
	uint64_t from = place_ino(&mv->from.place), to = place_ino(&mv->to.place);

	if ((mv->flags & MOVE_EXCHANGE) != 0) {
		times_exchange(t, from, to);
	} else {
		times_move(t, from, to);
	}
}

/* ------------------------------------------------------------ the transaction */

/* Which end stood in the way? */
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
		/* May be tried again. */
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
	struct transact_action *asked = arena_new(&rq->c.arena, struct transact_action, n);
	struct transact_write_items_in in = {.actions = asked, .n_actions = n, .relaxed = true};
	struct transact_write_items_out out;

	for (size_t i = 0; i < n; i++) {
		asked[i] = actions[i];
		unchanged_demand(rq->m, &rq->c.arena, &asked[i].seen, &asked[i].condition,
				 &asked[i].ph);
	}
	int r = engine_transact_write_items(rq->m->engine, &rq->c, &in, &out);

	place_wrote(rq->m);

	return ops_rename_explain(rq, r, target);
}

/* @it with the key that the child's place names. */
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
	if (n == NULL || !file_is_open(rq->m, n)) {
		return 0;
	}
	int r = file_render(rq->m, &rq->c, p, text);

	return r == PLACE_ABSENT ? 0 : r;
}

void
ops_let_go(struct request *rq, struct node *n, struct slice text)
{
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

/* In the store and among the nodes; @actions: a delete and a put. */
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
		place_demand_absence(&rq->c.arena, target, &actions[1].condition, &actions[1].ph);
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
	/* Times stay with the file that is moved. */
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
ops_rename_exchange_names(struct request *rq, const struct move *mv,
			  const struct transact_action *actions)
{
	write_scope(&rq->m->names_lock);
	int r = ops_transact(rq, actions, 2, 2);

	if (r == 0 && mv->from_node != NULL && mv->to_node != NULL) {
		inode_swap(&rq->m->inodes, mv->from_node, mv->to_node);
	}
	return r;
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

	r = ops_rename_exchange_names(rq, mv, actions);
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

static int
move_item(struct request *rq, struct move *mv)
{
	bool both = (mv->flags & MOVE_EXCHANGE) != 0;
	int r = ops_settle_file(rq, mv->from_node);

	/* A hidden item's successor is saved in its place; then nothing is hidden any more. */
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
		ops_partition_emptied(rq, mv->from_dir, &mv->from_place);
	}
	return r;
}

/* ------------------------------------------------------------ */

static int
ops_rename_move(struct request *rq, struct move *mv)
{
	if (mv->from.kind == NODE_ITEM && mv->to.kind == NODE_ITEM) {
		return move_item(rq, mv);
	}
	if (mv->from_node == NULL) {
		return PLACE_ABSENT;
	}
	if (mv->from.kind == NODE_SCRATCH) {
		return ops_move_scratch(rq, mv);
	}
	return mv->from.kind == NODE_PARTITION ? ops_move_partition(rq, mv) : ops_hide(rq, mv);
}

int
ops_move(struct request *rq, struct move *mv)
{
	struct inodes *inodes = &rq->m->inodes;

	for (int tries = 1;; tries++) {
		struct arena_mark mark = arena_mark(&rq->c.arena);
		struct move once = *mv;

		once.from_node = inode_find(inodes, mv->from_dir, mv->from.stem);
		once.to_node = inode_find(inodes, mv->to_dir, mv->to.stem);
		int r = ops_rename_move(rq, &once);

		inode_unref(inodes, once.from_node);
		inode_unref(inodes, once.to_node);
		if (r != PLACE_CHANGED) {
			return r;
		}
		rq->c.error = (struct error){0};
		if (tries == TRIES) {
			return call_fail(&rq->c, ERR_CONFLICT,
					 "others changed it in each of %d attempts to rename it",
					 TRIES);
		}
		arena_reset(&rq->c.arena, mark);
	}
}

/* Both directories, and of partitions that were moved what is in them. */
static void
ends_changed(struct request *rq, const struct move *mv)
{
	place_changed(rq->m, &mv->from_place);
	place_changed(rq->m, &mv->to_place);
	if (mv->to.kind == NODE_PARTITION) {
		place_changed(rq->m, &mv->from.place);
		place_changed(rq->m, &mv->to.place);
	}
}

void
ops_rename(fuse_req_t req, fuse_ino_t parent, const char *name, fuse_ino_t new_parent,
	   const char *new_name, unsigned flags)
{
	struct request rq;

	request_open(&rq, req);
	struct move mv = {
		.from_dir = node_of(rq.m, parent),
		.to_dir = node_of(rq.m, new_parent),
		.from_name = name,
		.to_name = new_name,
		.flags = flags,
	};
	int r = ops_move_ends(&rq, &mv);

	/* That there is no table of the new name is not why. */
	if (r == PLACE_ABSENT && mv.from.kind == NODE_TABLE) {
		rq.c.error = (struct error){0};
		r = 0;
	}
	struct refusal_rule rule = r == 0 ? ops_rename_refuse(&rq, &mv) : (struct refusal_rule){0};

	if (rule.errnum != 0) {
		request_refuse(&rq, rule.errnum, mv.to_dir, new_name, rule.why);
		request_close(&rq);
		return;
	}
	/* What gets a scratch name is deleted a moment later. */
	if (r == 0 && mv.from.kind == NODE_ITEM && mv.to.kind == NODE_SCRATCH &&
	    request_deny_delete(&rq, mv.from.place.table, mv.from_dir, name)) {
		request_close(&rq);
		return;
	}
	if (r == 0) {
		r = ops_move(&rq, &mv);
	}
	if (r == 0) {
		request_over(&rq, mv.from_dir, name);
		request_made(&rq, mv.to_dir, new_name);
		ends_changed(&rq, &mv);
	}
	/* Of scratch files the other mounts know nothing. */
	if (r == 0 && mv.to.kind != NODE_SCRATCH) {
		hub_epoch(rq.m->hub, rq.m);
	}
	request_end(&rq, r, mv.to_dir, new_name);
	request_close(&rq);
}
