/*
 * ops_dir - directories: streams of entries, and partitions that are made and
 * removed by hand.
 */
#include <errno.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/engine/feed.h"
#include "store/model/limits.h"

#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/mount_int.h"
#include "fs/file/handle.h"
#include "fs/file/hidden.h"
#include "fs/file/request.h"
#include "fs/format/clauses.h"
#include "fs/format/path.h"
#include "fs/ops/listing.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"

enum { READDIR_MAX = 1024 * 1024 };

static struct listing *
listing_of(const struct fuse_file_info *fi)
{
	/* The handle is the address that opendir gave. */
	return (struct listing *)(uintptr_t)fi->fh; /* NOLINT(performance-no-int-to-ptr) */
}

void
ops_opendir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct request rq;

	request_open(&rq, req);
	struct node *dir = node_of(rq.m, ino);
	struct listing *l = listing_new(rq.m, &rq.c, dir);

	fi->fh = (uint64_t)(uintptr_t)l;
	if (l == NULL) {
		request_fail(&rq, -(int)rq.c.error.code, dir, NULL);
	} else if (fuse_reply_open(req, fi) != 0) {
		listing_free(l);
	}
	request_close(&rq);
}

void
ops_releasedir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct listing *l = listing_of(fi);

	(void)ino;
	{
		/* A READDIR that is answered may still be reading ahead. */
		lock_scope(&l->lock);
	}
	listing_free(l);
	(void)fuse_reply_err(req, 0);
}

void
ops_fsyncdir(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi)
{
	struct request rq;

	(void)datasync;
	(void)fi;
	request_open(&rq, req);
	int r = ops_make_durable(&rq);

	request_end(&rq, r, node_of(rq.m, ino), NULL);
	request_close(&rq);
}

/* ------------------------------------------------------------ reading */

/* One READDIR being answered. */
struct dirents {
	struct request *rq;
	struct listing *l;
	bool plus;
	bool open_files; /* is any item being written? */
	char *at;        /* records */
	size_t len;
	size_t size;
	uint64_t next;        /* ordinal behind the last record */
	struct buf component; /* of the entry at hand */
	struct buf name;
};

static size_t
ops_dir_add(struct dirents *d, const char *name, const struct fuse_entry_param *e, uint64_t next)
{
	char *at = d->at + d->len;
	size_t room = d->size - d->len;

	return d->plus ? fuse_add_direntry_plus(d->rq->fuse, at, room, name, e, (off_t)next)
		       : fuse_add_direntry(d->rq->fuse, at, room, name, &e->attr, (off_t)next);
}

/* Of the directory above; the root's is beyond the mount, and shown as its own. */
static uint64_t
parent_ino(struct dirents *d)
{
	struct request *rq = d->rq;
	struct node *up = inode_parent(&rq->m->inodes, d->l->dir);
	struct place p;
	bool known = up != NULL && place_of(rq->m, &rq->c, up, &p) == 0;

	inode_unref(&rq->m->inodes, up);
	rq->c.error = (struct error){0};
	return known ? place_ino(&p) : d->l->ino;
}

/* false: the buffer is full. */
static bool
put_dots(struct dirents *d, uint64_t ordinal)
{
	struct fuse_entry_param e = {
		.attr = {.st_ino = ordinal == 0 ? d->l->ino : parent_ino(d), .st_mode = S_IFDIR}};
	size_t need = ops_dir_add(d, ordinal == 0 ? "." : "..", &e, ordinal + 1);

	if (need > d->size - d->len) {
		return false;
	}
	d->len += need;
	return true;
}

/*
 * What the kernel is given to keep must be of the newest state, and the listing's is a frozen one.
 * false: the entry is gone, or cannot be asked for
 */
static bool
ops_dir_renew(struct dirents *d, struct facts *facts)
{
	struct request *rq = d->rq;
	struct child child;

	rq->newest = d->l->newest;
	if (rq->m->feed == NULL || feed_newest(rq->m->feed) == rq->newest) {
		return true;
	}
	rq->newest = feed_newest(rq->m->feed);
	int r = place_child(rq->m, &rq->c, &d->l->place, buf_view(&d->name), &child);

	r = r == 0 ? place_stat(rq->m, &rq->c, &child.place, NULL, facts) : r;
	rq->c.error = (struct error){0};
	return r == 0;
}

/*
 * With attributes, so that no LOOKUP follows; the kernel then counts one.
 * NULL: it is listed without them
 */
static struct node *
ops_dir_count(struct dirents *d, const struct listed *listed, bool hashed,
	      struct fuse_entry_param *e)
{
	struct request *rq = d->rq;
	struct child child = {.kind = listed->kind, .place = d->l->place};
	struct facts facts = listed->facts;

	if (!ops_dir_renew(d, &facts)) {
		return NULL;
	}
	child.stem = buf_view(&d->name);
	child.full = hashed ? buf_view(&d->component) : (struct slice){0};
	child.stem.len -= listed->kind == NODE_ITEM ? strlen(rq->m->suffix) : 0;
	uint64_t ino = e->attr.st_ino;
	bool unstable = false;

