/*
 * ops_name - LOOKUP, FORGET, GETATTR, STATFS; and LINK, SYMLINK, MKNOD, which are refused
 */
#include <sys/statvfs.h>

#include "store/base/core/clock.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "fs/core/absence.h"
#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/reopens.h"
#include "fs/core/shed.h"
#include "fs/file/hidden.h"
#include "fs/file/missed.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/made/special.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"
#include "fs/place/place_stat.h"

enum { BLOCK = 4096 };

static const uint64_t ENDPOINT_BYTES = (uint64_t)1 << 50; /* free space shown for an endpoint */

int
ops_stat_child(struct request *rq, struct node *dir, const struct child *child,
	       struct attributes *out, bool *unstable)
{
	*unstable = false;
	if (child->place.role == ROLE_SPECIAL) {
		*unstable = true;
		return special_stat(rq->m, &rq->c, child->place.shown, out);
	}
	if (place_is_fleeting(&child->place)) {
		*unstable = true;
		return place_stat(rq->m, &rq->c, &child->place, NULL, out);
	}
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);
	bool hidden = child->kind == NODE_ITEM && hidden_is(rq->m, dir, child->stem);
	int r = PLACE_ABSENT;

	if (n == NULL) {
		return hidden ? r : place_stat(rq->m, &rq->c, &child->place, NULL, out);
	}
	/* A hidden item is absent, unless a new file is being written in its place. */
	if (!hidden || ops_is_new_file(rq, n)) {
		r = attr_get(rq, n, &child->place, out, unstable);
	}

	inode_unref(&rq->m->inodes, n);
	return r;
}

struct node *
ops_entry(struct request *rq, struct node *dir, const struct child *child,
	  const struct attributes *attributes, bool unstable, struct fuse_entry_param *out)
{
	struct mount *m = rq->m;
	struct node *n = inode_look(&m->inodes, dir, child->kind, child->stem, child->full);
	if (child->place.index != NULL || child->kind == NODE_INDEXES) {
		/* Before request_timeout(): a change that the invalidation thread has missed makes that 0. */
		mount_index_known(m);
	}
	double timeout = unstable ? 0 : request_timeout(rq);

	*out = (struct fuse_entry_param){
		.ino = node_id(m, n), .attr_timeout = timeout, .entry_timeout = timeout};
	attr_fill(m, attributes, child->place.ino, &out->attr);
	shed_look(m);
	return n;
}

/*
 * Answer LOOKUP of an absent name.  The kernel may cache the answer, except below a query.  A removed partition that a
 * program has open still has a node; its name is absent nevertheless. In a partition there are no partitions.
 */
static void
reply_absent(struct request *rq, int r, struct node *dir, const struct place *dir_place,
	     const char *name)
{
	struct node *n = dir_place->role == ROLE_PARTITION
				 ? NULL
				 : inode_find(&rq->m->inodes, dir, slice_from(name));

	if (n != NULL) {
		n->flags |= NODE_MISSED;
		inode_unref(&rq->m->inodes, n);
	}
	absent_add(&rq->m->absent, dir, slice_from(name));
	/* Below .itemfs, each user sees different names. */
	bool fleeting = place_is_fleeting(dir_place) || dir_place->role == ROLE_SPECIAL ||
			slice_ends(slice_from(name), SLICE(SCRATCH_REFUSED));
	struct fuse_entry_param none = {.entry_timeout = fleeting ? 0 : request_timeout(rq)};

	/* Before the reply, so that a program that got it finds the reason in the log. */
	missed_note(rq, dir, dir_place, slice_from(name), r == PLACE_ODD);
	(void)fuse_reply_entry(rq->fuse, &none);
}

static void
reply_entry(struct request *rq, struct node *dir, const struct child *child,
	    const struct attributes *attributes, bool unstable)
{
	struct fuse_entry_param entry;
	struct node *n = ops_entry(rq, dir, child, attributes, unstable, &entry);

	if (fuse_reply_entry(rq->fuse, &entry) != 0) {
		inode_forget(&rq->m->inodes, n, 1);
	}
}

/* Return: whether this is the second lookup of a thread that could not open a new file, see reopens.h */
static bool
is_reopened(struct request *rq, struct node *dir, const struct child *child)
{
	if (!reopens_look(&rq->m->reopens, fuse_req_ctx(rq->fuse)->pid, dir, child->stem,
			  clock_steady_ms())) {
		return false;
	}
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);
	bool is_new = ops_is_new_file(rq, n);

	inode_unref(&rq->m->inodes, n);
	return is_new;
}

void
ops_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	cleanup(request_close) struct request rq;
	struct place dir_place;
	struct child child;
	struct attributes attributes;
	bool unstable = false;

	request_open(&rq, req);
	request_may_end_early(&rq, true);
	struct node *dir = node_of(rq.m, parent);
	int r = place_of(rq.m, &rq.c, dir, &dir_place);

	dir_place.age = PLACE_RECENT;
	r = r == 0 ? place_child(rq.m, &rq.c, &dir_place, slice_from(name), &child) : r;
	if (r == 0) {
		r = ops_stat_child(&rq, dir, &child, &attributes, &unstable);
	}
	request_may_end_early(&rq, false);
	if (r == 0 && dir_place.clauses.awaits == CLAUSE_FILTER) {
		missed_quotes(&rq, dir, slice_from(name));
	}
	if (r == 0 && unstable && is_reopened(&rq, dir, &child)) {
		(void)fuse_reply_err(req, ENOENT); /* the kernel does not cache it */
	} else if (r == 0) {
		reply_entry(&rq, dir, &child, &attributes, unstable);
	} else if (r == PLACE_ABSENT || r == PLACE_ODD) {
		reply_absent(&rq, r, dir, &dir_place, name);
	} else {
		request_fail(&rq, r, dir, name);
	}
}

