/*
 * ops_readdir - open directories: OPENDIR, READDIR, READDIRPLUS, RELEASEDIR
 *
 * listing.c gives the entries; this file makes the kernel's records of them.
 */
#include "store/base/core/clock.h"
#include "store/engine/feed.h"

#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/file/request.h"
#include "fs/format/path.h"
#include "fs/ops/listing.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"

enum { READDIR_MAX = 1024 * 1024 };

static struct listing *
listing_of(const struct fuse_file_info *fi)
{
	/* The handle is the address that OPENDIR gave to the kernel. */
	return (struct listing *)(uintptr_t)fi->fh; /* NOLINT(performance-no-int-to-ptr) */
}

void
ops_opendir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;

	request_open(&rq, req);
	struct node *dir = node_of(rq.m, ino);
	struct listing *l = listing_new(rq.m, &rq.c, dir);

	fi->fh = (uint64_t)(uintptr_t)l;
	if (l == NULL) {
		request_fail(&rq, -(int)rq.c.error.code, dir, NULL);
	} else if (fuse_reply_open(req, fi) != 0) {
		listing_free(l);
	}
}

void
ops_releasedir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct listing *l = listing_of(fi);

	(void)ino;
	{
		/* The last READDIR may still be reading ahead, although it was answered. */
		lock_scope(&l->lock);
	}
	listing_free(l);
	(void)fuse_reply_err(req, 0);
}

/* ------------------------------------------------------------ reading */

/* A READDIR request. */
struct dirents {
	struct request *rq;
	struct listing *l;
	bool plus;
	bool open_files; /* some item is open for writing */
	char *at;        /* records */
	size_t len;
	size_t size;
	uint64_t next;        /* ordinal of the first entry without a record */
	struct buf component; /* of the current entry */
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

/* The number of the parent directory; of the root, its own number. */
static uint64_t
parent_ino(struct dirents *d)
{
	struct request *rq = d->rq;
	struct node *up = inode_parent(&rq->m->inodes, d->l->dir);
	struct place p;
	bool known = up != NULL && place_of(rq->m, &rq->c, up, &p) == 0;

	inode_unref(&rq->m->inodes, up);
	rq->c.error = (struct error){0};
	return known ? p.ino : d->l->ino;
}

/* false: the buffer is full */
static bool
put_dots(struct dirents *d, uint64_t ordinal)
{
	assert(ordinal < LISTING_FIRST);
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
 * Read the attributes of an entry again if the store has changed since the listing's state was frozen, because the
 * kernel may cache only attributes of the newest state.
 * Return: false: the entry is gone, or its attributes cannot be read
 */
static bool
ops_dir_renew(struct dirents *d, struct attributes *attributes)
{
	struct request *rq = d->rq;
	struct child child;

	rq->newest = d->l->newest;
	if (rq->m->feed == NULL || feed_newest(rq->m->feed) == rq->newest) {
		return true;
	}
	rq->newest = feed_newest(rq->m->feed);
	int r = place_child(rq->m, &rq->c, &d->l->place, buf_view(&d->name), &child);

	r = r == 0 ? place_stat(rq->m, &rq->c, &child.place, NULL, attributes) : r;
	rq->c.error = (struct error){0};
	return r == 0;
}

/*
 * Fill in the attributes of an entry, so that the kernel sends no LOOKUP.  The kernel counts the entry as a lookup.
 * Return: the node that was counted; NULL: the entry is listed without attributes
 */
static struct node *
ops_dir_count(struct dirents *d, const struct listed *listed, bool hashed,
	      struct fuse_entry_param *e)
{
	struct request *rq = d->rq;
	struct child child = {.kind = listed->kind, .place = d->l->place};
	struct attributes attributes = listed->attributes;

	if (!ops_dir_renew(d, &attributes)) {
		return NULL;
	}
	child.stem = buf_view(&d->name);
	child.full = hashed ? buf_view(&d->component) : (struct slice){0};
	child.stem.len -= listed->kind == NODE_ITEM ? strlen(rq->m->suffix) : 0;
	child.place.ino = e->attr.st_ino;
	bool unstable = false;

	if (d->open_files && listed->kind == NODE_ITEM) {
		struct node *n = inode_find(&rq->m->inodes, d->l->dir, child.stem);

		if (n != NULL) {
			unstable = attr_of_writer(rq->m, n, &attributes);
			inode_unref(&rq->m->inodes, n);
		}
	}
	return ops_entry(rq, d->l->dir, &child, &attributes, unstable, e);
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

/* false: the buffer is full */
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
	e.attr.st_mode = listed->attributes.is_dir ? S_IFDIR : S_IFREG;
	/* If it was hidden after the state was frozen, it is listed, but the kernel must not cache its name. */
	if (d->plus && listed->has_attributes && !(item && hidden_is(d->rq->m, d->l->dir, stem))) {
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

/* Add as many entries as fit, from @ordinal on.  Sets d->next to the first that did not fit. */
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
		/* Return the records so far.  The next READDIR meets the error again. */
		if (r != 0) {
			return d->len > 0 ? 0 : r;
		}
		if (!put_entry(d, &listed, ordinal)) {
			return 0;
		}
	}
}

/* Use the records that were read ahead.  false: there are none for @ordinal */
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
 * Make the next records while the program processes the current ones.
 * Not for READDIRPLUS: the kernel may never ask for them, but each record counts a lookup.
 */
static void
read_ahead(struct dirents *d)
{
	struct listing *l = d->l;
	uint64_t first = d->next;

	assert(lock_held(&l->lock));
	buf_clear(&l->ahead);
	/* A query may take long, and an interrupt could not stop it here. */
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
	cleanup(request_close) struct request rq;
	struct listing *l = listing_of(fi);
	struct dirents d = {.rq = &rq, .l = l, .plus = plus};
	uint64_t ordinal = (uint64_t)off;
	int r = 0;

	request_open(&rq, req);
	lock_scope(&l->lock);
	d.open_files = plus && file_any(rq.m);
	d.size = size < READDIR_MAX ? size : READDIR_MAX;
	d.at = arena_new(&rq.c.arena, char, d.size);
	buf_init(&d.component, &rq.c.arena);
	buf_init(&d.name, &rq.c.arena);
	request_may_end_early(&rq, true);
	if (ordinal == 0 || !l->begun) {
		buf_clear(&l->ahead);
		r = listing_begin(l, &rq.c);
	}
	if (r == 0 && !take_ahead(&d, ordinal)) {
		r = ops_dir_fill(&d, ordinal);
	}
	l->used_ns = clock_steady_ns();
	request_may_end_early(&rq, false);
	if (r == 0) {
		(void)fuse_reply_buf(req, d.at, d.len);
		read_ahead(&d);
	} else {
		request_fail(&rq, r, node_of(rq.m, ino), NULL);
	}
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
