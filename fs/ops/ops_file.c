/*
 * ops_file - OPEN, CREATE, READ and WRITE of items and scratch files
 *
 * fs/file has the texts; this file decides what the kernel may cache of them.
 */
#include <fcntl.h>

#include "store/base/core/clock.h"
#include "store/engine/feed.h"
#include "store/model/limits.h"

#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/reopens.h"
#include "fs/core/scanners.h"
#include "fs/core/times.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"

/* Only items of a few pages are pushed; longer ones are read by READ. */
enum { PUSH_MAX = 16 * 1024 };
enum { TRIES = 10 };

struct handle *
ops_handle(const struct fuse_file_info *fi)
{
	/* The handle is the address that OPEN or CREATE gave to the kernel. */
	return (struct handle *)(uintptr_t)fi->fh; /* NOLINT(performance-no-int-to-ptr) */
}

static bool
is_writer(const struct fuse_file_info *fi)
{
	return (fi->flags & O_ACCMODE) != O_RDONLY || (fi->flags & O_TRUNC) != 0;
}

static void
set_handle(struct fuse_file_info *fi, struct handle *h)
{
	fi->fh = (uint64_t)(uintptr_t)h;
}

/* ------------------------------------------------------------ open */

/*
 * Return: whether the pages that the kernel has cached are still valid.  They are not if the written text differs from
 * the item's rendering, or if the kernel was not yet notified of all changes, such as a rename in another mount.
 */
static bool
may_keep_cache(const struct mount *m, struct node *n)
{
	/* In this order: a change that is processed after the first call sets the flag. */
	bool processed = m->reader != NULL && feed_is_processed(m->reader);
	bool other = inode_take_flag(n, NODE_OTHER_TEXT);

	return processed && !other;
}

void
ops_reply_open(struct request *rq, struct handle *h, struct fuse_file_info *fi)
{
	set_handle(fi, h);
	if (fuse_reply_open(rq->fuse, fi) != 0) {
		/* The program was interrupted: the kernel did not drop the old pages that this OPEN was to drop. */
		if (!fi->keep_cache) {
			h->node->flags |= NODE_OTHER_TEXT;
		}
		handle_close(rq->m, h);
	}
}

/* Return: whether it is an item of an endpoint, which reports no changes: the kernel's cache of it may be old. */
static bool
is_remote_item(const struct request *rq, const struct node *n)
{
	return mount_is_remote(rq->m) && n->kind != NODE_SCRATCH;
}

/*
 * Have the kernel ask again for attributes that may be old: those of an endpoint's item, and of an item that changed
 * while a reply with its attributes was under way.  Without an offset the notification takes no lock that a request
 * needs.
 *
 * An endpoint's item is read without the page cache.  All programs that have a file open share its pages: a program
 * that began to read before a change would fill them with the old text for one that begins after it.
 */
static void
trust_nothing(struct request *rq, struct node *n, struct fuse_file_info *fi)
{
	bool late = inode_take_flag(n, NODE_LATE);
	bool remote = is_remote_item(rq, n);

	if (remote) {
		fi->direct_io = 1;
	}
	if (remote || late) {
		(void)fuse_lowlevel_notify_inval_inode(rq->m->session, node_id(rq->m, n), -1, 0);
	}
}

/*
 * With O_TRUNC, while others write the file, give the handle a text of its own.  Such a text bypasses the page cache,
 * which all texts of a file share.
 */
static void
begin_own(struct request *rq, struct handle *h, struct fuse_file_info *fi)
{
	if (h != NULL && (fi->flags & O_TRUNC) != 0 && handle_begin_own(rq->m, h)) {
		fi->direct_io = 1;
	}
}

/* While a file has several texts, a reader gets the newest one, without the page cache. */
static void
read_newest(struct request *rq, struct node *n, struct fuse_file_info *fi)
{
	struct file *f = file_get(rq->m, n);

	if (f != NULL && f->mixed && !f->gone && !file_is_alone(rq->m, f)) {
		fi->direct_io = 1;
		fi->keep_cache = 0;
	}
	file_put(rq->m, f);
}