	if (d->open_files && listed->kind == NODE_ITEM) {
		struct node *n = inode_find(&rq->m->inodes, d->l->dir, child.stem);

		if (n != NULL) {
			unstable = attr_overlay(rq->m, n, &facts);
			inode_unref(&rq->m->inodes, n);
		}
	}
	struct node *n = ops_entry(rq, d->l->dir, &child, &facts, unstable, e);

	/* The place is the directory's. */
	attr_fill(rq->m, &facts, ino, &e->attr);
	return n;
}

static uint64_t
listed_ino(const struct listing *l, const struct listed *listed, struct slice stem)
{
	if (listed->own && (listed->kind == NODE_SPECIAL || listed->kind == NODE_INDEXES)) {
		return place_dot_ino(listed->kind == NODE_SPECIAL ? 1 : l->ino, stem);
	}
	return listed->kind == NODE_SCRATCH ? place_scratch_ino(l->ino, stem)
					    : place_child_ino(l->ino, stem);
}

static bool
put_entry(struct dirents *d, const struct listed *listed, uint64_t ordinal)
{
	bool item = listed->kind == NODE_ITEM;
	struct slice suffix = item ? slice_from(d->rq->m->suffix) : (struct slice){0};
	struct fuse_entry_param e = {0};
	struct node *counted = NULL;

	buf_clear(&d->name);
	bool hashed = path_put_name(&d->name, buf_view(&d->component), suffix);
	struct slice stem = slice_of(d->name.at, d->name.len - suffix.len);

	if (item && !listed->own && listing_hides(d->l, stem)) {
		return true;
	}
	e.attr.st_ino = listed_ino(d->l, listed, stem);
	e.attr.st_mode = listed->facts.is_dir ? S_IFDIR : S_IFREG;
	/* One that was hidden since is in the frozen state; the kernel must not learn that it is there. */
	if (d->plus && listed->has_facts && !(item && hidden_is(d->rq->m, d->l->dir, stem))) {
		counted = ops_dir_count(d, listed, hashed, &e);
	}
	*buf_room(&d->name, 1) = '\0';
	size_t need = ops_dir_add(d, d->name.at, &e, ordinal + 1);

	if (need > d->size - d->len) {
		if (counted != NULL) {
			inode_forget(&d->rq->m->inodes, counted, 1);
		}
		return false;
	}
	d->len += need;
	return true;
}

/* Entries from @ordinal on, as many as fit; d->next is then the first that did not. */
static int
ops_dir_fill(struct dirents *d, uint64_t ordinal)
{
	for (;; ordinal++) {
		struct listed listed;

		d->next = ordinal;
		if (ordinal < LISTING_FIRST) {
			if (!put_dots(d, ordinal)) {
				return 0;
			}
			continue;
		}
		buf_clear(&d->component);
		int r = listing_get(d->l, &d->rq->c, ordinal, &d->component, &listed);

		if (r == LISTING_END) {
			return 0;
		}
		/* What fits so far is good; the fault is met again by the next READDIR. */
		if (r != 0) {
			return d->len > 0 ? 0 : r;
		}
		if (!put_entry(d, &listed, ordinal)) {
			return 0;
		}
	}
}

/* The records that were made in advance, if they are those that are asked for. */
static bool
take_ahead(struct dirents *d, uint64_t ordinal)
{
	struct listing *l = d->l;

	if (d->plus || l->ahead.len == 0 || l->ahead_first != ordinal || l->ahead.len > d->size) {
		return false;
	}
	memcpy(d->at, l->ahead.at, l->ahead.len);
	d->len = l->ahead.len;
	d->next = l->ahead_next;
	return true;
}

/*
 * The next records, while the kernel hands out these: a listing's two halves then run side by side.
 * Not with attributes: each of those would count as a lookup, taken or not.
 */
static void
read_ahead(struct dirents *d)
{
	struct listing *l = d->l;
	uint64_t first = d->next;

	buf_clear(&l->ahead);
	/* A query may look for long, and nobody could stop it. */
	if (d->plus || d->len == 0 || l->place.role == ROLE_QUERY) {
		return;
	}
	d->len = 0;
	if (ops_dir_fill(d, first) == 0) {
		buf_put(&l->ahead, d->at, d->len);
		l->ahead_first = first;
		l->ahead_next = d->next;
	}
}

