/*
 * ops_scratch - renames from and to scratch names
 *
 * A scratch file gets another scratch name, or becomes an item.  An item that gets a scratch name becomes a scratch
 * file: the table keeps the item for a while, hidden.
 */
#include "store/model/item.h"

#include "fs/core/again.h"
#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/file/buffer.h"
#include "fs/file/commit.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/file/origin.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/format/view.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_remote.h"
#include "fs/place/place_stat.h"
#include "fs/saved/scratch_area.h"

/* ------------------------------------------------------------ to a scratch name */

/* Delete the hidden item of the replaced scratch file @n.  The file itself is removed later, when nothing can fail. */
static int
release_replaced(struct request *rq, struct node *n)
{
	struct file *f = n == NULL ? NULL : file_get(rq->m, n);
	int r = f == NULL ? 0 : hidden_release(rq->m, &rq->c, f);

	file_put(rq->m, f);
	return r;
}

/* Remove the replaced scratch file @n.  Its open handles keep the text. */
static void
unlink_replaced(struct request *rq, struct node *n)
{
	struct file *f = n == NULL ? NULL : file_get(rq->m, n);

	if (f != NULL) {
		scratch_unlink(rq->m, f);
	}
	file_put(rq->m, f);
}

/* Return: false if the scratch file of @n is gone */
static bool
begin_rename(struct request *rq, struct node *n)
{
	struct file *f = file_get(rq->m, n);
	bool is_there = f != NULL && scratch_begin_rename(f);

	file_put(rq->m, f);
	return is_there;
}

/* Have the copy of a renamed scratch file written again, because it has the old name. */
static void
renamed(struct request *rq, struct node *n)
{
	struct file *f = file_get(rq->m, n);

	if (f != NULL && scratch_renamed(rq->m, f)) {
		hidden_look(rq->m);
	}
	file_put(rq->m, f);
}

void
ops_scratch_moved(struct request *rq, const struct node *dir)
{
	struct file **all = NULL;
	size_t n = rq->m->scratch_bytes == 0 ? 0 : file_all(rq->m, &rq->c.arena, &all);

	for (size_t i = 0; i < n; i++) {
		if (inode_is_child(&rq->m->inodes, all[i]->node, dir)) {
			renamed(rq, all[i]->node);
		}
		file_put(rq->m, all[i]);
	}
}

static int
rename_scratch(struct request *rq, struct move *mv)
{
	struct node *from = mv->from_node, *to = mv->to_node;

	if ((mv->flags & MOVE_EXCHANGE) != 0) {
		if (to == NULL || !begin_rename(rq, from) || !begin_rename(rq, to)) {
			return PLACE_ABSENT;
		}
		inode_swap(&rq->m->inodes, from, to);
		renamed(rq, from);
		renamed(rq, to);
		ops_take_access_times(rq, mv);
		return 0;
	}
	if (to != NULL && (mv->flags & MOVE_NOREPLACE) != 0) {
		return PLACE_EXISTS;
	}
	if (to == from) {
		return 0;
	}
	if (!begin_rename(rq, from)) {
		return PLACE_ABSENT;
	}
	int r = release_replaced(rq, to);

	if (r != 0) {
		return r;
	}
	unlink_replaced(rq, to);
	inode_move(&rq->m->inodes, from, NODE_SCRATCH, mv->to_dir, mv->to.stem, mv->to.full);
	renamed(rq, from);
	ops_take_access_times(rq, mv);
	return 0;
}

/* ------------------------------------------------------------ to an item's name */

/* The hidden entries that a rename has claimed; either may be NULL. */
struct hiding {
	struct hidden *own;    /* of the item that became the scratch file */
	struct hidden *target; /* of the item whose name the scratch file gets; may be the same */
};

static void
let_claims_go(struct request *rq, struct hiding h, bool done)
{
	bool moved = done && h.own != NULL && h.own != h.target;

	if (moved) {
		hidden_removed(rq->m, &rq->c, h.own);
	}
	hidden_let_go(rq->m, h.target == h.own ? NULL : h.target, done);
	hidden_let_go(rq->m, h.own, done);
}

/* Move the hidden item @own to the new name, with the text @text, in one transaction. */
static int
move_own(struct request *rq, const struct reading *text, const struct hidden *own, bool absent,
	 uint64_t mtime_ns)
{
	struct transact_action actions[] = {
		{.kind = TRANSACT_DELETE,
		 .table = text->place.table,
		 .item = *hidden_key(own),
		 .seen.item = hidden_item(own)},
		{.kind = TRANSACT_PUT,
		 .table = text->place.table,
		 .item = text->item,
		 .mtime_ns = mtime_ns},
	};

	int r = unchanged_look(rq->m, &rq->c, text->place.table, hidden_key(own), hidden_item(own));

	if (r != 0) {
		return r == -ERR_CONDITION ? PLACE_CHANGED : r;
	}
	if (absent) {
		place_demand_absence(rq->m, &rq->c.arena, &text->place, DEMAND(&actions[1]));
	}
	return ops_transact(rq, actions, 2, 1);
}

