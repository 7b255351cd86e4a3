/*
 * ops_scratch - scratch files get another name: one of their own kind, or an
 * item's, whereby they become that item.
 */
#include "fs/ops.h"
#include "fs/scratch.h"

enum { NOREPLACE = 1 };

/* Whoever has the replaced one open goes on with it. */
static void
unlink_replaced(struct request *rq, struct node *n)
{
	struct file *f = file_get(rq->m, n);

	if (f != NULL) {
		scratch_unlink(rq->m, f);
	}
	file_put(rq->m, f);
}

static int
rename_scratch(struct request *rq, struct move *mv, struct node *from, struct node *to)
{
	bool replaces = to != NULL && to != from;

	if (replaces && (mv->flags & NOREPLACE) != 0) {
		return PLACE_EXISTS;
	}
	if (replaces) {
		unlink_replaced(rq, to);
	}
	inode_move(&rq->m->inodes, from, mv->to_dir, mv->to.stem, mv->to.full);
	return 0;
}

static int
promote(struct request *rq, struct move *mv, struct file *f, struct node *to)
{
	bool absent = (mv->flags & NOREPLACE) != 0;
	struct buf replaced;
	uint64_t seq;

	if (absent && ops_is_new_file(rq, to)) {
		return PLACE_EXISTS;
	}
	buf_init(&replaced, &rq->c.arena);
	int r = ops_text_of_replaced(rq, to, &mv->to.place, &replaced);

	if (r == 0) {
		r = file_promote(rq->m, &rq->c, f, mv->to_dir, &mv->to, absent, &seq);
	}
	if (r == 0) {
		ops_let_go(rq, to, buf_view(&replaced));
		(void)pending_drop(rq->m, mv->to_dir);
	}
	return r;
}

int
ops_move_scratch(struct request *rq, struct move *mv)
{
	struct inodes *inodes = &rq->m->inodes;
	struct node *from = inode_find(inodes, mv->from_dir, mv->from.stem);
	struct node *to = inode_find(inodes, mv->to_dir, mv->to.stem);
	struct file *f = from == NULL ? NULL : file_get(rq->m, from);
	int r = PLACE_ABSENT;

	if (f != NULL && scratch_is(f)) {
		r = mv->to.kind == NODE_SCRATCH ? rename_scratch(rq, mv, from, to)
						: promote(rq, mv, f, to);
	}
	file_put(rq->m, f);
	if (from != NULL) {
		inode_unref(inodes, from);
	}
	if (to != NULL) {
		inode_unref(inodes, to);
	}
	return r;
}