static void
read_dir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi,
	 bool plus)
{
	struct request rq;
	struct listing *l = listing_of(fi);
	struct dirents d = {.rq = &rq, .l = l, .plus = plus};
	uint64_t ordinal = (uint64_t)off;
	int r = 0;

	request_open(&rq, req);
	{
		lock_scope(&l->lock);
		d.open_files = plus && file_any(rq.m);
		d.size = size < READDIR_MAX ? size : READDIR_MAX;
		d.at = arena_new(&rq.c.arena, char, d.size);
		buf_init(&d.component, &rq.c.arena);
		buf_init(&d.name, &rq.c.arena);
		request_heed(&rq, true);
		if (ordinal == 0 || !l->begun) {
			buf_clear(&l->ahead);
			r = listing_begin(l, &rq.c);
		}
		if (r == 0 && !take_ahead(&d, ordinal)) {
			r = ops_dir_fill(&d, ordinal);
		}
		l->used_ns = clock_steady_ns();
		request_heed(&rq, false);
		if (r == 0) {
			(void)fuse_reply_buf(req, d.at, d.len);
			read_ahead(&d);
		} else {
			request_fail(&rq, r, node_of(rq.m, ino), NULL);
		}
	}
	request_close(&rq);
}

void
ops_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi)
{
	read_dir(req, ino, size, off, fi, false);
}

void
ops_readdirplus(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi)
{
	read_dir(req, ino, size, off, fi, true);
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

/* The directory of a table with sort keys is the only one where directories are made. */
static bool
refuse_dir(struct request *rq, struct node *dir, const struct place *p, const char *name,
	   bool removes)
{
	if (place_is_read_only(rq->m, p)) {
		request_refuse(rq, EROFS, dir, name, mount_read_only(rq->m));
		return true;
	}
	if (p->role != ROLE_TABLE || place_holds_items(p)) {
		request_refuse(
			rq, EPERM, dir, name,
			p->role == ROLE_TABLES
				? ops_table_command(rq, removes ? TABLE_DROP : TABLE_MAKE, name, "")
				: "only partitions of a table with a sort key are directories; a / in a key is written %2F");
		return true;
	}
	if (clauses_is_reserved(slice_from(name))) {
		request_refuse(rq, EPERM, dir, name, "this name is a query's");
		return true;
	}
	return false;
}

static void
reply_made(struct request *rq, struct node *dir, const struct place *dir_place, const char *name,
	   const struct child *child)
{
	struct facts facts = {.is_dir = true};
	struct fuse_entry_param entry;
	struct node *n = ops_entry(rq, dir, child, &facts, false, &entry);

	if (!pending_add(rq->m, n, rq->c.uid)) {
		request_fail(rq, account_full(&rq->c), n, NULL);
		inode_forget(&rq->m->inodes, n, 1);
		return;
	}
	request_made(rq, dir, name);
	place_changed(rq->m, dir_place);
	place_changed(rq->m, &child->place);
	facts.mtime_ns = place_time(rq->m, &child->place);
	attr_fill(rq->m, &facts, place_ino(&child->place), &entry.attr);
	if (fuse_reply_entry(rq->fuse, &entry) != 0) {
		inode_forget(&rq->m->inodes, n, 1);
	}
}

void
ops_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode)
{
	struct request rq;
	struct place dir_place;
	struct child child;
	struct facts facts;
	bool unstable;

	(void)mode;
	request_open(&rq, req);
	struct node *dir = node_of(rq.m, parent);
	int r = place_of(rq.m, &rq.c, dir, &dir_place);

	if (r == 0 && refuse_dir(&rq, dir, &dir_place, name, false)) {
		request_close(&rq);
		return;
	}
	if (r == 0) {
		r = place_child(rq.m, &rq.c, &dir_place, slice_from(name), &child);
	}
	if (r == 0) {
		r = check_partition_key(&rq, &child.place);
	}
	if (r == 0 && child.kind == NODE_PARTITION) {
		r = ops_stat_child(&rq, dir, &child, &facts, &unstable);
	}
	if (r == 0) {
		r = PLACE_EXISTS;
	}
	if (r == PLACE_ABSENT) {
		reply_made(&rq, dir, &dir_place, name, &child);
	} else {
		request_fail(&rq, r, dir, name);
	}
	request_close(&rq);
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
	struct request rq;
	struct place dir_place;
	struct child child;

	request_open(&rq, req);
	struct node *dir = node_of(rq.m, parent);
	int r = place_of(rq.m, &rq.c, dir, &dir_place);

	if (r == 0 && refuse_dir(&rq, dir, &dir_place, name, true)) {
		request_close(&rq);
		return;
	}
	if (r == 0) {
		r = place_child(rq.m, &rq.c, &dir_place, slice_from(name), &child);
	}
	if (r == 0 && child.kind != NODE_PARTITION) {
		request_refuse(&rq, EPERM, dir, name, "this directory is always there");
		request_close(&rq);
		return;
	}
	struct node *n = r == 0 ? inode_find(&rq.m->inodes, dir, child.stem) : NULL;

	if (r == 0) {
		r = n == NULL ? PLACE_ABSENT : remove_partition(&rq, n, &child.place);
	}
	if (r == 0) {
		place_changed(rq.m, &dir_place);
	}
	request_end(&rq, r, dir, name);
	inode_unref(&rq.m->inodes, n);
	request_close(&rq);
}
