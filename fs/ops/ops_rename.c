/*
 * ops_rename - RENAME: resolve both names, refuse what cannot be renamed, repeat what others changed
 *
 * ops_move_item.c, ops_move.c and ops_scratch.c carry out the renames of items, partitions and scratch files.  Their
 * transactions fail with PLACE_CHANGED when another front end has changed what was read; the rename then starts again.
 */
#include "store/base/text/shell_word.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/times.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/request.h"
#include "fs/format/clauses.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"

enum { TRIES = 10 }; /* attempts of a rename while others change the items */

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
	/* $S: the store; $N: @name; $T: @to */
	static const char *const sentences[] = {
		[TABLE_MAKE] =
			"a table needs the names of its key attributes, here PK and SK (only PK: no "
			"sort key); to copy another table: itemctl -s $S copy TABLE --to $N; to create "
			"one: itemctl -s $S create-table $N --key PK,SK",
		[TABLE_FILL] =
			"this directory can only have tables; to load the items of a file into one: "
			"itemctl -s $S import TABLE $N",
		[TABLE_ITEMS] =
			"this directory can only have directories; to load the items of a file into "
			"the table: itemctl -s $S import $T $N",
		[TABLE_DROP] =
			"the table stays; the items that rm -r has removed are deleted, but a backup "
			"or the table's stream may have them; to remove the table and all its items: "
			"itemctl -s $S drop $N --yes",
		[TABLE_RENAME] =
			"a table cannot be renamed; to copy and remove it: itemctl -s $S copy $N --to "
			"$T && itemctl -s $S drop $N --yes",
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

/* Find a reason to refuse the rename without reading the store; errnum 0: none. */
static struct refusal_rule
ops_rename_refuse(struct request *rq, const struct move *mv)
{
	const struct place *from = &mv->from.place, *to = &mv->to.place;
	bool from_closed = place_is_read_only(rq->m, from);
	bool to_closed = place_is_read_only(rq->m, to);

	if ((mv->flags & ~(unsigned)(MOVE_NOREPLACE | MOVE_EXCHANGE)) != 0) {
		return (struct refusal_rule){EINVAL, "only NOREPLACE and EXCHANGE are supported"};
	}
	if (rq->m->ro || (from_closed && to_closed) || place_is_fleeting(from) ||
	    place_is_fleeting(to)) {
		return (struct refusal_rule){EROFS, mount_read_only(rq->m)};
	}
	if (from_closed || to_closed) {
		return (struct refusal_rule){
			EXDEV, "items cannot be moved into or out of a view of an index"};
	}
	if (mv->from.kind == NODE_TABLE || mv->to.kind == NODE_TABLE) {
		return (struct refusal_rule){
			EPERM, ops_table_command(rq, TABLE_RENAME, mv->from_name, mv->to_name)};
	}
	if (!slice_eq(from->table, to->table)) {
		return (struct refusal_rule){EXDEV, "items cannot be moved between tables"};
	}
	if (clauses_is_reserved(slice_from(mv->to_name))) {
		return (struct refusal_rule){EPERM, "this name is reserved for queries"};
	}
	if (is_file(mv->from.kind) != is_file(mv->to.kind)) {
		return (struct refusal_rule){EPERM,
					     "an item is a file, and a partition is a directory"};
	}
	if ((mv->flags & MOVE_EXCHANGE) != 0 && mv->from.kind != mv->to.kind) {
		return (struct refusal_rule){EINVAL,
					     "an item and a scratch file cannot be exchanged"};
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
 * The key attributes in the text have changed, and with them its size.  Without an offset the notification only marks
 * the attributes as old, and takes no lock that a request needs.
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
	uint64_t from = mv->from.place.ino, to = mv->to.place.ino;

	if ((mv->flags & MOVE_EXCHANGE) != 0) {
		times_exchange(t, from, to);
	} else {
		times_move(t, from, to);
	}
}

/* ------------------------------------------------------------ */

static int
ops_rename_move(struct request *rq, struct move *mv)
{
	if (mv->from.kind == NODE_ITEM && mv->to.kind == NODE_ITEM) {
		return ops_move_item(rq, mv);
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
			return call_fail(
				&rq->c, ERR_CONFLICT,
				"other clients changed it in each of %d attempts to rename it",
				TRIES);
		}
		arena_reset(&rq->c.arena, mark);
	}
}

/* Update the times of both directories, and of partitions that were moved. */
static void
ends_changed(struct request *rq, const struct move *mv)
{
	place_changed(rq->m, &mv->from_place, rq->index_known);
	place_changed(rq->m, &mv->to_place, rq->index_known);
	if (mv->to.kind == NODE_PARTITION) {
		place_changed(rq->m, &mv->from.place, rq->index_known);
		place_changed(rq->m, &mv->to.place, rq->index_known);
	}
}

void
ops_rename(fuse_req_t req, fuse_ino_t parent, const char *name, fuse_ino_t new_parent,
	   const char *new_name, unsigned flags)
{
	cleanup(request_close) struct request rq;

	request_open(&rq, req);
	struct move mv = {
		.from_dir = node_of(rq.m, parent),
		.to_dir = node_of(rq.m, new_parent),
		.from_name = name,
		.to_name = new_name,
		.flags = flags,
	};
	int r = ops_move_ends(&rq, &mv);

	/* Renames of tables are refused below, whether or not a table has the new name. */
	if (r == PLACE_ABSENT && mv.from.kind == NODE_TABLE) {
		rq.c.error = (struct error){0};
		r = 0;
	}
	struct refusal_rule rule = r == 0 ? ops_rename_refuse(&rq, &mv) : (struct refusal_rule){0};

	if (rule.errnum != 0) {
		request_refuse(&rq, rule.errnum, mv.to_dir, new_name, rule.why);
		return;
	}
	/* An item that gets a scratch name will be deleted: it counts for max_delete=. */
	if (r == 0 && mv.from.kind == NODE_ITEM && mv.to.kind == NODE_SCRATCH &&
	    request_deny_delete(&rq, mv.from.place.table, mv.from_dir, name)) {
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
	/* Other mounts do not show scratch files. */
	if (r == 0 && mv.to.kind != NODE_SCRATCH) {
		hub_epoch(rq.m->hub, rq.m);
	}
	request_end(&rq, r, mv.to_dir, new_name);
}
