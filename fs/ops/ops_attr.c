/*
 * ops_attr - SETATTR
 *
 * Sets sizes and times.  Owner and mode change only for scratch files.  For others they are accepted and ignored, since
 * install, cp -p, rsync and mv set them.
 */
#include "store/base/core/clock.h"
#include "store/engine/engine.h"
#include "store/engine/feed.h"

#include "fs/core/again.h"
#include "fs/core/mount_int.h"
#include "fs/core/times.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/file/hidden.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"

static int
set_size(struct request *rq, struct node *n, const struct handle *h, uint64_t size, uint64_t *seq)
{
	struct file *f = h != NULL && h->file != NULL ? file_of(rq->m, h) : file_make(rq->m, n);
	int r = file_resize(rq->m, &rq->c, f, h, size, seq);

	file_put(rq->m, f);
	return r;
}

static int
set_time(struct request *rq, struct node *n, const struct place *p, uint64_t mtime_ns,
	 uint64_t *seq)
{
	struct file *f = file_get(rq->m, n);
	bool later = f != NULL && file_set_time(rq->m, f, mtime_ns);
	struct set_time_in in = {.table = p->table, .key = p->key, .mtime_ns = mtime_ns};
	struct set_time_out out;

	file_put(rq->m, f);
	/* An endpoint stores no times. */
	if (later || !p->known || mount_is_remote(rq->m)) {
		return 0;
	}
	int r = engine_set_time(rq->m->engine, &rq->c, &in, &out);

	if (r == 0) {
		*seq = out.seq;
	}
	return r;
}

/* The nearest time that can be stored; never 0, which would mean that no time was given. */
static uint64_t
nearest(const struct timespec *t)
{
	if (t->tv_sec < 0 || (t->tv_sec == 0 && t->tv_nsec == 0)) {
		return 1;
	}
	uint64_t s = (uint64_t)t->tv_sec, ns = (uint64_t)t->tv_nsec;

	return s > (UINT64_MAX - ns) / NS_PER_S ? UINT64_MAX : s * NS_PER_S + ns;
}

/* The time that the request sets, in ns; 0: none. */
static uint64_t
asked_time(int to_set, int set, int now, const struct timespec *t, uint64_t now_ns)
{
	if ((to_set & set) == 0) {
		return 0;
	}
	return (to_set & now) != 0 ? now_ns : nearest(t);
}

static uint64_t
asked_mtime(const struct stat *attr, int to_set, uint64_t now_ns)
{
	return asked_time(to_set, FUSE_SET_ATTR_MTIME, FUSE_SET_ATTR_MTIME_NOW, &attr->st_mtim,
			  now_ns);
}

static struct times_entry
asked_times(const struct place *p, const struct stat *attr, int to_set)
{
	uint64_t now_ns = clock_now_ns();

	return (struct times_entry){
		.ino = p->ino,
		.mtime_ns = asked_mtime(attr, to_set, now_ns),
		.atime_ns = asked_time(to_set, FUSE_SET_ATTR_ATIME, FUSE_SET_ATTR_ATIME_NOW,
				       &attr->st_atim, now_ns),
		.ctime_ns = now_ns,
	};
}

/* The store has only one time per item, so the mount keeps access times that were set. */
static void
set_access_time(struct request *rq, const struct place *p, const struct stat *attr, int to_set)
{
	struct times_entry e = asked_times(p, attr, to_set & ~FUSE_SET_ATTR_MTIME);

	if (e.atime_ns != 0) {
		times_set(&rq->m->access_times, &e, 0);
	}
}

/* The store has no times of directories: the mount keeps them until the next change of the collection. */
static void
set_dir(struct request *rq, const struct place *p, const struct stat *attr, int to_set)
{
	struct times_entry e = asked_times(p, attr, to_set);

	if (e.atime_ns != 0 || e.mtime_ns != 0) {
		times_set(&rq->m->dir_times, &e, place_time(rq->m, p));
	}
}

static int
set_scratch(struct request *rq, struct node *n, const struct stat *attr, int to_set)
{
	uint64_t mtime_ns = asked_mtime(attr, to_set, rq->c.now_ms * NS_PER_MS);
	struct file *f = file_get(rq->m, n);
	uint64_t seq;
	int r = 0;

	if (f == NULL) {
		return PLACE_ABSENT;
	}
	if (scratch_set_owner(f, attr, to_set)) {
		hidden_look(rq->m);
	}
	if ((to_set & FUSE_SET_ATTR_SIZE) != 0) {
		r = file_resize(rq->m, &rq->c, f, NULL, (uint64_t)attr->st_size, &seq);
	}
	if (r == 0 && mtime_ns != 0) {
		(void)file_set_time(rq->m, f, mtime_ns);
	}
	file_put(rq->m, f);
	return r;
}

static int
set_item(struct request *rq, struct node *n, const struct handle *h, const struct place *p,
	 const struct stat *attr, int to_set, uint64_t *seq)
{
	uint64_t mtime_ns = asked_mtime(attr, to_set, rq->c.now_ms * NS_PER_MS);
	int r = 0;

	/* Another try of this request must not empty what others have written meanwhile. */
	if ((to_set & FUSE_SET_ATTR_SIZE) != 0 && !again_is_done()) {
		r = set_size(rq, n, h, (uint64_t)attr->st_size, seq);
		ops_dir_of_changed(rq, n, *seq);
		if (r == 0) {
			again_done();
		}
	}
	if (r == 0 && mtime_ns != 0) {
		r = set_time(rq, n, p, mtime_ns, seq);
	}
	return r;
}

static void
reply_attr(struct request *rq, struct node *n, const struct place *p, const struct stat *attr,
	   int to_set)
{
	struct attributes attributes;
	struct stat st;
	bool unstable;
	int r = attr_get(rq, n, p, &attributes, &unstable);

	if (r != 0) {
		request_fail(rq, r, n, NULL);
		return;
	}
	if (!attributes.is_dir) {
		set_access_time(rq, p, attr, to_set);
	}
	attr_fill(rq->m, &attributes, p->ino, &st);
	(void)fuse_reply_attr(rq->fuse, &st, unstable ? 0 : request_timeout(rq));
}

void
ops_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *attr, int to_set,
	    struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;
	struct place place;
	uint64_t seq = 0;

	request_open(&rq, req);
	struct node *n = node_of(rq.m, ino);
	int r = place_of(rq.m, &rq.c, n, &place);

	if (r == 0 && place_is_read_only(rq.m, &place)) {
		request_refuse_read_only(&rq, n, NULL);
		return;
	}
	if (r == 0 && place.role == ROLE_ITEM) {
		r = set_item(&rq, n, fi == NULL ? NULL : ops_handle(fi), &place, attr, to_set,
			     &seq);
	} else if (r == 0 && place.role == ROLE_SCRATCH) {
		r = set_scratch(&rq, n, attr, to_set);
	} else if (r == 0) {
		set_dir(&rq, &place, attr, to_set);
	}
	if (r == 0) {
		ops_committed(&rq, n, seq);
		/* This reply already shows our own change, so the kernel may cache it. */
		rq.newest = rq.m->feed == NULL ? 0 : feed_newest(rq.m->feed);
		reply_attr(&rq, n, &place, attr, to_set);
	} else {
		request_fail(&rq, r, n, NULL);
	}
}