static void
open_writer(struct request *rq, struct node *n, const struct place *p, struct fuse_file_info *fi)
{
	if (place_is_read_only(rq->m, p)) {
		request_refuse_read_only(rq, n, NULL);
		return;
	}
	struct handle *h = handle_open(rq->m, &rq->c, n, true);

	begin_own(rq, h, fi);
	int r = h == NULL ? handle_none(&rq->c) : file_opened(rq->m, &rq->c, h);

	if (r != 0) {
		handle_close(rq->m, h);
		request_fail(rq, r, n, NULL);
		return;
	}
	if ((fi->flags & O_TRUNC) != 0) {
		file_truncate_open(rq->m, &rq->c, h);
	}
	fi->keep_cache = may_keep_cache(rq->m, n);
	trust_nothing(rq, n, fi);
	ops_reply_open(rq, h, fi);
}

/*
 * Store the bytes of an item in the page cache before OPEN is answered, which saves the READs.
 * Only for the first handle: without other handles no READ is under way that may have locked a page.  Not if the store
 * has changed meanwhile: the text may be old.
 * Return: true if the page cache has the bytes
 */
static bool
push_pages(struct request *rq, struct node *n, struct handle *h)
{
	struct slice text;

	if ((n->flags & NODE_PUSHED) != 0) {
		return true;
	}
	if (rq->m->feed == NULL || !handle_is_only(rq->m, h)) {
		return false;
	}
	if (file_read(rq->m, &rq->c, h, true, 0, PUSH_MAX, &text) != 0 || text.len == PUSH_MAX) {
		rq->c.error = (struct error){0}; /* READ meets the error again and reports it */
		return false;
	}
	struct fuse_bufvec bytes = FUSE_BUFVEC_INIT(text.len);

	/* NOLINTNEXTLINE(performance-no-int-to-ptr): only read */
	bytes.buf[0].mem = (void *)(uintptr_t)text.at;
	lock_scope(&rq->m->push_lock);
	if (feed_newest(rq->m->feed) == rq->newest &&
	    fuse_lowlevel_notify_store(rq->m->session, node_id(rq->m, n), 0, &bytes, 0) == 0) {
		n->flags |= NODE_PUSHED;
	}
	return (n->flags & NODE_PUSHED) != 0;
}

/* Return: whether the thread opens many files in a row (scanners.h), and this item was not changed elsewhere */
static bool
is_scanned(struct request *rq, const struct node *n)
{
	return scanners_opens(&rq->m->scanners, fuse_req_ctx(rq->fuse)->pid, clock_steady_ms()) &&
	       (n->flags & NODE_CHANGED) == 0;
}

static void
open_reader(struct request *rq, struct node *n, struct fuse_file_info *fi)
{
	struct handle *h = handle_open(rq->m, &rq->c, n, false);

	if (h == NULL) {
		request_fail(rq, handle_none(&rq->c), n, NULL);
		return;
	}
	struct node *dir = inode_parent(&rq->m->inodes, n);

	fi->noflush = 1;
	bool scanned = is_scanned(rq, n);
	/* The kernel is not notified of changes below queries. */
	fi->keep_cache = dir->kind != NODE_QUERY && may_keep_cache(rq->m, n);
	inode_unref(&rq->m->inodes, dir);
	fi->direct_io =
		n->kind != NODE_SCRATCH && !(scanned && fi->keep_cache && push_pages(rq, n, h));
	read_newest(rq, n, fi);
	trust_nothing(rq, n, fi);
	h->direct = h->direct || fi->direct_io;
	ops_reply_open(rq, h, fi);
}

void
ops_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;
	struct place place;

	request_open(&rq, req);
	struct node *n = node_of(rq.m, ino);

	if (!ops_is_made(n) && !is_writer(fi)) {
		open_reader(&rq, n, fi);
		return;
	}
	int r = place_of(rq.m, &rq.c, n, &place);

	if (r != 0) {
		request_fail(&rq, r, n, NULL);
	} else if (ops_is_made(n)) {
		ops_open_made(&rq, n, &place, fi);
	} else {
		open_writer(&rq, n, &place, fi);
	}
}

/* ------------------------------------------------------------ create */

