/*
 * ops_dir - directories that are made, removed and synced: MKDIR, RMDIR, FSYNCDIR
 *
 * MKDIR makes an empty partition.  Only this mount shows it, until it is removed or gets its first item.
 */
#include "store/model/limits.h"

#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/file/request.h"
#include "fs/format/clauses.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"

void
ops_fsyncdir(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;

	(void)datasync;
	(void)fi;
	request_open(&rq, req);
	int r = ops_make_durable(&rq);

	request_end(&rq, r, node_of(rq.m, ino), NULL);
}

/* ------------------------------------------------------------ partitions by hand */

static int
check_partition_key(struct request *rq, const struct place *p)
{
	if (p->pk.n > 0 && p->pk.at[0].text.len > LIMIT_PK_BYTES) {
		return call_fail(&rq->c, ERR_KEY_TOO_LONG,
				 "Size of hashkey has exceeded the maximum size limit of %d bytes",
				 LIMIT_PK_BYTES);
	}
	return 0;
}

bool
ops_refuse_name(struct request *rq, struct node *dir, const struct place *p, const char *name,
		const char *why)
{
	if (place_is_read_only(rq->m, p)) {
		request_refuse_read_only(rq, dir, name);
		return true;
	}
	if (why == NULL && clauses_is_reserved(slice_from(name))) {
		why = "this name is reserved for queries";
	}
	if (why != NULL) {
		request_refuse(rq, EPERM, dir, name, why);
	}
	return why != NULL;
}

/* Refuse the request unless @dir is a table with a sort key.  Return: true if it was refused and answered */
static bool
refuse_dir(struct request *rq, struct node *dir, const struct place *p, const char *name,
	   enum table_change change)
{
	const char *why =
		p->role == ROLE_TABLES ? ops_table_command(rq, change, name, "")
		: p->role != ROLE_TABLE || place_holds_items(p)
			? "only partitions of a table with a sort key are directories; a / in a key is written %2F"
			: NULL;

	return ops_refuse_name(rq, dir, p, name, why);
}

static void
reply_made(struct request *rq, struct node *dir, const struct place *dir_place, const char *name,
	   const struct child *child)
{
	struct attributes attributes = {.is_dir = true};
	struct fuse_entry_param entry;
	struct node *n = ops_entry(rq, dir, child, &attributes, false, &entry);

	if (!pending_add(rq->m, n, rq->c.uid)) {
		request_fail(rq, account_full(&rq->c), n, NULL);
		inode_forget(&rq->m->inodes, n, 1);
		return;
	}
	request_made(rq, dir, name);
	place_changed(rq->m, dir_place, rq->index_known);
	place_changed(rq->m, &child->place, rq->index_known);
	attributes.mtime_ns = place_time(rq->m, &child->place);
	attr_fill(rq->m, &attributes, child->place.ino, &entry.attr);
	if (fuse_reply_entry(rq->fuse, &entry) != 0) {
		inode_forget(&rq->m->inodes, n, 1);
	}
}

void
ops_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode)
{
	cleanup(request_close) struct request rq;
	struct place dir_place;
	struct child child;
	struct attributes attributes;
	bool unstable;

	(void)mode;
	request_open(&rq, req);
	struct node *dir = node_of(rq.m, parent);
	int r = place_of(rq.m, &rq.c, dir, &dir_place);

	if (r == 0 && refuse_dir(&rq, dir, &dir_place, name, TABLE_MAKE)) {
		return;
	}
	if (r == 0) {
		r = place_child(rq.m, &rq.c, &dir_place, slice_from(name), &child);
	}
	if (r == 0) {
		r = check_partition_key(&rq, &child.place);
	}
	if (r == 0 && child.kind == NODE_PARTITION) {
		r = ops_stat_child(&rq, dir, &child, &attributes, &unstable);
	}
	if (r == 0) {
		r = PLACE_EXISTS;
	}
	if (r == PLACE_ABSENT) {
		reply_made(&rq, dir, &dir_place, name, &child);
	} else {
		request_fail(&rq, r, dir, name);
	}
}

static int
remove_partition(struct request *rq, struct node *n, const struct place *p)
{
	if (file_has_own(rq->m, n)) {
		return PLACE_NOT_EMPTY;
	}
	hidden_settle(rq->m, &rq->c, n);
	int r = place_has_items(rq->m, &rq->c, p);

	if (r != 0) {
		return r < 0 ? r : PLACE_NOT_EMPTY;
	}
	if (!pending_drop(rq->m, n)) {
		return PLACE_ABSENT;
	}
	inode_detach(&rq->m->inodes, n);
	return 0;
}

void
ops_rmdir(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	cleanup(request_close) struct request rq;
	struct place dir_place;
	struct child child;

	request_open(&rq, req);
	struct node *dir = node_of(rq.m, parent);
	int r = place_of(rq.m, &rq.c, dir, &dir_place);

	if (r == 0 && refuse_dir(&rq, dir, &dir_place, name, TABLE_DROP)) {
		return;
	}
	if (r == 0) {
		r = place_child(rq.m, &rq.c, &dir_place, slice_from(name), &child);
	}
	if (r == 0 && child.kind != NODE_PARTITION) {
		request_refuse(&rq, EPERM, dir, name, "this directory cannot be removed");
		return;
	}
	struct node *n = r == 0 ? inode_find(&rq.m->inodes, dir, child.stem) : NULL;

	if (r == 0) {
		r = n == NULL ? PLACE_ABSENT : remove_partition(&rq, n, &child.place);
	}
	if (r == 0) {
		place_changed(rq.m, &dir_place, rq.index_known);
	}
	request_end(&rq, r, dir, name);
	inode_unref(&rq.m->inodes, n);
}
