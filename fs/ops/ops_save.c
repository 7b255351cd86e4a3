/*
 * ops_save - FLUSH, FSYNC and RELEASE, which turn written texts into items
 *
 * file_end.c decides what is committed.
 */
#include "store/engine/engine.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/file/hidden.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"

/* ------------------------------------------------------------ commits */

void
ops_dir_of_changed(struct request *rq, struct node *n, uint64_t seq)
{
	struct error before = rq->c.error;
	struct place p;

	if (seq != 0) {
		struct node *dir = inode_parent(&rq->m->inodes, n);

		if (place_of(rq->m, &rq->c, dir, &p) == 0) {
			place_changed(rq->m, &p, rq->index_known);
		}
		rq->c.error = before;
		inode_unref(&rq->m->inodes, dir);
	}
}

/*
 * The size of the directory has changed.  Without an offset the notification only marks its attributes as old, and
 * takes no lock that a request needs.
 */
void
ops_committed(struct request *rq, struct node *n, uint64_t seq)
{
	struct mount *m = rq->m;

	if (seq != 0) {
		struct node *dir = inode_parent(&m->inodes, n);

		(void)fuse_lowlevel_notify_inval_inode(m->session, node_id(m, dir), -1, 0);
		inode_unref(&m->inodes, dir);
		hub_settle(m->hub, m, seq);
	}
}

int
ops_make_durable(struct request *rq)
{
	struct sync_in in = {0};
	struct sync_out out;

	/* An endpoint acknowledges a write when it is durable. */
	if (mount_is_remote(rq->m)) {
		return 0;
	}
	return engine_sync(rq->m->engine, &rq->c, &in, &out);
}

/*
 * The builtins echo and printf of shells do not report errors of close(), so a text that a shell wrote and FLUSH
 * refused is shown as a scratch file beside the item.  The file goes when an item of that name is stored.
 */
static void
show_refused(struct request *rq, struct file *f, int r, uint64_t seq)
{
	static const char *const shells[] = {"bash", "sh", "dash", "zsh", "ksh", "fish", "ash"};
	bool refused = r == -ERR_SERIALIZATION || r == -ERR_VALIDATION;

	for (size_t i = 0; refused && i < sizeof(shells) / sizeof(*shells); i++) {
		if (request_is_by(rq, shells[i])) {
			scratch_show_refused(rq->m, &rq->c, f, true);
			return;
		}
	}
	if (seq != 0 && rq->m->scratch_bytes > 0) {
		scratch_show_refused(rq->m, &rq->c, f, false);
	}
}

static void
flush(fuse_req_t req, struct fuse_file_info *fi, bool durable)
{
	cleanup(request_close) struct request rq;
	struct handle *h = ops_handle(fi);
	uint64_t seq = 0;
	int r = 0;

	request_open(&rq, req);
	struct file *f = h->writer || durable ? file_of(rq.m, h) : NULL;
	bool is_scratch = f != NULL && scratch_is(f);

	if (f != NULL && h->file != NULL) {
		r = file_flush(rq.m, &rq.c, f, false, &seq);
		if (!durable) {
			show_refused(&rq, f, r, seq);
		}
	} else if (f != NULL) {
		/* FSYNC through a read-only handle, as of sync(1), commits the texts of all writers. */
		r = file_flush_all(rq.m, &rq.c, h->node, &seq);
	}
	if (is_scratch && (durable || rq.m->sync)) {
		r = scratch_save(rq.m, &rq.c, f, true);
	}
	file_put(rq.m, f);
	if (r == 0 && !is_scratch && (durable || (rq.m->sync && seq != 0))) {
		r = ops_make_durable(&rq);
	}
	ops_dir_of_changed(&rq, h->node, seq);
	ops_committed(&rq, h->node, seq);
	request_end(&rq, r, h->node, NULL);
}

void
ops_flush(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	(void)ino;
	flush(req, fi, false);
}

void
ops_fsync(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi)
{
	(void)ino;
	(void)datasync;
	flush(req, fi, true);
}

void
ops_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;
	struct handle *h = ops_handle(fi);

	(void)ino;
	request_open(&rq, req);
	rq.c.comes_again = false; /* the kernel ignores the answer */
	if (h->writer) {
		uint64_t seq = file_finish(rq.m, &rq.c, h);

		if (rq.m->sync && seq != 0 && rq.c.error.code == ERR_NONE) {
			(void)ops_make_durable(&rq);
		}
		ops_dir_of_changed(&rq, h->node, seq);
		ops_committed(&rq, h->node, seq);
	}
	handle_close(rq.m, h);
	hidden_wake(rq.m);
	(void)fuse_reply_err(req, 0);
}