/*
 * The kernel checks the permissions of a file that CREATE made. Without a timeout for the attributes it sends GETATTR
 * first. The shortest timeout, one tick of its clock, avoids that. The attributes cannot become wrong in that time: the
 * kernel knows of each WRITE, and looks the name up again for each further open.
 */
static const double NEW_TIMEOUT_S = 1e-6;

static int
check_key_sizes(struct request *rq, const struct place *p)
{
	for (size_t i = 0; i < p->key.n; i++) {
		bool is_pk = slice_eq(p->key.at[i].name, p->schema->key.pk->name);
		size_t max = is_pk ? LIMIT_PK_BYTES : LIMIT_SK_BYTES;

		if (p->key.at[i].value.text.len > max) {
			return call_fail(&rq->c, ERR_KEY_TOO_LONG,
					 "Size of %s has exceeded the maximum size limit of %zu "
					 "bytes",
					 is_pk ? "hashkey" : "rangekey", max);
		}
	}
	return 0;
}

/* Refuse CREATE where no file of this name can be made.  Return: true if it was refused and answered */
static bool
refuse_create(struct request *rq, struct node *dir, const struct place *p, const char *name)
{
	bool dot = strchr(name, '.') != NULL;
	const char *why =
		place_holds_items(p) ? NULL
		: p->role == ROLE_TABLES
			? ops_table_command(rq, dot ? TABLE_FILL : TABLE_MAKE, name, "")
		: dot && !slice_ends(slice_from(name), SLICE(".json"))
			? ops_table_command(rq, TABLE_ITEMS, name,
					    slice_cstr(&rq->c.arena, p->table))
			: "this directory can only have directories: make a partition with mkdir, and "
			  "write the file in it";

	return ops_refuse_name(rq, dir, p, name, why);
}

static int
create_item(struct request *rq, struct node *dir, const struct child *child,
	    struct fuse_file_info *fi, struct handle **out, struct fuse_entry_param *entry)
{
	struct attributes attributes;
	bool unstable;
	bool exclusive = (fi->flags & O_EXCL) != 0;
	int r = ops_stat_child(rq, dir, child, &attributes, &unstable);
	bool exists = r == 0;

	if (exists && exclusive) {
		return call_fail(&rq->c, ERR_CONDITION, "the item exists");
	}
	if (!exists && r != PLACE_ABSENT) {
		return r;
	}
	if (!exists) {
		times_forget(&rq->m->access_times, child->place.ino);
		attributes = (struct attributes){
			.mtime_ns = mount_is_remote(rq->m) ? 0 : rq->c.now_ms * 1000000};
	} else if ((fi->flags & O_TRUNC) != 0) {
		attributes.size = 0;
	}
	struct node *n = ops_entry(rq, dir, child, &attributes, true, entry);
	struct handle *h = handle_open(rq->m, &rq->c, n, true);

	if (!exists && !mount_is_remote(rq->m)) {
		entry->attr_timeout = NEW_TIMEOUT_S;
	}

	begin_own(rq, h, fi);
	r = h == NULL ? handle_none(&rq->c)
	    : exists  ? file_opened(rq->m, &rq->c, h)
		      : file_create(rq->m, &rq->c, h, exclusive ? &child->place : NULL);
	if (r == 0 && exists && (fi->flags & O_TRUNC) != 0) {
		file_truncate_open(rq->m, &rq->c, h);
	}
	if (r != 0) {
		handle_close(rq->m, h);
		inode_forget(&rq->m->inodes, n, 1);
		return r;
	}
	*out = h;
	return 0;
}

static int
create_scratch(struct request *rq, struct node *dir, const struct child *child, mode_t mode,
	       struct fuse_file_info *fi, struct handle **out, struct fuse_entry_param *entry)
{
	const struct fuse_ctx *who = fuse_req_ctx(rq->fuse);
	const struct scratch like = {.mode = mode & ALLPERMS, .uid = who->uid, .gid = who->gid};
	struct attributes attributes = {.mtime_ns = rq->c.now_ms * 1000000,
					.owned = true,
					.mode = like.mode,
					.uid = like.uid,
					.gid = like.gid};
	struct node *n = ops_entry(rq, dir, child, &attributes, true, entry);
	bool is_new;
	int r = scratch_open(rq->m, &rq->c, n, &like, out, &is_new);