/* Return: whether the hidden item in the table and the text are unchanged.  Then nothing needs to be written. */
static bool
is_there_still(struct request *rq, const struct file *f, const struct reading *text,
	       const struct hidden *own)
{
	const struct scratch *s = f->scratch;
	struct item item;
	uint64_t mtime_ns;

	assert(lock_held(&f->lock));
	return s->pristine && place_read(rq->m, &rq->c, &text->place, &item, &mtime_ns) == 0 &&
	       item_eq(&item, hidden_item(own));
}

/* Write the item, if needed.  It keeps the time of the file. */
static int
ops_scratch_write_item(struct request *rq, struct file *f, struct reading *text, struct hiding h,
		       bool absent)
{
	assert(lock_held(&f->lock));
	uint64_t mtime_ns = f->mtime_ns != 0 ? f->mtime_ns : f->touched_ns;
	uint64_t seq;
	int r = f->buffer.text.len > VIEW_TEXT_MAX
			? call_fail(&rq->c, ERR_ITEM_TOO_BIG, "the text has more than %d bytes",
				    VIEW_TEXT_MAX)
			: commit_read_at(rq->m, &rq->c, f, text);

	absent = absent && h.target == NULL;
	if (r != 0 || (h.own != NULL && h.own == h.target && is_there_still(rq, f, text, h.own))) {
		return r;
	}
	if (h.own != NULL && h.own != h.target) {
		r = move_own(rq, text, h.own, absent, mtime_ns);
		if (r != PLACE_CHANGED) {
			return r;
		}
		/* Another front end has changed the hidden item: leave that as it is. */
		rq->c.error = (struct error){0};
	}
	return commit_put(rq->m, &rq->c, mtime_ns, absent, NULL, text, &seq);
}

static void
become_item(struct mount *m, struct file *f, const struct move *mv)
{
	assert(lock_held(&f->lock));
	assert(lock_held_write(&m->names_lock));
	inode_move(&m->inodes, f->node, NODE_ITEM, mv->to_dir, mv->to.stem, mv->to.full);
	scratch_free(m, f);
	f->mtime_ns = 0;
	f->kept = false;
	if (file_writers(m, f) > 0) {
		buffer_reload(&f->buffer);
	} else {
		buffer_release(&f->buffer);
	}
}

/* @copy: set to the number of the durable copy of the text, to be dropped when the item is durable; 0: none */
static int
ops_scratch_commit(struct request *rq, struct move *mv, struct file *f, unsigned *copy)
{
	struct mount *m = rq->m;
	lock_scope(&f->lock);
	struct reading text = {.place = mv->to.place};
	struct hiding h;

	hidden_claim_both(m, f, mv->to_dir, mv->to.stem, &h.own, &h.target);
	int r = ops_scratch_write_item(rq, f, &text, h, (mv->flags & MOVE_NOREPLACE) != 0);

	let_claims_go(rq, h, r == 0);
	if (r != 0) {
		return r;
	}
	commit_compare(m, &rq->c, f, &text);
	*copy = scratch_leave_copy(f);
	/* The item borrows from the text, which become_item() releases. */
	text.item = item_copy(&rq->c.arena, &text.item);
	become_item(m, f, mv);
	commit_learn(m, &rq->c, f, &text);
	/* A text that sed -i or mv puts over an item was meant to keep its key; rsync makes a new item. */
	if (mv->to_node != NULL) {
		request_remark(m, &rq->c, rq->c.uid, f->node, text.replaced);
	}
	origin_renew_all(f, &text.item);
	file_committed(m, f);
	return 0;
}

static int
ops_scratch_take_name(struct request *rq, struct move *mv, struct file *f, unsigned *copy)
{
	struct node *to = mv->to_node;
	struct buf replaced;
	write_scope(&rq->m->names_lock);

	/* A stored item may have removed the refused text that it showed. */
	if (!scratch_is(f)) {
		return PLACE_ABSENT;
	}
	buf_init(&replaced, &rq->c.arena);
	int r = ops_text_of_replaced(rq, to, &mv->to.place, &replaced);

	if (r == 0) {
		r = ops_scratch_commit(rq, mv, f, copy);
	}
	/* Keep the text, since sed -i removes its file when the rename fails; not for a caller of RENAME_NOREPLACE. */
	if (r < 0 && r != -ERR_CONDITION && !again_ask(rq->m, rq->fuse, r)) {
		lock_scope(&f->lock);
		commit_keep_text(rq->m, &rq->c, f);
		commit_left(rq->m, &rq->c, f,
			    request_path(rq->m, &rq->c.arena, mv->to_dir, mv->to_name));
	}
	if (r == 0) {
		file_put(rq->m, f); /* the reference that the name held */
		ops_let_go(rq, to, buf_view(&replaced));
		(void)pending_drop(rq->m, mv->to_dir);
	}
	return r;
}