void
ops_forget(fuse_req_t req, fuse_ino_t ino, uint64_t nlookup)
{
	struct mount *m = fuse_req_userdata(req);

	if (ino != FUSE_ROOT_ID) {
		inode_forget(&m->inodes, node_of(m, ino), nlookup);
	}
	fuse_reply_none(req);
}

void
ops_forget_multi(fuse_req_t req, size_t count, struct fuse_forget_data *forgets)
{
	struct mount *m = fuse_req_userdata(req);

	for (size_t i = 0; i < count; i++) {
		if (forgets[i].ino != FUSE_ROOT_ID) {
			inode_forget(&m->inodes, node_of(m, forgets[i].ino), forgets[i].nlookup);
		}
	}
	fuse_reply_none(req);
}

void
ops_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	cleanup(request_close) struct request rq;
	struct place place;
	struct attributes attributes;
	bool unstable = false;
	struct stat st;

	(void)fi;
	request_open(&rq, req);
	request_may_end_early(&rq, true);
	struct node *n = node_of(rq.m, ino);
	int r = place_of(rq.m, &rq.c, n, &place);

	place.age = PLACE_RECENT;
	if (r == PLACE_ABSENT && n->kind == NODE_TABLE_FILE) {
		/* The table is gone.  A program that has the file open can still read its text. */
		unstable = true;
		attributes = (struct attributes){.mtime_ns = 0};
		r = 0;
	} else if (r == 0 && place.role == ROLE_SPECIAL) {
		unstable = true;
		r = special_stat(rq.m, &rq.c, place.shown, &attributes);
	} else if (r == 0) {
		r = attr_get(&rq, n, &place, &attributes, &unstable);
	}
	request_may_end_early(&rq, false);
	if (r == PLACE_ABSENT && n->kind == NODE_ITEM) {
		/* The kernel may have the name cached: ESTALE makes it look the name up again. */
		r = PLACE_GONE;
	}
	if (r == 0) {
		attr_fill(rq.m, &attributes, place.ino, &st);
		(void)fuse_reply_attr(req, &st, unstable ? 0 : request_timeout(&rq));
	} else {
		request_fail(&rq, r, n, NULL);
	}
}

/* ------------------------------------------------------------ statfs */

/* Add the totals of a table or, in the mount of an index, of that index. */
static void
add_totals(struct request *rq, struct slice table, struct totals *sum)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out = {0};

	if (engine_describe_table(rq->m->engine, &rq->c, &in, &out) != 0) {
		return;
	}
	struct totals one = out.table.totals;

	if (rq->m->index[0] != '\0') {
		const struct schema *s = out.table.schema;
		const struct index *ix = schema_index(s, slice_from(rq->m->index));

		one = ix == NULL ? (struct totals){0} : out.table.index_totals[ix - s->index];
	}
	sum->items += one.items;
	sum->bytes += one.bytes;
}

/* Add the totals of all tables; of an endpoint only those of the first hundred, because each one is a request. */
static void
add_all_totals(struct request *rq, struct totals *sum)
{
	struct list_tables_in in = {0};
	struct list_tables_out page = {0};

	if (rq->m->table[0] != '\0') {
		add_totals(rq, slice_from(rq->m->table), sum);
		return;
	}
	do {
		if (engine_list_tables(rq->m->engine, &rq->c, &in, &page) != 0) {
			return;
		}
		for (size_t i = 0; i < page.n_names && rq->c.error.code == ERR_NONE; i++) {
			add_totals(rq, page.names[i], sum);
		}
		in.start = page.last;
	} while (in.start.len > 0 && rq->c.error.code == ERR_NONE && !mount_is_remote(rq->m));
}

/* An endpoint has no limit, but df needs a size. */
static void
fill_room(uint64_t bytes, struct statvfs *st)
{
	st->f_bfree = st->f_bavail = ENDPOINT_BYTES / BLOCK;
	st->f_blocks = st->f_bfree + (bytes + BLOCK - 1) / BLOCK;
}

void
ops_statfs(fuse_req_t req, fuse_ino_t ino)
{
	cleanup(request_close) struct request rq;
	struct statvfs st = {.f_bsize = BLOCK, .f_frsize = BLOCK};
	struct totals sum = {0};

	(void)ino;
	request_open(&rq, req);
	add_all_totals(&rq, &sum);
	if (mount_is_remote(rq.m)) {
		fill_room(sum.bytes, &st);
	} else {
		(void)statvfs(rq.m->hub->store, &st);
	}
	/* Files are items, and their number has no limit. */
	st.f_ffree = st.f_favail = st.f_bavail;
	st.f_files = sum.items + st.f_ffree;
	st.f_namemax = PATH_NAME_MAX;
	(void)fuse_reply_statfs(req, &st);
}

/* ------------------------------------------------------------ links and special files */

static void
refuse_kind(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	cleanup(request_close) struct request rq;

	request_open(&rq, req);
	request_refuse(&rq, EPERM, node_of(rq.m, parent), name,
		       "a mount can only have items and directories; to copy an item: cp");
}

void
ops_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t parent, const char *name)
{
	(void)ino;
	refuse_kind(req, parent, name);
}

void
ops_symlink(fuse_req_t req, const char *target, fuse_ino_t parent, const char *name)
{
	(void)target;
	refuse_kind(req, parent, name);
}

void
ops_mknod(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode, dev_t rdev)
{
	(void)mode;
	(void)rdev;
	refuse_kind(req, parent, name);
}
