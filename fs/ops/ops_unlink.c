/*
 * ops_unlink - UNLINK of items and scratch files
 *
 * Open handles keep the text of a removed file.  Scratch files in its directory are saved first.
 */
#include "store/engine/engine.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_remote.h"
#include "fs/place/place_stat.h"

static int
delete_item(struct request *rq, const struct place *p)
{
	struct delete_item_in in = {.write = {.table = p->table, .item = p->key, .unsynced = true}};

	/* Without the old item, an endpoint does not say whether there was one. */
	if (mount_is_remote(rq->m)) {
		in.write.return_values = RETURN_ALL_OLD;
	}
	struct delete_item_out out;

	if (!p->known) {
		return PLACE_ABSENT;
	}
	int r = engine_delete_item(rq->m->engine, &rq->c, &in, &out);

	place_wrote(rq->m);

	return r == 0 && !out.written.had_old ? PLACE_ABSENT : r;
}

/* Remove an item with a node.  Its open handles keep the text. */
static int
unlink_known(struct request *rq, struct node *n, const struct place *p)
{
	struct mount *m = rq->m;
	struct buf text;
	write_scope(&m->names_lock);
	struct file *f = file_get(m, n);
	bool is_new = f != NULL && file_is_new(f);
	bool is_open = file_is_open(m, n);
	int r = 0;

	buf_init(&text, &rq->c.arena);
	if (is_open && !is_new) {
		r = file_render(m, &rq->c, p, &text);
	}
	if (r == 0 && !is_new) {
		r = delete_item(rq, p);
	}
	if (r == 0 && is_open) {
		file_unlinked(m, &rq->c, n, buf_view(&text));
	}
	if (r == 0) {
		inode_detach(&m->inodes, n);
	}
	file_put(m, f);
	return r;
}

int
ops_unlink_item(struct request *rq, struct node *dir, const struct child *child)
{
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);

	bool hidden = hidden_is(rq->m, dir, child->stem) && !ops_is_new_file(rq, n);

	/* gzip(1) removes the item after it has written the result to a scratch file: save that first. */
	int r = hidden ? PLACE_ABSENT : scratch_save_below(rq->m, &rq->c, dir, NULL);

	if (r == 0) {
		r = n == NULL ? delete_item(rq, &child->place) : unlink_known(rq, n, &child->place);
	}
	inode_unref(&rq->m->inodes, n);
	return r;
}

/* Removing @f deletes its hidden item or its durable copy.  For gzip(1), save the other scratch files in @dir first. */
static int
save_what_stays(struct request *rq, struct node *dir, struct file *f)
{
	return hidden_is_backup(rq->m, f) || scratch_is_durable(f)
		       ? scratch_save_below(rq->m, &rq->c, dir, f)
		       : 0;
}

int
ops_unlink_scratch(struct request *rq, struct node *dir, const struct child *child)
{
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);
	struct file *f = n == NULL ? NULL : file_get(rq->m, n);
	int r = f != NULL && scratch_is(f) ? 0 : PLACE_ABSENT;

	if (r == 0) {
		r = save_what_stays(rq, dir, f);
	}
	if (r == 0) {
		r = hidden_release(rq->m, &rq->c, f);
	}
	if (r == 0) {
		scratch_unlink(rq->m, f);
	}
	file_put(rq->m, f);
	inode_unref(&rq->m->inodes, n);
	return r;
}

void
ops_unlink(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	cleanup(request_close) struct request rq;
	struct place dir_place;
	struct child child;

	request_open(&rq, req);
	struct node *dir = node_of(rq.m, parent);
	int r = place_below(rq.m, &rq.c, dir, name, &dir_place, &child);

	if (r != 0) {
		request_fail(&rq, r, dir, name);
	} else if (place_is_read_only(rq.m, &child.place)) {
		request_refuse_read_only(&rq, dir, name);
	} else if (child.kind != NODE_ITEM && child.kind != NODE_SCRATCH) {
		request_refuse(&rq, EISDIR, dir, name, "this is a directory");
	} else if (child.kind == NODE_SCRATCH ||
		   !request_deny_delete(&rq, child.place.table, dir, name)) {
		bool item = child.kind == NODE_ITEM;

		r = item ? ops_unlink_item(&rq, dir, &child) : ops_unlink_scratch(&rq, dir, &child);
		if (r == 0) {
			request_over(&rq, dir, name);
			place_changed(rq.m, &dir_place, rq.index_known);
		}
		if (r == 0 && item) {
			place_emptied(rq.m, &rq.c, dir, &dir_place, rq.c.uid);
			hub_epoch(rq.m->hub, rq.m);
		}
		/* The item is gone, even if reading its partition failed. */
		request_end(&rq, r, dir, name);
	}
}