static int
promote(struct request *rq, struct move *mv, struct file *f)
{
	unsigned copy = 0;

	if ((mv->flags & MOVE_NOREPLACE) != 0 && ops_is_new_file(rq, mv->to_node)) {
		return PLACE_EXISTS;
	}
	int r = ops_scratch_take_name(rq, mv, f, &copy);

	/* A durable text must stay durable: if the item cannot be made durable, the copy stays until the next start. */
	if (copy != 0 && ops_make_durable(rq) == 0) {
		scratch_area_drop(&rq->m->hub->area, copy);
	}
	if (r == 0) {
		ops_take_access_times(rq, mv);
		rq->c.error = (struct error){0};
	}
	return r;
}

/* ------------------------------------------------------------ an item to a scratch name */

/* Return: whether the text of @f, as a writer has it, is that of @item */
static bool
has_text_of(struct request *rq, struct file *f, const struct place *p, const struct item *item)
{
	lock_scope(&f->lock);
	struct reading text = {.place = *p};
	struct error before = rq->c.error;

	if (f->buffer.state != BUFFER_LOADED) {
		return false;
	}
	bool is_item = commit_read_at(rq->m, &rq->c, f, &text) == 0 && item_eq(&text.item, item);

	rq->c.error = before;
	return is_item;
}

/*
 * The lock keeps other writers of the item from saving between the read and the change of the name. Otherwise the table
 * would keep what they save, although the item was renamed.
 * @out: set to the scratch file, which its name holds
 */
static int
ops_scratch_hide(struct request *rq, struct move *mv, struct file **out)
{
	write_scope(&rq->m->names_lock);
	struct node *from = mv->from_node, *to = mv->to_node;
	struct mount *m = rq->m;
	const struct place *p = &mv->from.place;
	struct scratch like = {.mode = 0666 & ~m->umask, .uid = m->uid, .gid = m->gid};
	struct item item;
	struct buf text;
	uint64_t mtime_ns;

	int r = hidden_is(m, mv->from_dir, mv->from.stem)
			? PLACE_ABSENT
			: place_read(m, &rq->c, p, &item, &mtime_ns);

	if (r != 0) {
		return r;
	}
	buf_init(&text, &rq->c.arena);
	view_render(&text, p->schema, m->form, &item);
	/* An upper bound: the memory that the request has used for the item and its text. */
	struct usage usage = {.account = account_of(&m->accounts, rq->c.uid)};

	if (!usage_resize(&usage, rq->c.arena.used)) {
		return account_full(&rq->c);
	}
	struct file *f = file_make(m, from); /* the reference that the name will hold */

	r = scratch_become(m, &rq->c, f, &like, buf_view(&text), mtime_ns,
			   has_text_of(rq, f, p, &item));
	if (r == 0) {
		r = release_replaced(rq, to);
		if (r != 0) {
			scratch_stay_item(m, f);
		}
	}
	if (r != 0) {
		usage_end(&usage);
		file_put(m, f);
		return r;
	}
	unlink_replaced(rq, to);
	hidden_add(m, mv->from_dir, mv->from.stem, p, &item, f, usage);
	inode_move(&m->inodes, from, NODE_SCRATCH, mv->to_dir, mv->to.stem, mv->to.full);
	renamed(rq, from); /* the thread of hidden_end.c may have saved it with the old name */
	*out = f;
	return 0;
}

int
ops_hide(struct request *rq, struct move *mv)
{
	assert(mv->from.kind == NODE_ITEM && mv->to.kind == NODE_SCRATCH);
	assert(mv->from_node != NULL);
	struct file *f = NULL;

	if (mv->to_node != NULL && (mv->flags & MOVE_NOREPLACE) != 0) {
		return PLACE_EXISTS;
	}
	int r = ops_settle_file(rq, mv->from_node);

	r = r == 0 ? ops_scratch_hide(rq, mv, &f) : r;
	if (r != 0) {
		return r;
	}
	assert(f != NULL);
	ops_take_access_times(rq, mv);
	ops_moved(rq, mv->from_node);
	lock_scope(&f->lock);
	file_remark_scratch(rq->m, &rq->c, f);
	return 0;
}

/* ------------------------------------------------------------ */

int
ops_move_scratch(struct request *rq, struct move *mv)
{
	assert(mv->from.kind == NODE_SCRATCH && mv->from_node != NULL);
	struct file *f = file_get(rq->m, mv->from_node);
	int r = f == NULL                     ? PLACE_ABSENT
		: mv->to.kind == NODE_SCRATCH ? rename_scratch(rq, mv)
					      : promote(rq, mv, f);

	file_put(rq->m, f);
	return r;
}