	if (is_new) {
		times_forget(&rq->m->access_times, child->place.ino);
	}
	if (r == 0 && !is_new && (fi->flags & O_TRUNC) != 0) {
		file_truncate_open(rq->m, &rq->c, *out);
	}
	if (r != 0) {
		inode_forget(&rq->m->inodes, n, 1);
	}
	return r;
}

static void
reply_create(struct request *rq, struct handle *h, const struct fuse_entry_param *entry,
	     struct fuse_file_info *fi)
{
	struct node *n = node_of(rq->m, entry->ino);

	set_handle(fi, h);
	fi->keep_cache = 0;
	fi->direct_io = fi->direct_io || is_remote_item(rq, n);
	if (fuse_reply_create(rq->fuse, entry, fi) != 0) {
		handle_close(rq->m, h);
		inode_forget(&rq->m->inodes, n, 1);
	}
}

void
ops_create(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode,
	   struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;
	struct place dir_place;
	struct child child;
	struct handle *h = NULL;
	struct fuse_entry_param entry = {0};

	request_open(&rq, req);
	struct node *dir = node_of(rq.m, parent);
	int r = place_of(rq.m, &rq.c, dir, &dir_place);

	if (r == 0 && refuse_create(&rq, dir, &dir_place, name)) {
		return;
	}
	if (r == 0) {
		r = place_child(rq.m, &rq.c, &dir_place, slice_from(name), &child);
	}
	if (r == 0 && child.kind != NODE_ITEM && child.kind != NODE_SCRATCH) {
		request_refuse(&rq, EISDIR, dir, name, "this is a directory");
		return;
	}
	if (r == 0 && child.kind == NODE_SCRATCH) {
		r = create_scratch(&rq, dir, &child, mode, fi, &h, &entry);
	} else if (r == 0) {
		r = check_key_sizes(&rq, &child.place);
		/* PLACE_GONE: another program's new file of this name was refused and removed meanwhile. */
		for (int tries = 0; r == 0 || (r == PLACE_GONE && tries < TRIES); tries++) {
			r = create_item(&rq, dir, &child, fi, &h, &entry);
			if (r == 0) {
				break;
			}
		}
	}
	if (r == 0) {
		reopens_end(&rq.m->reopens, fuse_req_ctx(req)->pid);
		place_changed(rq.m, &dir_place, rq.index_known);
		reply_create(&rq, h, &entry, fi);
	} else {
		request_fail(&rq, r, dir, name);
	}
}

/* ------------------------------------------------------------ bytes */

void
ops_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi)
{
	struct handle *h = ops_handle(fi);
	struct slice bytes = {0};

	(void)ino;
	if (ops_is_made(h->node)) {
		ops_read_made(req, h, size, (size_t)off, fi);
		return;
	}
	cleanup(request_close) struct request rq;

	request_open(&rq, req);
	request_may_end_early(&rq, true);
	/* A READ without a lock owner fills the page cache. */
	int r = file_read(rq.m, &rq.c, h, fi->lock_owner == 0, (size_t)off, size, &bytes);

	request_may_end_early(&rq, false);

	if (r == 0) {
		(void)fuse_reply_buf(req, bytes.at, bytes.len);
	} else if (r == PLACE_ABSENT) {
		(void)fuse_reply_err(req, ESTALE);
	} else {
		request_fail(&rq, r, h->node, NULL);
	}
}

void
ops_write(fuse_req_t req, fuse_ino_t ino, const char *bytes, size_t size, off_t off,
	  struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;
	struct handle *h = ops_handle(fi);

	(void)ino;
	request_open(&rq, req);
	/* The kernel may know an old size: append at the real end. */
	bool append =
		(fi->flags & O_APPEND) != 0 && (is_remote_item(&rq, h->node) || h->file->mixed);
	int r = file_write(rq.m, &rq.c, h, append ? FILE_END : (size_t)off, slice_of(bytes, size));

	if (r == 0) {
		(void)fuse_reply_write(req, size);
	} else {
		request_fail(&rq, r, h->node, NULL);
	}
}
